"""What the Rope Wall shows: the moves of a seat, the board, and how it ended.

May import `engine` and its own package.
"""

from collections.abc import Iterator
from typing import Literal, assert_never

from engine.contract import Outcome, Seat, View
from engine.games.rope_wall.judge import pushes
from engine.games.rope_wall.pieces import Cells, ChooseExits, Opening, Pushed, RopeWallAction, Wall
from engine.games.rope_wall.state import Choosing, FinishedRound, Over, Pausing, Pushing, State, hand, interlude
from engine.games.rope_wall.wall import SEATS
from engine.turns import Interlude, Ready, awaits, places


class RopeWallView(View, frozen=True):
    """Everything: in this game nothing is hidden. The board for people, pictures and computer players.

    `wall[floor][column]`, both from 0, the lowest floor and the leftmost column first, holds the seat of the knot's
    owner or None. Floors and columns elsewhere count from 1, as they are shown to people.
    """

    floors: int
    columns: int
    wall: Wall
    hands: tuple[int, ...]  # knots not in the wall, a seat
    freed: tuple[int, ...]  # prisoners out, a seat
    exits: tuple[Seat | None, ...]  # a column: whose prisoner sits on it, so that it is closed
    goal: int
    round: int  # from 1
    phase: Literal["push", "choose", "interlude", "over"]
    turn: Seat | None  # who pushes or chooses
    barred: tuple[tuple[Opening, ...], ...]  # a seat: openings it may not use on its next turn
    choices: tuple[tuple[int, ...], ...]  # phase choose: the sets of exits (columns) that the winner may choose
    last_push: Opening | None
    ejected: Opening | None  # where the last push let a knot fall out
    ropes: tuple[Cells, ...]  # of the round just won, until the next push: (floor, column) from 1; see `RoundWon`
    full_turns_left: int | None  # turns until the round is cancelled, once the wall is full
    cancelled: int  # rounds cancelled in a row
    winner: Seat | None
    reason: Literal["prisoners", "cancelled", "resigned"] | None = None  # why the game is over
    last_wall: Wall | None = None  # the wall as the round before left it, until the next push; `ropes` lie on it
    pushes_left: int = 0  # until the round is cancelled
    interlude: Interlude | None = None  # the round is over: its wall and ropes stay in sight
    finished: tuple[FinishedRound, ...] = ()  # all rounds, at the end of the game
    recent: tuple[Pushed, ...] = ()  # the last pushes of the round, oldest first; of the round before until the next
    begins: Seat | None = None  # who makes the first push of a round that nobody has pushed in yet, or of the next one


def legal(state: State, seat: Seat) -> Iterator[RopeWallAction]:
    """Return what this seat may play. Resigning, always accepted from both, is no play and left out."""
    match state.phase:
        case Pushing(turn) if turn == seat:
            return pushes(state, seat)
        case Choosing(turn, choices) if turn == seat:
            return map(ChooseExits, choices)
        case Pausing(_, pause) if seat in SEATS and awaits(pause, seat):
            return iter((Ready(),))
        case _:
            return iter(())


def unasked(view: RopeWallView) -> bool:
    """Say whether the reader may end an interlude sooner, for which the game does not wait."""
    return awaits(view.interlude, view.seat)


def view(state: State, seat: Seat | None) -> RopeWallView:
    """Return what is on the table: nothing is hidden, and everyone sees the same."""
    phase = state.phase
    turn = phase.seat if isinstance(phase, Pushing | Choosing) else None
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
        phase=_phase(state),
        turn=turn,
        barred=state.barred,
        choices=phase.choices if isinstance(phase, Choosing) else (),
        last_push=state.last_push,
        ejected=state.ejected,
        ropes=state.ropes,
        full_turns_left=state.full_turns_left if isinstance(phase, Pushing) else None,
        cancelled=state.cancelled,
        winner=phase.winner if isinstance(phase, Over) else None,
        reason=phase.reason if isinstance(phase, Over) else None,
        last_wall=state.last_wall,
        pushes_left=state.material.round_pushes - state.pushes,
        interlude=interlude(state),
        finished=state.finished if isinstance(phase, Over) else (),
        recent=state.recent,
        begins=_begins(state),
    )


def _begins(state: State) -> Seat | None:
    """Return who begins, as long as a round is about to begin. R18, R19, D10."""
    match state.phase:
        case Pausing(starter):
            return starter
        case Pushing() if not state.pushes:
            return state.starter
        case _:
            return None


def _phase(state: State) -> Literal["push", "choose", "interlude", "over"]:
    match state.phase:
        case Pushing():
            return "push"
        case Choosing():
            return "choose"
        case Pausing():
            return "interlude"
        case Over():
            return "over"
        case _:
            assert_never(state.phase)


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
