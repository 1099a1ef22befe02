"""How turns of Match Five are evaluated: the points of a play against what it leaves to the next player, as a chance.

The fewer tiles are left, the more a lead is worth, as measured in docs/review.md.
"""

from collections import Counter
from collections.abc import Sequence
from math import sqrt
from random import Random

from engine.contract import Action, Fact
from engine.games.match_five import (
    GAME,
    WILD,
    Laying,
    MatchFiveView,
    Pass,
    Places,
    Play,
    Step,
    Swap,
    Tile,
    beam,
    judge_play,
    laying_of,
    places_of,
    singles,
    value,
)
from engine.games.match_five.board import AS_WILD, CODE, Code, Key, key_of
from engine.games.match_five.search import Draft
from engine.players.match_five.foresight import FEAR, Foresight
from engine.review import Evaluation, Reviewer
from engine.review.normal_model import first

WIDTH, MOST, COMPARED = 25, 40, 40
"""The parameters of the Master: partial plays continued, plays of each number of tiles, plays compared."""

SPREAD, AT_LEAST = 97.0, 235.0
"""The variance of the points that a seat still scores: for each tile it has left, and at the end."""

FIRST_TURNS, LATER_TURNS, GROWN = 24.0, 69.0, 60
"""What good turns score on an empty board, and on one with this many tiles."""

TRUSTED = 3
"""How many turns the average score of good turns counts for, beside the last turns played."""

MOST_LEFT = 150.0
"""The most points that can be left to the next player's tiles: they are counted independently although they compete for
the same spots.
"""


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
    found: dict[int, Step] = {}
    for level in beam(places, hand, WIDTH, MOST, one_line=view.placement == "one_line"):
        found.update((step.mark, step) for step in level)
    if not found:
        return None
    ranked = sorted(found.values(), key=lambda step: -_worth(view, step))[:COMPARED]
    foresight = Foresight(view, places, hand)
    rivals = len(view.scores) - 1
    worths = [(_worth(view, step), _left(foresight, step, rivals)) for step in ranked]
    chances = [_after(view, *worth) for worth in worths]
    best = max(range(len(ranked)), key=chances.__getitem__)
    better = Play(tuple(laying_of(*one) for one in ranked[best].laid))
    usual = sum(left for _, left in worths) / len(worths)
    lot = _by_lot(view, places, hand, usual)
    if isinstance(action, Play):
        step = _step(view, hand, action)
        made, points, left = step.points, _worth(view, step), _left(foresight, step, rivals)
    else:  # it leaves the board unchanged, as valuable as after an average play
        made, points, left = 0, _saved(view, hand), usual
    played = _after(view, points, left)
    if played >= chances[best]:
        return Evaluation(played, played, action, lot=lot)
    facts: dict[str, Fact] = {
        "points": ranked[best].points,
        "made": made,
        "leaves": round(worths[best][1]),
        "left": round(left),
    }
    return Evaluation(played, chances[best], better, "points" if worths[best][0] > points else "leaves", facts, lot)


def _by_lot(view: MatchFiveView, places: Places, hand: Sequence[Tile], leaves: float) -> float:
    """Return the average chance after laying a random tile of the hand somewhere it fits."""
    left = {tile: _saved(view, [one for place, one in enumerate(hand) if place != hand.index(tile)]) for tile in hand}
    drawn = Counter(one.points + left[one.layings[0].tile] for one in singles(places, hand))
    return sum(many * _after(view, worth, leaves) for worth, many in drawn.items()) / drawn.total()


def _left(foresight: Foresight, step: Step, rivals: int) -> float:
    """Return how many points a play leaves to the next player's tiles, counted independently, up to a limit."""
    return min(MOST_LEFT, foresight.cost(step) * rivals / FEAR)


def _after(view: MatchFiveView, worth: int, leaves: float) -> float:
    """Return how likely the seat to move wins after a turn of this worth that leaves this many points to the next."""
    assert view.seat is not None
    scores = [score + worth * (seat == view.seat) for seat, score in enumerate(view.scores)]
    return _first(view, view.seat, _expected(view, scores, view.seat + 1, leaves))


def _expected(view: MatchFiveView, scores: Sequence[int], ahead: int, turn: float) -> list[float]:
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


def _worth(view: MatchFiveView, step: Step) -> int:
    """Return what a play scores, and with an empty bag what it saves: tiles left in hand will be subtracted."""
    points = step.points
    if not view.stones and len(step.laid) == 1:
        points = value(step.tile)  # D: a first tile laid alone scores its number
    return points + _saved(view, step.left)


def _saved(view: MatchFiveView, left: Sequence[Tile]) -> int:
    return 0 if view.bag else -sum(view.wild_left if tile == WILD else value(tile) for tile in left)


def _step(view: MatchFiveView, hand: Sequence[Tile], play: Play) -> Step:
    """Return a play that was made, in the format of the search."""
    verdict = judge_play(view.stones, hand, play.layings, view.bonus, one_line=view.placement == "one_line")
    *before, last = [_laid(laying) for laying in play.layings]
    left = list(hand)
    for laying in play.layings[:-1]:
        left.remove(laying.tile)
    board = places_of(view.stones, view.bonus).board
    return Step(verdict.points, Draft(0, tuple(before), tuple(left), 0, board, {}), *last)


def _laid(laying: Laying) -> tuple[Key, Code]:
    code = CODE[laying.tile] if laying.wild_as is None else CODE[laying.wild_as] + AS_WILD
    return key_of(laying.x, laying.y, laying.level), code


REVIEWER = Reviewer(MatchFiveView, GAME.actions, chance, weigh)
