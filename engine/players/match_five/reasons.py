"""Why a play of tiles is good: what it scores, what it leaves to the next player, and what the alternatives were, as
facts.
"""

from collections.abc import Iterator, Sequence
from random import Random

from engine.contract import Action
from engine.games.match_five import MatchFiveView, Pass, Play, Step, Swap, places_of
from engine.players import Budget, Reason
from engine.players.match_five.evaluation import hand_of, left_cost, less, played, promising, worth
from engine.players.match_five.foresight import Foresight


def explain(
    view: MatchFiveView, action: Action, legal: Sequence[Action], budget: Budget, rng: Random
) -> tuple[Reason, ...]:
    """Return the reasons for an action, the main reason first."""
    match action:
        case Play():
            return tuple(_play(view, action, budget))
        case Swap(tiles=tiles):
            kept = less(hand_of(view), tiles)
            return (Reason("keeps", {"tiles": tuple(sorted(kept))}),)
        case Pass():
            return (Reason("stuck", {}),)
        case _:
            return ()


def _play(view: MatchFiveView, play: Play, budget: Budget) -> Iterator[Reason]:
    hand, places = hand_of(view), places_of(view.stones, view.bonus)
    ranked = promising(view, places, hand, budget)
    mine = next((step for step in ranked if played(step) == play), None)
    if mine is None:
        return
    foresight = Foresight(view, places, hand)
    most = ranked[0]
    richer = worth(view, most) > worth(view, mine) and most.points > mine.points
    others = [step for step in ranked if step is not mine]
    second = max((step.points for step in others), default=-1)
    yield Reason("scores", {"points": mine.points, "most": most.points, "best": int(not richer), "next": second})
    if not view.bag:
        yield Reason("last", {"left": len(mine.left), "saves": -left_cost(view, mine.left)})
    leaves = _leaves(foresight, [mine, *([most] if richer else others[:1])])
    if leaves is not None:
        yield Reason("leaves", {"mine": leaves[0], "other": leaves[1] if len(leaves) > 1 else -1})


def _leaves(foresight: Foresight, steps: Sequence[Step]) -> list[int] | None:
    """Return how many points the next player's tiles find on average, one by one, after each of these plays.

    None if nobody comes next.
    """
    left = list(map(foresight.left, steps))
    return list(map(round, left)) if any(left) else None
