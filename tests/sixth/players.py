"""Nim's computer players."""

from collections.abc import Sequence
from functools import reduce
from operator import xor
from random import Random
from typing import Any

from engine.contract import Action
from engine.players import Bots, Budget, Intent, Level
from tests.sixth.game import GAME, Take


def play_as_trainee(view: Any, legal: Sequence[Action], budget: Budget, rng: Random) -> Intent | None:
    """Take at random."""
    return Intent(rng.choice(legal), 900) if legal else None


def play_as_master(view: Any, legal: Sequence[Action], budget: Budget, rng: Random) -> Intent | None:
    """Leave heaps with a nim-sum of 0 (counting modulo the most that may be taken plus one), if possible."""

    def unbalanced(action: Action) -> bool:
        assert isinstance(action, Take)
        heaps = [left - action.count * (heap == action.heap) for heap, left in enumerate(view.heaps, start=1)]
        return bool(reduce(xor, (left % (view.most + 1) for left in heaps)))

    return Intent(min(legal, key=unbalanced), 900) if legal else None


BOTS = Bots(GAME, {Level.TRAINEE: play_as_trainee, Level.MASTER: play_as_master})
