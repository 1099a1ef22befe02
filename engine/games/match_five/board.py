"""The board: which tile fits where, which tiles are locked, which lines a play makes and what they score.

Examining a spot takes as long on a full board as on an empty one: every straight run of tiles is summed up at its two
ends, where the next tile meets it. Marks in comments (R4, D1) refer to docs/rules/match_five.md.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import Literal

import msgspec

from engine.games.match_five.types import COLOURS, FARTHEST, FIVE, TILES, Axis, Line, Spot, Stone, Tile

AXES: tuple[Axis, ...] = ("x", "y", "stack")

Key = int
"""A spot as one number; its neighbours differ by a constant."""

_HALF = 1 << 20  # more than FARTHEST
_FIELD = 2 * _HALF - 1
_NEAREST, _FARTHEST = _HALF - FARTHEST, _HALF + FARTHEST
STEP_X, STEP_Y, UP = 1 << 24, 1 << 3, 1
NEXT: dict[Axis, int] = {"x": STEP_X, "y": STEP_Y, "stack": UP}
_BESIDE = (STEP_X, -STEP_X, STEP_Y, -STEP_Y)
_AROUND = (UP, *_BESIDE)
_LEVEL = 7

Code = int
"""A tile on the board as one number: its index in `TILES`, plus `AS_WILD` for a Wild that represents it."""

AS_WILD = 32

TileSet = int
"""A set of tiles: an int with one bit per tile, in the order of `TILES`."""

ANY: TileSet = (1 << len(TILES)) - 1
BIT: dict[Tile, TileSet] = {tile: 1 << number for number, tile in enumerate(TILES)}
CODE: dict[Tile, Code] = {tile: number for number, tile in enumerate(TILES)}
_NUMBERS = len(TILES)
_OF_COLOUR = [sum(BIT[tile] for tile in TILES if tile[0] == colour[0]) for colour in COLOURS]
_OF_NUMBER = [sum(BIT[tile] for tile in TILES if tile[1] == str(number)) for number in range(1, FIVE + 1)]
_CODES = range(AS_WILD + len(TILES))
_BIT_OF = [1 << (code % AS_WILD) for code in _CODES]
_VALUE_OF = [0 if code >= AS_WILD else code % FIVE + 1 for code in _CODES]
# The tiles that a tile can share a line with: those of its colour in the low bits, those of its number above them.
_SHARED_OF = [
    _OF_COLOUR[code % AS_WILD // FIVE % FIVE] | _OF_NUMBER[code % AS_WILD % FIVE] << _NUMBERS for code in _CODES
]

_ALONE = [(1, _BIT_OF[code], _SHARED_OF[code], _VALUE_OF[code], code // AS_WILD, 0) for code in _CODES]

Run = tuple[Key, Key, int, TileSet, int, int, int, int]
"""A maximal straight run of tiles: its first and last spot; the number of tiles; which tiles; which ones share their
colour or their number; the sum of their numbers; the number of Wilds; and what it has scored since the turn began.
"""

Fault = Literal["taken", "support", "too-high", "unattached", "locked", "too-long", "series", "wilds"]
"""Why a tile does not fit: the spot is taken; nothing is below; a stack has five; nothing of the group is beside or
below; beside a locked tile; a line would have more than five tiles, be no series, or have two Wilds.
"""


class IllegalPlacement(Exception):
    """A tile does not fit. `axis` is the line's, if the fault is about a line."""

    def __init__(self, fault: Fault, axis: Axis | None = None) -> None:
        super().__init__(fault)
        self.fault = fault
        self.axis = axis


class Opening(msgspec.Struct, frozen=True, gc=False):
    """A spot where something may be laid.

    `fits` are the tiles that every line through it accepts, and `wild` says whether a Wild may represent one of them. A
    tile scores `points`, plus its number in each of `lines` lines; a Wild has no number.
    """

    fits: TileSet
    wild: bool
    points: int
    lines: int


def key_of(x: int, y: int, level: int) -> Key:
    """Return a spot as one number. It must be within the board's bounds and levels."""
    return (x + _HALF) << 24 | (y + _HALF) << 3 | level


def spot_of(key: Key) -> Spot:
    """Return the spot that a number represents."""
    return Spot((key >> 24) - _HALF, (key >> 3 & _FIELD) - _HALF, key & _LEVEL)


def value_of(code: Code) -> int:
    """Return the number that a tile on the board counts as, 0 for a Wild."""
    return _VALUE_OF[code]


def shared_by(codes: Iterable[Code]) -> int:
    """Return the tiles that share their colour with all of these, and above them those that share their number."""
    shared = (1 << 2 * _NUMBERS) - 1
    for code in codes:
        shared &= _SHARED_OF[code]
    return shared


def code_of(stone: Stone) -> Code:
    """Return a stone's tile as one number."""
    return CODE[stone.tile] + AS_WILD * stone.wild


