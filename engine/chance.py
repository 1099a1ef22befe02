"""Fair, provable chance: every shuffle and roll is HMAC-SHA-256 of a table's secret seed, its name and a counter.

The seed's SHA-256 (`commitment`) is shown when a game begins and the seed when it ends, so that anyone can recompute
what chance decided.
"""

import hashlib
import hmac
import struct
from collections.abc import Sequence
from typing import TypeVar

T = TypeVar("T")

SEED_BYTES = 32
_BLOCK = struct.Struct(">4Q")
_WORDS = 1 << 64


def commitment(seed: bytes) -> str:
    """Return the SHA-256 of a seed in hexadecimal. It is shown before the game, and commits to the seed."""
    return hashlib.sha256(seed).hexdigest()


class Chance:
    """The draws of one decision.

    The n-th block of 32 bytes is HMAC-SHA-256(seed, "table/step/n"), n from 0; it is read as four big-endian 64-bit
    words. `step` is the number of events before the decision, so two decisions never share a draw and any one of
    them can be recomputed alone.
    """

    def __init__(self, seed: bytes, table: str, step: int) -> None:
        if len(seed) != SEED_BYTES:
            raise ValueError(f"a seed has {SEED_BYTES} bytes, not {len(seed)}")
        self._seed = seed
        self._table = table
        self._step = step
        self._block = 0
        self._words: list[int] = []

    def _word(self) -> int:
        if not self._words:
            name = f"{self._table}/{self._step}/{self._block}".encode()
            digest = hmac.new(self._seed, name, "sha256").digest()  # `hmac.digest` releases the GIL each time
            self._block += 1
            self._words = list(reversed(_BLOCK.unpack(digest)))
        return self._words.pop()

    def below(self, bound: int) -> int:
        """Return a uniform integer from 0 to bound − 1. Words that would make small numbers likelier are skipped.

        Raises ValueError for a bound below 1.
        """
        if bound < 1:
            raise ValueError(f"there is no number from 0 to {bound - 1}")
        limit = _WORDS - _WORDS % bound
        while (word := self._word()) >= limit:
            pass
        return word % bound

    def roll(self, sides: int = 6) -> int:
        """Return a throw of a fair die with faces 1 to `sides`."""
        return 1 + self.below(sides)

    def pick(self, items: Sequence[T]) -> T:
        """Return one of the items, each equally likely."""
        return items[self.below(len(items))]

    def shuffled(self, items: Sequence[T]) -> list[T]:
        """Return the items in a uniformly random order (Fisher–Yates, from the end)."""
        order = list(items)
        for last in range(len(order) - 1, 0, -1):
            other = self.below(last + 1)
            order[last], order[other] = order[other], order[last]
        return order
