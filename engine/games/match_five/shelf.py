"""A cache of what was computed about boards: nearly every question is about the board of the previous one, or about
that board after one more play.
"""

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Generic, TypeVar

from engine.games.match_five.board import Board
from engine.games.match_five.search import Places
from engine.games.match_five.types import FIVE, Stone

KEPT = 64
"""How many boards a cache keeps."""

T = TypeVar("T")


class Shelf(Generic[T]):
    """What is known about boards. Each has a fixed index by its stones, where a later board replaces it.

    `make` computes the value from nothing, and `go_on` from the value of the same board without its last stones. Cached
    values are shared, so they must not be modified.
    """

    def __init__(self, make: Callable[[Sequence[Stone]], T], go_on: Callable[[T, Sequence[Stone], int], T]) -> None:
        self._make = make
        self._go_on = go_on
        self._kept: list[tuple[Sequence[Stone], T] | None] = [None] * KEPT

    def of(self, stones: Sequence[Stone]) -> T:
        """Return what is known about the board with these stones, in the order in which they were laid."""
        stones = tuple(stones)
        found = self._at(stones)
        if found is None:
            found = self._worked_out(stones)
            self._kept[hash(stones) % KEPT] = stones, found
        return found

    def _at(self, stones: Sequence[Stone]) -> T | None:
        kept = self._kept[hash(stones) % KEPT]
        return kept[1] if kept is not None and kept[0] == stones else None

    def _worked_out(self, stones: Sequence[Stone]) -> T:
        for laid in range(1, min(FIVE + 1, len(stones))):
            before = self._at(stones[:-laid])
            if before is not None:
                return self._go_on(before, stones, laid)
        return self._make(stones)


_BOARDS: Shelf[Board] = Shelf(Board, lambda before, stones, laid: before.after(stones[-laid:]))


def board_of(stones: Sequence[Stone]) -> Board:
    """Return the board with these stones. Take a copy before laying anything on it."""
    return _BOARDS.of(stones)


@lru_cache(4)
def _places(bonus: int) -> Shelf[Places]:
    return Shelf(
        lambda stones: Places(board_of(stones), bonus),
        lambda before, stones, laid: before.after(board_of(stones), stones[-laid:]),
    )


def places_of(stones: Sequence[Stone], bonus: int) -> Places:
    """Return what may be laid where on the board with these stones; `bonus` is for a line of five."""
    return _places(bonus).of(stones)
