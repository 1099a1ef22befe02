"""What a forecast is worth while the race is still on: the expected points, from how far everyone has to go.

Who of two is first is a matter of their ways, with a spread that grows with them; so for each runner it is known how
many of the others are likely to be aboard before it, and thus in which boat it flees. May import `engine` only.
"""

from dataclasses import dataclass
from functools import cache
from math import erf, sqrt

from engine.games.ausbrecher import COLOURS, Assignment
from engine.players.ausbrecher.field import Field, Key, Runner

RUNNERS = range(len(COLOURS))


@dataclass(frozen=True)
class Temper:
    """The numbers that the judgement rests on, in spaces, found by letting tempers play each other."""

    spread: float = 3.0  # variance of who is ahead by how much, by chance and others' plans, for each space to go
    floor: float = 2.0  # and at least
    hurry: float = 8.0  # and at most, for each turn that is left until the limit
    cover: int = 2  # how much longer the way is for whoever is covered, for each on top


TEMPER = Temper()


@cache
def firsts(ways: int, turns_left: int, temper: Temper) -> tuple[tuple[float, ...], ...]:
    """Return `table[a][b]`: how likely somebody with a way of a is aboard before somebody with a way of b.

    `turns_left` are those after this one.
    """
    most = 0.1 + temper.hurry * turns_left

    def first(a: int, b: int) -> float:
        spread = sqrt(min(temper.floor + temper.spread * (a + b), most))
        return 0.5 + 0.5 * erf((b - a) / spread / sqrt(2))

    return tuple(tuple(first(a, b) for b in range(ways)) for a in range(ways))


class Prospects:
    """The worth of one forecast in fields of one game. It remembers what it was asked."""

    def __init__(
        self, bets: Assignment, holds: tuple[int, ...], length: int, turns_left: int, temper: Temper = TEMPER
    ) -> None:
        self._bets = bets
        self._last = [sum(holds[:boat]) for boat in range(len(holds) + 1)]  # arrivals until a boat is full
        self._temper = temper
        self._firsts = firsts(length + 2 + temper.cover * len(COLOURS), turns_left, temper)
        self._known: dict[Key, float] = {}

    def of(self, field: Field) -> float:
        """Return the expected points."""
        key = field.key()
        worth = self._known.get(key)
        if worth is None:
            worth = self._known[key] = self._scored(field) + self._expected(field)
        return worth

    def _scored(self, field: Field) -> int:
        return sum(
            self._bets[one]
            for place, one in enumerate(field.aboard)
            if self._last[self._bets[one] - 1] <= place < self._last[self._bets[one]]
        )

    def _expected(self, field: Field) -> float:
        aboard = len(field.aboard)
        if aboard == len(COLOURS):
            return 0.0
        above, end = field.above(), field.length + 1
        running = [one for one in RUNNERS if field.at[one] < end]
        ways = {one: end - field.at[one] + self._temper.cover * above[one] for one in running}
        worth = 0.0
        for one in running:
            boat = self._bets[one]
            low, high = max(self._last[boat - 1] - aboard, 0), self._last[boat] - aboard
            if high > 0:
                worth += boat * sum(self._before(one, ways)[low:high])
        return worth

    def _before(self, one: Runner, ways: dict[Runner, int]) -> list[float]:
        """Return how likely none, one, two, … of the others on the way are aboard before this runner."""
        table, way = self._firsts, ways[one]
        odds = [1.0]
        for other, its in ways.items():
            if other != one:
                yes = table[its][way]
                no = 1.0 - yes
                odds = [
                    odds[0] * no,
                    *(odds[n] * no + odds[n - 1] * yes for n in range(1, len(odds))),
                    odds[-1] * yes,
                ]
        return odds
