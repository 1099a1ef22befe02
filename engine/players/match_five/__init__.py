"""The bots of Match Five.

`evaluation` chooses for the master, by what a play leaves to others (`foresight`), `trainee` for the trainee; `reasons`
explains actions.
"""

from collections.abc import Sequence
from random import Random
from typing import Any

from engine.contract import Action
from engine.games.match_five import GAME
from engine.players import Bots, Budget, Intent, Level
from engine.players.match_five import evaluation, trainee
from engine.players.match_five.reasons import explain


def play_as_trainee(view: Any, legal: Sequence[Action], budget: Budget, rng: Random) -> Intent | None:
    """Take one of the better plays of few tiles."""
    return _intent(trainee.choose(legal, rng), rng) if legal else None


def play_as_master(view: Any, legal: Sequence[Action], budget: Budget, rng: Random) -> Intent | None:
    """Take the best play; it need not be among the legal actions listed."""
    return _intent(evaluation.choose(view, budget), rng) if legal else None


def _intent(action: Action, rng: Random) -> Intent:
    return Intent(action, rng.randrange(1_200, 2_501))


BOTS = Bots(
    GAME,
    {Level.TRAINEE: play_as_trainee, Level.MASTER: play_as_master},
    explain,
    {Level.TRAINEE: 25.0, Level.MASTER: 41.0},
)
