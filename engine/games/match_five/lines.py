"""The exact search for plays of several tiles in one line, for tables that allow no others (O2).

The spots of such a play are few: from a spot at the group, its line is followed to both sides. What each tile scores
across the line is known from the spot, so the score of a play is a sum.
"""

from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import NamedTuple

from engine.games.match_five.board import (
    ANY,
    AS_WILD,
    AXES,
    BIT,
    CODE,
    NEXT,
    Board,
    Code,
    IllegalPlacement,
    Key,
    Opening,
    TileSet,
    shared_by,
    spot_of,
    value_of,
)
from engine.games.match_five.types import FIVE, TILES, WILD, Axis, Stone, Tile

Laid = tuple[tuple[Key, Code], ...]
"""Tiles in the order of laying."""

Side = list[tuple[tuple[Key, ...], tuple[Code, ...]]]
"""How far a play may reach to one side: the free spots that it takes, and the tiles that its line then contains."""


class _Spot(NamedTuple):
    """A free spot of a line: what fits there, and what a tile scores across the line, by itself and by its number."""

    key: Key
    fits: TileSet
    wild: bool
    points: int
    lines: int


class Lines:
    """The plays of several tiles in one line on a board before a turn."""

    def __init__(self, board: Board, bonus: int, openings: dict[Key, Opening], hand: Sequence[Tile]) -> None:
        self._board = board
        self._bonus = bonus
        self._openings = openings
        self._hand = tuple(sorted(hand))
        self._plain: TileSet = sum(BIT[tile] for tile in set(hand) if tile != WILD)
        self._later: dict[tuple[Key, bool], Opening | None] = {}
        self._spots: dict[tuple[Key, Axis], _Spot] = {}

    def best(self, size: int, most: int) -> list[tuple[int, Laid]]:
        """Return the plays of this many tiles with the most points, best first, up to a limit."""
        found: list[tuple[int, Laid]] = []
        marks: set[frozenset[tuple[Key, Code]]] = set()
        for points, laid in sorted(self._plays[size], key=lambda play: -play[0]):
            mark = frozenset(laid)
            if mark not in marks and (ordered := self._in_order(laid)) is not None:
                marks.add(mark)
                found.append((points, ordered))
                if len(found) == most:
                    break
        return found

    @cached_property
    def _plays(self) -> dict[int, list[tuple[int, Laid]]]:
        """All plays by their number of tiles, in any order of laying."""
        plays: dict[int, list[tuple[int, Laid]]] = {size: [] for size in range(2, FIVE + 1)}
        seen: set[tuple[Axis, tuple[Key, ...]]] = set()
        for key in self._openings:
            for axis in AXES:
                for spots, there in self._spans(key, axis):
                    if (axis, spots) not in seen:
                        seen.add((axis, spots))
                        plays[len(spots)] += self._filled(spots, there, axis)
        return plays

    def _spans(self, key: Key, axis: Axis) -> Iterator[tuple[tuple[Key, ...], tuple[Code, ...]]]:
        """Yield the spots of each play in this line that takes this spot, and the tiles that its line has already."""
        step = NEXT[axis]
        before, after = self._side(key, -step, axis), self._side(key, step, axis)
        for left, lying in before:
            for right, beyond in after:
                spots = (*left, key, *right)
                there = (*lying, *beyond)
                if 1 < len(spots) <= len(self._hand) and len(spots) + len(there) <= FIVE:
                    yield tuple(sorted(spots)), there

    def _side(self, key: Key, step: int, axis: Axis) -> Side:
        spots: tuple[Key, ...] = ()
        there: tuple[Code, ...] = ()
        found: Side = []
        while len(spots) + len(there) < FIVE:
            key += step
            while (code := self._board.code_at(key)) is not None:
                there += (code,)
                key += step
            found.append((spots, there))
            if self._opening(key, axis) is None:
                break
            spots += (key,)
        return found

    def _opening(self, key: Key, axis: Axis) -> Opening | None:
        """Return what may be laid at a spot once the others of its line are there: in a stack, those below it."""
        found = self._openings.get(key)
        if found is not None:
            return found
        spot = key, axis == "stack"
        if spot not in self._later:
            below = spot_of(key).level < 1
            self._later[spot] = None if below else self._board.opening(key, self._bonus, supported=spot[1])
        return self._later[spot]

    def _filled(self, spots: tuple[Key, ...], there: tuple[Code, ...], axis: Axis) -> Iterator[tuple[int, Laid]]:
        """Yield the ways to fill these spots from the hand so that their line is a series, with their points."""
        total = sum(map(value_of, there)) + (self._bonus if len(spots) + len(there) == FIVE else 0)
        shared, which, wild = shared_by(there), 0, any(code >= AS_WILD for code in there)
        for code in there:
            which |= 1 << code % AS_WILD
        usable = (shared | shared >> len(TILES)) & ANY & ~which & self._plain
        declared = WILD in self._hand and not wild
        fitting = [self._spot(key, axis) for key in spots]
        if all(spot.fits & usable or (declared and spot.wild) for spot in fitting):
            yield from self._assigned(fitting, self._hand, (), total, shared, which, wild)

    def _spot(self, key: Key, axis: Axis) -> _Spot:
        """Return what a spot takes and scores in plays along an axis."""
        found = self._spots.get((key, axis))
        if found is None:
            opening = self._opening(key, axis)
            assert opening is not None
            count, own = self._board.along(key, axis)
            points = opening.points - own - (self._bonus if count == FIVE - 1 else 0)
            found = _Spot(key, opening.fits, opening.wild, points, opening.lines - bool(count))
            self._spots[key, axis] = found
        return found

    def _assigned(
        self,
        spots: list[_Spot],
        hand: tuple[Tile, ...],
        laid: Laid,
        points: int,
        shared: int,
        which: TileSet,
        wild: bool,
        open_spot: _Spot | None = None,
    ) -> Iterator[tuple[int, Laid]]:
        """Yield the ways to fill the spots that are left. A Wild is declared when all other tiles are there."""
        allowed = (shared | shared >> len(TILES)) & ANY & ~which
        if not spots:
            if open_spot is None:
                yield points, laid
                return
            faces = open_spot.fits & allowed
            if faces:  # the play scores the same for anything the Wild can be declared as
                face = (faces & -faces).bit_length() - 1
                yield points, (*laid, (open_spot.key, face + AS_WILD))
            return
        spot, *others = spots
        for index, tile in enumerate(hand):
            if index and hand[index - 1] == tile:
                continue
            left = (*hand[:index], *hand[index + 1 :])
            if tile == WILD:
                if spot.wild and not wild:
                    yield from self._assigned(others, left, laid, points + spot.points, shared, which, True, spot)
            elif spot.fits & allowed & BIT[tile]:
                code = CODE[tile]
                scored = points + spot.points + value_of(code) * (spot.lines + 1)
                now = (*laid, (spot.key, code))
                both = shared & shared_by((code,))
                yield from self._assigned(others, left, now, scored, both, which | BIT[tile], wild, open_spot)

    def _in_order(self, laid: Laid) -> Laid | None:
        """Return these tiles in an order in which each may be laid, or None if there is none.

        D4: each is attached when it is laid. D9: a tile that completes another line may lock itself, and comes last.
        """
        return self._ordered(self._board, tuple(sorted(laid)), ())

    def _ordered(self, board: Board, left: Laid, laid: Laid) -> Laid | None:
        if not left:
            return laid
        for index, (key, code) in enumerate(left):
            stone = _stone(key, code)
            try:
                board.check(stone)
            except IllegalPlacement:
                continue
            after = board.copy()
            after.lay(stone, self._bonus)
            found = self._ordered(after, (*left[:index], *left[index + 1 :]), (*laid, (key, code)))
            if found is not None:
                return found
        return None


def _stone(key: Key, code: Code) -> Stone:
    x, y, level = spot_of(key)
    return Stone(x, y, level, TILES[code % AS_WILD], code >= AS_WILD)
