"""The forecast panel: seven prisoners into four boats, one press each, boat by boat.

What is chosen so far travels in the controls' argument, a digit a prisoner (0: nowhere yet), so the panel survives a
restart and keeps nothing: "1122334.5.6" is that forecast, made by a press on the prisoner of place 5, by which that of
place 6 got the boat that was left.
"""

from collections.abc import Iterator, Sequence
from functools import lru_cache

from cogs.ausbrecher import picture
from cogs.ausbrecher.words import called, crews, face_name, forecast_words, sign
from cogs.core.ops.text_format import count
from cogs.core.pages.game_ui import PRIVATE_PICTURES
from cogs.core.pages.page import Block, Button, Page, Picture, Row, Style, Text
from cogs.core.pages.player_page import ANEW
from engine.contract import Refusal
from engine.games.ausbrecher import COLOURS, Assignment, AusbrecherView, judge_forecast

NOWHERE = 0
NOBODY: Assignment = (NOWHERE,) * len(COLOURS)
"""Nobody has a boat yet."""


def written(bets: Assignment) -> str:
    """Return a forecast, finished or not, as an argument."""
    return "".join(map(str, bets))


def read(argument: str) -> Assignment | None:
    """Return the forecast that an argument holds, or None."""
    argument = argument.partition(".")[0]
    if len(argument) != len(COLOURS) or any(letter not in "01234" for letter in argument):
        return None
    return tuple(int(letter) for letter in argument)


def read_filled(argument: str) -> int | None:
    """Return the place of the prisoner who got the boat that was left by this control; None if nobody did."""
    places = [place for place in argument.split(".")[1:] if len(place) == 1 and place in "0123456"]
    return int(places[1]) if len(places) == 2 else None


def complete(bets: Assignment, holds: Sequence[int]) -> bool:
    """Say whether this is a forecast that may be given."""
    try:
        judge_forecast(holds, bets)
    except Refusal:
        return False
    return True


def pressed(bets: Assignment, place: int, holds: Sequence[int]) -> Assignment:
    """Return the forecast after a prisoner was pressed: into the first boat with room, or out of the boat it is in.

    Whoever is left alone then goes into the place that is left. Where only one has no boat, for it was taken out of a
    whole forecast, it changes places with the one that is pressed.
    """
    if not bets[place]:
        return _filled(_with(bets, place, _room(bets, holds)), holds)
    if bets.count(NOWHERE) == 1:
        return _filled(_with(_with(bets, bets.index(NOWHERE), bets[place]), place, NOWHERE), holds)
    return _with(bets, place, NOWHERE)


def _filled(bets: Assignment, holds: Sequence[int]) -> Assignment:
    return _with(bets, bets.index(NOWHERE), _room(bets, holds)) if bets.count(NOWHERE) == 1 else bets


def _with(bets: Assignment, place: int, boat: int) -> Assignment:
    return (*bets[:place], boat, *bets[place + 1 :])


def _room(bets: Assignment, holds: Sequence[int]) -> int:
    """The first boat with room; `NOWHERE` if all are full."""
    return next((boat for boat, room in enumerate(holds, start=1) if bets.count(boat) < room), NOWHERE)


def panel(
    view: AusbrecherView, bets: Assignment, colour: int, filled: int | None = None, *, clock: bool = False
) -> Page:
    """Return the panel on which a seat bets; the prisoner of the place `filled` has just got the boat that was left.
    `clock`: time may run out.
    """
    return Page(tuple(blocks(view, bets, filled, clock=clock)), colour)


def blocks(view: AusbrecherView, bets: Assignment, filled: int | None = None, *, clock: bool = False) -> list[Block]:
    """Return the panel's parts: what is chosen so far, a button for each prisoner, and the one that gives it."""
    holds = view.race.holds
    own = None if view.seat is None else view.forecasts[view.seat]
    gained = (None,) * len(COLOURS)
    buttons = tuple(_prisoner(place, bets, own or NOBODY, holds, filled) for place in range(len(COLOURS)))
    return [
        Text("\n".join([_state(bets, own, holds, filled), *_holds_else(bets, own, holds, clock=clock)])),
        pictured(bets, gained),
        Row(buttons[:4]),
        Row(buttons[4:]),
        Row((_give(bets, own, holds), *_undo(bets, own))),
    ]


