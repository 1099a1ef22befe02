"""The bots of Break-Out.

The trainee plays what it finds, sometimes forgets to draw or bluffs a meld, and catches some of what it could see. The
master (`evaluation`) tries to empty its hand and calls what everybody could see (`watch`); `reasons` explains actions.
"""

from collections.abc import Sequence
from itertools import combinations
from random import Random

from engine.contract import Action
from engine.games.break_out import (
    GAME,
    NATURAL,
    BreakOut,
    BreakOutView,
    Card,
    Draw,
    Extend,
    Give,
    Lay,
    Move,
    Next,
    Play,
    PlayDraw,
)
from engine.players import Bots, Budget, Intent, Level, ready
from engine.players.break_out import evaluation, turns, watch
from engine.players.break_out.reasons import explain

FORGETS, BLUFFS = 0.08, 0.05
"""How often, per turn, a trainee says NEXT without having played or drawn, and lays a bad meld."""


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
    gifts = [action for action in legal if isinstance(action, Give)]
    if gifts:
        return Intent(rng.choice(gifts), rng.randrange(1_500, 3_500))
    mood = watch.mood(view)
    plays = [action for action in legal if isinstance(action, Play)]
    if view.acted:
        more = [action for action in plays if not isinstance(action, Move)]
        return _turn(rng.choice(more) if more and rng.random() < 0.6 else Next(), rng)
    if view.referee == "honour" and mood < BLUFFS and (bluff := _bluff(view)) is not None:
        return _turn(bluff, rng)
    if plays and rng.random() < 0.75:
        return _turn(_decent(plays, rng), rng)
    if view.drew:
        return _turn(Next(), rng)
    if view.referee == "honour" and mood > 1 - FORGETS:
        return _turn(Next(), rng)
    draws = [action for action in legal if isinstance(action, Draw)]
    return _turn(draws[0] if draws else _decent(plays, rng) if plays else Next(), rng)


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
        return Intent(evaluation.gift(view, legal), rng.randrange(1_200, 2_600))
    return _turn(turns.way_out(view, budget) or evaluation.choose(view, legal), rng)


def _decent(plays: Sequence[Action], rng: Random) -> Action:
    """Return one of the plays, preferably one that lays cards rather than moves them."""
    laying = [action for action in plays if isinstance(action, Lay | Extend | BreakOut | PlayDraw)]
    return rng.choice(laying or plays)


def _bluff(view: BreakOutView) -> Lay | None:
    """Return three cards that look like a meld at a glance: a run with a gap, or two of a number and a neighbour."""
    assert view.seat is not None
    hand = [face for face in view.hand if face in NATURAL]
    most = 99 if view.out[view.seat] else view.limits[0] - 1
    for three in combinations(hand, 3):
        numbers = sorted(int(face[1]) for face in three)
        gap = len({face[0] for face in three}) == 1 and numbers[2] - numbers[0] == 3 and len(set(numbers)) == 3
        pair = len(set(numbers)) == 2 and numbers[2] - numbers[0] == 1
        if (gap or pair) and sum(numbers) <= most:
            return Lay(tuple(Card(face) for face in three))
    return None


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
