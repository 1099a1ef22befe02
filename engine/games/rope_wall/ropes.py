"""Ropes on the wall: at which columns a link of one colour can end, and which knots it uses.

A link is a simple path of adjacent knots of one colour from the lowest floor to the highest, with at least one
horizontal step (R12: an angle). A set of knots is an int with one bit per cell, so a whole floor is shifted at once.
Floors and columns count from 0 here.
"""

from collections import deque
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import combinations, pairwise

Knots = int
"""A set of cells: bit `floor * (columns + 1) + column`. The spare bit at the end of each floor is never set, so a shift
by one never carries a knot around the wall's edge.
"""

Rope = tuple[int, ...]
"""A link: its cells as bit numbers, from the lowest floor to its end under an exit."""

Ends = tuple[int, ...]
"""Columns at which ropes end, in ascending order."""


class Grid:
    """The shape of a wall: its cells as bits, and the search for ropes among some of them."""

    def __init__(self, floors: int, columns: int) -> None:
        self._stride = columns + 1
        self._floors = floors
        self._columns = range(columns)
        self._bottom: Knots = (1 << columns) - 1
        self._top: Knots = self._bottom << self._stride * (floors - 1)
        self._leftmost: Knots = sum(1 << self._stride * floor for floor in range(floors))
        self._below: Knots = sum(self._bottom << self._stride * floor for floor in range(floors - 1))
        self._spare: Knots = sum(1 << self._stride * floor + columns for floor in range(floors - 1))

    def knots(self, wall: Sequence[tuple[int | None, ...]], owner: int) -> Knots:
        """Return the set of this owner's knots in `wall[floor][column]`."""
        found = 0
        for floor in reversed(wall):
            found = found << self._stride | _on_floor(floor, owner)
        return found

    def cells(self, rope: Rope) -> tuple[tuple[int, int], ...]:
        """Return a rope's cells as (floor, column)."""
        return tuple(divmod(cell, self._stride) for cell in rope)

    def ends(self, knots: Knots) -> Ends:
        """Return the columns at which some link made of these knots ends."""
        # A link climbs from each floor to the one above. All floors are tested at once: on a floor with any such bit,
        # adding all of its bits carries into the spare one.
        climbs = knots & knots >> self._stride
        if climbs + self._below & self._spare != self._spare:
            return ()
        if not self._joined(knots, knots & self._bottom) & self._top:
            return ()
        return tuple(column for column in self._columns if self._ends_at(knots, column))

    def double_ends(self, knots: Knots) -> tuple[Ends, ...]:
        """Return the pairs of columns at which two links without a common knot end, in rising order."""
        if knots.bit_count() < 2 * (self._floors + 1):  # a link has a knot per floor and one more for its angle
            return ()
        if any((knots >> self._stride * floor & self._bottom).bit_count() < 2 for floor in range(self._floors)):
            return ()
        pairs: set[Ends] = set()
        for rope in self.ropes(knots):
            end = rope[-1] % self._stride
            pairs.update((min(end, other), max(end, other)) for other in self.ends(knots & ~_bits(rope)))
        return tuple(sorted(pairs))

    def fork_ends(self, knots: Knots) -> tuple[Ends, ...]:
        """D8: return the pairs of columns to each of which a link climbs separately, in rising order.

        A link climbs to an exit if its last step leads up in the exit's column. The two may share knots.
        """
        top = self._top
        climbed = [
            column
            for column in self._columns
            if knots & top & (straight := self._leftmost << column)
            and self._reaches(knots & ~(top & straight), straight & ~top, top >> self._stride & straight)
        ]
        return tuple(combinations(climbed, 2))

    def climbs_to(self, knots: Knots, ends: Ends) -> tuple[Rope, ...]:
        """Return the shortest link to each of these columns that climbs to it. Raises `ValueError` if there is none."""
        shortest: dict[int, Rope] = {}
        for rope in self.ropes(knots):
            if rope[-1] - rope[-2] == self._stride and rope[-1] % self._stride in ends:
                shortest.setdefault(rope[-1] % self._stride, rope)
                if len(shortest) == len(ends):
                    return tuple(shortest[end] for end in ends)
        raise ValueError(f"no links climb to the columns {ends}")

    def ropes_to(self, knots: Knots, ends: Ends) -> tuple[Rope, ...]:
        """Return one link for each of these columns, none sharing a knot with another; short ones are preferred.

        Raises `ValueError` if there are no such links.
        """
        if not ends:
            return ()
        for rope in self.ropes(knots):
            if rope[-1] % self._stride == ends[0]:
                try:
                    return (rope, *self.ropes_to(knots & ~_bits(rope), ends[1:]))
                except ValueError:
                    continue
        raise ValueError(f"no links end at the columns {ends}")

    def ropes(self, knots: Knots) -> Iterator[Rope]:
        """Yield every link made of these knots, the shortest first."""
        # Each path with the knots that it has not used.
        paths: deque[tuple[Rope, Knots]] = deque(
            ((cell,), knots ^ 1 << cell) for cell in _numbers(knots & self._bottom)
        )
        while paths:
            path, free = paths.popleft()
            if self._top >> path[-1] & 1 and self._has_angle(path):
                yield path
            onward = self._beside(1 << path[-1]) & free
            while onward:
                step = onward & -onward
                paths.append(((*path, step.bit_length() - 1), free ^ step))
                onward ^= step

    def _has_angle(self, path: Rope) -> bool:
        return any(abs(before - after) == 1 for before, after in pairwise(path))

    def _ends_at(self, knots: Knots, column: int) -> bool:
        """Return whether some link ends at this column; like searching `ropes`, but without enumerating them all."""
        straight = self._leftmost << column
        return self._reaches(knots, straight, straight & self._top)

    def _reaches(self, knots: Knots, straight: Knots, end: Knots) -> bool:
        """Return whether a path with an angle leads from the lowest floor to `end`, the uppermost cell of `straight`.

        Any path between a bottom cell and the end of different columns has an angle, and so has any path if not all
        cells of `straight` have this colour. Otherwise the path has to leave the column and come back higher up.
        """
        if not end & knots:
            return False
        joined = self._joined(knots, end)
        feet = joined & self._bottom
        if not feet or feet & ~straight or straight & ~knots:
            return bool(feet)
        aside = knots & ~straight
        beside = self._beside(straight) & aside
        while beside:
            stub = self._joined(aside, beside & -beside)
            if (stub & beside).bit_count() > 1:
                return True
            beside &= ~stub
        return False

    def _joined(self, knots: Knots, start: Knots) -> Knots:
        """Return the knots that are connected with `start`, which is among them, including itself."""
        joined = start
        while (wider := (joined | self._beside(joined)) & knots) != joined:
            joined = wider
        return joined

    def _beside(self, knots: Knots) -> Knots:
        return knots << 1 | knots >> 1 | knots << self._stride | knots >> self._stride


@cache
def grid(floors: int, columns: int) -> Grid:
    """Return the grid of a wall of this size. Grids are immutable, so one per size is enough."""
    return Grid(floors, columns)


@cache
def _on_floor(floor: tuple[int | None, ...], owner: int) -> Knots:
    """Return this owner's knots as if this floor were the lowest. Cached, since there are few possible floors."""
    return sum(1 << column for column, cell in enumerate(floor) if cell == owner)


def _bits(rope: Rope) -> Knots:
    return sum(1 << cell for cell in rope)


def _numbers(knots: Knots) -> Iterator[int]:
    while knots:
        lowest = knots & -knots
        yield lowest.bit_length() - 1
        knots ^= lowest
