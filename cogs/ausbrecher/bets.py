"""The forecast panel: seven prisoners into four boats, one press each, boat by boat.

What is chosen so far travels in the controls' argument, a digit a prisoner (0: nowhere yet), so the panel survives a
restart and keeps nothing. May import `cogs.core`, `engine` and its own package.
"""

from collections.abc import Sequence
from functools import lru_cache

from cogs.ausbrecher import picture
from cogs.ausbrecher.words import called, face_name, forecast_words
from cogs.core.messages.page import Block, Button, Page, Picture, Row, Style, Text
from cogs.core.phrases import count
from cogs.core.screen import PRIVATE_PICTURES
from engine.contract import Refusal
from engine.games.ausbrecher import COLOURS, Assignment, AusbrecherView, judge_forecast

NOWHERE = 0


def written(bets: Assignment) -> str:
    """Return a forecast, finished or not, as an argument."""
    return "".join(map(str, bets))


def read(argument: str) -> Assignment | None:
    """Return the forecast that an argument holds, or None."""
    argument = argument.partition(".")[0]
    if len(argument) != len(COLOURS) or any(letter not in "01234" for letter in argument):
        return None
    return tuple(int(letter) for letter in argument)


def complete(bets: Assignment, holds: Sequence[int]) -> bool:
    """Say whether this is a forecast that may be given."""
    try:
        judge_forecast(holds, bets)
    except Refusal:
        return False
    return True


def pressed(bets: Assignment, place: int, holds: Sequence[int]) -> Assignment:
    """Return the forecast after a prisoner was pressed: into the first boat with room, or out of the boat it is in.

    Whoever is left alone then goes into the place that is left.
    """
    if bets[place]:
        return _with(bets, place, NOWHERE)
    bets = _with(bets, place, _room(bets, holds))
    if bets.count(NOWHERE) == 1:
        bets = _with(bets, bets.index(NOWHERE), _room(bets, holds))
    return bets


def _with(bets: Assignment, place: int, boat: int) -> Assignment:
    return (*bets[:place], boat, *bets[place + 1 :])


def _room(bets: Assignment, holds: Sequence[int]) -> int:
    """The first boat with room; `NOWHERE` if all are full."""
    return next((boat for boat, room in enumerate(holds, start=1) if bets.count(boat) < room), NOWHERE)


def panel(view: AusbrecherView, bets: Assignment, colour: int) -> Page:
    """Return the panel on which a seat bets."""
    return Page(tuple(blocks(view, bets)), colour)


def blocks(view: AusbrecherView, bets: Assignment) -> list[Block]:
    """Return the panel's parts: what is chosen so far, a button for each prisoner, and the one that gives it."""
    holds = view.race.holds
    own = None if view.seat is None else view.forecasts[view.seat]
    gained = (None,) * len(COLOURS)
    ready = complete(bets, holds)
    buttons = tuple(_prisoner(place, bets, holds) for place in range(len(COLOURS)))
    give = Button("Give this forecast", "give", written(bets), style="success", disabled=not ready or bets == own)
    over = Button("Start over", "clear", disabled=not any(bets))
    return [
        Text(f"**Your forecast.** {_state(bets, own, holds)}"),
        pictured(bets, gained),
        Row(buttons[:4]),
        Row(buttons[4:]),
        Row((give, over)),
    ]


@lru_cache(maxsize=PRIVATE_PICTURES)
def pictured(bets: Assignment, gained: tuple[int | None, ...]) -> Picture:
    """Return a forecast as a picture, with the points that it has brought so far."""
    return Picture(picture.draw_forecast(bets, gained), "forecast.png", told(bets, gained))


def _state(bets: Assignment, own: Assignment | None, holds: Sequence[int]) -> str:
    """What is to be done now."""
    if own is not None and bets == own:
        return "It is in. You may change it until the last one is."
    boat = _room(bets, holds)
    if boat == NOWHERE:
        return "All seven have a boat: give your forecast, or press a prisoner to take it out again."
    missing = holds[boat - 1] - bets.count(boat)
    return (
        f"Who flees in **boat {boat}**? {count(missing, 'prisoner')} to choose; each is worth {count(boat, 'point')}."
    )


def _prisoner(place: int, bets: Assignment, holds: Sequence[int]) -> Button:
    """The button of a prisoner; what is bet once it is pressed travels in its argument, and its own place there: where
    two are left for one boat, either press leads to the same.
    """
    colour, boat = COLOURS[place], bets[place]
    words = str(boat) if boat else ""
    after = f"{written(pressed(bets, place, holds))}.{place}"
    style: Style = "primary" if boat else "secondary"
    return Button(f"{called(colour)} {words}".rstrip(), "bet", after, style, face=face_name(colour), beside=words)


def told(bets: Assignment, gained: Sequence[int | None]) -> str:
    """Return a forecast's picture in words."""
    crews = [line for line in forecast_words(bets, gained) if "Boat 0" not in line]
    return f"Your forecast. {'. '.join(crews) or 'Nobody has a boat yet'}."
