"""What the rivals' dice reveal of their bets: everyone steers the race towards their bets, and all can see it.

For each choice of dice, its average effect on each runner's chance of each boat is compared with that of a random die.
A forecast that gains by it has become more likely. The evidence is added up runner by runner and boat by boat, as
points are.
"""

from collections.abc import Sequence
from functools import lru_cache
from math import exp
from operator import getitem

from engine.contract import Seat
from engine.games.ausbrecher import Assignment, PastTurn
from engine.games.ausbrecher.rules import forecasts
from engine.players.ausbrecher.field import NUMBER, Field, Key, Runner
from engine.players.ausbrecher.prospects import RUNNERS, Chances, Parameters, Prospects

TRUST = 4.0
"""How much a point gained by a choice is evidence for a forecast, as the logarithm of its odds."""

PIPS = 4
"""What a die brings on average, rounded up: when dice are chosen, their pips are not known yet."""

Choice = tuple[tuple[Runner, bool], ...]
"""The runners for whom dice were chosen, and whether to go back."""


def belief(
    history: Sequence[PastTurn], seat: Seat, holds: tuple[int, ...], length: int, limit: int, parameters: Parameters
) -> Chances:
    """Return how likely this seat has bet each runner on each boat, judging by its turns.

    `limit` is the number of the game's last turn. Choices made by the clock are ignored.
    """
    sums = [[0.0] * len(holds) for _ in RUNNERS]
    field = Field(length)
    for number, turn in enumerate(history, start=1):
        moves = [(NUMBER[colour], pips) for colour, pips in turn.moves]
        if turn.seat == seat and not turn.lapsed:
            choice: Choice = tuple(sorted((one, pips < 0) for one, pips in moves))
            evidence = _evidence(field.key(), choice, holds, length, limit - number, parameters)
            for row, gains in zip(sums, evidence, strict=True):
                for boat, gain in enumerate(gains):
                    row[boat] += gain
        for one, pips in moves:
            field.move(one, abs(pips), back=pips < 0)
    return _weighed(sums, holds)


@lru_cache(maxsize=4096)
def _evidence(
    key: Key, choice: Choice, holds: tuple[int, ...], length: int, turns_left: int, parameters: Parameters
) -> Chances:
    """Return how many more points a bet on each boat expects from this choice in this field than from a random one.

    Cached, since the same turns are evaluated again and again during the game.
    """
    field = Field.like(key, length)
    prospects = Prospects(holds, length, turns_left, parameters)
    running = [one for one in RUNNERS if field.at[one] <= length]

    def after(one: Runner, back: bool) -> Chances:
        tried = field.copy()
        tried.move(one, PIPS, back)
        return prospects.chances(tried)

    onward = {one: after(one, False) for one in running}
    chosen = [after(one, True) if back else onward[one] for one, back in choice]

    def gain(one: Runner, boat: int) -> float:
        usual = sum(chances[one][boat] for chances in onward.values()) / len(running)
        made = sum(chances[one][boat] for chances in chosen)
        return (boat + 1) * (made - len(choice) * usual)

    return tuple(tuple(gain(one, boat) for boat in range(len(holds))) for one in RUNNERS)


def _weighed(sums: list[list[float]], holds: tuple[int, ...]) -> Chances:
    """Return the share of forecasts, weighted by the evidence, that have each runner on each boat."""
    bets = _bets(holds)
    logs = [sum(map(getitem, sums, bet)) for bet in bets]
    most = max(logs)
    odds = [exp(TRUST * (log - most)) for log in logs]
    whole = sum(odds)
    table = [[0.0] * len(holds) for _ in RUNNERS]
    for bet, its in zip(bets, odds, strict=True):
        share = its / whole
        for row, boat in zip(table, bet, strict=True):
            row[boat] += share
    return tuple(map(tuple, table))


@lru_cache(maxsize=8)
def _bets(holds: tuple[int, ...]) -> list[tuple[int, ...]]:
    """Return every forecast: the boat of each runner, counted from 0."""
    return [tuple(boat - 1 for boat in forecast.boats) for forecast in forecasts(holds)]


def worth(bets: Assignment, believed: Sequence[Chances], now: Chances, fear: float) -> Chances:
    """Return what each runner in each boat is worth to a seat that plays to come first, in points.

    Its own bets count, and against them the estimated bets of rivals. Rivals who are expected to have more, at the
    present chances, weigh more, by `fear` per point.
    """
    boats = range(len(now[0]))
    expected = [
        sum(rival[one][boat] * (boat + 1) * now[one][boat] for one in RUNNERS for boat in boats) for rival in believed
    ]
    most = max(expected)
    shares = [exp(fear * (points - most)) for points in expected]

    def of(one: Runner, boat: int) -> float:
        theirs = sum(share * rival[one][boat] for share, rival in zip(shares, believed, strict=True))
        return (boat + 1) * ((bets[one] == boat + 1) - theirs / sum(shares))

    return tuple(tuple(of(one, boat) for boat in boats) for one in RUNNERS)
