"""Why a choice of dice or results is good: what the master expects of its forecast and its lead, as facts."""

from collections.abc import Iterator, Sequence
from random import Random

from engine.contract import Action
from engine.games.ausbrecher import COLOURS, Assignment, AusbrecherView, Forecast, Replace, Resolve, Roll
from engine.players import Budget, Reason
from engine.players.ausbrecher.evaluation import Evaluator
from engine.players.ausbrecher.field import NUMBER, Field
from engine.players.ausbrecher.prospects import PARAMETERS, RUNNERS, Prospects

TELLING = 3
"""The smallest change of a chance that is mentioned, in percentage points."""


def explain(
    view: AusbrecherView, action: Action, legal: Sequence[Action], budget: Budget, rng: Random
) -> tuple[Reason, ...]:
    """Return the reasons for an action. Points are in tenths, chances in percent."""
    if isinstance(action, Forecast):
        return (Reason("rare", {}),)
    bets = None if view.seat is None else view.forecasts[view.seat]
    if bets is None or not isinstance(action, Roll | Replace | Resolve):
        return ()
    return tuple(_weighed(view, bets, action, legal, rng))


def _weighed(
    view: AusbrecherView, bets: Assignment, action: Roll | Replace | Resolve, legal: Sequence[Action], rng: Random
) -> Iterator[Reason]:
    place, seed = legal.index(action), rng.random()
    own = Evaluator(view, bets, PARAMETERS, alone=True)
    points = own.worths(view, legal, Random(seed))
    lead = Evaluator(view, bets, PARAMETERS).worths(view, legal, Random(seed))
    others = [number for number in range(len(legal)) if number != place]
    if others:
        next_best = max(others, key=lead.__getitem__)
        yield Reason(
            "expects",
            {
                "now": round(10 * own.now),
                "then": round(10 * points[place]),
                "next": round(10 * points[next_best]),
                "ahead": round(10 * (lead[place] - lead[next_best])),
            },
        )
    else:
        yield Reason("only", {})
    change = _change(view, bets, action)
    if change is not None:
        yield change


def _change(view: AusbrecherView, bets: Assignment, action: Roll | Replace | Resolve) -> Reason | None:
    """Return which bet's chance changes most.

    For a roll it is averaged over the dice; None if the white die has yet to be assigned to one of them.
    """
    if isinstance(action, Roll) and action.white and action.second is None:
        return None
    field, prospects = Field.of(view.race), Prospects(view.race.holds, view.length, view.turns_left - 1, PARAMETERS)
    now = prospects.chances(field)
    ways = list(_ways(view, action))
    best: tuple[float, int, float] | None = None
    for one in RUNNERS:
        boat = bets[one] - 1
        after = 0.0
        for moves in ways:
            tried = field.copy()
            for runner, pips, back in moves:
                tried.move(runner, pips, back)
            after += prospects.chances(tried)[one][boat] / len(ways)
        if best is None or abs(after - now[one][boat]) * bets[one] > best[0]:
            best = abs(after - now[one][boat]) * bets[one], one, after
    assert best is not None
    _, one, after = best
    was = now[one][bets[one] - 1]
    if abs(after - was) * 100 < TELLING:
        return None
    return Reason(
        "chance", {"colour": COLOURS[one], "boat": bets[one], "was": round(100 * was), "then": round(100 * after)}
    )


def _ways(view: AusbrecherView, action: Roll | Replace | Resolve) -> Iterator[list[tuple[int, int, bool]]]:
    """Yield what an action moves; for a roll, once for each face, as if all dice showed the same."""
    match action:
        case Roll(colours=colours, second=second):
            for pips in range(1, view.faces + 1):
                moves = [(NUMBER[colour], pips, False) for colour in colours]
                yield moves if second is None else [*moves, (NUMBER[second], pips, True)]
        case Replace(colour=colour):
            yield [(NUMBER[colour], view.white or 0, True)]
        case Resolve(colour=colour):
            yield [(NUMBER[one.colour], one.pips, one.back) for one in view.results if one.colour == colour]
