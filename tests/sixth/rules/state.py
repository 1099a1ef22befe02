"""Nim between two events."""

from collections import Counter

import msgspec

from engine.contract import Moment, Seat
from tests.sixth.rules.pieces import Material, NimOptions

SEATS = (Seat(0), Seat(1))


class State(msgspec.Struct, frozen=True):
    """A game between two events: `taken` counts each seat's own, `turns` how often it took."""

    material: Material
    options: NimOptions
    heaps: tuple[int, ...]
    turn: Seat
    began: Moment
    taken: tuple[int, int] = (0, 0)
    turns: tuple[int, int] = (0, 0)
    stamp: int = 0

    @property
    def most(self) -> int:
        """How many may be taken in a turn."""
        return self.material.most

    @property
    def winner(self) -> Seat | None:
        """Who took the last one."""
        return None if any(self.heaps) else SEATS[1 - self.turn]


def census(state: State) -> Counter[str]:
    """Count what lies there and what was taken."""
    return Counter({"one": sum(state.heaps) + sum(state.taken)})
