"""The bots of Break-Out.

`trainee` chooses for the trainee, `planning` for the master, by what positions are worth (`worth`), after looking for a
way to lay its whole hand (`turns`); reviews and reasons use the same evaluation. Both levels call what everybody could
see (`watch`); `reasons` explains actions.
"""

from collections.abc import Sequence
from random import Random

from engine.contract import Action
from engine.games.break_out import GAME, BreakOutView, Give, Next
from engine.players import Bots, Budget, Intent, Level, ready
from engine.players.break_out import planning, trainee, watch
from engine.players.break_out.reasons import explain


def play_as_trainee(view: BreakOutView, legal: Sequence[Action], budget: Budget, rng: Random) -> Intent | None:
    """Usually play something; sometimes catch something."""
    if not legal:
        return None
    if (waits := ready(legal)) is not None:
        return waits
    seen = watch.reaction(view, legal, attention=0.45, quickest=1_800, slowest=4_600)
    if seen is not None:
        return seen
    if view.seat not in view.to_act:
        return None
    action = trainee.choose(view, legal, rng)
    return Intent(action, rng.randrange(1_500, 3_500)) if isinstance(action, Give) else _turn(action, rng)


def play_as_master(view: BreakOutView, legal: Sequence[Action], budget: Budget, rng: Random) -> Intent | None:
    """Play well, and catch everything that can be seen."""
    if not legal:
        return None
    if (waits := ready(legal)) is not None:
        return waits
    seen = watch.reaction(view, legal, attention=0.94, quickest=1_200, slowest=3_600)
    if seen is not None:
        return seen
    if view.seat not in view.to_act:
        return None
    if any(isinstance(action, Give) for action in legal):
        return Intent(planning.gift(view, legal), rng.randrange(1_200, 2_600))
    return _turn(planning.choose(view, budget), rng)


def _turn(action: Action, rng: Random) -> Intent:
    """Return an intent with the pause that a person would need; NEXT takes a little longer."""
    pause = rng.randrange(1_000, 2_500) if isinstance(action, Next) else rng.randrange(900, 1_900)
    return Intent(action, pause)


BOTS = Bots(
    GAME,
    {Level.TRAINEE: play_as_trainee, Level.MASTER: play_as_master},
    explain,
    {Level.TRAINEE: 25.0, Level.MASTER: 41.0},
)
