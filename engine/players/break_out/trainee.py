"""How the trainee of Break-Out plays: it lays what it sees in its hand, without a plan, and now and then it bluffs."""

from collections.abc import Sequence
from itertools import combinations
from random import Random

from engine.contract import Action
from engine.games.break_out import (
    NATURAL,
    SUPER,
    WILD,
    BreakOut,
    BreakOutView,
    Card,
    Draw,
    Give,
    Lay,
    Next,
    PlayDraw,
)
from engine.players.break_out import watch
from engine.players.break_out.turns import from_hand

SEES = 0.8
"""How often a trainee sees a play, each time that it looks."""

FORGETS, BLUFFS = 0.08, 0.12
"""How often, per turn without a play that it sees, a trainee says NEXT instead of drawing, and lays a bad meld."""


def choose(view: BreakOutView, legal: Sequence[Action], rng: Random) -> Action:
    """Return one of the legal actions of the seat to act, or a bluff."""
    gifts = [action for action in legal if isinstance(action, Give)]
    if gifts:
        return rng.choice([gift for gift in gifts if gift.face not in (WILD, SUPER)] or gifts)
    seen = [action for action in legal if from_hand(action) and rng.random() < SEES]
    if seen:
        return max(seen, key=lambda play: (*_appeal(play), rng.random()))
    if view.acted or view.drew or not view.place:
        return Next()
    mood = watch.mood(view)
    if view.referee == "honour" and mood < BLUFFS and (bluff := _bluff(view)) is not None:
        return bluff
    return Next() if view.referee == "honour" and mood > 1 - FORGETS else Draw()


def _appeal(play: Action) -> tuple[bool, bool, int]:
    """Return how much a play appeals at first sight: a DRAW card most, then breaking out, then laying many cards; an
    exchange for a Wild appeals as much as any play of one card.
    """
    return isinstance(play, PlayDraw), isinstance(play, BreakOut), len(from_hand(play))


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
