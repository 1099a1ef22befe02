"""Ausbrecher AG's opponents: an honest runner, a steersman who uses the white die, and a gambler who tries throws out.

They know the rules from the rule page, and move prisoners on the game's own track. All bet at random; none considers
what the others may have bet.
"""

from collections.abc import Callable, Sequence
from random import Random

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
    """Try each choice by throws while there is time. A race is worth its score if all prisoners board in their current
    order.

    Results are carried out in the order that is best for that.
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
    """Take the cheapest action, at random among equals; bets are random, and only given when required."""
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
    boats = [boat for boat, room in enumerate(race.holds, start=1) for _ in range(room)]
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


OPPONENTS: dict[str, Player] = {"runner": runner, "steersman": steersman, "gambler": gambler}
