"""Ausbrecher AG's opponents: an honest runner, one that steers with the white die, a gambler that simulates throws, and
two that sample how the race may end: a ranker that plays for the best place, and a reader that also guesses the others'
forecasts from their dice.

They know the rules from the rule book, and move prisoners on the game's own track. All make random forecasts.
"""

from collections.abc import Callable, Sequence
from itertools import permutations
from math import exp, sqrt
from random import Random
from typing import NamedTuple

from engine.contract import Action
from engine.games.ausbrecher import (
    COLOURS,
    AusbrecherView,
    Colour,
    Race,
    Replace,
    Resolve,
    Roll,
    landing,
    moved,
    on_the_way,
)
from engine.games.ausbrecher.track import order_of_position
from engine.players import Budget, Intent, Player

Results = tuple[tuple[Colour, int, bool], ...]
"""Results to carry out: prisoner, pips, and whether backwards."""

Cost = Callable[[Action], float]


def runner(view: AusbrecherView, legal: Sequence[Action], budget: Budget, rng: Random) -> Intent | None:
    """Roll for the prisoners bet on the earliest boats, never with the white die, and move them in that order."""
    bets = _bets(view)

    def hurry(action: Action) -> float:
        if isinstance(action, Roll):
            return sum(bets[colour] for colour in action.colours) + 100 * action.white
        return bets[action.colour] if isinstance(action, Resolve | Replace) else 0

    return _least(view, legal, rng, hurry)


def steersman(view: AusbrecherView, legal: Sequence[Action], budget: Budget, rng: Random) -> Intent | None:
    """Roll for prisoners behind the place they are bet on, and move back those ahead of it by two."""
    bets = _bets(view)
    due = {colour: place for place, colour in enumerate(sorted(COLOURS, key=lambda one: bets[one]))}
    late: dict[str, int] = {colour: place - due[colour] for place, colour in enumerate(_order(view.race))}

    def waste(action: Action) -> float:
        match action:
            case Roll(colours, white, second):
                back = min(late[colour] for colour in ((second,) if second else colours)) if white else 0
                return (back if back <= -2 else 3) * white - sum(late[colour] for colour in colours)
            case Replace(colour):
                return late[colour]
            case Resolve(colour):
                return -late[colour]
            case _:
                return 0

    return _least(view, legal, rng, waste)


def gambler(view: AusbrecherView, legal: Sequence[Action], budget: Budget, rng: Random) -> Intent | None:
    """Simulate throws for each choice while there is time.

    A race is worth its score if all prisoners board in their current order. Results are carried out in the best order.
    """
    rolls = [action for action in legal if isinstance(action, Roll)]
    if not rolls:
        return _least(view, legal, rng, lambda action: -_after(view, action))
    rng.shuffle(rolls)
    sums, counts = dict.fromkeys(rolls, 0.0), dict.fromkeys(rolls, 0)
    tried = 0
    while tried < 8 or not budget.spent():
        roll = rolls[tried % len(rolls)]
        results: Results = tuple(
            (colour, rng.randint(1, view.faces), False) for colour in COLOURS if colour in roll.colours
        )
        white = rng.randint(1, view.faces)
        throws = [results]
        if roll.white:
            seconds = [colour for colour in COLOURS if colour == roll.second]
            throws = [(*results, (colour, white, True)) for colour in seconds] or _replaced(results, white)
        sums[roll] += max(_carried_out(view, view.race, throw) for throw in throws)
        counts[roll] += 1
        tried += 1
    return Intent(max((roll for roll in rolls if counts[roll]), key=lambda roll: sums[roll] / counts[roll]), 1_000)


def _least(view: AusbrecherView, legal: Sequence[Action], rng: Random, cost: Cost) -> Intent | None:
    """Take the cheapest action, at random among equals; forecasts are random, and only given when required."""
    if not legal or view.seat not in view.to_act:
        return None
    return Intent(
        min(rng.sample(legal, len(legal)), key=cost) if view.phase != "forecast" else rng.choice(legal), 1_000
    )


def _bets(view: AusbrecherView) -> dict[str, int]:
    own = None if view.seat is None else view.forecasts[view.seat]
    return dict(zip(COLOURS, own or (0,) * len(COLOURS), strict=True))


def _order(race: Race) -> list[Colour]:
    """Return all prisoners in the order in which they would board now; those in cells last."""
    return [*(one for crew in race.boats for one in crew), *order_of_position(race), *race.cells]


