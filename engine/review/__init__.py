"""Reviews: a finished game looked at again, decision by decision, from what each seat knew then.

What is judged is a decision and never luck: what was done and the best that could be done are weighed by the same view,
the one that the seat had at that moment, so whatever it could not know changes nothing. A game's `Reviewer` weighs;
what is made of it here is the same for every game. Chances to win are shares from 0 to 1; a point of the chance is a
hundredth. May import `engine` and msgspec.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any, Literal

import msgspec

from engine.contract import Action, Fact, Seat, View

Grade = Literal["blunder", "mistake", "inaccuracy"]

GRADES: tuple[tuple[Grade, float], ...] = (("blunder", 0.15), ("mistake", 0.10), ("inaccuracy", 0.05))
"""From how much of the chance on a decision is called so, the worst first: lichess's own borders (its `Advice`), which
are 0.3, 0.2 and 0.1 there because its chances go from −1 to 1.
"""

TURNING_POINTS = 3

LEAST_STAKE = 0.05
"""Where neither a seat nor lots in its place gave away as much of the chance in a whole game, nobody can tell."""

WORTH_TELLING = 0.02
"""A decision that gave away less is no turning point, though nobody gave away more."""

APART = 25
"""Two turning points of one seat lie at least so large a part of the game apart, one 25th: what somebody overlooks
twice in a row is one moment.
"""

CURVE = 90
"""So many moments the curve of the chances has at most."""


class Weighed(msgspec.Struct, frozen=True):
    """What a decision came to as its seat could know: the chance to win after what was done, and after the `better`
    that was best. `why` is a short word that the game's cog turns into a sentence, with `facts`; empty where there is
    nothing to say. `lot` is the chance on the average after what would be drawn by lot; None where that is not known.
    """

    played: float
    best: float
    better: Action | None = None
    why: str = ""
    facts: dict[str, Fact] = {}
    lot: float | None = None


class Judged(msgspec.Struct, frozen=True):
    """A decision that was weighed. It led to moment `step`, so it was made at the one before.

    `action` and `better` are actions of the game as JSON; `better` is None where nothing was.
    """

    step: int
    seat: Seat
    action: str
    played: float
    best: float
    better: str | None = None
    why: str = ""
    facts: dict[str, Fact] = {}
    lot: float | None = None

    @property
    def lost(self) -> float:
        """How much of the chance it gave away."""
        return max(0.0, self.best - self.played)

    @property
    def stake(self) -> float:
        """How much of the chance a lot would have given away on the average."""
        return 0.0 if self.lot is None else max(0.0, self.best - self.lot)

    @property
    def grade(self) -> Grade | None:
        """What such a decision is called; None for a good one. By the chances as people read them, in whole points:
        what is told to have given five away is an inaccuracy.
        """
        return grade(told(self.played, self.best))


class Point(msgspec.Struct, frozen=True):
    """What each seat's chance was at a moment, as that seat could know."""

    step: int
    chances: tuple[float, ...]


class Note(msgspec.Struct, frozen=True):
    """Something of one game alone that is worth telling when all is known: at which moment, what, of whom."""

    step: int
    what: str
    seat: Seat
    facts: dict[str, Fact] = {}


class Review(msgspec.Struct, frozen=True):
    """A whole game: `points` from its beginning to its end, what was `judged` in order, and what its game has noted."""

    points: tuple[Point, ...]
    judged: tuple[Judged, ...]
    notes: tuple[Note, ...] = ()


@dataclass(frozen=True)
class Deed:
    """What led to moment `step` of a game: an action of a seat, or of the clock where `seat` is None."""

    step: int
    seat: Seat | None
    action: Action | None

    @property
    def decides(self) -> bool:
        """Whether a seat played by it."""
        return self.seat is not None and self.action is not None and self.action.counts_as_move


@dataclass(frozen=True)
class Reviewer:
    """How one game's decisions are weighed. Its functions cross to another process by name.

    - `chance(view, rng)` gives how likely the seat whose view it is wins, a win that is shared counting as its part.
    - `weigh(view, action, rng)` gives what an action came to that this seat did at this view; None where there was
      nothing to decide.
    - `noted(states, deeds)` gives what else is worth telling of a game that is over, from all that happened.

    The random numbers are drawn by what the view says: the same view is always judged the same.
    """

    views: type[View]
    actions: Any
    chance: Callable[[Any, Random], float]
    weigh: Callable[[Any, Any, Random], Weighed | None]
    noted: Callable[[Sequence[Any], Sequence[Deed]], Iterator[Note]] | None = None


def told(played: float, best: float) -> float:
    """Return how much of the chance a decision gave away by the chances as people read them, in whole points."""
    return (round(100 * best) - round(100 * played)) / 100


def grade(lost: float) -> Grade | None:
    """Return what a decision is called that gave so much of the chance away; None for a good one."""
    return next((name for name, least in GRADES if lost >= least - 1e-9), None)


def accuracy(judged: Sequence[Judged]) -> float | None:
    """Return how well these decisions were made, in percent; None where hardly anything depended on them.

    It is the part that was kept of what could be given away: 100 is always the best, 0 is what drawing lots comes to,
    on the average and at worst. So a decision counts by what depended on it, and one where every choice is as good as
    any other, of which games with dice are full, does not count at all. Decisions whose lot is not known are left out.
    """
    known = [one for one in judged if one.lot is not None]
    stake, lost = sum(one.stake for one in known), sum(one.lost for one in known)
    if max(stake, lost) < LEAST_STAKE:
        return None
    return 100 * max(0.0, 1 - lost / max(stake, LEAST_STAKE))


class Tally(msgspec.Struct, frozen=True):
    """How one seat decided in a game. `accuracy` is in percent, None for a seat on whose decisions
    hardly anything depended.
    """

    seat: Seat
    decisions: int
    accuracy: float | None
    blunders: int
    mistakes: int
    inaccuracies: int


def tallies(review: Review) -> tuple[Tally, ...]:
    """Return how each seat decided."""

    def tally(seat: Seat) -> Tally:
        own = [one for one in review.judged if one.seat == seat]
        count = {name: sum(one.grade == name for one in own) for name, _ in GRADES}
        return Tally(seat, len(own), accuracy(own), count["blunder"], count["mistake"], count["inaccuracy"])

    return tuple(tally(Seat(seat)) for seat in range(len(review.points[0].chances)))


def turning_points(review: Review) -> tuple[Judged, ...]:
    """Return the decisions by which most was given away, in the order in which they were made."""
    near = review.points[-1].step / APART
    found: list[Judged] = []
    for one in sorted(review.judged, key=lambda one: (-one.lost, one.step)):
        if len(found) == TURNING_POINTS or one.lost < WORTH_TELLING:
            break
        if all(one.seat != other.seat or abs(one.step - other.step) > near for other in found):
            found.append(one)
    return tuple(sorted(found, key=lambda one: one.step))
