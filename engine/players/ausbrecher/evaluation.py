"""How the master of Ausbrecher AG chooses: it simulates throws for every promising choice and plays each one as well as
it can.

It takes the choice that serves it best to come first: its own points against those of the rivals, whose bets it
estimates from their dice.
"""

from collections.abc import Sequence
from itertools import chain
from operator import mul
from random import Random

from engine.contract import Action, Seat
from engine.games.ausbrecher import COLOURS, Assignment, AusbrecherView, Forecast, Replace, Resolve, Roll
from engine.players import Budget
from engine.players.ausbrecher import rivals
from engine.players.ausbrecher.field import NUMBER, Field, Key, Runner
from engine.players.ausbrecher.prospects import PARAMETERS, RUNNERS, Parameters, Prospects

Open = tuple[tuple[Runner, int, bool], ...]
"""Results to resolve: for each the runner, the pips, and whether it goes back."""

SWEEPS = 4
"""How many throws all remaining choices get before the worse half is dropped."""

GLANCES = 32
"""How many throws the first evaluation of all choices uses."""

PROMISING = 12
"""How many choices are examined more closely."""

TRUSTED_SIGHT = 2.0
"""How many closely examined throws the first evaluation counts for."""

PACE = 0.18
"""What a space towards the boats is worth at the turn limit, in points; before, it grows with the square of the turns
played.

With the white die, those who are behind could block each other in turn forever; so blocking pays less and less.
"""

FEAR = 0.3
"""How much more weight a rival has than one expected to have a point less, as a logarithm."""


def choose(
    view: AusbrecherView, legal: Sequence[Action], budget: Budget, rng: Random, parameters: Parameters = PARAMETERS
) -> Action:
    """Return one of the legal actions, the best one found before the budget is spent."""
    if isinstance(legal[0], Forecast):
        return forecast([action for action in legal if isinstance(action, Forecast)], rng)
    bets = None if view.seat is None else view.forecasts[view.seat]
    if len(legal) == 1 or bets is None:
        return legal[0]
    evaluator = Evaluator(view, bets, parameters)
    if isinstance(legal[0], Roll):
        return evaluator.roll([action for action in legal if isinstance(action, Roll)], budget, rng)
    worth = evaluator.worths(view, legal, rng)
    return legal[worth.index(max(worth))]


def ordered(view: AusbrecherView, legal: Sequence[Action], rng: Random) -> list[Action]:
    """Return the legal actions in order of their first evaluation, the best first.

    Forecasts keep their order, since all prisoners are equal at the start.
    """
    bets = None if view.seat is None else view.forecasts[view.seat]
    if bets is None or not legal or isinstance(legal[0], Forecast):
        return list(legal)
    worth = Evaluator(view, bets, PARAMETERS).worths(view, legal, rng)
    return [legal[place] for place in sorted(range(len(legal)), key=lambda place: -worth[place])]


def forecast(forecasts: Sequence[Forecast], rng: Random) -> Forecast:
    """Return a forecast that few others will give.

    All prisoners are equal at the start. But people bet in the order in which the colours are listed, or against it,
    and a shared bet helps both. So of some random forecasts, the one least like those is taken.
    """
    listed = min(forecasts, key=lambda one: one.boats).boats
    habits = (listed, listed[::-1], tuple(sorted(listed, reverse=True)))

    def alike(one: Forecast) -> int:
        return max(sum(boat * (boat == bet) for boat, bet in zip(one.boats, habit, strict=True)) for habit in habits)

    return min((rng.choice(forecasts) for _ in range(12)), key=alike)


