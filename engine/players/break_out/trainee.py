"""How the trainee of Break-Out plays: it lays what it finds, and sometimes forgets to draw or bluffs a meld."""

from collections.abc import Sequence
from itertools import combinations
from random import Random

from engine.contract import Action
from engine.games.break_out import (
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
from engine.players.break_out import watch

FORGETS, BLUFFS = 0.08, 0.05
"""How often, per turn, a trainee says NEXT without having played or drawn, and lays a bad meld."""


def choose(view: BreakOutView, legal: Sequence[Action], rng: Random) -> Action:
    """Return one of the legal actions of the seat to act, or a bluff."""
    gifts = [action for action in legal if isinstance(action, Give)]
    if gifts:
        return rng.choice(gifts)
    mood = watch.mood(view)
    plays = [action for action in legal if isinstance(action, Play)]
    if view.acted:
        more = [action for action in plays if not isinstance(action, Move)]
        return rng.choice(more) if more and rng.random() < 0.6 else Next()
    if view.referee == "honour" and mood < BLUFFS and (bluff := _bluff(view)) is not None:
        return bluff
    if plays and rng.random() < 0.75:
        return _decent(plays, rng)
    if view.drew:
        return Next()
    if view.referee == "honour" and mood > 1 - FORGETS:
        return Next()
    draws = [action for action in legal if isinstance(action, Draw)]
    return draws[0] if draws else _decent(plays, rng) if plays else Next()


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
