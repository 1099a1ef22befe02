"""How steering the race of Ausbrecher AG is evaluated: what a choice of dice, or of how to use them, is worth, as a
chance.

It counts the seat's own bets and those of the others, estimated from their dice. The order of arrival and the others'
bets are sampled many times, always with the same random numbers. Forecasts are not evaluated, since all prisoners are
equal at the start; the final notes say how they came out against the odds.
"""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from math import sqrt
from random import Random

from engine.contract import Action, Fact, Seat
from engine.games.ausbrecher import (
    COLOURS,
    GAME,
    Assignment,
    AusbrecherView,
    Replace,
    Resolve,
    Roll,
    State,
)
from engine.games.ausbrecher.rules import forecasts, rolls
from engine.games.ausbrecher.state import turn_limit
from engine.players.ausbrecher import rivals
from engine.players.ausbrecher.evaluation import Evaluator
from engine.players.ausbrecher.field import Field, Runner
from engine.players.ausbrecher.prospects import PARAMETERS, RUNNERS, Chances, Prospects
from engine.review import Decision, Evaluation, Note, Reviewer

DRAWS = 240
"""How many samples of the race and of the others' bets are drawn."""

DOUBT = 0.25
"""How far the share of samples won is drawn towards an even share, since nobody steers in them; measured in
docs/review.md.
"""

THROWS = 24
"""How many throws are simulated to compare two choices of dice."""

SURE = 0.5
"""A bet with higher odds than this was likely to come true."""


def chance(view: AusbrecherView, rng: Random) -> float:
    """Return how likely the reader of this view has the most points in the end."""
    return _chance(view, 0)


def weigh(view: AusbrecherView, action: Action, rng: Random) -> Evaluation | None:
    """Return the evaluation of a choice: of dice, of the result to replace, or of whom to move first."""
    bets = None if view.seat is None else view.forecasts[view.seat]
    if bets is None or not isinstance(action, Roll | Replace | Resolve):
        return None
    legal = _legal(view, action)
    if len(legal) < 2 or action not in legal:
        return None
    evaluator = Evaluator(view, bets, PARAMETERS)
    worths = evaluator.worths(view, legal, Random(0))
    best = legal[max(range(len(legal)), key=worths.__getitem__)]
    lost = max(worths) - worths[legal.index(action)]
    random_loss = max(worths) - sum(worths) / len(worths)
    if isinstance(action, Roll) and isinstance(best, Roll) and best != action:
        top, own = evaluator.compared([best, action], THROWS, Random(0))
        lost = top - own
    now = _chance(view, 0)
    a_point = max(0.0, _chance(view, 1) - _chance(view, -1)) / 2
    lot = max(0.0, now - random_loss * a_point)
    if lost <= 0:
        return Evaluation(now, now, action, lot=lot)
    return Evaluation(max(0.0, now - lost * a_point), now, best, "points", {"tenths": round(10 * lost)}, lot)


def _legal(view: AusbrecherView, action: Action) -> list[Action]:
    """Return the alternatives of this kind of action."""
    match action:
        case Roll() if view.choice is not None:
            # The same dice in another order are the same action.
            named = [
                one
                for one in rolls(view.race, view.choice)
                if set(one.colours) != set(action.colours) or (one.white, one.second) != (action.white, action.second)
            ]
            return [*named, action]
        case Replace():
            return [Replace(one.colour) for one in view.results]
        case Resolve():
            return [Resolve(one.colour) for one in view.results if not one.resolved]
        case _:
            return []


@lru_cache(maxsize=8)
def _chance(view: AusbrecherView, gift: int) -> float:
    """Return how likely the reader comes first if it is given `gift` points."""
    assert view.seat is not None
    holds, seats = view.race.holds, range(len(view.forecasts))
    all_bets = [one.boats for one in forecasts(holds)]
    limit = view.turn_number + view.turns_left - 1
    dice = Random(0)
    bets: list[list[Assignment]] = []
    for seat in map(Seat, seats):
        own = view.forecasts[seat]  # only known for the reader, during the game
        if own is not None:
            bets.append([own] * DRAWS)
        else:
            believed = rivals.belief(view.history, seat, holds, view.length, limit, PARAMETERS)
            bets.append(dice.choices(all_bets, _odds(believed, all_bets), k=DRAWS))
    total = 0.0
    for draw, boats in enumerate(_races(view)):
        scores = [_points(bets[seat][draw], boats) + gift * (seat == view.seat) for seat in seats]
        top = max(scores)
        total += (scores[view.seat] == top) / scores.count(top)
    return (1 - DOUBT) * total / DRAWS + DOUBT / len(seats)