def _score(view: AusbrecherView, race: Race) -> int:
    boats = [boat for boat, hold in enumerate(race.holds, start=1) for _ in range(hold)]
    bets = _bets(view)
    return sum(boat for boat, colour in zip(boats, _order(race), strict=True) if bets[colour] == boat)


def _replaced(results: Results, white: int) -> list[Results]:
    return [
        (*results[:place], (colour, white, True), *results[place + 1 :]) for place, (colour, _, _) in enumerate(results)
    ]


def _carried_out(view: AusbrecherView, race: Race, results: Results) -> float:
    """Return the score after these results in the best order."""
    if not results:
        return _score(view, race)
    return max(_first(view, race, results, place) for place in range(len(results)))


def _first(view: AusbrecherView, race: Race, results: Results, place: int) -> float:
    colour, pips, back = results[place]
    if colour in on_the_way(race) and len(on_the_way(race)) > 1:
        race = moved(race, colour, landing(race, colour, pips, back))
    return _carried_out(view, race, (*results[:place], *results[place + 1 :]))


def _after(view: AusbrecherView, action: Action) -> float:
    results: Results = tuple((one.colour, one.pips, one.back) for one in view.results if not one.resolved)
    colours = [colour for colour, _, _ in results]
    match action:
        case Replace(colour):
            return _carried_out(view, view.race, _replaced(results, view.white or 0)[_place(colours, colour)])
        case Resolve(colour):
            return _first(view, view.race, results, _place(colours, colour))
        case _:
            return 0


def _place(colours: list[Colour], colour: str) -> int:
    return next(place for place, one in enumerate(colours) if one == colour)


# Sampling


ENDS = 40
"""The number of sampled ends of the race per decision."""

LIKELY = 10
"""The number of choices of dice for which throws are simulated."""


class End(NamedTuple):
    """One way in which the race may end: the luck of each prisoner from now on, and the possible forecasts of the
    others.
    """

    luck: tuple[float, ...]
    bets: tuple[Sequence[int], ...]


class Ranker:
    """Judges races by the share of sampled ends in which its forecast comes first."""

    def __init__(self, view: AusbrecherView, ends: Sequence[End]) -> None:
        self._bets = tuple(_bets(view).values())
        self._ends = ends
        self._boats = [boat for boat, hold in enumerate(view.race.holds, start=1) for _ in range(hold)]
        self._known: dict[Race, float] = {}

    def worth(self, race: Race) -> float:
        """Return the expected share of the first place, and a little for points."""
        found = self._known.get(race)
        if found is None:
            found = self._known[race] = sum(self._in(race, end) for end in self._ends) / len(self._ends)
        return found

    def _in(self, race: Race, end: End) -> float:
        aboard = [COLOURS.index(one) for crew in race.boats for one in crew]
        ways: list[tuple[float, int]] = []
        length = len(race.spaces)
        for space, stack in enumerate((race.cells, *race.spaces)):
            for height, colour in enumerate(stack):
                above = len(stack) - 1 - height if space else 0
                way = length + 1 - space + 2.5 * above
                number = COLOURS.index(colour)
                ways.append((way + end.luck[number] * sqrt(2.5 * way), number))
        ways.sort()
        order = aboard + [number for _, number in ways]
        at = dict(zip(order, self._boats, strict=True))
        own = _scored(self._bets, at)
        others = [_scored(bets, at) for bets in end.bets]
        best = max(others)
        if own < best:
            return 0.01 * (own - best)
        return 1 / (1 + others.count(own)) + 0.01 * (own - best)

    def after(self, race: Race, results: Results) -> float:
        """Return the worth of a race after these results in the best order."""
        return max(self.worth(_in_order(race, order)) for order in permutations(results))


def ranker(view: AusbrecherView, legal: Sequence[Action], budget: Budget, rng: Random) -> Intent | None:
    """Play for the best place among bets of which nothing is known."""
    return _ranked(view, legal, budget, rng, lambda seat: [_any_bets(view, rng) for _ in range(ENDS)])


def reader(view: AusbrecherView, legal: Sequence[Action], budget: Budget, rng: Random) -> Intent | None:
    """Play for the best place, among bets that fit the dice which the others have chosen."""
    return _ranked(view, legal, budget, rng, lambda seat: _fitting_bets(view, seat, rng))


