"""How the warden of Ausbrecher AG chooses: it throws the dice of every choice in its mind, plays each throw as well as
it can, and takes the choice that brings its forecast about best.

May import `engine` only.
"""

from collections.abc import Sequence
from random import Random

from engine.contract import Action
from engine.games.ausbrecher import COLOURS, Assignment, AusbrecherView, Forecast, Replace, Resolve, Roll
from engine.players import Budget
from engine.players.ausbrecher.field import NUMBER, Field, Runner
from engine.players.ausbrecher.prospects import TEMPER, Prospects, Temper

Open = tuple[tuple[Runner, int, bool], ...]
"""Results to resolve: for whom, how many pips, and whether back."""

SWEEPS = 4
"""Throws for all choices between two cuts."""


def choose(
    view: AusbrecherView, legal: Sequence[Action], budget: Budget, rng: Random, temper: Temper = TEMPER
) -> Action:
    """Return one of the legal actions, the best one found before the budget is spent."""
    if isinstance(legal[0], Forecast):
        return forecast([action for action in legal if isinstance(action, Forecast)], rng)
    bets = None if view.seat is None else view.forecasts[view.seat]
    if len(legal) == 1 or bets is None:
        return legal[0]
    mind = Mind(view, bets, temper)
    match legal[0]:
        case Roll():
            return mind.roll([action for action in legal if isinstance(action, Roll)], budget, rng)
        case Replace():
            return mind.replace(view)
        case _:
            return mind.resolve(view)


def forecast(forecasts: Sequence[Forecast], rng: Random) -> Forecast:
    """Return a forecast that few others will give.

    All prisoners are alike at the start. But people bet in the order in which the colours are listed, or against it,
    and what helps one who bets alike helps both: of some drawn by chance the one least like those is taken.
    """
    listed = min(forecasts, key=lambda one: one.boats).boats
    habits = (listed, listed[::-1], tuple(sorted(listed, reverse=True)))

    def alike(one: Forecast) -> int:
        return max(sum(boat * (boat == bet) for boat, bet in zip(one.boats, habit, strict=True)) for habit in habits)

    return min((rng.choice(forecasts) for _ in range(12)), key=alike)


class Mind:
    """One decision: the race as it stands and what this seat has bet."""

    def __init__(self, view: AusbrecherView, bets: Assignment, temper: Temper) -> None:
        self._field = Field.of(view.race)
        self._faces = view.faces
        self._prospects = Prospects(bets, view.race.holds, view.length, view.turns_left - 1, temper)

    def roll(self, rolls: Sequence[Roll], budget: Budget, rng: Random) -> Roll:
        """Throw for all choices alike, and keep the better half again and again, until one is left."""
        worth = dict.fromkeys(range(len(rolls)), 0.0)
        best = 0
        while len(worth) > 1:
            for _ in range(SWEEPS):
                pips = [rng.randint(1, self._faces) for _ in COLOURS]
                white = rng.randint(1, self._faces)
                fresh = {}
                for number in worth:
                    if budget.spent():
                        return rolls[best]
                    fresh[number] = self._after(rolls[number], pips, white)
                for number, value in fresh.items():
                    worth[number] += value
                best = max(worth, key=worth.__getitem__)
            order = sorted(worth, key=worth.__getitem__, reverse=True)
            worth = {number: worth[number] for number in order[: (len(order) + 1) // 2]}
        return rolls[best]

    def replace(self, view: AusbrecherView) -> Replace:
        """Return which result the white die replaces best."""
        results: Open = tuple((NUMBER[one.colour], one.pips, one.back) for one in view.results)
        white = view.white or 0
        best = max(range(len(results)), key=lambda place: self._best(self._field, whitened(results, place, white)))
        return Replace(view.results[best].colour)

    def resolve(self, view: AusbrecherView) -> Resolve:
        """Return which result is resolved first in the best order of them all."""
        results: Open = tuple((NUMBER[one.colour], one.pips, one.back) for one in view.results if not one.resolved)
        best = max(range(len(results)), key=lambda place: self._first(self._field, results, place))
        return Resolve(COLOURS[results[best][0]])

    def _after(self, roll: Roll, pips: Sequence[int], white: int) -> float:
        """Return what this throw is worth, played as well as possible."""
        results: Open = tuple((NUMBER[colour], pips[NUMBER[colour]], False) for colour in roll.colours)
        if not roll.white:
            return self._best(self._field, results)
        if roll.second is not None:
            return self._best(self._field, (*results, (NUMBER[roll.second], white, True)))
        return max(self._best(self._field, whitened(results, place, white)) for place in range(len(results)))

    def _best(self, field: Field, results: Open) -> float:
        """Return what is reached by resolving these results in the best order."""
        if not results or len(field.aboard) == len(COLOURS):
            return self._prospects.of(field)
        return max(self._first(field, results, place) for place in range(len(results)))

    def _first(self, field: Field, results: Open, place: int) -> float:
        after = field.copy()
        after.move(*results[place])
        return self._best(after, (*results[:place], *results[place + 1 :]))


def whitened(results: Open, place: int, white: int) -> Open:
    """Return the results with one replaced by the white die's."""
    return (*results[:place], (results[place][0], white, True), *results[place + 1 :])
