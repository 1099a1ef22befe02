"""Estimates of who flees in which boat while the race is on, from how far everyone has to go.

Which of two runners is first depends on their distances, with a variance that grows with them. From this follows how
many of the others are likely to be aboard before each runner, and thus in which boat it flees.
"""

from dataclasses import dataclass
from functools import cache
from math import erf, sqrt

from engine.games.ausbrecher import COLOURS
from engine.players.ausbrecher.field import Field, Runner

RUNNERS = range(len(COLOURS))


@dataclass(frozen=True)
class Parameters:
    """The parameters of the evaluation, in spaces, tuned by self-play."""

    spread: float = 3.0  # variance of the leads, due to chance and others' plans, for each space to go
    floor: float = 2.0  # its minimum
    hurry: float = 8.0  # its maximum, for each turn that is left until the limit
    cover: int = 2  # how much longer the way of a covered runner counts, for each runner on top


PARAMETERS = Parameters()


@cache
def firsts(ways: int, turns_left: int, parameters: Parameters) -> tuple[tuple[float, ...], ...]:
    """Return `table[a][b]`: how likely a runner with a spaces to go is aboard before one with b.

    `turns_left` are those after this one.
    """
    most = 0.1 + parameters.hurry * turns_left

    def first(a: int, b: int) -> float:
        spread = sqrt(min(parameters.floor + parameters.spread * (a + b), most))
        return 0.5 + 0.5 * erf((b - a) / spread / sqrt(2))

    return tuple(tuple(first(a, b) for b in range(ways)) for a in range(ways))


Chances = tuple[tuple[float, ...], ...]
"""`chances[runner][boat - 1]`: how likely a runner flees in a boat, or what that is worth to a seat."""


class Prospects:
    """Estimates for the fields of one game, `turns_left` turns before its limit."""

    def __init__(
        self, holds: tuple[int, ...], length: int, turns_left: int, parameters: Parameters = PARAMETERS
    ) -> None:
        self._holds = holds
        self._boats = tuple(boat for boat, hold in enumerate(holds) for _ in range(hold))  # by arrival, from 0
        self._parameters = parameters
        self._firsts = firsts(length + 2 + parameters.cover * len(COLOURS), turns_left, parameters)

    def chances(self, field: Field) -> Chances:
        """Return how likely each runner flees in each boat."""
        table = [[0.0] * len(self._holds) for _ in RUNNERS]
        for place, one in enumerate(field.aboard):
            table[one][self._boats[place]] = 1.0
        aboard = len(field.aboard)
        if aboard < len(COLOURS):
            above, end = field.above(), field.length + 1
            running = [one for one in RUNNERS if field.at[one] < end]
            ways = {one: end - field.at[one] + self._parameters.cover * above[one] for one in running}
            for one in running:
                row = table[one]
                for place, odds in enumerate(self._before(one, ways), start=aboard):
                    row[self._boats[place]] += odds
        return tuple(map(tuple, table))

    def _before(self, one: Runner, ways: dict[Runner, int]) -> list[float]:
        """Return how likely 0, 1, 2, … of the others on the way are aboard before this runner."""
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
