"""The Rope Wall's state: its phases, and what can be derived from a state."""

from collections import Counter
from typing import Literal, assert_never

import msgspec

from engine.contract import Moment, Seat
from engine.games.rope_wall.types import Cells, Doubles, Material, Opening, Pushed, RopeWallOptions, Wall
from engine.games.rope_wall.wall import outside
from engine.turns import Interlude

USUAL_LIMIT = 120
"""D12: a round is cancelled after this many pushes, unless the table has chosen another limit."""


class Pushing(msgspec.Struct, frozen=True, tag="push"):
    """This seat has to push in a knot."""

    seat: Seat


class Choosing(msgspec.Struct, frozen=True, tag="choose"):
    """This seat has won the round and has to choose exits: one of these sets of columns."""

    seat: Seat
    choices: tuple[tuple[int, ...], ...]


class Pausing(msgspec.Struct, frozen=True, tag="interlude"):
    """D16: the round is over and its result stays visible; `starter` begins the next one."""

    starter: Seat
    interlude: Interlude


class Over(msgspec.Struct, frozen=True, tag="over"):
    """The game is over."""

    reason: Literal["prisoners", "cancelled", "resigned"]
    winner: Seat | None


class FinishedRound(msgspec.Struct, frozen=True):
    """A finished round: its last wall, with the ropes. A cancelled round has neither winner nor ropes."""

    number: int
    winner: Seat | None
    wall: Wall
    ropes: tuple[Cells, ...]


class State(msgspec.Struct, frozen=True):
    """The state of a game. Knots in hand and freed prisoners are counted from the wall and the exits."""

    material: Material
    options: RopeWallOptions
    phase: Pushing | Choosing | Pausing | Over
    began: Moment  # when the turn or the choice began, for its clock
    starter: Seat  # of this round
    wall: Wall
    exits: tuple[Seat | None, ...]
    barred: tuple[tuple[Opening, ...], ...] = ((), ())
    round: int = 1
    pushes: int = 0  # in this round
    full_turns_left: int | None = None
    cancelled: int = 0
    ui_version: int = 0
    last_push: Opening | None = None
    ejected: Opening | None = None
    ropes: tuple[Cells, ...] = ()
    last_wall: Wall | None = None
    recent: tuple[Pushed, ...] = ()
    finished: tuple[FinishedRound, ...] = ()
    interlude_ms: int = 0
    placed: tuple[int, ...] | None = None  # knots in the wall by seat, counted from the pushes; None before the first

    @property
    def floors(self) -> int:
        """How many floors the wall has."""
        return self.material.floors

    @property
    def goal(self) -> int:
        """How many prisoners win the game."""
        return self.material.prisoners

    @property
    def doubles(self) -> Doubles:
        """O2: what counts as two ropes at once."""
        return self.options.doubles

    @property
    def pushes_left(self) -> int | None:
        """O3: the number of pushes until the round is cancelled; None without a limit.

        The limit of 80 is the material's number: games older than the option have no other.
        """
        match self.options.push_limit:
            case "80":
                return self.material.round_pushes - self.pushes
            case "120":
                return USUAL_LIMIT - self.pushes
            case "none":
                return None
            case _:
                assert_never(self.options.push_limit)


def hand(state: State, seat: Seat) -> int:
    """Return how many knots this seat has outside the wall."""
    return outside(state.wall, seat, state.material)


def turn(state: State) -> Seat:
    """Return who pushes or chooses. The round must be running."""
    assert isinstance(state.phase, Pushing | Choosing), "nobody's turn"
    return state.phase.seat


def interlude(state: State) -> Interlude | None:
    """Return the pause between two rounds, None while one is played."""
    return state.phase.interlude if isinstance(state.phase, Pausing) else None


def in_wall(wall: Wall) -> tuple[int, ...]:
    """Count the knots in the wall, by seat."""
    return tuple(sum(floor.count(seat) for floor in wall) for seat in (0, 1))


def piece_counts(state: State) -> Counter[str]:
    """Count the knots of both players: those in the wall, and those in hand after what was pushed in and fell out.

    A knot that vanishes from the wall, one too many, and one that fell out and did not go back change the count.
    """
    lying = in_wall(state.wall)
    hands = [max(0, state.material.knots - placed) for placed in state.placed or lying]
    return Counter({f"knot of {seat}": lying[seat] + hands[seat] for seat in (0, 1)})
