"""Nim's judge: whether somebody may take so many."""

from collections.abc import Iterator
from typing import Protocol

from engine.contract import Refusal
from tests.sixth.rules.pieces import Take


class Position(Protocol):
    """What the judge has to know; states and views have it."""

    @property
    def heaps(self) -> tuple[int, ...]: ...
    @property
    def most(self) -> int: ...


def judge(position: Position, take: Take) -> None:
    """Raise `Refusal` for what may not be taken: `no-such-heap`, `too-many` (fact `most`)."""
    if not 1 <= take.heap <= len(position.heaps):
        raise Refusal("no-such-heap")
    most = min(position.most, position.heaps[take.heap - 1])
    if not 1 <= take.count <= most:
        raise Refusal("too-many", most=most)


def takes(position: Position) -> Iterator[Take]:
    """Yield what may be taken."""
    for heap, left in enumerate(position.heaps, start=1):
        yield from (Take(heap, count) for count in range(1, min(position.most, left) + 1))
