"""The forecast panel: seven prisoners into four boats, boat by boat.

What is chosen so far travels in the controls' argument, a digit a prisoner (0: nowhere yet), so the panel survives a
restart and keeps nothing. May import `cogs.core`, `engine` and its own package.
"""

from collections.abc import Sequence

from cogs.ausbrecher import picture
from cogs.ausbrecher.words import LETTERS, count, forecast_words
from cogs.core.messages.page import Block, Button, Choice, Page, Picture, Row, Select, Text
from cogs.core.router.custom_ids import Control
from engine.contract import Refusal
from engine.games.ausbrecher import COLOURS, Assignment, AusbrecherView, judge_forecast

NOWHERE = 0


def written(bets: Assignment) -> str:
    """Return a forecast, finished or not, as an argument."""
    return "".join(map(str, bets))


def read(argument: str) -> Assignment | None:
    """Return the forecast that an argument holds, or None."""
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


def chosen(control: Control, holds: Sequence[int]) -> Assignment | None:
    """Return the forecast after a boat's crew was chosen: `argument` is the forecast before and the boat, "1102000.2".

    A prisoner bet elsewhere before leaves that boat. Whoever is left alone goes into the last boat that has room.
    """
    before, _, number = control.argument.partition(".")
    bets = read(before)
    if bets is None or number not in ("1", "2", "3", "4") or any(value not in COLOURS for value in control.values):
        return None
    boat = int(number)
    if len(control.values) > holds[boat - 1]:
        return None
    picked = tuple(
        boat if colour in control.values else NOWHERE if bet == boat else bet
        for colour, bet in zip(COLOURS, bets, strict=True)
    )
    room = [boat for boat, free in enumerate(holds, start=1) if picked.count(boat) < free]
    if len(room) == 1 and picked.count(NOWHERE) == holds[room[0] - 1] - picked.count(room[0]):
        picked = tuple(bet or room[0] for bet in picked)
    return picked


def panel(view: AusbrecherView, bets: Assignment, colour: int) -> Page:
    """Return the panel on which a seat bets."""
    return Page(tuple(blocks(view, bets)), colour)


def blocks(view: AusbrecherView, bets: Assignment) -> list[Block]:
    """Return the panel's parts: what is chosen so far, a select for each boat, and the button that gives it."""
    holds = view.race.holds
    own = None if view.seat is None else view.forecasts[view.seat]
    ready = complete(bets, holds)
    given = "Your forecast is in. You may change it until the last one is."
    if ready and bets != own:
        state = "All seven have a boat. Give this forecast, or move somebody."
    else:
        state = (
            given
            if own is not None
            else "Nobody else sees it before the end. A right bet brings its boat's number in points."
        )
    gained = (None,) * len(COLOURS)
    return [
        Text(f"### Your forecast\nIn which boat does each prisoner flee? {state}"),
        Picture(picture.draw_forecast(bets, gained), "forecast.png", _alt(bets)),
        *(_select(boat, room, bets) for boat, room in enumerate(holds, start=1)),
        Row(
            (
                Button("Give this forecast", "give", written(bets), style="success", disabled=not ready),
                Button("Start over", "bet", written((NOWHERE,) * len(COLOURS))),
            )
        ),
    ]


def _select(boat: int, room: int, bets: Assignment) -> Select:
    choices = tuple(
        Choice(
            f"{LETTERS[colour]} – {colour}",
            colour,
            description=None if bet in (NOWHERE, boat) else f"now in boat {bet}",
            chosen=bet == boat,
        )
        for colour, bet in zip(COLOURS, bets, strict=True)
    )
    return Select(
        "bet", choices, f"Boat {boat}: choose {count(room, 'prisoner')}", f"{written(bets)}.{boat}", least=0, most=room
    )


def _alt(bets: Assignment) -> str:
    crews = [line.replace("`", "") for line in forecast_words(bets, (None,) * len(COLOURS)) if "Boat 0" not in line]
    return f"Your forecast. {'. '.join(crews) or 'Nobody has a boat yet'}."
