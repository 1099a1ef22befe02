"""A compact Rope Wall for searching: a round is a few ints, and a push takes about a microsecond.

It follows the same rules as `engine.games.rope_wall`; a test compares the two push by push. The search for ropes is the
game's own; it is called only if every floor touches the next, and cached. Floors, columns and seats count from 0 here.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache

from engine.contract import Seat
from engine.games.rope_wall import Opening, Push, RopeWallView, Wall
from engine.games.rope_wall.ropes import grid

FULL_WALL_TURNS = 10
"""D: the turns after the push that fills the wall. A view says how many are left only once the wall is full."""

CANCELLED_ROUNDS = 3
"""D: how many cancelled rounds in a row end the game. A view contains their number so far, not this limit."""

NEVER = 1 << 10
"""The turns left until a full wall ends the round, while the wall is not full; the pushes left without a limit."""

Knots = int
"""A wall: a floor takes two bits per column, first seat 0's knots, then seat 1's; the lowest floor first."""

Place = int
"""An opening: twice its floor, plus one on the right."""

Position = tuple[Knots, int, int, int, int]
"""A moment of a round: the wall; the seat to push; each seat's barred places as bits, seat 0's first; the turns until a
full wall ends the round, `NEVER` while it has a gap; the pushes left.
"""


def place_of(opening: Opening | Push) -> Place:
    """Return the number of an opening."""
    return 2 * opening.floor - 2 + (opening.side == "right")


def push_into(place: Place) -> Push:
    """Return the action that pushes a knot into the opening of this number."""
    return Push(place // 2 + 1, "right" if place % 2 else "left")


@dataclass(frozen=True)
class Finish:
    """How a round ended. `ends` are the columns of the winner's links, one bit each; `pairs` are those of two links
    that were completed at once. A cancelled round has neither, and no winner.
    """

    winner: int | None
    ends: int = 0
    pairs: tuple[tuple[int, ...], ...] = ()

    @property
    def choices(self) -> tuple[tuple[int, ...], ...]:
        """The sets of columns, from 0, through which the winner's prisoners may leave."""
        return self.pairs or tuple((column,) for column in bits(self.ends))

    @property
    def freed(self) -> int:
        """How many prisoners leave."""
        return 2 if self.pairs else int(self.winner is not None)


def bits(mask: int) -> Iterator[int]:
    """Yield the numbers of the bits that are set, the lowest first."""
    while mask:
        yield (mask & -mask).bit_length() - 1
        mask &= mask - 1


class Shape:
    """What all walls of one size share: the layout in bits, and what each push does to each floor."""

    def __init__(self, floors: int, columns: int) -> None:
        self.floors = floors
        self.columns = columns
        self.stride = 2 * columns
        self.places: tuple[Place, ...] = tuple(range(2 * floors))
        self.floor_mask = (1 << self.stride) - 1
        self.side_mask = (1 << columns) - 1
        low = sum(1 << self.stride * floor for floor in range(floors - 1))
        self.seat_mask = self.side_mask * (low | 1 << self.stride * (floors - 1))
        self.full = (1 << self.stride * floors) - 1
        # Tests that all floors touch the next: adding ones to a floor's columns carries unless they are all empty.
        self.ones = self.side_mask * low
        self.carries = low << columns
        self.moves = self._moves()

    def _moves(self) -> tuple[tuple[tuple[int, int], ...], ...]:
        """Return for each seat and side, `2 * seat + side`, and each floor: the bits that change, and who falls out.

        Who falls out is 0 for nobody, else the seat plus one. Impossible floors with two knots in one place stay
        unchanged.
        """
        return tuple(
            tuple(self._move(floor, seat, side) for floor in range(self.floor_mask + 1))
            for seat in (0, 1)
            for side in (0, 1)
        )

    def _move(self, floor: int, seat: int, side: int) -> tuple[int, int]:
        if floor & floor >> self.columns & self.side_mask:
            return 0, 0
        row = [(floor >> column & 1) + 2 * (floor >> self.columns + column & 1) for column in range(self.columns)]
        inward = row[::-1] if side else row
        gap = inward.index(0) if 0 in inward else self.columns
        moved = [seat + 1, *inward[:gap], *inward[gap + 1 :]]
        fell = 0 if gap < self.columns else moved.pop()
        return floor ^ self.floor(moved[::-1] if side else moved), fell

    def floor(self, row: Iterable[int]) -> int:
        """Return a floor's bits; a cell is 0 for a gap, else the seat plus one."""
        return sum(1 << column + self.columns * (owner - 1) for column, owner in enumerate(row) if owner)

    def wall(self, wall: Wall) -> Knots:
        """Return the bits of a view's wall."""
        floors = (self.floor(0 if owner is None else owner + 1 for owner in row) for row in wall)
        return sum(floor << self.stride * index for index, floor in enumerate(floors))


@cache
def shape(floors: int, columns: int) -> Shape:
    """Return the shape of walls of this size. Shapes are immutable, so one per size is enough."""
    return Shape(floors, columns)


