"""Where a player of Prison Break may be, as anyone at the table can work it out from the public log.

A belief is a table of weights, habit by position: how likely it is that the player sneaks by this habit and now stands
there. Declarations spread it, offers shift it, checks that miss and rounds that go on rule positions out, and whatever
shows a position also tells which habits had expected it. May import `engine` only.
"""

from collections.abc import Sequence

from engine.contract import Seat
from engine.games.prison_break import (
    JAIL,
    Declares,
    GuardsGo,
    LightsThrown,
    Position,
    PrisonBreakView,
    RoundStarts,
    TimeRanOut,
    VotesShown,
)

Odds = list[float]
"""A probability a position, JAIL first and EXIT last."""

PRIOR = (0.2, 0.25, 0.25, 0.2, 0.1)
"""How likely a habit is before anything is known: honest, hasty, relentless, any move as soon as another, contrary."""
HABITS = range(len(PRIOR))
FORGOTTEN = 0.03
"""How much of what was learnt about a habit fades at each position shown, for people change their ways."""


def _sneak_odds(habit: int, declared: int, longest: int) -> Odds:
    """Return how likely each move from 0 to `longest` is for a player of this habit who declares that."""
    moves = range(longest + 1)
    match habit:
        case 0:
            weights = [8.0 if move == declared else 1.0 for move in moves]
        case 1:
            weights = [3.0**move for move in moves]
        case 2:
            weights = [30.0**move for move in moves]
        case 3:
            weights = [1.0 for _ in moves]
        case _:
            weights = [0.25 if move == declared else 1.0 for move in moves]
    total = sum(weights)
    return [weight / total for weight in weights]


class Belief:
    """What the table may think of one player's position."""

    def __init__(self, spaces: int, longest: int) -> None:
        self._exit = spaces + 1
        self._longest = longest
        self._weights = [[weight, *[0.0] * (spaces + 1)] for weight in PRIOR]

    def odds(self) -> Odds:
        """Return how likely each position is."""
        return [sum(column) for column in zip(*self._weights, strict=True)]

    def sneaked(self, declared: int) -> None:
        """The player declared this and moved as they do."""
        for habit in HABITS:
            before, after = self._weights[habit], [0.0] * (self._exit + 1)
            for move, odds in enumerate(_sneak_odds(habit, declared, self._longest)):
                for position, weight in enumerate(before):
                    after[min(position + move, self._exit)] += weight * odds
            self._weights[habit] = after

    def moved(self, steps: int) -> None:
        """An offer moved the player so many spaces, as far as the track goes."""
        for habit in HABITS:
            before, after = self._weights[habit], [0.0] * (self._exit + 1)
            for position, weight in enumerate(before):
                after[min(max(position + steps, JAIL), self._exit)] += weight
            self._weights[habit] = after

    def shown(self, position: Position) -> None:
        """The player stands there for all to see."""
        likely = [row[position] for row in self._weights]
        total = sum(likely)
        if total < 1e-12:
            likely, total = [sum(row) for row in self._weights], 1.0
        for habit, row in enumerate(self._weights):
            share = (1 - FORGOTTEN) * likely[habit] / total + FORGOTTEN * PRIOR[habit]
            row[:] = [0.0] * (self._exit + 1)
            row[position] = share

    def absent(self, position: Position) -> None:
        """The player is known not to stand there."""
        for row in self._weights:
            row[position] = 0.0
        total = sum(map(sum, self._weights))
        if total < 1e-9:  # against all expectation: nothing but this is known any more
            for habit, row in enumerate(self._weights):
                row[:] = [0.0 if place == position else PRIOR[habit] / self._exit for place in range(self._exit + 1)]
        else:
            self._weights = [[weight / total for weight in row] for row in self._weights]


def beliefs(view: PrisonBreakView) -> list[Belief]:
    """Return what the public log says about everyone, the reader included: that is how others may see them."""
    table = _Reader(view)
    for before, entry in zip((None, *view.log), view.log, strict=False):
        match entry:
            case RoundStarts():
                table.round_starts(entry.round)
            case Declares() if before != TimeRanOut(entry.seat):  # else it was the default: a move of 0
                table.declares(entry.seat, entry.spaces)
            case LightsThrown() if entry.positions is not None:
                table.shows(entry.positions)
            case VotesShown():
                table.settles(entry)
            case GuardsGo():
                table.checks(entry)
            case _:
                pass
    return table.beliefs


class _Reader:
    """Goes through the log once; the round, and who may not move in it, are what one has to remember on the way."""

    def __init__(self, view: PrisonBreakView) -> None:
        self.beliefs = [Belief(view.spaces, view.longest_sneak) for _ in view.prisoners]
        self._exit = view.spaces + 1
        self._round = 1
        self._held: dict[Seat, int] = {}

    def round_starts(self, number: int) -> None:
        self._round = number
        if number > 1:
            for belief in self.beliefs:  # on EXIT they had won
                belief.absent(self._exit)

    def declares(self, seat: Seat, spaces: int) -> None:
        if self._held.get(seat) != self._round:
            self.beliefs[seat].sneaked(spaces)

    def shows(self, positions: Sequence[Position | None]) -> None:
        for belief, position in zip(self.beliefs, positions, strict=True):
            if position is not None:
                belief.shown(position)

    def settles(self, votes: VotesShown) -> None:
        for seat, steps in enumerate(votes.effects.steps):
            if steps and seat not in votes.blocked:
                self.beliefs[seat].moved(steps)
        self._held |= dict.fromkeys(votes.effects.held, self._round + 1)
        self.shows(votes.positions)

    def checks(self, guards: GuardsGo) -> None:
        for seat, belief in enumerate(self.beliefs):
            if seat in guards.caught:
                belief.shown(guards.space)
                belief.moved(-guards.space)
            else:
                belief.absent(guards.space)
