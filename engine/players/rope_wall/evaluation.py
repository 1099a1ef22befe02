"""What a wall is worth to the master of the Rope Wall: how close each side is to a link. Also which exits are best."""

from collections import deque
from functools import cache
from math import inf, log
from operator import mul

from engine.contract import Seat
from engine.players.rope_wall.board import Knots, Shape, shape

WEIGHT = 0.2
"""The factor by which one more push reduces the weight of a way."""

ONE_AWAY = WEIGHT * (1 - 1e-9)
"""The prospects from which on a single push may complete a link. Below this, none completes a link that only leads
upwards.
"""

POINTS = 100
"""The points for prospects that are e times the other side's."""

TEMPO = 90
"""The points for having the move."""

Vector = tuple[float, ...]
Spans = tuple[Vector, ...]
"""`spans[i][j]`: the weight of having all columns from i to j on this floor."""


@cache
def spans(floors: int, columns: int) -> tuple[tuple[Spans | None, ...], ...]:
    """Return for each seat and each floor's bits the weights of its spans; None with two knots in one place."""
    layout = shape(floors, columns)
    return tuple(tuple(_spans(layout, seat, floor) for floor in range(layout.floor_mask + 1)) for seat in (0, 1))


def _spans(layout: Shape, seat: int, floor: Knots) -> Spans | None:
    if floor & floor >> layout.columns & layout.side_mask:
        return None
    fewest: dict[Knots, int] = {}
    seen = {floor}
    reached = deque([(floor, 0)])
    while reached:
        now, pushes = reached.popleft()
        fewest.setdefault(now >> layout.columns * seat & layout.side_mask, pushes)
        for side in (0, 1):
            onward = now ^ layout.moves[2 * seat + side][now][0]
            if onward not in seen:
                seen.add(onward)
                reached.append((onward, pushes + 1))

    def weight(one: int, other: int) -> float:
        first, last = min(one, other), max(one, other)
        span = (1 << last + 1) - (1 << first)
        return WEIGHT ** min(pushes for knots, pushes in fewest.items() if not span & ~knots)

    columns = range(layout.columns)
    return tuple(tuple(weight(one, other) for other in columns) for one in columns)


def fewest(layout: Shape, open_exits: int, wall: Knots, seat: int) -> int | None:
    """Return how many pushes a seat needs, left alone, for a link that only leads upwards; None if no open exit is
    possible.
    """
    floors = spans(layout.floors, layout.columns)[seat]
    columns = range(layout.columns)
    straight: Vector = (0.0,) * layout.columns
    turned: Vector = (inf,) * layout.columns
    for number in range(layout.floors):
        weights = floors[wall >> layout.stride * number & layout.floor_mask]
        if weights is None:
            return None
        costs = [[log(weight) / log(WEIGHT) for weight in row] for row in weights]
        turned = tuple(
            min(
                (turned[start] if start == column else min(turned[start], straight[start])) + costs[start][column]
                for start in columns
            )
            for column in columns
        )
        straight = tuple(straight[column] + costs[column][column] for column in columns)
    best = min((turned[column] for column in columns if open_exits >> column & 1), default=inf)
    return None if best == inf else round(best)


class Heuristic:
    """The evaluation of the walls of one round. It caches walls by halves, since a push changes only one of them.

    For each floor it is known how many pushes a side needs, left alone, to have its knots in all columns of a span. A
    link is a way up through such spans, at least one of which is wider than a column. A way weighs `WEIGHT` to the
    power of all pushes it needs, and a side's prospects are the sum over all ways: as with currents in a network of
    resistors, many fair ways are worth as much as a short one. Ways that turn downwards are ignored; completed links
    are found exactly by the board.
    """

    def __init__(self, layout: Shape, open_exits: int) -> None:
        self._layout = layout
        self._spans = spans(layout.floors, layout.columns)
        self._upper_floors = layout.floors // 2
        self._at = layout.stride * (layout.floors - self._upper_floors)
        self._below = (1 << self._at) - 1
        self._exits: Vector = tuple(float(open_exits >> column & 1) for column in range(layout.columns))
        self._walls: dict[Knots, tuple[int, bool, bool]] = {}
        self._lower: dict[Knots, tuple[Vector, Vector]] = {}
        self._upper: dict[Knots, tuple[Vector, Vector]] = {}

    def judge(self, wall: Knots) -> tuple[int, bool, bool]:
        """Return how much better seat 0's wall is, and for each seat whether a single push may complete its link."""
        found = self._walls.get(wall)
        if found is None:
            below, above = wall & self._below, wall >> self._at
            lower = self._lower.get(below) or self._parts(below, upper=False)
            upper = self._upper.get(above) or self._parts(above, upper=True)
            first, second = sum(map(mul, lower[0], upper[0])), sum(map(mul, lower[1], upper[1]))
            found = round(POINTS * log(first / second)), first >= ONE_AWAY, second >= ONE_AWAY
            self._walls[wall] = found
        return found

    def _parts(self, part: Knots, *, upper: bool) -> tuple[Vector, Vector]:
        """Compute and cache for each seat two weights per column where the parts of the wall meet.

        The first are those of all ways to the column, the others those of the straight way, which alone is no link: in
        the upper part it is subtracted.
        """
        floors = range(self._upper_floors if upper else self._layout.floors - self._upper_floors)
        codes = [part >> self._layout.stride * floor & self._layout.floor_mask for floor in floors]
        first, second = (self._ways(seat, codes[::-1] if upper else codes, upper) for seat in (0, 1))
        (self._upper if upper else self._lower)[part] = first, second
        return first, second

    def _ways(self, seat: int, codes: list[Knots], upper: bool) -> Vector:
        floors = [floor for code in codes if (floor := self._spans[seat][code]) is not None]
        columns = range(self._layout.columns)
        ways = straight = self._exits if upper else (1.0,) * self._layout.columns
        for floor in floors:
            ways = tuple(sum(map(mul, ways, floor[column])) for column in columns)
            straight = tuple(straight[column] * floor[column][column] for column in columns)
        return (*ways, *(-weight for weight in straight)) if upper else (*ways, *straight)


def exit_merit(exits: tuple[Seat | None, ...], columns: tuple[int, ...]) -> tuple[int, int]:
    """Return the merit of freeing prisoners through these columns, counted from 0; higher is better.

    The number of prisoners counts first. Then an exit at the edge is better to close than one in the middle: most ropes
    end in the middle, and the loser of this round begins the next.
    """
    middle = len(exits) - 1
    return len(columns), sum(abs(2 * column - middle) for column in columns)