def _odds(believed: Chances, bets: Sequence[Assignment]) -> list[float]:
    """Return how likely each forecast is, from how likely each runner is bet on each boat."""
    odds = []
    for bet in bets:
        odd = 1.0
        for row, boat in zip(believed, bet, strict=True):
            odd *= row[boat - 1]
        odds.append(odd)
    return odds


def _points(bet: Assignment, boats: Sequence[int]) -> int:
    return sum(boat for boat, real in zip(bet, boats, strict=True) if boat == real)


def _races(view: AusbrecherView) -> Iterator[list[int]]:
    """Yield samples of the boats in which the prisoners flee, with the same random numbers for every view.

    The order of two is as likely as in `prospects`: it depends on their distances, with a variance that grows with them
    and is smaller the fewer turns are left.
    """
    field, end = Field.of(view.race), view.length + 1
    above = field.above()
    seats = [boat for boat, hold in enumerate(view.race.holds, 1) for _ in range(hold)]
    running = [one for one in RUNNERS if field.at[one] < end]
    ways = {one: end - field.at[one] + PARAMETERS.cover * above[one] for one in running}
    most = 0.1 + PARAMETERS.hurry * max(0, view.turns_left - 1)
    spread = {one: sqrt(min(PARAMETERS.floor / 2 + PARAMETERS.spread * way, most / 2)) for one, way in ways.items()}
    dice = Random(1)
    for _ in range(DRAWS):
        luck = [dice.gauss(0.0, 1.0) for _ in RUNNERS]
        order = sorted(running, key=lambda one: ways[one] + spread[one] * luck[one])
        boats = [0] * len(COLOURS)
        for place, one in enumerate([*field.aboard, *order]):
            boats[one] = seats[place]
        yield boats


def noted(states: Sequence[State], decisions: Sequence[Decision]) -> Iterator[Note]:
    """Yield for each seat how its bets came out, and which ones did so against the odds at the time.

    `bets`: `right` bets for `points` points. If there was one, the bet on the colour `came` and boat `came_boat` came
    true although it had no more than `came_odds` per cent after turn `came_turn`; and one that `failed` had as much as
    `failed_odds`.
    """
    last = states[-1]
    table = list(_at_the_time(states, decisions))
    boats = {colour: boat for boat, crew in enumerate(last.race.boats, 1) for colour in crew}
    for seat, bets in enumerate(last.forecasts):
        if bets is None or not table or len(boats) < len(COLOURS):
            continue
        right = [boats[colour] == bet for colour, bet in zip(COLOURS, bets, strict=True)]
        points = sum(bet for bet, came in zip(bets, right, strict=True) if came)
        facts: dict[str, Fact] = {"right": sum(right), "points": points}
        course = [(chances[one][bets[one] - 1], turn, one) for turn, chances in table for one in RUNNERS]
        came = min((one for one in course if right[one[2]]), default=None)
        failed = max((one for one in course if not right[one[2]]), default=None)
        if came is not None and came[0] < 1 - SURE:
            facts |= _bet_facts("came", bets, *came)
        if failed is not None and failed[0] > SURE:
            facts |= _bet_facts("failed", bets, *failed)
        yield Note(0, "bets", Seat(seat), facts)


def _bet_facts(name: str, bets: Assignment, odds: float, turn: int, one: Runner) -> dict[str, Fact]:
    return {
        name: COLOURS[one],
        f"{name}_boat": bets[one],
        f"{name}_odds": round(100 * odds),
        f"{name}_turn": turn,
    }


def _at_the_time(states: Sequence[State], decisions: Sequence[Decision]) -> Iterator[tuple[int, Chances]]:
    """Yield after each turn, with its number, how likely everybody was to flee in which boat."""
    for decision in decisions:
        before, after = states[decision.step - 1], states[decision.step]
        if after.turn > before.turn > 0:
            prospects = Prospects(after.race.holds, len(after.race.spaces), turn_limit(after) - after.turn)
            yield before.turn, prospects.chances(Field.of(after.race))


REVIEWER = Reviewer(AusbrecherView, GAME.actions, chance, weigh, noted)
