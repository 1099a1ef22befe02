"""The forecast page: seven prisoners into four boats, one press each, boat by boat.

The choice so far travels in the controls' argument, a digit per prisoner (0: none yet), so the page survives a restart
and stores nothing. "1122334.5.6" is that forecast, made by a press on the prisoner of place 5, which put the prisoner
of place 6 into the last free place.
"""

from collections.abc import Iterator, Sequence

from cogs.ausbrecher.bets_strip import draw_bets
from cogs.ausbrecher.end_picture import draw_forecast
from cogs.ausbrecher.words import capitalised, crews, face_name, forecast_words, points_so_far, prisoner_name, sign
from cogs.core.i18n.translation import _, cached_by_language, ngettext
from cogs.core.pages.game_ui import PRIVATE_PICTURES
from cogs.core.pages.page import Block, Button, Page, Picture, Row, Style, Text
from cogs.core.pages.player_page import DISCARD_DRAFT
from engine.contract import Refusal
from engine.games.ausbrecher import COLOURS, Assignment, AusbrecherView, judge_forecast

NOWHERE = 0
EMPTY: Assignment = (NOWHERE,) * len(COLOURS)
"""The forecast before the first press."""


def dump_forecast(bets: Assignment) -> str:
    """Return a forecast, complete or not, as an argument."""
    return "".join(map(str, bets))


def load_forecast(argument: str) -> Assignment | None:
    """Return the forecast of an argument, or None."""
    argument = argument.partition(".")[0]
    if len(argument) != len(COLOURS) or any(letter not in "01234" for letter in argument):
        return None
    return tuple(int(letter) for letter in argument)


def load_filled(argument: str) -> int | None:
    """Return the place of the prisoner that this control put into the last free place, or None."""
    places = [place for place in argument.split(".")[1:] if len(place) == 1 and place in "0123456"]
    return int(places[1]) if len(places) == 2 else None


def is_complete(bets: Assignment, holds: Sequence[int]) -> bool:
    """Return whether this is a complete, valid forecast."""
    try:
        judge_forecast(holds, bets)
    except Refusal:
        return False
    return True


def after_press(bets: Assignment, place: int, holds: Sequence[int]) -> Assignment:
    """Return the forecast after a prisoner was pressed: moved into the first boat with space, or out of its boat.

    The last prisoner left goes into the last free place. If only one has no boat because it was taken out of a complete
    forecast, it changes places with the pressed prisoner.
    """
    if not bets[place]:
        return _fill_last(_with_boat(bets, place, _free_boat(bets, holds)), holds)
    if bets.count(NOWHERE) == 1:
        return _fill_last(_with_boat(_with_boat(bets, bets.index(NOWHERE), bets[place]), place, NOWHERE), holds)
    return _with_boat(bets, place, NOWHERE)


def _fill_last(bets: Assignment, holds: Sequence[int]) -> Assignment:
    return _with_boat(bets, bets.index(NOWHERE), _free_boat(bets, holds)) if bets.count(NOWHERE) == 1 else bets


def _with_boat(bets: Assignment, place: int, boat: int) -> Assignment:
    return (*bets[:place], boat, *bets[place + 1 :])


def _free_boat(bets: Assignment, holds: Sequence[int]) -> int:
    """Return the first boat with space, or `NOWHERE` if all are full."""
    return next((boat for boat, places in enumerate(holds, start=1) if bets.count(boat) < places), NOWHERE)


def page(view: AusbrecherView, bets: Assignment, filled: int | None = None, *, clock: bool = False) -> Page:
    """Return the page on which a seat bets.

    The prisoner of place `filled` has just been put into the last free place. `clock`: time may run out.
    """
    return Page(tuple(blocks(view, bets, filled, clock=clock)))


def blocks(view: AusbrecherView, bets: Assignment, filled: int | None = None, *, clock: bool = False) -> list[Block]:
    """Return the page's parts: the choice so far, a button per prisoner, and the one that submits it."""
    holds = view.race.holds
    own = None if view.seat is None else view.forecasts[view.seat]
    gained = (None,) * len(COLOURS)
    buttons = tuple(_prisoner_button(place, bets, own or EMPTY, holds, filled) for place in range(len(COLOURS)))
    return [
        Text("\n".join([_state_text(bets, own, holds, filled), *_otherwise_text(bets, own, holds, clock=clock)])),
        forecast_picture(bets, gained),
        Row(buttons[:4]),
        Row(buttons[4:]),
        Row((_submit_button(bets, own, holds), *_undo_button(bets, own))),
    ]


def _submit_button(bets: Assignment, own: Assignment | None, holds: Sequence[int]) -> Button:
    """Return the button that submits a complete choice."""
    labels = {None: _("Submit this forecast"), bets: _("Submitted")}
    label = labels.get(own, _("Submit this instead"))
    return Button(
        label, "give", dump_forecast(bets), style="success", disabled=not is_complete(bets, holds) or bets == own
    )


