"""The bots of Prison Break.

`belief` infers where everyone may be. `evaluation` chooses for the master, `trainee` for the trainee; `reasons`
explains actions.
"""

from collections.abc import Sequence
from random import Random
from typing import Any

from engine.contract import Action
from engine.games.prison_break import GAME
from engine.players import Bots, Budget, Intent, Level, ready
from engine.players.prison_break import evaluation, trainee
from engine.players.prison_break.reasons import explain


def play_as_trainee(view: Any, legal: Sequence[Action], budget: Budget, rng: Random) -> Intent | None:
    """Play at random with a little sense."""
    if (waits := ready(legal)) is not None:
        return waits
    return Intent(trainee.choose(view, legal, rng), _pause(rng)) if legal else None


def play_as_master(view: Any, legal: Sequence[Action], budget: Budget, rng: Random) -> Intent | None:
    """Infer where everyone is, and play for the best prospects."""
    if (waits := ready(legal)) is not None:
        return waits
    return Intent(evaluation.choose(view, legal, budget, rng), _pause(rng)) if legal else None


def _pause(rng: Random) -> int:
    return rng.randrange(900, 2_501)


BOTS = Bots(
    GAME,
    {Level.TRAINEE: play_as_trainee, Level.MASTER: play_as_master},
    explain,
    {Level.TRAINEE: 25.0, Level.MASTER: 39.0},
)
