"""Where a player of Prison Break may be, as anyone at the table can infer from the public log.

A belief is a table of weights, habit by position: how likely it is that the player has this habit of sneaking and is
now there. Declarations spread it, offers shift it, checks that miss and rounds that continue rule out positions, and
every position shown is evidence about habits.
"""

from collections.abc import Sequence
from functools import cache

from engine.contract import Seat
from engine.games.prison_break import (
    JAIL,
    Declares,
    GuardsGo,
    LightsThrown,
    Passes,
    Position,
    PrisonBreakView,
    RoundStarts,
    TimeRanOut,
    VotesShown,
)
from engine.players.prison_break.hunting import Decision, Guesses

Odds = list[float]
"""A probability per position, JAIL first and EXIT last."""

PRIOR = (0.2, 0.25, 0.25, 0.2, 0.1)
"""The prior of each habit: honest, hasty, relentless, any move equally likely, contrary."""
HABITS = range(len(PRIOR))
FORGOTTEN = 0.03
"""How much of what was learnt about a habit fades at each position shown, since people change their ways."""


@cache
def _sneak_odds(habit: int, declared: int, longest: int) -> Odds:
    """Return the probability of each move from 0 to `longest` for a player of this habit who declares this."""
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
    """What the table may believe about one player's position."""

    def __init__(self, spaces: int, longest: int) -> None:
        self._exit = spaces + 1
        self._longest = longest
        self._weights = [[weight, *[0.0] * (spaces + 1)] for weight in PRIOR]

    def copy(self) -> "Belief":
        """Return an independent copy."""
        other = Belief(self._exit - 1, self._longest)
        other._weights = [list(row) for row in self._weights]
        return other

    def odds(self) -> Odds:
        """Return how likely each position is."""
        return [sum(column) for column in zip(*self._weights, strict=True)]

    def sneaked(self, declared: int) -> None:
        """Update after the player declared this and moved."""
        for habit in HABITS:
            before, after = self._weights[habit], [0.0] * (self._exit + 1)
            for move, odds in enumerate(_sneak_odds(habit, declared, self._longest)):
                for position, weight in enumerate(before):
                    if weight:
                        after[min(position + move, self._exit)] += weight * odds
            self._weights[habit] = after

    def sneaks(self) -> None:
        """Update before the player sneaks, when their declaration is not known yet."""
        parts = []
        for declared in range(self._longest + 1):
            part = self.copy()
            part.sneaked(declared)
            parts.append(part._weights)
        self._weights = [
            [sum(column) / len(parts) for column in zip(*rows, strict=True)] for rows in zip(*parts, strict=True)
        ]

    def moved(self, steps: int) -> None:
        """Update after an offer moved the player by these steps, within the track."""
        for habit in HABITS:
            before, after = self._weights[habit], [0.0] * (self._exit + 1)
            for position, weight in enumerate(before):
                after[min(max(position + steps, JAIL), self._exit)] += weight
            self._weights[habit] = after

    def shown(self, position: Position) -> None:
        """Update after this position was shown."""
        likely = [row[position] for row in self._weights]
        total = sum(likely)
        if total < 1e-12:
            likely, total = [sum(row) for row in self._weights], 1.0
        for habit, row in enumerate(self._weights):
            share = (1 - FORGOTTEN) * likely[habit] / total + FORGOTTEN * PRIOR[habit]
            row[:] = [0.0] * (self._exit + 1)
            row[position] = share

    def absent(self, position: Position) -> None:
        """Update after it became known that the player is not at this position."""
        for row in self._weights:
            row[position] = 0.0
        total = sum(map(sum, self._weights))
        if total < 1e-9:  # against all expectation: nothing else is known now
            for habit, row in enumerate(self._weights):
                row[:] = [0.0 if place == position else PRIOR[habit] / self._exit for place in range(self._exit + 1)]
        else:
            self._weights = [[weight / total for weight in row] for row in self._weights]


class Record:
    """What the public log says about everyone, including the reader: this is how others may see them.

    `claimed` is where their declarations and the offers put them, `fastest` where they are if they always moved as far
    as possible.
    """

    def __init__(self, view: PrisonBreakView) -> None:
        reader = _read(view, watched=False)
        self.beliefs, self.claimed, self.fastest = reader.beliefs, reader.claimed, reader.fastest
        self._exit, self._longest = view.spaces + 1, view.longest_sneak

    def guesses(self, seat: Seat, word: int) -> Guesses:
        """Return where the theories of `hunting` will put a seat that now sneaks and declares this number of spaces."""
        belief = self.beliefs[seat].copy()
        belief.sneaked(word)
        claimed, fastest = self.claimed[seat] + word, self.fastest[seat] + self._longest
        return _guesses(belief, min(claimed, self._exit), min(fastest, self._exit))


