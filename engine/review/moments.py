"""Which decisions of a review teach most: a player's worst ones, their best one, and the turning points of the game."""

from collections.abc import Iterable, Sequence

from engine.contract import Seat
from engine.review import JudgedDecision, Review

MOST = 3
"""How many moments of a player, and how many turning points of a game, are shown at most."""

WORTH_TELLING = 0.02
"""The least loss of chance of a turning point, and the least gain over a random choice that is praised."""

APART = 25
"""Two moments of one seat are at least one 25th of the game apart: what a player overlooks twice in a row is one
moment.
"""


def turning_points(review: Review) -> tuple[JudgedDecision, ...]:
    """Return the decisions of anybody with the greatest losses, in chronological order."""
    return tuple(sorted(_worst(review, review.judged), key=lambda one: one.step))


def moments(review: Review, seat: Seat) -> tuple[JudgedDecision, ...]:
    """Return the decisions from which a seat can learn most, the worst first. If none was bad, this is its closest
    call: the one that lost most of the little it lost; empty if it lost nothing at all.
    """
    own = _of(review, seat)
    found = _worst(review, own)
    if found:
        return found
    close = [one for one in own if one.better is not None and one.better != one.action and one.lost > 0]
    return tuple(sorted(close, key=lambda one: (-one.lost, one.step))[:1])


def best_move(review: Review, seat: Seat | None) -> JudgedDecision | None:
    """Return the decision of a seat, or of anybody, that gained most over a random choice, if it was no slip; None if
    none gained much.
    """
    good = [one for one in _of(review, seat) if one.grade is None and _gain(one) >= WORTH_TELLING]
    return max(good, key=lambda one: (_gain(one), -one.step), default=None)


def _gain(one: JudgedDecision) -> float:
    return 0.0 if one.lot is None else one.played - one.lot


def _of(review: Review, seat: Seat | None) -> Sequence[JudgedDecision]:
    return [one for one in review.judged if seat is None or one.seat == seat]


def _worst(review: Review, judged: Iterable[JudgedDecision]) -> tuple[JudgedDecision, ...]:
    near = review.points[-1].step / APART
    found: list[JudgedDecision] = []
    for one in sorted(judged, key=lambda one: (-one.lost, one.step)):
        if len(found) == MOST or one.lost < WORTH_TELLING:
            break
        if all(one.seat != other.seat or abs(one.step - other.step) > near for other in found):
            found.append(one)
    return tuple(found)
