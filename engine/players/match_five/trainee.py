"""How the trainee of Match Five plays: one of the better plays of few tiles, ignoring what it opens or keeps."""

from collections.abc import Sequence
from random import Random

from engine.contract import Action
from engine.games.match_five import Play, Swap


def choose(legal: Sequence[Action], rng: Random) -> Action:
    """Return one of the legal actions."""
    decent = [action for action in legal if isinstance(action, Play) and len(action.layings) <= 2]
    if not decent:
        return _without_a_play(legal, rng)
    return decent[min(rng.randrange(len(decent)) for _ in range(3))]


def _without_a_play(legal: Sequence[Action], rng: Random) -> Action:
    """Return what is done if nothing can be laid: swap as much as possible, or pass."""
    swaps = [action for action in legal if isinstance(action, Swap)]
    return max(swaps, key=lambda swap: (len(swap.tiles), rng.random())) if swaps else legal[0]