def _guesses(belief: "Belief", claimed: Position, fastest: Position) -> Guesses:
    odds = belief.odds()
    spaces = range(1, len(odds) - 1)
    return {"claimed": claimed, "fastest": fastest, "likeliest": max(spaces, key=lambda space: odds[space] * space)}


def decisions(view: PrisonBreakView) -> list[Decision]:
    """Return the decisions to check or not by players who did not know where everybody was."""
    return _read(view, watched=True).decisions


def _read(view: PrisonBreakView, *, watched: bool) -> "_Reader":
    reader = _Reader(view, watched)
    for before, entry in zip((None, *view.log), view.log, strict=False):
        match entry:
            case RoundStarts():
                reader.round_starts(entry.round)
            case Declares() if before != TimeRanOut(entry.seat):  # otherwise it was the default, a move of 0
                reader.declares(entry.seat, entry.spaces)
            case LightsThrown() if entry.positions is not None:
                reader.shows(entry.positions)
            case VotesShown():
                reader.settles(entry)
            case GuardsGo():
                reader.decides(entry.seat, entry.space)
                reader.checks(entry)
            case Passes() if before != TimeRanOut(entry.seat):
                reader.decides(entry.seat, None)
            case _:
                pass
    return reader


class _Reader:
    """Reads the log once, keeping track of the round and of the seats that may not move in it."""

    def __init__(self, view: PrisonBreakView, watched: bool) -> None:
        self._watched = watched
        self.beliefs = [Belief(view.spaces, view.longest_sneak) for _ in view.prisoners]
        self._exit = view.spaces + 1
        self.claimed = [JAIL] * len(view.prisoners)
        self.fastest = [JAIL] * len(view.prisoners)
        self.decisions: list[Decision] = []
        self._longest = view.longest_sneak
        self._round = 1
        self._held: dict[Seat, int] = {}
        self._seen: set[Seat] = set()

    def round_starts(self, number: int) -> None:
        self._round = number
        self._seen = set()
        if number > 1:
            self.fastest = [min(place, self._exit - 1) for place in self.fastest]
            for belief in self.beliefs:  # on EXIT they would have won
                belief.absent(self._exit)

    def declares(self, seat: Seat, spaces: int) -> None:
        if self._held.get(seat) != self._round:
            self.beliefs[seat].sneaked(spaces)
            self.fastest[seat] = min(self.fastest[seat] + self._longest, self._exit)
        self.claimed[seat] = min(self.claimed[seat] + spaces, self._exit)

    def shows(self, positions: Sequence[Position | None]) -> None:
        for belief, position in zip(self.beliefs, positions, strict=True):
            if position is not None:
                belief.shown(position)
        for seat, position in enumerate(positions):
            if position is not None:
                self.claimed[seat] = self.fastest[seat] = position
                self._seen.add(Seat(seat))

    def settles(self, votes: VotesShown) -> None:
        for seat, steps in enumerate(votes.effects.steps):
            if steps and seat not in votes.blocked:
                self.beliefs[seat].moved(steps)
                for places in (self.claimed, self.fastest):
                    places[seat] = min(max(places[seat] + steps, JAIL), self._exit)
        self._held |= dict.fromkeys(votes.effects.held, self._round + 1)
        self.shows(votes.positions)

    def decides(self, seat: Seat, space: Position | None) -> None:
        """Record a decision if the seat did not know where all the others were."""
        dark = [other for other in map(Seat, range(len(self.beliefs))) if other != seat and other not in self._seen]
        if dark and self._watched:
            guesses = tuple(_guesses(self.beliefs[other], self.claimed[other], self.fastest[other]) for other in dark)
            self.decisions.append(Decision(seat, space, guesses))

    def checks(self, guards: GuardsGo) -> None:
        for seat, belief in enumerate(self.beliefs):
            if seat in guards.caught:
                belief.shown(guards.space)
                belief.moved(-guards.space)
                self.claimed[seat] = self.fastest[seat] = JAIL
                self._seen.add(Seat(seat))
            else:
                belief.absent(guards.space)
