"""What the Rope Wall shows: a seat's legal actions, the view, and the outcome."""

from collections.abc import Iterator
from typing import Literal, assert_never

from engine.contract import Outcome, Seat, View
from engine.games.rope_wall.rules import pushes
from engine.games.rope_wall.state import Choosing, FinishedRound, Over, Pausing, Pushing, State, hand, interlude
from engine.games.rope_wall.types import Cells, ChooseExits, Doubles, Opening, Pushed, RopeWallAction, Wall
from engine.games.rope_wall.wall import SEATS
from engine.turns import Interlude, Ready, awaits_ready, places


class RopeWallView(View, frozen=True):
    """Everything: nothing is hidden in this game. The board for people, pictures and bots.

    `wall[floor][column]`, both from 0, from the lowest floor and the leftmost column, is the seat of the knot's owner
    or None. All other floors and columns count from 1, as people see them.
    """

    floors: int
    columns: int
    wall: Wall
    hands: tuple[int, ...]  # knots outside the wall, by seat
    freed: tuple[int, ...]  # freed prisoners, by seat
    exits: tuple[Seat | None, ...]  # by column: whose prisoner sits on it, so that it is closed
    goal: int
    round: int  # from 1
    phase: Literal["push", "choose", "interlude", "over"]
    turn: Seat | None  # who pushes or chooses
    barred: tuple[tuple[Opening, ...], ...]  # by seat: the openings it may not use on its next turn
    choices: tuple[tuple[int, ...], ...]  # phase choose: the sets of exits (columns) from which the winner chooses
    last_push: Opening | None
    ejected: Opening | None  # where the last push made a knot fall out
    ropes: tuple[Cells, ...]  # of the round just won, until the next push: (floor, column) from 1; see `RoundWon`
    full_turns_left: int | None  # turns until the round is cancelled, once the wall is full
    cancelled: int  # rounds cancelled in a row
    winner: Seat | None
    reason: Literal["prisoners", "cancelled", "resigned"] | None = None  # why the game is over
    last_wall: Wall | None = None  # the last wall of the previous round, until the next push; `ropes` refer to it
    pushes_left: int | None = 0  # until the round is cancelled; None without a limit
    interlude: Interlude | None = None  # the round is over: its wall and ropes stay visible
    finished: tuple[FinishedRound, ...] = ()  # all rounds, at the end of the game
    recent: tuple[Pushed, ...] = ()  # the last pushes, oldest first; before the first, those of the last round
    begins: Seat | None = None  # before the first push of a round: who makes it
    doubles: Doubles = "forks"


def legal(state: State, seat: Seat) -> Iterator[RopeWallAction]:
    """Return what this seat may play. Resigning, which is always accepted from both, is left out."""
    match state.phase:
        case Pushing(turn) if turn == seat:
            return pushes(state, seat)
        case Choosing(turn, choices) if turn == seat:
            return map(ChooseExits, choices)
        case Pausing(_, pause) if seat in SEATS and awaits_ready(pause, seat):
            return iter((Ready(),))
        case _:
            return iter(())


def can_act_off_turn(view: RopeWallView) -> bool:
    """Return True if the reader can end an interlude early; the game does not wait for that."""
    return awaits_ready(view.interlude, view.seat)


def view(state: State, seat: Seat | None) -> RopeWallView:
    """Return what is on the table; the same for everyone, since nothing is hidden."""
    phase = state.phase
    turn = phase.seat if isinstance(phase, Pushing | Choosing) else None
    return RopeWallView(
        seat=seat,
        to_act=() if turn is None else (turn,),
        ui_version=state.ui_version,
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
        pushes_left=state.pushes_left,
        interlude=interlude(state),
        finished=state.finished if isinstance(phase, Over) else (),
        recent=state.recent,
        begins=_begins(state),
        doubles=state.doubles,
    )


def _begins(state: State) -> Seat | None:
    """Return who begins, if a round is about to begin. R18, R19, D10."""
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


def public_totals(view: RopeWallView) -> tuple[int, ...] | None:
    """Return the prisoners out, by seat; None before the first."""
    return view.freed if any(view.freed) else None


def outcome(state: State) -> Outcome | None:
    """R22: return places and freed prisoners. Reasons: `prisoners`, `cancelled` (rounds in a row) and `resigned`."""
    if not isinstance(state.phase, Over):
        return None
    winner = state.phase.winner
    return Outcome(
        places=places([int(winner not in (None, seat)) for seat in SEATS]),
        scores=tuple(state.exits.count(seat) for seat in SEATS),
        reason=state.phase.reason,
    )
