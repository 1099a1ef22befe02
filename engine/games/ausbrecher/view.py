"""What Ausbrecher AG shows: a seat's legal actions, its view, and the outcome.

Marks in comments (R4, D1) refer to docs/rules/ausbrecher.md.
"""

from collections.abc import Iterator
from typing import Literal

import msgspec

from engine.contract import Outcome, Seat, View
from engine.games.ausbrecher.rules import dice_choice, forecasts, rolls
from engine.games.ausbrecher.state import (
    Forecasting,
    Over,
    Replacing,
    Resolving,
    Rolling,
    State,
    phase_name,
    seats,
    to_act,
    turn_limit,
)
from engine.games.ausbrecher.track import landing, points, prisoner
from engine.games.ausbrecher.types import (
    COLOURS,
    Assignment,
    AusbrecherAction,
    Colour,
    DiceChoice,
    Landing,
    PastTurn,
    PhaseName,
    Prisoner,
    Race,
    Reason,
    Replace,
    Resolve,
    Turn,
)
from engine.interning import intern
from engine.turns import places

_UNTOLD = (None,) * len(COLOURS)


class OpenResult(msgspec.Struct, frozen=True):
    """A die of this turn, as it lies on the table.

    `landing` is where it leads if resolved now, or where it led if `resolved`. In the phase replace, `replaced` is
    where the prisoner would go back to if the white die replaced this result.
    """

    colour: Colour
    pips: int
    back: bool
    resolved: bool
    landing: Landing
    replaced: Landing | None = None


class AusbrecherView(View, frozen=True):
    """The race, and what its reader has bet.

    `forecasts` and `points` have one entry per seat: only the reader's own, and everyone's once the game is over. Both
    list the prisoners in the order of `COLOURS`; points are None for those not aboard yet, and without a forecast.
    """

    route: Literal["path", "rope"]
    late_white: Literal["replace", "second"]
    faces: int  # of every die
    length: int  # spaces between the cells and the boats
    phase: PhaseName
    race: Race
    prisoners: tuple[Prisoner, ...]  # in the order of `COLOURS`; the same as `race`, prisoner by prisoner
    given: tuple[Seat, ...]  # seats with a forecast
    drawn: tuple[Seat, ...]  # seats whose forecast was drawn because the clock ran out
    throws: tuple[tuple[int | None, ...], ...]  # one round of dice each, for the start; None: did not throw again
    turn: Seat | None  # the seat that rolls, replaces or resolves
    turn_number: int  # the game's turn, from 1; 0 before the first
    turns_left: int  # until the limit, including the present one
    choice: DiceChoice | None  # phase roll
    white: int | None  # phase replace: what the white die shows
    results: tuple[OpenResult, ...]  # phases replace and resolve: the dice of this turn
    turns: tuple[Turn, ...]  # the present one, last, and those before it since the same seat's last
    carried: tuple[Colour, ...]  # boarded at the end without a die: the seventh, or all at the turn limit
    reason: Reason | None
    forecasts: tuple[Assignment | None, ...]
    points: tuple[tuple[int | None, ...], ...]
    history: tuple[PastTurn, ...] = ()  # all turns before the present one, in short


def legal(state: State, seat: Seat) -> Iterator[AusbrecherAction]:
    """Return what this seat may play; in the forecast phase this includes changing its forecast."""
    match state.phase:
        case Forecasting() if seat in seats(state):
            return iter(forecasts(state.material.boats))
        case Rolling(seat=turn) if turn == seat:
            return rolls(state.race, _choice(state))
        case Replacing(seat=turn, results=results) if turn == seat:
            return iter([Replace(result.colour) for result in results])
        case Resolving(seat=turn) as resolving if turn == seat:
            return iter([Resolve(result.colour) for result in resolving.open])
        case _:
            return iter(())


def can_act_off_turn(view: AusbrecherView) -> bool:
    """Return True if the reader can change a forecast that is in; the game does not wait for that."""
    return view.seat is not None and view.phase == "forecast"


def view(state: State, seat: Seat | None) -> AusbrecherView:
    """Return the race, which is public, and what this seat has bet. R5: at the end all forecasts are shown."""
    phase = state.phase
    over = isinstance(phase, Over)
    known = tuple(bet if over or owner == seat else None for owner, bet in enumerate(state.forecasts))
    return AusbrecherView(
        seat=seat,
        to_act=to_act(state),
        ui_version=state.ui_version,
        route=state.options.route,
        late_white=state.options.late_white,
        faces=state.material.faces,
        length=len(state.race.spaces),
        phase=phase_name(state),
        race=state.race,
        prisoners=tuple([intern(prisoner(state.race, colour)) for colour in COLOURS]),
        given=tuple(owner for owner in seats(state) if state.forecasts[owner] is not None),
        drawn=state.drawn,
        throws=state.throws,
        turn=phase.seat if isinstance(phase, Rolling | Replacing | Resolving) else None,
        turn_number=state.turn,
        turns_left=0 if over else turn_limit(state) - max(state.turn, 1) + 1,
        choice=_choice(state) if isinstance(phase, Rolling) else None,
        white=phase.white if isinstance(phase, Replacing) else None,
        results=_open_results(state),
        turns=state.turns,
        carried=state.carried,
        reason=phase.reason if isinstance(phase, Over) else None,
        forecasts=known,
        points=tuple([_UNTOLD if bet is None else points(state.race, bet) for bet in known]),
        history=state.history,
    )


def outcome(state: State) -> Outcome | None:
    """R22: most points win, D14: ties share. Reasons: `boats` (six got away) and `turns` (the last was played)."""
    if not isinstance(state.phase, Over):
        return None
    scored = scores(state)
    return Outcome(
        places=places([-score for score in scored]),
        scores=scored,
        reason=state.phase.reason,
    )


def scores(state: State) -> tuple[int, ...]:
    """R21: a correct boat scores its number. Return the points so far, by seat."""
    return tuple(
        sum(scored for scored in points(state.race, forecast) if scored is not None) if forecast is not None else 0
        for forecast in state.forecasts
    )


def _choice(state: State) -> DiceChoice:
    return dice_choice(state.race, state.turn, state.material, state.options)


def _open_results(state: State) -> tuple[OpenResult, ...]:
    match state.phase:
        case Replacing(results=results, white=white):
            return tuple(
                OpenResult(
                    one.colour,
                    one.pips,
                    one.back,
                    False,
                    landing(state.race, one.colour, one.pips, one.back),
                    landing(state.race, one.colour, white, back=True),
                )
                for one in results
            )
        case Resolving(results=results):
            return tuple(
                OpenResult(
                    one.colour,
                    one.pips,
                    one.back,
                    one.landing is not None,
                    one.landing or landing(state.race, one.colour, one.pips, one.back),
                )
                for one in results
            )
        case _:
            return ()
