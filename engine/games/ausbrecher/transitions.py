"""Ausbrecher AG's state transitions: the state after each event. Nothing is decided or drawn here.

Marks in comments (R4, D1) refer to docs/rules/ausbrecher.md.
"""

from collections.abc import Mapping
from functools import cache
from typing import assert_never

import msgspec

from engine.contract import BrokenRecord, ClockShifted, TimedOut
from engine.games.ausbrecher.state import (
    Forecasting,
    Over,
    Replacing,
    Resolving,
    Result,
    Rolling,
    State,
    result_of,
)
from engine.games.ausbrecher.track import boarded, in_their_cells, moved, prisoner
from engine.games.ausbrecher.types import (
    AusbrecherEvent,
    Colour,
    ForecastGiven,
    GameBegun,
    GameEnded,
    LastBoarded,
    Move,
    PastTurn,
    Replaced,
    Resolved,
    Rolled,
    StarterThrown,
    Turn,
    TurnBegun,
    TurnsRanOut,
)
from engine.interning import intern
from engine.turns import postponed


def apply_event(state: State, event: AusbrecherEvent) -> State:
    """Return the state after an event. Raises `BrokenRecord` if it does not fit the game."""
    match event:
        case Resolved():  # the most frequent events first, since the cases are tried in turn
            return _resolved(state, event)
        case Rolled():
            return _rolled(state, event)
        case TurnBegun():
            return _turn(state, event)
        case Replaced():
            return _replaced(state, event)
        case ForecastGiven():
            return _forecast(state, event)
        case StarterThrown():
            return msgspec.structs.replace(state, throws=event.throws)
        case LastBoarded():
            return _carried(state, (event.colour,))
        case TurnsRanOut():
            return _carried(state, event.order)
        case GameEnded():
            return msgspec.structs.replace(state, phase=Over(event.reason), ui_version=state.ui_version + 1)
        case TimedOut():
            return _lapsed(state, event)
        case ClockShifted():
            return msgspec.structs.replace(state, began=postponed(state.began, event))
        case _:
            assert_never(event)


def first_state(begun: GameBegun) -> State:
    """Return the state after the first event."""
    length = begun.material.rope if begun.options.route == "rope" else begun.material.path  # O1
    return State(
        material=intern(begun.material),
        options=begun.options,
        phase=Forecasting(),
        began=begun.at,
        race=in_their_cells(length, begun.material.boats),
        forecasts=(None,) * begun.seats,
    )


def _forecast(state: State, given: ForecastGiven) -> State:
    """D4: a later forecast replaces the earlier one. Nobody else sees the change, and no control changes."""
    forecasts = tuple(given.boats if seat == given.seat else bet for seat, bet in enumerate(state.forecasts))
    return msgspec.structs.replace(state, forecasts=forecasts)


def _turn(state: State, begun: TurnBegun) -> State:
    kept = state.turns[-len(state.forecasts) :]
    return msgspec.structs.replace(
        state,
        phase=Rolling(begun.seat),
        turns=(*kept, Turn(begun.number, begun.seat)),
        history=(*state.history, *(_in_short(turn) for turn in kept[-1:])),
        began=begun.at,
        ui_version=state.ui_version + 1,
    )


@cache
def _pips_of(colour: Colour, pips: int) -> tuple[Colour, int]:
    """Return the pair; cached, since the few possible pairs occur in many histories."""
    return colour, pips


def _in_short(turn: Turn) -> PastTurn:
    moves = tuple([_pips_of(move.colour, -move.pips if move.back else move.pips) for move in turn.moves])
    return PastTurn(turn.seat, moves, lapsed=turn.lapses > 0)


def _rolled(state: State, rolled: Rolled) -> State:
    if not isinstance(state.phase, Rolling):
        raise BrokenRecord("ausbrecher: dice rolled out of turn")
    seat = state.phase.seat
    results = tuple(Result(die.colour, die.pips) for die in rolled.dice)
    phase: Replacing | Resolving
    if rolled.white is None:
        phase = Resolving(seat, results)
    elif rolled.second is None:
        phase = Replacing(seat, results, rolled.white)
    else:  # O2 `second`: the coloured one goes forward, the second one back
        phase = Resolving(seat, (*results, Result(rolled.second, rolled.white, back=True)))
    noted = {"dice": rolled.dice, "white": rolled.white, "second": rolled.second}
    return _noted(state, noted, phase=phase, began=rolled.at, ui_version=state.ui_version + 1)


def _replaced(state: State, replaced: Replaced) -> State:
    """R11: that result is void; the prisoner moves back by the white number instead."""
    phase = state.phase
    if not isinstance(phase, Replacing) or (old := result_of(phase.results, replaced.colour)) is None:
        raise BrokenRecord("ausbrecher: no such result to replace")
    white = Result(replaced.colour, phase.white, back=True)
    results = tuple(white if result is old else result for result in phase.results)
    noted = {"replaced": replaced.colour}
    return _noted(
        state, noted, phase=Resolving(phase.seat, results), began=replaced.at, ui_version=state.ui_version + 1
    )


def _resolved(state: State, resolved: Resolved) -> State:
    phase = state.phase
    old = result_of(phase.results, resolved.colour) if isinstance(phase, Resolving) else None
    if not isinstance(phase, Resolving) or old is None or old.landing is not None:
        raise BrokenRecord("ausbrecher: no such result to resolve")
    there = resolved.landing
    done = msgspec.structs.replace(old, landing=there)
    results = tuple([done if result is old else result for result in phase.results])
    start = prisoner(state.race, old.colour).space
    if start is None:
        raise BrokenRecord("ausbrecher: a prisoner who is aboard moves no more")
    moves = (*state.turns[-1].moves, Move(old.colour, old.pips, old.back, start, there))
    return _noted(
        state,
        {"moves": moves},
        phase=Resolving(phase.seat, results),
        began=resolved.at,
        race=moved(state.race, old.colour, there),
        ui_version=state.ui_version + 1,
    )


def _carried(state: State, order: tuple[Colour, ...]) -> State:
    return msgspec.structs.replace(state, race=boarded(state.race, order), carried=order)


def _lapsed(state: State, lapsed: TimedOut) -> State:
    if isinstance(state.phase, Forecasting):
        return msgspec.structs.replace(state, drawn=(*state.drawn, lapsed.seat))
    return _noted(state, {"lapses": state.turns[-1].lapses + 1})


def _noted(state: State, noted: Mapping[str, object], **changes: object) -> State:
    """Return the state with more known about the present turn, and with these changes."""
    turn = msgspec.structs.replace(state.turns[-1], **noted)
    return msgspec.structs.replace(state, turns=(*state.turns[:-1], turn), **changes)
