"""How turns of Match Five are evaluated: as the Master does, with the balance of a play turned into a chance.

The fewer tiles are left, the more a lead is worth, as measured in docs/review.md.
"""

from collections import Counter
from collections.abc import Sequence
from math import sqrt
from random import Random

from engine.contract import Action, Fact
from engine.games.match_five import (
    GAME,
    Laying,
    MatchFiveView,
    Pass,
    Places,
    Play,
    Step,
    Swap,
    Tile,
    judge_play,
    places_of,
    singles,
)
from engine.games.match_five.board import AS_WILD, CODE, Code, Key, key_of
from engine.games.match_five.search import Draft
from engine.players import Steps
from engine.players.match_five.evaluation import balance, left_cost, less, played, promising
from engine.players.match_five.foresight import Foresight
from engine.review import Evaluation, Reviewer
from engine.review.normal_model import first

SPREAD, AT_LEAST = 97.0, 235.0
"""The variance of the points that a seat still scores: for each tile it has left, and at the end."""

FIRST_TURNS, LATER_TURNS, GROWN = 24.0, 69.0, 60
"""What good turns score on an empty board, and on one with this many tiles."""

TRUSTED = 3
"""How many turns the average score of good turns counts for, beside the last turns played."""


def chance(view: MatchFiveView, rng: Random) -> float:
    """Return how likely the reader of this view has the most points in the end."""
    assert view.seat is not None
    ahead = view.seat if view.turn is None else view.turn
    return _first(view, view.seat, _expected(view, view.scores, ahead, _a_turn(view)))


def weigh(view: MatchFiveView, action: Action, rng: Random) -> Evaluation | None:
    """Return the evaluation of a turn; None if no tile could be laid, since swapping decides little."""
    assert view.seat is not None
    if not isinstance(action, Play | Swap | Pass):
        return None
    hand, places = view.hands[view.seat] or (), places_of(view.stones, view.bonus)
    ranked = promising(view, places, hand, Steps(1))
    if not ranked:
        return None
    foresight = Foresight(view, places, hand)
    usual = sum(map(foresight.left, ranked)) / len(ranked)
    feared = foresight.weight * usual
    best = max(ranked, key=lambda step: balance(view, foresight, step))
    most = _after(view, balance(view, foresight, best) + feared, usual)
    lot = _by_lot(view, places, hand, usual)
    if isinstance(action, Play):
        mine = _step(view, hand, action)
        made, left, result = mine.points, foresight.left(mine), balance(view, foresight, mine)
    else:  # it leaves the board unchanged, as valuable as after an average play
        made, left, result = 0, usual, -left_cost(view, hand) - feared
    reached = _after(view, result + feared, usual)
    if reached >= most:
        return Evaluation(reached, reached, action, lot=lot)
    why = "points" if best.points > made else "leaves"
    facts: dict[str, Fact] = {
        "points": best.points,
        "made": made,
        "leaves": round(foresight.left(best)),
        "left": round(left),
    }
    return Evaluation(reached, most, played(best), why, facts, lot)


def _by_lot(view: MatchFiveView, places: Places, hand: Sequence[Tile], leaves: float) -> float:
    """Return the average chance after laying a random tile of the hand somewhere it fits."""
    left = {tile: left_cost(view, less(hand, [tile])) for tile in hand}
    drawn = Counter(one.points - left[one.layings[0].tile] for one in singles(places, hand))
    return sum(many * _after(view, worth, leaves) for worth, many in drawn.items()) / drawn.total()


def _after(view: MatchFiveView, worth: float, leaves: float) -> float:
    """Return how likely the seat to move wins after a turn of this worth that leaves this many points to the next."""
    assert view.seat is not None
    scores = [score + worth * (seat == view.seat) for seat, score in enumerate(view.scores)]
    return _first(view, view.seat, _expected(view, scores, view.seat + 1, leaves))


def _expected(view: MatchFiveView, scores: Sequence[float], ahead: int, turn: float) -> list[float]:
    """Return what is expected for each seat, apart from what is the same for all.

    The seat `ahead` moves next, and the sooner a seat moves, the more of a turn's points it can expect.
    """
    seats = len(scores)
    return [score - turn * ((seat - ahead) % seats) / seats for seat, score in enumerate(scores)]


def _a_turn(view: MatchFiveView) -> float:
    """Return what a turn is likely to score: a mean of what good turns score and of the last turns' scores."""
    good = FIRST_TURNS + (LATER_TURNS - FIRST_TURNS) * min(1.0, len(view.stones) / GROWN)
    last = [turn.points for turn in view.turns[-2 * len(view.scores) :]]
    return (TRUSTED * good + sum(last)) / (TRUSTED + len(last))


def _first(view: MatchFiveView, me: int, expected: Sequence[float]) -> float:
    """Return how likely this seat comes first, given the points expected for each."""
    left = view.bag + sum(view.counts)
    return first(expected, me, sqrt(SPREAD * left / len(expected) + AT_LEAST))


def _step(view: MatchFiveView, hand: Sequence[Tile], play: Play) -> Step:
    """Return a play that was made, in the format of the search."""
    verdict = judge_play(view.stones, hand, play.layings, view.bonus, one_line=view.placement == "one_line")
    *before, last = [_laid(laying) for laying in play.layings]
    left = less(hand, [laying.tile for laying in play.layings[:-1]])
    board = places_of(view.stones, view.bonus).board
    return Step(verdict.points, Draft(0, tuple(before), tuple(left), 0, board, {}), *last)


def _laid(laying: Laying) -> tuple[Key, Code]:
    code = CODE[laying.tile] if laying.wild_as is None else CODE[laying.wild_as] + AS_WILD
    return key_of(laying.x, laying.y, laying.level), code


REVIEWER = Reviewer(MatchFiveView, GAME.actions, chance, weigh)
