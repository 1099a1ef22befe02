"""The bots of Match Five.

The trainee takes a decent play; the master (`evaluation`) searches widely for the most points; `reasons` explains
actions.
"""

from collections.abc import Sequence
from random import Random
from typing import Any

from engine.contract import Action
from engine.games.match_five import GAME, Play, Swap
from engine.players import Bots, Budget, Intent, Level
from engine.players.match_five import evaluation
from engine.players.match_five.reasons import explain


def play_as_trainee(view: Any, legal: Sequence[Action], budget: Budget, rng: Random) -> Intent | None:
    """Take one of the better plays of few tiles, ignoring what it opens or keeps."""
    if not legal:
        return None
    decent = [action for action in legal if isinstance(action, Play) and len(action.layings) <= 2]
    if not decent:
        return _intent(_otherwise(legal, rng), rng)
    return _intent(decent[min(rng.randrange(len(decent)) for _ in range(3))], rng)


def play_as_master(view: Any, legal: Sequence[Action], budget: Budget, rng: Random) -> Intent | None:
    """Take the best play; it need not be among the legal actions listed."""
    return _intent(evaluation.choose(view, budget), rng) if legal else None


def _otherwise(legal: Sequence[Action], rng: Random) -> Action:
    """If nothing can be laid, swap as much as possible, or pass."""
    swaps = [action for action in legal if isinstance(action, Swap)]
    return max(swaps, key=lambda swap: (len(swap.tiles), rng.random())) if swaps else legal[0]


def _intent(action: Action, rng: Random) -> Intent:
    return Intent(action, rng.randrange(1_200, 2_501))


BOTS = Bots(
    GAME,
    {Level.TRAINEE: play_as_trainee, Level.MASTER: play_as_master},
    explain,
    {Level.TRAINEE: 25.0, Level.MASTER: 41.0},
)