class Round:
    """One round: what stays the same during it, and the rules that lead from one position to the next."""

    def __init__(self, view: RopeWallView) -> None:
        self.shape = shape(view.floors, view.columns)
        self.open = sum(1 << column for column, guest in enumerate(view.exits) if guest is None)
        self.knots = view.hands[0] + sum(row.count(Seat(0)) for row in view.wall)
        self.freed = view.freed
        self.goal = view.goal
        self.cancelled = view.cancelled
        self.doubles = view.doubles
        self._grid = grid(view.floors, view.columns)
        self._ends: dict[Knots, int] = {}

    def position(self, view: RopeWallView) -> Position:
        """Return the position that a view of this round in phase `push` shows."""
        assert view.turn is not None
        barred = sum(
            1 << place_of(opening) + len(self.shape.places) * seat
            for seat, openings in enumerate(view.barred)
            for opening in openings
        )
        left = NEVER if view.full_turns_left is None else view.full_turns_left
        pushes = NEVER if view.pushes_left is None else view.pushes_left
        return self.shape.wall(view.wall), view.turn, barred, left, pushes

    def places(self, position: Position) -> list[Place]:
        """Return the places that are not barred to the seat to push."""
        barred = position[2] >> len(self.shape.places) * position[1]
        return [place for place in self.shape.places if not barred >> place & 1]

    def shoved(self, wall: Knots, seat: int, place: Place) -> tuple[Knots, int]:
        """Return the wall after this seat's push, and who fell out: 0 for nobody, else the seat plus one."""
        shape = self.shape
        at = shape.stride * (place >> 1)
        changed, fell = shape.moves[2 * seat + (place & 1)][wall >> at & shape.floor_mask]
        return wall ^ changed << at, fell

    def ends(self, wall: Knots, seat: int) -> int:
        """Return the columns with open exits at which this seat's links end, one bit each."""
        shape = self.shape
        knots = wall >> shape.columns * seat & shape.seat_mask
        if ((knots & knots >> shape.stride) + shape.ones) & shape.carries != shape.carries:
            return 0
        ends = self._ends.get(knots)
        if ends is None:
            ends = sum(1 << column for column in self._grid.ends(self._for_grid(knots))) & self.open
            self._ends[knots] = ends
        return ends

    def _for_grid(self, knots: Knots) -> int:
        """Return one seat's knots in the format of the game's search for ropes: with one spare bit per floor."""
        shape = self.shape
        floors = (knots >> shape.stride * floor & shape.side_mask for floor in range(shape.floors))
        return sum(knots << (shape.columns + 1) * floor for floor, knots in enumerate(floors))

    def finish(self, wall: Knots, pusher: int) -> Finish | None:
        """Return how the push that has just made this wall won the round, or None.

        R: with links of both colours the pusher wins. D: with only the opponent's, the opponent does. R: two links of
        the pusher's own free two prisoners, D unless the first is the last that was needed.
        """
        if own := self.ends(wall, pusher):
            pairs: tuple[tuple[int, ...], ...] = ()
            if self.freed[pusher] + 2 <= self.goal:
                knots = self._for_grid(wall >> self.shape.columns * pusher & self.shape.seat_mask)
                found = self._grid.fork_ends(knots) if self.doubles == "forks" else self._grid.double_ends(knots)
                pairs = tuple(pair for pair in found if all(self.open >> end & 1 for end in pair))
            return Finish(pusher, own, pairs)
        if others := self.ends(wall, 1 - pusher):
            return Finish(1 - pusher, others)
        return None

    def after(self, position: Position, place: Place, wall: Knots, fell: int) -> Position | None:
        """Return the position after a push that made this wall without a link; None if the round is cancelled."""
        _, seat, barred, left, pushes = position
        shape = self.shape
        width = len(shape.places)
        # R: what was ejected does not go back in there. D: bars add up, and end with their seat's next turn.
        barred &= (1 << width) - 1 << width * (1 - seat)
        if fell:
            barred |= 1 << (place ^ 1) + width * (fell - 1)
        if left != NEVER:
            left -= 1
        elif self.is_full(wall):
            left = FULL_WALL_TURNS
        pushes -= 1
        turn = 1 - seat
        while left and pushes:
            if (wall >> shape.columns * turn & shape.seat_mask).bit_count() < self.knots:
                return wall, turn, barred, left, pushes
            # R: a seat without a knot in hand waits; D: a skipped turn counts, and ends the seat's bars too.
            barred &= (1 << width) - 1 << width * (1 - turn)
            left -= left != NEVER
            turn = 1 - turn
        return None

    def is_full(self, wall: Knots) -> bool:
        """Return whether there is no gap left. A full wall stays full."""
        return wall.bit_count() == self.shape.floors * self.shape.columns

    def play(self, position: Position, place: Place) -> Position | Finish:
        """Return the position after a push, or how the round ended by it."""
        wall, fell = self.shoved(position[0], position[1], place)
        finish = self.finish(wall, position[1])
        return finish or self.after(position, place, wall, fell) or Finish(None)

    def cancelled_for(self, seat: int) -> int:
        """Return what a cancelled round would mean for a seat: the game won (1), lost (−1), or neither (0).

        D: after three cancelled rounds in a row the game ends and most prisoners wins.
        """
        if self.cancelled + 1 < CANCELLED_ROUNDS:
            return 0
        mine, theirs = self.freed[seat], self.freed[1 - seat]
        return (mine > theirs) - (mine < theirs)