class Board:
    """The tiles on the board, and what those laid during this turn have scored.

    A board is mutable; take a `copy` to try something.
    """

    def __init__(self, stones: Iterable[Stone] = ()) -> None:
        self._tiles: dict[Key, Code] = {}
        self._shut: set[Key] = set()  # the locked ones
        self._locked: tuple[Spot, ...] | None = None  # the same in order, computed on demand
        self._runs: tuple[dict[Key, Run], dict[Key, Run], dict[Key, Run]] = ({}, {}, {})  # along x, along y, stacks
        self._begin_with(stones)

    def _begin_with(self, stones: Iterable[Stone]) -> None:
        for stone in stones:
            self.put(key_of(stone.x, stone.y, stone.level), code_of(stone), 0, fresh=False)

    def after(self, stones: Iterable[Stone]) -> "Board":
        """Return the board of the turn after one in which these stones were laid."""
        other = self.copy()
        other._begin_with(stones)
        return other

    def copy(self) -> "Board":
        """Return an independent copy."""
        other = Board.__new__(Board)
        other._tiles, other._shut, other._locked = self._tiles.copy(), self._shut.copy(), self._locked
        along_x, along_y, stacks = self._runs
        other._runs = (along_x.copy(), along_y.copy(), stacks.copy())
        return other

    # Reading

    @property
    def empty(self) -> bool:
        """Whether the board is empty."""
        return not self._tiles

    @property
    def locked(self) -> tuple[Spot, ...]:
        """R10: the tiles beside which nothing may be laid at their level, in order."""
        if self._locked is None:
            self._locked = tuple(sorted(map(spot_of, self._shut)))
        return self._locked

    def line(self, spot: tuple[int, int, int], axis: Axis) -> tuple[Spot, ...]:
        """Return the maximal straight run through the tile at this spot, from its lower end."""
        return tuple([spot_of(key) for key in self.run(key_of(*spot), axis)])

    def run(self, key: Key, axis: Axis) -> range:
        """Return the same as keys."""
        step, tiles = NEXT[axis], self._tiles
        first = last = key
        while first - step in tiles:
            first -= step
        while last + step in tiles:
            last += step
        return range(first, last + step, step)

    def code_at(self, key: Key) -> Code | None:
        """Return the tile at a spot, if there is one."""
        return self._tiles.get(key)

    def along(self, key: Key, axis: Axis) -> tuple[int, int]:
        """Return how many tiles lie on both sides of a free spot along an axis, and the sum of their numbers."""
        runs, step = self._runs[AXES.index(axis)], NEXT[axis]
        near = [run for run in (runs.get(key - step), runs.get(key + step)) if run is not None]
        return sum(run[2] for run in near), sum(run[5] for run in near)

    # What fits

    def fault(self, spot: tuple[int, int, int]) -> Fault | None:
        """Return why nothing at all may be laid at this spot, or None if something may."""
        x, y, level = spot
        if level > FIVE:
            return "too-high"  # R12: a stack of five is locked on top
        if level < 1:
            return "support"
        if max(abs(x), abs(y)) > FARTHEST:
            return "unattached"
        key = key_of(x, y, level)
        if key in self._tiles:
            return "taken"
        if level > 1 and key - UP not in self._tiles:
            return "support"  # R4: a tile above level 1 needs one directly below it
        beside = [key + step for step in _BESIDE if key + step in self._tiles]
        if not self._shut.isdisjoint(beside):
            return "locked"  # R10, D7: nothing beside a locked tile at its level, along either axis
        if level == 1 and not beside and self._tiles:
            return "unattached"  # R5, D4: part of the group
        return None

    def check(self, stone: Stone) -> None:
        """Raise `IllegalPlacement` if this stone may not be laid."""
        fault = self.fault(stone.spot)
        if fault is not None:
            raise IllegalPlacement(fault)
        key, bit = key_of(*stone.spot), BIT[stone.tile]
        for axis, runs in zip(AXES, self._runs, strict=True):
            step = NEXT[axis]
            near = [run for run in (runs.get(key - step), runs.get(key + step)) if run is not None]
            if sum(run[2] for run in near) >= FIVE:
                raise IllegalPlacement("too-long", axis)  # R8: at most five
            if near and sum(run[6] for run in near) + stone.wild > 1:
                raise IllegalPlacement("wilds", axis)  # R9: one Wild a series
            if near and not _takes(near[0], near[-1]) & bit:
                raise IllegalPlacement("series", axis)  # R7: one colour, or one number; never the same tile twice

    def opening(self, key: Key, bonus: int, supported: bool = False) -> Opening | None:
        """Return what may be laid at a spot beside or on top of the group and what it scores, or None.

        `bonus` is for a line of five. A spot that will be `supported` needs no tile below it yet.
        """
        tiles = self._tiles
        level = key & _LEVEL
        if key in tiles or level > FIVE or (level > 1 and key - UP not in tiles and not supported):
            return None
        if not (_NEAREST <= key >> 24 <= _FARTHEST and _NEAREST <= key >> 3 & _FIELD <= _FARTHEST):
            return None
        shut = self._shut
        if shut and (key + STEP_X in shut or key - STEP_X in shut or key + STEP_Y in shut or key - STEP_Y in shut):
            return None
        along_x, along_y, stacks = self._runs
        fits, wild, points, lines = ANY, True, 0, 0
        for before, after in (
            (along_x.get(key - STEP_X), along_x.get(key + STEP_X)),
            (along_y.get(key - STEP_Y), along_y.get(key + STEP_Y)),
            (stacks.get(key - UP), None),
        ):
            if before is None:
                if after is None:
                    continue
                before = after
                after = None
            count, total, wilds, scored = before[2], before[5], before[6], before[7]
            if after is None:
                shared = before[4]
                fits &= (shared | shared >> _NUMBERS) & ~before[3]
            else:
                count, total = count + after[2], total + after[5]
                wilds, scored = wilds + after[6], scored + after[7]
                if wilds > 1:
                    return None
                fits &= _takes(before, after)
            if count >= FIVE or not fits:
                return None
            if wilds:
                wild = False
            points += total - scored
            if count == FIVE - 1:
                points += bonus
            lines += 1
        return Opening(fits, wild, points, lines)

    def around(self, key: Key) -> Iterator[Key]:
        """Yield the spots whose openings may have changed by laying the tile at this spot."""
        full = False
        for runs, step in zip(self._runs[:2], (STEP_X, STEP_Y), strict=True):
            run = runs[key]
            yield run[0] - step
            yield run[1] + step
            full = full or run[2] == FIVE
        yield key + UP
        if full:
            for runs in self._runs[:2]:
                if runs[key][2] == FIVE:
                    for end in runs[key][:2]:
                        yield from (end + step for step in _BESIDE)

    def beside(self, key: Key) -> list[Key]:
        """Return the free spots on top of and beside a tile, in a fixed order."""
        return [key + step for step in _AROUND if key + step not in self._tiles]

    def frontier(self) -> Iterator[Key]:
        """Yield every free spot beside or on top of a tile, in a fixed order; on an empty board the middle."""
        if not self._tiles:
            yield key_of(0, 0, 1)
        seen = set(self._tiles)
        for key in self._tiles:
            for spot in self.beside(key):
                if spot not in seen:
                    seen.add(spot)
                    yield spot

    # Laying

    def lay(self, stone: Stone, bonus: int) -> int:
        """Lay a stone that fits, and return by how much it raises the score of this turn's lines."""
        return self.put(key_of(*stone.spot), code_of(stone), bonus)

    def put(self, key: Key, code: Code, bonus: int, *, fresh: bool = True) -> int:
        """Do the same for a key and a code. A tile that is not `fresh` was laid before the turn. D9: locks hold at
        once.
        """
        self._tiles[key] = code
        gained = 0
        for runs, step in zip(self._runs, (STEP_X, STEP_Y, UP), strict=True):
            before, after = runs.get(key - step), runs.get(key + step)
            run: Run
            if before is None and after is None:
                runs[key] = (key, key, *_ALONE[code])
                continue
            first = last = key
            count, which, shared, total, wilds, scored = _ALONE[code]
            if before is not None:
                first = before[0]
                count, which, shared = count + before[2], which | before[3], shared & before[4]
                total, wilds, scored = total + before[5], wilds + before[6], scored + before[7]
            if after is not None:
                last = after[1]
                count, which, shared = count + after[2], which | after[3], shared & after[4]
                total, wilds, scored = total + after[5], wilds + after[6], scored + after[7]
            run = (first, last, count, which, shared, total, wilds, total if fresh else 0)
            runs[first] = runs[last] = runs[key] = run
            gained += total - scored
            if count == FIVE:
                gained += bonus
                if step != UP:  # R10: a horizontal line that reaches five locks its first and last tile
                    self._shut.update((first, last))
                    self._locked = None
        return gained

    # Lines of a play

    def lines(self, laid: Sequence[Stone], bonus: int) -> tuple[Line, ...]:
        """R15: return each line of two or more tiles with a stone laid this turn, once, with its score.

        The score is the sum of all its numbers, a Wild counting 0, plus the bonus if it has reached five this turn.
        """
        found: dict[tuple[Axis, Spot], Line] = {}
        for stone in laid:
            for axis in AXES:
                line = self.line(stone.spot, axis)
                if len(line) > 1 and (axis, line[0]) not in found:
                    points = sum(_VALUE_OF[self._tiles[key_of(*spot)]] for spot in line)
                    full = bonus if len(line) == FIVE else 0
                    found[axis, line[0]] = Line(axis, line, points + full, full)
        return tuple(found.values())


def _takes(one: Run, other: Run) -> TileSet:
    """Return the tiles that make one series with these runs, which may be the same. Wilds are not counted here.

    R7: one colour with all numbers different, or one number with all colours different.
    """
    if one is other:
        shared, which = one[4], one[3]
    elif one[3] & other[3]:
        return 0  # never the same tile twice
    else:
        shared, which = one[4] & other[4], one[3] | other[3]
    return (shared | shared >> _NUMBERS) & ANY & ~which
