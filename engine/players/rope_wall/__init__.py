"""The bots of the Rope Wall.

`board` is a compact wall, and `evaluation` says what it is worth. `search` chooses for the master, `trainee` for the
trainee; `reasons` explains actions.
"""

from collections.abc import Sequence
from random import Random
from typing import Any

from engine.contract import Action
from engine.games.rope_wall import GAME
from engine.players import Bots, Budget, Intent, Level, ready
from engine.players.rope_wall import search, trainee
from engine.players.rope_wall.reasons import explain


def play_as_trainee(view: Any, legal: Sequence[Action], budget: Budget, rng: Random) -> Intent | None:
    """Push at random, with a little sense."""
    if (waits := ready(legal)) is not None:
        return waits
    return Intent(trainee.choose(view, legal, rng), rng.randrange(900, 2_601)) if legal else None


def play_as_master(view: Any, legal: Sequence[Action], budget: Budget, rng: Random) -> Intent | None:
    """Look as many pushes ahead as the budget allows."""
    if (waits := ready(legal)) is not None:
        return waits
    return Intent(search.choose(view, legal, budget, rng), rng.randrange(900, 1_601)) if legal else None


BOTS = Bots(
    GAME,
    {Level.TRAINEE: play_as_trainee, Level.MASTER: play_as_master},
    explain,
    {Level.TRAINEE: 25.0, Level.MASTER: 40.0},
)