def _undo_button(bets: Assignment, own: Assignment | None) -> tuple[Button, ...]:
    """Return the button that undoes the choice: back to the submitted forecast, or to none. It is in the same
    place as *More …*.
    """
    if bets == own:
        return (Button(_("Start over"), "clear"),)
    if own is not None:
        return (Button(_("Keep my old forecast"), "hand", DISCARD_DRAFT),)
    return (Button(_("Start over"), "hand", DISCARD_DRAFT),) if any(bets) else ()


@cached_by_language(PRIVATE_PICTURES)
def forecast_picture(bets: Assignment, gained: tuple[int | None, ...]) -> Picture:
    """Return a forecast as a picture, with the points that it has brought so far."""
    return Picture(draw_forecast(bets, gained), "forecast.png", forecast_alt(bets, gained))


@cached_by_language(PRIVATE_PICTURES)
def bets_picture(bets: Assignment, gained: tuple[int | None, ...]) -> Picture:
    """Return a forecast as a strip below the race, with the points that it has brought so far."""
    points = ngettext("{n} point so far.", "{n} points so far.", points_so_far(gained))
    return Picture(draw_bets(bets, gained), "forecast.png", f"{forecast_alt(bets, gained)} {points}")


def _state_text(bets: Assignment, own: Assignment | None, holds: Sequence[int], filled: int | None) -> str:
    """Return the state of the forecast, and what to do now."""
    if own is not None and bets == own:
        return _("**Your forecast is in.** You can change it until the last one is: press two prisoners to swap them.")
    if own is not None:
        head = _("**Your forecast has changed (not submitted).**")
    else:
        head = _("**Your forecast (not submitted).**") if any(bets) else _("**Your forecast.**")
    return f"{head} {_next_step(bets, holds, filled)}"


def _next_step(bets: Assignment, holds: Sequence[int], filled: int | None) -> str:
    boat = _free_boat(bets, holds)
    if boat == NOWHERE and filled is not None:
        return _(
            "All seven have a boat ({prisoner} got the last place). Submit it, or press two prisoners to swap them.",
            prisoner=prisoner_name(COLOURS[filled]),
        )
    if boat == NOWHERE:
        return _("All seven have a boat. Submit it, or press two prisoners to swap them.")
    if bets.count(NOWHERE) == 1:
        out = COLOURS[bets.index(NOWHERE)]
        return _(
            "Who swaps places with **{name}**? Press {prisoner} again to leave it in boat {boat}.",
            name=capitalised(out),
            prisoner=prisoner_name(out),
            boat=boat,
        )
    return ngettext(
        "Who escapes in **boat {boat}**? Choose {n} prisoner, worth {points}.",
        "Who escapes in **boat {boat}**? Choose {n} prisoners, worth {points} each.",
        holds[boat - 1] - bets.count(boat),
        boat=boat,
        points=ngettext("{n} point", "{n} points", boat),
    )


def _otherwise_text(bets: Assignment, own: Assignment | None, holds: Sequence[int], *, clock: bool) -> Iterator[str]:
    """Return what counts until the choice is submitted: the previous forecast, or a random one if time runs out."""
    if own is not None and bets != own:
        if clock:
            yield _(
                "-# If time runs out or the last forecast comes in first, your old one counts: {forecast}.",
                forecast=crews(own),
            )
        else:
            yield _("-# If the last forecast comes in first, your old one counts: {forecast}.", forecast=crews(own))
    elif own is None and clock and not is_complete(bets, holds):
        yield _("-# If time runs out before it's complete, you get a random one.")


def _prisoner_button(
    place: int, bets: Assignment, before: Assignment, holds: Sequence[int], filled: int | None
) -> Button:
    """Return the button of a prisoner.

    Its argument holds the forecast after the press and the prisoner's place: where two are left for one boat, either
    press leads to the same forecast. A prisoner that was put into the last free place stays there for people who count
    seven presses. The position `before` the first press is also the game's own page.
    """
    colour, boat = COLOURS[place], bets[place]
    words = str(boat) if boat else ""
    then = bets if place == filled else after_press(bets, place, holds)
    alone = [number for number, bet in enumerate(bets) if not bet and number != place]
    got = filled if place == filled else alone[0] if not boat and len(alone) == 1 else None
    after = f"{dump_forecast(then)}.{place}" + (f".{got}" if got is not None else "")
    style: Style = "primary" if boat else "success" if bets.count(NOWHERE) == 1 else "secondary"
    verb, argument = ("hand", f"{DISCARD_DRAFT}.{place}") if then == before != bets else ("bet", after)
    label = f"{capitalised(colour)} {words}".rstrip()
    return Button(label, verb, argument, style, sign(colour), face=face_name(colour), beside=words)


def forecast_alt(bets: Assignment, gained: Sequence[int | None]) -> str:
    """Return a forecast's picture in words."""
    lines = forecast_words(bets, gained)
    if not lines:
        return _("Your forecast. No one has a boat yet.")
    return _("Your forecast. {boats}.", boats=". ".join(lines))
