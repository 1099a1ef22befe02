"""Which plays there are: every play whose tiles lie in one common line, the best first.

Tiles are laid outward from a first one that is attached to the group, so every order that is tried is one in which
they may be laid. May import `engine` only.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from engine.games.match_five.board import AXES, BESIDE, BIT, STEPS, Board
from engine.games.match_five.pieces import FIVE, TILES, WILD, Axis, Laying, Spot, Stone, Tile


class Found(NamedTuple):
    """A play, and what it scores."""

    points: int
    layings: tuple[Laying, ...]


def frontier(board: Board) -> Iterator[Spot]:
    """Yield every spot where some tile may be attached, in a fixed order; on an empty board the middle."""
    if not board.stones:
        yield Spot(0, 0, 1)
        return
    seen: set[tuple[int, int, int]] = set()
    for x, y, level in list(board.stones):
        for spot in ((x, y, level + 1), *((x + dx, y + dy, level) for dx, dy in BESIDE)):
            if spot not in seen:
                seen.add(spot)
                if board.fault(spot) is None:
                    yield Spot(*spot)


def plays(board: Board, hand: Sequence[Tile], bonus: int) -> list[Found]:
    """Return the plays of this hand, the most points first, each set of stones once."""
    search = _Search(board, hand, bonus)
    for spot in frontier(board):
        search.begin(spot)
    return sorted(search.found.values(), key=_rank)


def _rank(found: Found) -> tuple[int, int, list[tuple[str, int, int, int, str]]]:
    """The more points the better, then the fewer tiles; the rest keeps the order the same every time."""
    words = [(one.tile, one.x, one.y, one.level, one.wild_as or "") for one in found.layings]
    return -found.points, len(words), words


class _Search:
    def __init__(self, board: Board, hand: Sequence[Tile], bonus: int) -> None:
        self._board = board
        self._bonus = bonus
        self._hand = list(hand)
        self.found: dict[frozenset[tuple[Spot, Tile, bool]], Found] = {}

    def begin(self, spot: Spot) -> None:
        """Find the plays whose first tile lies here."""
        for stone in self._stones(spot, wild_left=True):
            self._board.lay(stone)
            self._take(stone)
            laid = [stone]
            if self._keep(laid):
                for axis in AXES:
                    self._go_on(axis, laid)
            self._give(stone)
            self._board.back(stone)

    def _go_on(self, axis: Axis, laid: list[Stone]) -> None:
        """Lay another tile at an end of the line through the first one."""
        board = self._board
        line = board.line(laid[0].spot, axis)
        if len(line) >= FIVE:
            return
        dx, dy, dz = STEPS[axis]
        ends = [(line[-1].spot, 1)] if axis == "stack" else [(line[0].spot, -1), (line[-1].spot, 1)]
        wild_left = not any(stone.wild for stone in laid)
        for (x, y, level), sign in ends:
            spot = Spot(x + sign * dx, y + sign * dy, level + sign * dz)
            if board.fault(spot) is not None:
                continue
            for stone in self._stones(spot, wild_left):
                board.lay(stone)
                self._take(stone)
                laid.append(stone)
                if self._keep(laid):
                    self._go_on(axis, laid)
                laid.pop()
                self._give(stone)
                board.back(stone)

    def _stones(self, spot: Spot, wild_left: bool) -> Iterator[Stone]:
        """Yield every stone that the hand can lay here."""
        fits, takes_wild = self._board.fitting(spot)
        if not fits:
            return
        for tile in dict.fromkeys(self._hand):
            if tile != WILD:
                if fits & BIT[tile]:
                    yield Stone(*spot, tile)
            elif wild_left and takes_wild:
                yield from (Stone(*spot, stands_for, True) for stands_for in TILES if fits & BIT[stands_for])

    def _keep(self, laid: list[Stone]) -> bool:
        """Note a play, unless these stones have been found in another order."""
        key = frozenset((stone.spot, stone.tile, stone.wild) for stone in laid)
        if key in self.found:
            return False
        lines = self._board.lines(laid, self._bonus)
        points = sum(line.points for line in lines) if lines else _alone(laid[0])
        self.found[key] = Found(points, tuple(laying(stone) for stone in laid))
        return True

    def _take(self, stone: Stone) -> None:
        self._hand.remove(WILD if stone.wild else stone.tile)

    def _give(self, stone: Stone) -> None:
        self._hand.append(WILD if stone.wild else stone.tile)


def _alone(stone: Stone) -> int:
    """D: a first tile laid alone scores its number, a Wild 0."""
    return 0 if stone.wild else int(stone.tile[1])


def laying(stone: Stone) -> Laying:
    """Return a stone as it is asked for."""
    if stone.wild:
        return Laying(WILD, stone.x, stone.y, stone.level, stone.tile)
    return Laying(stone.tile, stone.x, stone.y, stone.level)
