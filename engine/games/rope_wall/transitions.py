"""The Rope Wall's state transitions: the state after each event. Nothing is decided here.

Marks in comments (R4, D1) refer to docs/rules/rope_wall.md.
"""

from typing import assert_never

import msgspec

from engine.contract import ClockShifted, Seat, TimedOut
from engine.games.rope_wall.state import Choosing, FinishedRound, Over, Pausing, Pushing, State, in_wall, interlude
from engine.games.rope_wall.types import (
    Cells,
    Escaped,
    GameBegun,
    GameEnded,
    Opening,
    Pushed,
    Resigned,
    RopeWallEvent,
    RoundBegun,
    RoundCancelled,
    RoundWon,
    Skipped,
)
from engine.games.rope_wall.wall import across, empty, other, shoved, turns_left_after
from engine.interning import intern
from engine.turns import Interlude, InterludeBegun, InterludeEnded, Readied, interlude_after, postponed

RECENT = 5
"""How many recent pushes a view shows."""


def apply_event(state: State, event: RopeWallEvent) -> State:
    """Return the state after an event."""
    ui_version = state.ui_version + 1
    match event:
        case Pushed():
            return _pushed(state, event)
        case Skipped():
            return msgspec.structs.replace(
                state,
                ui_version=ui_version,
                phase=Pushing(other(event.seat)),
                barred=_barred(state, event.seat),
                full_turns_left=turns_left_after(state.full_turns_left, state.wall, state.material),
            )
        case RoundWon():
            choosing = Choosing(event.seat, event.choices)
            return msgspec.structs.replace(state, ui_version=ui_version, phase=choosing, ropes=event.ropes, cancelled=0)
        case Escaped():
            exits = tuple(
                event.seat if column in event.columns else guest for column, guest in enumerate(state.exits, start=1)
            )
            state = _finished(state, event.seat, event.ropes)
            return msgspec.structs.replace(state, ui_version=ui_version, exits=exits, ropes=event.ropes)
        case RoundCancelled():
            return msgspec.structs.replace(
                _finished(state, None, ()), ui_version=ui_version, cancelled=state.cancelled + 1
            )
        case InterludeBegun() | InterludeEnded():
            return msgspec.structs.replace(_paused(state, interlude_after(None, event)), ui_version=ui_version)
        case Readied():
            return _paused(state, interlude_after(interlude(state), event))  # no other control changes its meaning
        case RoundBegun():
            return _cleared(state, event)
        case GameEnded():
            over = Over(event.reason, event.winner)
            return msgspec.structs.replace(state, ui_version=ui_version, phase=over)
        case ClockShifted():
            state = msgspec.structs.replace(state, began=postponed(state.began, event))
            return _paused(state, interlude_after(interlude(state), event)) if interlude(state) else state
        case Resigned() | TimedOut():
            return state
        case _:
            assert_never(event)


def first_state(begun: GameBegun) -> State:
    """Return the state after the first event."""
    material = intern(begun.material)
    return State(
        material=material,
        options=begun.options,
        phase=Pushing(begun.starter),
        began=begun.at,
        starter=begun.starter,
        wall=empty(material),
        exits=(None,) * material.columns,
        interlude_ms=begun.interlude_ms,
    )


def _pushed(state: State, pushed: Pushed) -> State:
    wall, _ = shoved(state.wall, pushed, pushed.seat)
    ejected = None if pushed.fell is None else Opening(pushed.floor, across(pushed.side))
    return msgspec.structs.replace(
        state,
        ui_version=state.ui_version + 1,
        phase=Pushing(other(pushed.seat)),
        began=pushed.at,
        wall=wall,
        barred=_barred(state, pushed.seat, pushed.fell, ejected),
        pushes=state.pushes + 1,
        full_turns_left=turns_left_after(state.full_turns_left, wall, state.material),
        last_push=Opening(pushed.floor, pushed.side),
        ejected=ejected,
        ropes=(),
        last_wall=None,
        recent=(*(state.recent if state.last_wall is None else ()), pushed)[-RECENT:],
        placed=_placed(state, pushed),
    )


def _placed(state: State, pushed: Pushed) -> tuple[int, ...]:
    """Count the knots in the wall after a push, from the push alone."""
    first, second = state.placed or in_wall(state.wall)
    if pushed.seat:
        second += 1
    else:
        first += 1
    if pushed.fell is None:
        return first, second
    return (first, second - 1) if pushed.fell else (first - 1, second)


def _barred(
    state: State, done: Seat, owner: Seat | None = None, ejected: Opening | None = None
) -> tuple[tuple[Opening, ...], ...]:
    """Return the barred openings after the turn of `done`, in which a knot of `owner` may have fallen out.

    R8: a knot is not put back where it has just been ejected. D2: the owner may not use that opening on their next
    turn. Such bans add up and end with that turn, even if it is skipped.
    """
    if ejected is None and not state.barred[done]:
        return state.barred
    bars = [openings if seat != done else () for seat, openings in enumerate(state.barred)]
    if owner is not None and ejected is not None:
        bars[owner] = tuple(sorted({*bars[owner], ejected}))
    return tuple(bars)


def _finished(state: State, winner: Seat | None, ropes: tuple[Cells, ...]) -> State:
    finished = FinishedRound(state.round, winner, state.wall, ropes)
    return msgspec.structs.replace(state, finished=(*state.finished, finished))


def _paused(state: State, pause: Interlude | None) -> State:
    """Return the state in this interlude, or after it. R19: the loser begins the next round; D10: else the same
    starter.
    """
    match state.phase:
        case Pausing(starter):
            pass
        case Choosing(winner):
            starter = other(winner)
        case _:
            starter = state.starter
    phase = Pushing(starter) if pause is None else Pausing(starter, pause)
    return msgspec.structs.replace(state, phase=phase)


def _cleared(state: State, begun: RoundBegun) -> State:
    """R20: between rounds all knots go back to their owners; prisoners stay on top."""
    return msgspec.structs.replace(
        state,
        ui_version=state.ui_version + 1,
        phase=Pushing(begun.starter),
        began=begun.at,
        starter=begun.starter,
        wall=empty(state.material),
        barred=((), ()),  # nothing has been ejected from an empty wall
        round=state.round + 1,
        pushes=0,
        full_turns_left=None,
        last_push=None,
        ejected=None,
        placed=None,
        last_wall=state.wall,
    )