def _ranked(
    view: AusbrecherView,
    legal: Sequence[Action],
    budget: Budget,
    rng: Random,
    guess: Callable[[int], list[Sequence[int]]],
) -> Intent | None:
    if not legal or view.seat not in view.to_act:
        return None
    if view.phase == "forecast" or len(legal) == 1:
        return Intent(rng.choice(legal), 1_000)
    guesses = [guess(seat) for seat in range(len(view.forecasts)) if seat != view.seat]
    luck = [tuple(rng.gauss(0, 1) for _ in COLOURS) for _ in range(ENDS)]
    judge = Ranker(view, [End(*one) for one in zip(luck, zip(*guesses, strict=True), strict=True)])
    rolls = [action for action in legal if isinstance(action, Roll)]
    if not rolls:
        return Intent(max(rng.sample(legal, len(legal)), key=lambda action: _judged(view, judge, action)), 1_000)
    gains = {}
    for colour in on_the_way(view.race):
        for back in (False, True):
            there = landing(view.race, colour, 3, back)
            gains[colour, back] = judge.worth(moved(view.race, colour, there)) - judge.worth(view.race)

    def promise(roll: Roll) -> float:
        onward = [gains[colour, False] for colour in COLOURS if colour in roll.colours]
        if not roll.white:
            return sum(onward)
        if roll.second is not None:
            return sum(onward) + sum(gains[colour, True] for colour in COLOURS if colour == roll.second)
        turns = [gains[colour, True] - gains[colour, False] for colour in COLOURS if colour in roll.colours]
        return sum(onward) + max(turns)

    rolls = sorted(rng.sample(rolls, len(rolls)), key=promise, reverse=True)[:LIKELY]
    sums = dict.fromkeys(rolls, 0.0)
    tried = 0
    while tried < 2 or not budget.spent():
        pips = {colour: rng.randint(1, view.faces) for colour in COLOURS}
        white = rng.randint(1, view.faces)
        for roll in rolls:
            sums[roll] += max(judge.after(view.race, throw) for throw in _throws(roll, pips, white))
        tried += 1
        if tried >= 60:
            break
    return Intent(max(rolls, key=sums.__getitem__), 1_000)


def _throws(roll: Roll, pips: dict[Colour, int], white: int) -> list[Results]:
    results: Results = tuple((colour, pips[colour], False) for colour in COLOURS if colour in roll.colours)
    if not roll.white:
        return [results]
    seconds = [colour for colour in COLOURS if colour == roll.second]
    return [(*results, (colour, white, True)) for colour in seconds] or _replaced(results, white)


def _judged(view: AusbrecherView, judge: Ranker, action: Action) -> float:
    results: Results = tuple((one.colour, one.pips, one.back) for one in view.results if not one.resolved)
    colours = [colour for colour, _, _ in results]
    match action:
        case Replace(colour):
            return judge.after(view.race, _replaced(results, view.white or 0)[_place(colours, colour)])
        case Resolve(colour):
            place = _place(colours, colour)
            race = _in_order(view.race, (results[place],))
            return judge.after(race, (*results[:place], *results[place + 1 :]))
        case _:
            return 0.0


def _in_order(race: Race, results: Results) -> Race:
    for colour, pips, back in results:
        way = on_the_way(race)
        if colour in way and len(way) > 1:
            race = moved(race, colour, landing(race, colour, pips, back))
    return race


def _scored(bets: Sequence[int], at: dict[int, int]) -> int:
    return sum(bet for number, bet in enumerate(bets) if at[number] == bet)


def _any_bets(view: AusbrecherView, rng: Random) -> list[int]:
    boats = [boat for boat, hold in enumerate(view.race.holds, start=1) for _ in range(hold)]
    return rng.sample(boats, len(boats))


def _fitting_bets(view: AusbrecherView, seat: int, rng: Random) -> list[Sequence[int]]:
    """Return guesses of a seat's forecast.

    A prisoner that it moved forward is probably in an early boat, one that it moved back in a late one. The last turns
    say less, since nearly everything is decided by then.
    """
    pushed = dict.fromkeys(COLOURS, 0.0)
    for turn in view.history:
        if turn.seat == seat and not turn.lapsed:
            for colour, pips in turn.moves:
                pushed[colour] += 1 if pips > 0 else -1.5
    mean = sum(pushed.values()) / len(pushed)
    guesses = [_any_bets(view, rng) for _ in range(8 * ENDS)]
    fits = [
        exp(0.35 * sum((pushed[colour] - mean) * (2.3 - bet) for colour, bet in zip(COLOURS, bets, strict=True)))
        for bets in guesses
    ]
    return list(rng.choices(guesses, fits, k=ENDS))


OPPONENTS: dict[str, Player] = {
    "runner": runner,
    "steersman": steersman,
    "gambler": gambler,
    "ranker": ranker,
    "reader": reader,
}