class Evaluator:
    """One decision: the present race, and what each runner in each boat is worth to this seat.

    With `alone`, only its own points count.
    """

    def __init__(self, view: AusbrecherView, bets: Assignment, parameters: Parameters, *, alone: bool = False) -> None:
        holds, seats, limit = view.race.holds, len(view.forecasts), view.turn_number + view.turns_left - 1
        self._field = Field.of(view.race)
        self._faces = view.faces
        self._prospects = Prospects(holds, view.length, view.turns_left - 1, parameters)
        self._pace = PACE * (view.turn_number / limit) ** 2
        self._known: dict[Key, float] = {}
        if alone:
            self._pace = 0.0
            self._worth = [boat * float(bets[one] == boat) for one in RUNNERS for boat in range(1, len(holds) + 1)]
            return
        others = [Seat(seat) for seat in range(seats) if seat != view.seat]
        believed = [rivals.belief(view.history, seat, holds, view.length, limit, parameters) for seat in others]
        now = self._prospects.chances(self._field)
        self._worth = [worth for row in rivals.worth(bets, believed, now, FEAR) for worth in row]

    @property
    def now(self) -> float:
        """What the present race is worth."""
        return self._value(self._field)

    def roll(self, rolls: Sequence[Roll], budget: Budget, rng: Random) -> Roll:
        """Return the best choice of dice, by a first evaluation and then by common throws for the most promising ones.

        The better half of these is kept again and again, until one is left.
        """
        sight = self._at_first_sight(rolls, rng)
        order = sorted(range(len(rolls)), key=sight.__getitem__, reverse=True)[:PROMISING]
        worth = {number: TRUSTED_SIGHT * sight[number] for number in order}
        best = order[0]
        while len(worth) > 1:
            for _ in range(SWEEPS):
                pips, white = self._throw(rng)
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

    def compared(self, rolls: Sequence[Roll], throws: int, rng: Random) -> list[float]:
        """Return what each of these choices of dice is worth on average over `throws` throws, the same for all."""
        sums = [0.0] * len(rolls)
        for _ in range(throws):
            pips, white = self._throw(rng)
            for number, roll in enumerate(rolls):
                sums[number] += self._after(roll, pips, white)
        return [one / throws for one in sums]

    def _throw(self, rng: Random) -> tuple[list[int], int]:
        return [rng.randint(1, self._faces) for _ in COLOURS], rng.randint(1, self._faces)

    def _at_first_sight(self, rolls: Sequence[Roll], rng: Random) -> list[float]:
        """Return what each choice is worth on average, ignoring interactions between its results."""
        now = self._value(self._field)
        running = [one for one in RUNNERS if self._field.at[one] <= self._field.length]
        onward = {one: self._gains(one, False, now) for one in running}
        backward = {one: self._gains(one, True, now) for one in running}
        chosen = [
            (
                [NUMBER[colour] for colour in roll.colours],
                roll.white and roll.second is None,
                None if roll.second is None else NUMBER[roll.second],
            )
            for roll in rolls
        ]
        sums = [0.0] * len(rolls)
        for _ in range(GLANCES):
            pips, white = self._throw(rng)
            ahead = {one: gains[pips[one]] for one, gains in onward.items()}
            back = {one: gains[white] for one, gains in backward.items()}
            turned = {one: back[one] - ahead[one] for one in running}
            for number, (ones, replaces, second) in enumerate(chosen):
                gain = sum(ahead[one] for one in ones)
                if replaces:
                    gain += max(turned[one] for one in ones)
                elif second is not None:
                    gain += back[second]
                sums[number] += gain
        return [now + gain / GLANCES for gain in sums]

    def _gains(self, one: Runner, back: bool, now: float) -> list[float]:
        """Return the gain for this runner by number of pips, starting with none."""
        gains = [0.0]
        for pips in range(1, self._faces + 1):
            after = self._field.copy()
            after.move(one, pips, back)
            gains.append(self._value(after) - now)
        return gains

    def _value(self, field: Field) -> float:
        """Return what a field is worth: points, and a little for progress towards the end."""
        key = field.key()
        value = self._known.get(key)
        if value is None:
            chances = chain.from_iterable(self._prospects.chances(field))
            value = self._known[key] = sum(map(mul, self._worth, chances)) + self._pace * sum(field.at)
        return value

    def worths(self, view: AusbrecherView, actions: Sequence[Action], rng: Random) -> list[float]:
        """Return what each action of one kind is worth.

        Choices of dice are evaluated at first sight, results by the best continuation.
        """
        match actions[0]:
            case Roll():
                return self._at_first_sight([action for action in actions if isinstance(action, Roll)], rng)
            case Replace():
                results = _open(view, False)
                whites = (whitened(results, place, view.white or 0) for place in range(len(results)))
                worth = {one[0]: self._best(self._field, after) for one, after in zip(results, whites, strict=True)}
            case _:
                results = _open(view, True)
                worth = {one[0]: self._first(self._field, results, place) for place, one in enumerate(results)}
        return [worth[NUMBER[action.colour]] for action in actions if isinstance(action, Replace | Resolve)]

    def _after(self, roll: Roll, pips: Sequence[int], white: int) -> float:
        """Return what this throw is worth with the best play."""
        results: Open = tuple((NUMBER[colour], pips[NUMBER[colour]], False) for colour in roll.colours)
        if not roll.white:
            return self._best(self._field, results)
        if roll.second is not None:
            return self._best(self._field, (*results, (NUMBER[roll.second], white, True)))
        return max(self._best(self._field, whitened(results, place, white)) for place in range(len(results)))

    def _best(self, field: Field, results: Open) -> float:
        """Return what the best order of resolving these results reaches."""
        if not results or len(field.aboard) == len(COLOURS):
            return self._value(field)
        return max(self._first(field, results, place) for place in range(len(results)))

    def _first(self, field: Field, results: Open, place: int) -> float:
        after = field.copy()
        after.move(*results[place])
        return self._best(after, (*results[:place], *results[place + 1 :]))


def _open(view: AusbrecherView, unresolved: bool) -> Open:
    """Return the results on the table; with `unresolved`, only those not carried out yet."""
    results = (one for one in view.results if not (unresolved and one.resolved))
    return tuple((NUMBER[one.colour], one.pips, one.back) for one in results)


def whitened(results: Open, place: int, white: int) -> Open:
    """Return the results with one replaced by the white die's."""
    return (*results[:place], (results[place][0], white, True), *results[place + 1 :])
