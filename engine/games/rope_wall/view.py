"""What the Rope Wall shows: the moves of a seat, the board, and how it ended.

May import `engine` and its own package.
"""

from collections.abc import Iterator

from engine.contract import Outcome, Seat
from engine.games.rope_wall.judge import pushes
from engine.games.rope_wall.pieces import ChooseExits, RopeWallAction, RopeWallView
from engine.games.rope_wall.state import Choosing, Over, Pushing, State, hand
from engine.games.rope_wall.wall import SEATS
from engine.turns import places


def legal(state: State, seat: Seat) -> Iterator[RopeWallAction]:
    """Yield what this seat may play. Resigning, always accepted from both, is no play and left out."""
    match state.phase:
        case Pushing(turn) if turn == seat:
            yield from pushes(state, seat)
        case Choosing(turn, choices) if turn == seat:
            yield from (ChooseExits(columns) for columns in choices)
        case _:
            return


def view(state: State, seat: Seat | None) -> RopeWallView:
    """Return what is on the table: nothing is hidden, and everyone sees the same."""
    phase = state.phase
    turn = None if isinstance(phase, Over) else phase.seat
    return RopeWallView(
        seat=seat,
        waiting=() if turn is None else (turn,),
        stamp=state.stamp,
        floors=state.material.floors,
        columns=state.material.columns,
        wall=state.wall,
        hands=tuple(hand(state, owner) for owner in SEATS),
        freed=tuple(state.exits.count(owner) for owner in SEATS),
        exits=state.exits,
        goal=state.material.prisoners,
        round=state.round,
        phase="over" if isinstance(phase, Over) else "choose" if isinstance(phase, Choosing) else "push",
        turn=turn,
        barred=state.barred,
        choices=phase.choices if isinstance(phase, Choosing) else (),
        last_push=state.last_push,
        ejected=state.ejected,
        ropes=state.ropes,
        full_turns_left=state.full_turns_left,
        cancelled=state.cancelled,
        winner=phase.winner if isinstance(phase, Over) else None,
        last_wall=state.last_wall,
        pushes_left=state.material.round_pushes - state.pushes,
        recent=state.recent,
    )


def outcome(state: State) -> Outcome | None:
    """R22: return places and prisoners freed. Reasons: `prisoners`, `cancelled` (rounds in a row) and `resigned`."""
    if not isinstance(state.phase, Over):
        return None
    winner = state.phase.winner
    return Outcome(
        places=places([int(winner not in (None, seat)) for seat in SEATS]),
        scores=tuple(state.exits.count(seat) for seat in SEATS),
        reason=state.phase.reason,
    )
