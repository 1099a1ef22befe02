"""The bots of Ausbrecher AG.

`field` is a compact model of the race, `prospects` estimates who flees in which boat, and `rivals` what the others'
dice reveal of their bets. `evaluation` chooses for the master, `trainee` for the trainee; `reasons` explains actions.
"""

from collections.abc import Sequence
from random import Random
from typing import Any

from engine.contract import Action
from engine.games.ausbrecher import GAME
from engine.players import Bots, Budget, Intent, Level
from engine.players.ausbrecher import evaluation, trainee
from engine.players.ausbrecher.reasons import explain


def play_as_trainee(view: Any, legal: Sequence[Action], budget: Budget, rng: Random) -> Intent | None:
    """Play at random with a little sense."""
    return _intent(trainee.choose(view, legal, rng), rng) if legal and view.seat in view.to_act else None


def play_as_master(view: Any, legal: Sequence[Action], budget: Budget, rng: Random) -> Intent | None:
    """Steer the race towards its bets."""
    return _intent(evaluation.choose(view, legal, budget, rng), rng) if legal and view.seat in view.to_act else None


def _intent(action: Action, rng: Random) -> Intent:
    return Intent(action, rng.randrange(900, 2_501))


BOTS = Bots(
    GAME,
    {Level.TRAINEE: play_as_trainee, Level.MASTER: play_as_master},
    explain,
    {Level.TRAINEE: 25.0, Level.MASTER: 37.0},
)
