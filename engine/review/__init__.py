"""Reviews: a finished game evaluated decision by decision, from what each seat knew at the time.

Decisions are evaluated, never luck: what was done and the best alternative are compared from the view that the seat had
at that moment, so unknown facts change nothing. A game's `Reviewer` evaluates; everything else here is the same for
every game. Chances to win range from 0 to 1; a point is a hundredth.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any, Literal

import msgspec

from engine.contract import Action, Fact, Seat, View
from engine.review.calibration import Measured, percent

Grade = Literal["blunder", "mistake", "inaccuracy"]

GRADES: tuple[tuple[Grade, float], ...] = (("blunder", 0.15), ("mistake", 0.10), ("inaccuracy", 0.05))
"""The grades of decisions, with the loss of chance from which they apply, worst first. These are lichess's own limits
(its `Advice`), which are 0.3, 0.2 and 0.1 there because its chances range from −1 to 1.
"""

VERSION = 3
"""Grows whenever a review of the same game comes out differently: older ones are then made again."""

LEAST_STAKE = 0.05
"""The least chance that a seat, or random choices in its place, must have lost in a game for an accuracy to mean
anything.
"""

CURVE = 90
"""The most points that the curve of chances has."""


class Evaluation(msgspec.Struct, frozen=True):
    """The evaluation of a decision, from what its seat could know.

    `played` is the chance to win after what was done, and `best` that after the `better` action. `why` is a short word
    that the game's cog turns into a sentence, with `facts`; empty if there is nothing to say. `lot` is the average
    chance after a random choice; None if it is unknown.
    """

    played: float
    best: float
    better: Action | None = None
    why: str = ""
    facts: dict[str, Fact] = {}
    lot: float | None = None


class JudgedDecision(msgspec.Struct, frozen=True):
    """A decision with its evaluation. It led to moment `step`, so it was made at the one before.

    `action` and `better` are actions of the game as JSON; `better` is None if there was no better one.
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
        """The loss of chance."""
        return max(0.0, self.best - self.played)

    @property
    def stake(self) -> float:
        """The average loss of chance of a random choice."""
        return 0.0 if self.lot is None else max(0.0, self.best - self.lot)

    @property
    def grade(self) -> Grade | None:
        """The grade of the decision, None for a good one.

        It is computed from chances in whole points, as people read them: a decision that is said to have lost five is
        an inaccuracy.
        """
        return grade(displayed_loss(self.played, self.best))


class Point(msgspec.Struct, frozen=True):
    """Each seat's chance at a moment, from what that seat could know."""

    step: int
    chances: tuple[float, ...]


class Note(msgspec.Struct, frozen=True):
    """A game-specific observation after the game: at which moment, what, and about whom."""

    step: int
    what: str
    seat: Seat
    facts: dict[str, Fact] = {}


class Review(msgspec.Struct, frozen=True):
    """The review of a whole game: `points` from beginning to end, the decisions `judged`, in order, and the game's own
    notes.
    """

    points: tuple[Point, ...]
    judged: tuple[JudgedDecision, ...]
    notes: tuple[Note, ...] = ()


@dataclass(frozen=True)
class Decision:
    """What led to moment `step` of a game: an action of a seat, or of the clock if `seat` is None."""

    step: int
    seat: Seat | None
    action: Action | None

    @property
    def decides(self) -> bool:
        """Whether it was a move of a seat."""
        return self.seat is not None and self.action is not None and self.action.counts_as_move


@dataclass(frozen=True)
class Reviewer:
    """How one game's decisions are evaluated. Its functions are passed to another process by name.

    - `chance(view, rng)` returns how likely the reader of the view wins; a shared win counts as a fraction.
    - `weigh(view, action, rng)` returns the evaluation of an action that the reader chose at this view; None if there
      was nothing to decide.
    - `noted(states, decisions)` yields other observations about a finished game, from everything that happened.

    The random numbers depend on the view only, so the same view is always evaluated the same.
    """

    views: type[View]
    actions: Any
    chance: Callable[[Any, Random], float]
    weigh: Callable[[Any, Any, Random], Evaluation | None]
    noted: Callable[[Sequence[Any], Sequence[Decision]], Iterator[Note]] | None = None


def displayed_loss(played: float, best: float) -> float:
    """Return the loss of chance of a decision in whole points, as people read it."""
    return (round(100 * best) - round(100 * played)) / 100


def grade(lost: float) -> Grade | None:
    """Return the grade of a decision with this loss of chance; None for a good one."""
    return next((name for name, least in GRADES if lost >= least - 1e-9), None)


def share_lost(judged: Sequence[JudgedDecision]) -> float | None:
    """Return how much these decisions lost of what random choices lose on average; None if hardly anything depended on
    them.

    0 is always the best choice, 1 is no better than random. So a decision counts by what depended on it, and one with
    equally good choices, frequent in games with dice, does not count at all. Decisions without a known `lot` are left
    out.
    """
    known = [one for one in judged if one.lot is not None]
    stake, lost = sum(one.stake for one in known), sum(one.lost for one in known)
    return None if max(stake, lost) < LEAST_STAKE else lost / max(stake, LEAST_STAKE)


def accuracy(judged: Sequence[JudgedDecision], measured: Measured | None) -> float | None:
    """Return the accuracy of these decisions, in percent; None if hardly anything depended on them, or if the game's
    measure does not distinguish players.
    """
    share = share_lost(judged)
    return None if measured is None or share is None else percent(share, measured)


class Tally(msgspec.Struct, frozen=True):
    """How one seat decided in a game. `accuracy` is in percent, None if there is none."""

    seat: Seat
    decisions: int
    accuracy: float | None
    blunders: int
    mistakes: int
    inaccuracies: int

    @property
    def slips(self) -> int:
        """The number of graded decisions."""
        return self.blunders + self.mistakes + self.inaccuracies


def tallies(review: Review, measured: Measured | None) -> tuple[Tally, ...]:
    """Return the tally of each seat, with the accuracy by what was measured of the game."""

    def tally(seat: Seat) -> Tally:
        own = [one for one in review.judged if one.seat == seat]
        count = {name: sum(one.grade == name for one in own) for name, _ in GRADES}
        found = accuracy(own, measured)
        return Tally(seat, len(own), found, count["blunder"], count["mistake"], count["inaccuracy"])

    return tuple(tally(Seat(seat)) for seat in range(len(review.points[0].chances)))
