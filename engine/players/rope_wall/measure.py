"""How near each side is to a link: the warden's judgement of walls that are not decided yet.

For each floor it is known how many pushes a side needs, left alone, to have its knots in all columns from one to
another. A link is a way up through such spans with at least one that is wider than a column; it weighs `WEIGHT` to the
power of all pushes it needs, and a side's prospects are the sum over all ways: like currents through a net of
resistors, many fair ways are worth as much as a short one. Ways that turn downwards are left out; links on the wall are
found exactly by the board. May import `engine` only.
"""

from collections import deque
from functools import cache
from math import inf, log
from operator import mul

from engine.players.rope_wall.board import Knots, Shape, shape

WEIGHT = 0.2
"""What a way is worth that needs one push more."""

ONE_AWAY = WEIGHT * (1 - 1e-9)
"""Prospects from which on a single push may complete a link; below, none does that leads upwards all the way."""

POINTS = 100
"""Points for prospects that are e times the other side's."""

TEMPO = 90
"""Points for being the one to push."""

Vector = tuple[float, ...]
Spans = tuple[Vector, ...]
"""`spans[i][j]`: the weight of having all columns from i to j on this floor."""


@cache
def spans(floors: int, columns: int) -> tuple[tuple[Spans | None, ...], ...]:
    """Return for each seat and each floor's bits the weights of its spans; None where two knots are in one place."""
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
    """Return how many pushes a seat needs, left alone, for a link that leads upwards all the way; None if no exit is
    open to it.
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


class Measure:
    """The judgement of the walls of one round. It remembers walls by halves: a push changes only one of them."""

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

    def judged(self, wall: Knots) -> tuple[int, bool, bool]:
        """Return how much better seat 0 stands, and for each seat whether a single push may complete its link."""
        judged = self._walls.get(wall)
        if judged is None:
            below, above = wall & self._below, wall >> self._at
            lower = self._lower.get(below) or self._parts(below, upper=False)
            upper = self._upper.get(above) or self._parts(above, upper=True)
            first, second = sum(map(mul, lower[0], upper[0])), sum(map(mul, lower[1], upper[1]))
            judged = round(POINTS * log(first / second)), first >= ONE_AWAY, second >= ONE_AWAY
            self._walls[wall] = judged
        return judged

    def _parts(self, part: Knots, *, upper: bool) -> tuple[Vector, Vector]:
        """Return and remember for each seat two weights a column where the parts of the wall meet, one after another.

        The first are those of all ways to the column, the others those of the straight way, which is no link alone:
        in the upper part it is taken off.
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