def _give(bets: Assignment, own: Assignment | None, holds: Sequence[int]) -> Button:
    """The button that gives what is chosen, once that is whole."""
    label = "Give this forecast" if own is None else "It is given" if bets == own else "Give this instead"
    return Button(label, "give", written(bets), style="success", disabled=not complete(bets, holds) or bets == own)


def _undo(bets: Assignment, own: Assignment | None) -> tuple[Button, ...]:
    """The way back from what is chosen: to the one that was given, else to nothing. It stands where *More …* does on
    the page as it was.
    """
    if bets == own:
        return (Button("Start over", "clear"),)
    if own is not None:
        return (Button("Keep what I gave", "hand", ANEW),)
    return (Button("Start over", "hand", ANEW),) if any(bets) else ()


@lru_cache(maxsize=PRIVATE_PICTURES)
def pictured(bets: Assignment, gained: tuple[int | None, ...]) -> Picture:
    """Return a forecast as a picture, with the points that it has brought so far."""
    return Picture(picture.draw_forecast(bets, gained), "forecast.png", told(bets, gained))


def _state(bets: Assignment, own: Assignment | None, holds: Sequence[int], filled: int | None) -> str:
    """How the forecast stands, and what is to be done now."""
    if own is not None and bets == own:
        return (
            "**Your forecast is in.** You may change it until the last one is: press two prisoners who change places."
        )
    head = f"**Your forecast{', not given yet' if any(bets) else ''}.**"
    if own is not None:
        head = "**Your forecast is changed, and not given yet.**"
    boat = _room(bets, holds)
    if boat == NOWHERE:
        left = "" if filled is None else f", {COLOURS[filled]} the one that was left"
        return f"{head} All seven have a boat{left}: give it, or press two prisoners who change places."
    if bets.count(NOWHERE) == 1:
        out = COLOURS[bets.index(NOWHERE)]
        return f"{head} **{called(out)}** changes places with whom? Press {out} again to leave it in boat {boat}."
    missing = holds[boat - 1] - bets.count(boat)
    worth = count(boat, "point")
    return f"{head} Who flees in **boat {boat}**? {count(missing, 'prisoner')} to choose; each is worth {worth}."


def _holds_else(bets: Assignment, own: Assignment | None, holds: Sequence[int], *, clock: bool) -> Iterator[str]:
    """What holds as long as the one that is chosen is not given: the one that was, or chance if time runs out."""
    if own is not None and bets != own:
        ends = "time runs out or the last one comes in" if clock else "the last one comes in"
        yield f"-# Until you give this one, what you gave before stands, and counts if {ends}: {crews(own)}."
    elif own is None and clock and not complete(bets, holds):
        yield "-# If time runs out without one, it is drawn by chance."


def _prisoner(place: int, bets: Assignment, before: Assignment, holds: Sequence[int], filled: int | None) -> Button:
    """The button of a prisoner; what is bet once it is pressed travels in its argument, and its own place there: where
    two are left for one boat, either press leads to the same.

    Whoever got the boat that was left stays there: it is pressed by those who count to seven. What was there `before`
    anything was pressed stands on the page of the game itself.
    """
    colour, boat = COLOURS[place], bets[place]
    words = str(boat) if boat else ""
    then = bets if place == filled else pressed(bets, place, holds)
    alone = [number for number, bet in enumerate(bets) if not bet and number != place]
    got = filled if place == filled else alone[0] if not boat and len(alone) == 1 else None
    after = f"{written(then)}.{place}" + (f".{got}" if got is not None else "")
    style: Style = "primary" if boat else "success" if bets.count(NOWHERE) == 1 else "secondary"
    verb, argument = ("hand", f"{ANEW}.{place}") if then == before != bets else ("bet", after)
    label = f"{called(colour)} {words}".rstrip()
    return Button(label, verb, argument, style, sign(colour), face=face_name(colour), beside=words)


def told(bets: Assignment, gained: Sequence[int | None]) -> str:
    """Return a forecast's picture in words."""
    crews = [line for line in forecast_words(bets, gained) if "Boat 0" not in line]
    return f"Your forecast. {'. '.join(crews) or 'Nobody has a boat yet'}."
