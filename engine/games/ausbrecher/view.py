"""What Ausbrecher AG shows: the moves of a seat, the race, each one's own forecast, and how it ended.

Marks in comments (R4, D1) are those of docs/rules/ausbrecher.md. May import `engine` and its own package.
"""

from collections.abc import Iterator

from engine.contract import Outcome, Seat
from engine.games.ausbrecher.judge import dice_choice, forecasts, rolls
from engine.games.ausbrecher.pieces import (
    COLOURS,
    AusbrecherAction,
    AusbrecherView,
    DiceChoice,
    OpenResult,
    Replace,
    Resolve,
)
from engine.games.ausbrecher.state import (
    Forecasting,
    Over,
    Replacing,
    Resolving,
    Rolling,
    State,
    phase_name,
    seats,
    turn_limit,
    waiting,
)
from engine.games.ausbrecher.track import landing, points, prisoner
from engine.turns import places


def legal(state: State, seat: Seat) -> Iterator[AusbrecherAction]:
    """Yield what this seat may play; in the forecast phase also a change of what it has given."""
    match state.phase:
        case Forecasting() if seat in seats(state):
            yield from forecasts(state.material.boats)
        case Rolling(seat=turn) if turn == seat:
            yield from rolls(state.race, _choice(state))
        case Replacing(seat=turn, results=results) if turn == seat:
            yield from (Replace(result.colour) for result in results)
        case Resolving(seat=turn) as resolving if turn == seat:
            yield from (Resolve(result.colour) for result in resolving.open)
        case _:
            return


def view(state: State, seat: Seat | None) -> AusbrecherView:
    """Return the race, which is public, and what this seat has bet. R5: at the end all forecasts are shown."""
    phase = state.phase
    over = isinstance(phase, Over)
    known = tuple(bet if over or owner == seat else None for owner, bet in enumerate(state.forecasts))
    return AusbrecherView(
        seat=seat,
        waiting=waiting(state),
        stamp=state.stamp,
        route=state.options.route,
        late_white=state.options.late_white,
        faces=state.material.faces,
        length=len(state.race.spaces),
        phase=phase_name(state),
        race=state.race,
        prisoners=tuple(prisoner(state.race, colour) for colour in COLOURS),
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
        points=tuple((None,) * len(COLOURS) if bet is None else points(state.race, bet) for bet in known),
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
    """R21: a correct boat scores its number. Return the points so far, a seat."""
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
