"""The board: which tile fits where, which tiles are locked, which lines a play makes.

Marks in comments (R, D) are those of the rule page `match_five`. May import `engine` only.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import Literal

from engine.games.match_five.pieces import COLOURS, FIVE, TILES, Axis, Line, Spot, Stone, Tile

AXES: tuple[Axis, ...] = ("x", "y", "stack")
STEPS: dict[Axis, tuple[int, int, int]] = {"x": (1, 0, 0), "y": (0, 1, 0), "stack": (0, 0, 1)}
BESIDE = ((1, 0), (-1, 0), (0, 1), (0, -1))

ANY = (1 << len(TILES)) - 1
"""A set of tiles is an int with one bit a tile, in the order of `TILES`; here all of them."""

BIT: dict[Tile, int] = {tile: 1 << number for number, tile in enumerate(TILES)}
_OF_COLOUR = [sum(BIT[tile] for tile in TILES if tile[0] == colour[0]) for colour in COLOURS]
_OF_NUMBER = [sum(BIT[tile] for tile in TILES if tile[1] == str(number)) for number in range(1, FIVE + 1)]
COLOUR_SET = {tile: _OF_COLOUR[index // FIVE] for index, tile in enumerate(TILES)}
NUMBER_SET = {tile: _OF_NUMBER[index % FIVE] for index, tile in enumerate(TILES)}

Fault = Literal["taken", "support", "too-high", "unattached", "locked", "too-long", "series", "wilds"]
"""Why a tile does not fit: the place is taken; nothing is below; a stack has five; nothing of the group is beside or
below; beside a locked tile; a line would have more than five, no series in it, or two Wilds."""


class Misfit(Exception):
    """A tile does not fit. `axis` is the line's, where it is about one."""

    def __init__(self, fault: Fault, axis: Axis | None = None) -> None:
        super().__init__(fault)
        self.fault = fault
        self.axis = axis


class Board:
    """The stones on the board. Changes in place: whoever tries something takes a `copy`, or takes it `back`."""

    def __init__(self, stones: Iterable[Stone] = ()) -> None:
        self.stones: dict[tuple[int, int, int], Stone] = {}
        self.locked: dict[tuple[int, int, int], int] = {}  # how many full lines lock a stone
        for stone in stones:
            self.lay(stone)

    # What lies there

    def run(self, spot: tuple[int, int, int], axis: Axis, sign: int) -> list[Stone]:
        """Return the stones next to this spot along an axis in one direction, the nearest first."""
        dx, dy, dz = STEPS[axis]
        x, y, z = spot
        found: list[Stone] = []
        stones = self.stones
        while True:
            x, y, z = x + sign * dx, y + sign * dy, z + sign * dz
            stone = stones.get((x, y, z))
            if stone is None:
                return found
            found.append(stone)

    def line(self, spot: tuple[int, int, int], axis: Axis) -> list[Stone]:
        """Return the maximal straight run through the stone at this spot, from its lower end."""
        return [*reversed(self.run(spot, axis, -1)), self.stones[spot], *self.run(spot, axis, 1)]

    def height(self, x: int, y: int) -> int:
        """Return how many stones are stacked here."""
        level = 0
        while (x, y, level + 1) in self.stones:
            level += 1
        return level

    # What fits

    def fault(self, spot: tuple[int, int, int]) -> Fault | None:
        """Return why nothing at all may be laid here, None if something may."""
        x, y, level = spot
        stones = self.stones
        if spot in stones:
            return "taken"
        if level > FIVE:
            return "too-high"  # R: at most five; a stack of five is locked on top
        if level < 1 or (level > 1 and (x, y, level - 1) not in stones):
            return "support"  # D: a tile above level 1 needs one directly below it
        attached = level > 1 or not stones
        for dx, dy in BESIDE:
            there = (x + dx, y + dy, level)
            if there in stones:
                if there in self.locked:
                    return "locked"  # R: nothing beside a locked tile at its level, along either axis
                attached = True
        return None if attached else "unattached"  # R: part of the group, D at the moment it is laid

    def fitting(self, spot: tuple[int, int, int]) -> tuple[int, bool]:
        """Return the set of tiles that every line through this spot takes, and whether a Wild may be among them.

        The spot is one that has no `fault`.
        """
        fits, wild = ANY, True
        for axis in AXES:
            neighbours = self.run(spot, axis, -1) + self.run(spot, axis, 1)
            if neighbours:
                takes, takes_wild = series_takes(neighbours)
                fits &= takes
                wild &= takes_wild
        return fits, wild

    def check(self, stone: Stone) -> None:
        """Raise `Misfit` if this stone may not be laid."""
        spot = stone.spot
        fault = self.fault(spot)
        if fault is not None:
            raise Misfit(fault)
        for axis in AXES:
            neighbours = self.run(spot, axis, -1) + self.run(spot, axis, 1)
            if not neighbours:
                continue
            if len(neighbours) >= FIVE:
                raise Misfit("too-long", axis)  # R: at most five
            if sum(other.wild for other in (stone, *neighbours)) > 1:
                raise Misfit("wilds", axis)  # R: one Wild a series
            if not series_takes(neighbours)[0] & BIT[stone.tile]:
                raise Misfit("series", axis)  # R: one colour, or one number; never the same tile twice

    # Laying and taking back

    def lay(self, stone: Stone) -> None:
        """Lay a stone that fits. D: locks hold at once."""
        self.stones[stone.spot] = stone
        for end in self._new_locks(stone):
            self.locked[end] = self.locked.get(end, 0) + 1

    def back(self, stone: Stone) -> None:
        """Take back the stone that was laid last."""
        for end in self._new_locks(stone):
            self.locked[end] -= 1
            if not self.locked[end]:
                del self.locked[end]
        del self.stones[stone.spot]

    def _new_locks(self, stone: Stone) -> Iterator[Spot]:
        """R: a horizontal line that reaches five locks its first and last tile. Lines never grow beyond that."""
        spot = stone.spot
        for axis in AXES[:2]:
            before, after = self.run(spot, axis, -1), self.run(spot, axis, 1)
            if len(before) + 1 + len(after) == FIVE:
                yield before[-1].spot if before else spot
                yield after[-1].spot if after else spot

    # Lines of a play

    def lines(self, laid: Sequence[Stone], bonus: int) -> tuple[Line, ...]:
        """R: return every line of two or more with a stone laid this turn, each once, with what it scores.

        The sum of all its numbers, a Wild 0; and the bonus if it has reached five this turn.
        """
        found: dict[tuple[Axis, Spot], Line] = {}
        for stone in laid:
            for axis in AXES:
                line = self.line(stone.spot, axis)
                if len(line) > 1 and (axis, line[0].spot) not in found:
                    points = sum(int(one.tile[1]) for one in line if not one.wild)
                    full = bonus if len(line) == FIVE else 0
                    found[axis, line[0].spot] = Line(axis, tuple(one.spot for one in line), points + full, full)
        return tuple(found.values())


def series_takes(stones: Sequence[Stone]) -> tuple[int, bool]:
    """Return the set of tiles that make one series with these stones, and whether a Wild may be added.

    R: one colour with all numbers different, or one number with all colours different; at most five; one Wild.
    """
    if len(stones) >= FIVE:
        return 0, False
    first = stones[0].tile
    colours, numbers = COLOUR_SET[first], NUMBER_SET[first]
    used = BIT[first]
    wilds = int(stones[0].wild)
    for stone in stones[1:]:
        bit = BIT[stone.tile]
        if used & bit:
            return 0, False
        used |= bit
        wilds += stone.wild
    if wilds > 1:
        return 0, False
    takes = 0
    if not used & ~colours:  # all of one colour, and so of different numbers
        takes |= colours & ~used
    if not used & ~numbers:  # all of one number, and so of different colours
        takes |= numbers & ~used
    return takes, not wilds
