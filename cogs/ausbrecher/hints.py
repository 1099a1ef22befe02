"""Hints in words: which dice or results, and why."""

from collections.abc import Iterator, Sequence

from cogs.ausbrecher.advice import rolled
from cogs.ausbrecher.words import capitalised, destination, forecast_words, result_words
from cogs.core.pages.game_ui import TableContext
from engine.contract import Action
from engine.games.ausbrecher import COLOURS, AusbrecherView, Forecast, OpenResult, Replace, Resolve, Roll
from engine.players import Reason


def hint(view: AusbrecherView, info: TableContext, action: Action, reasons: Sequence[Reason]) -> Iterator[str]:
    """Yield what to do and why, line by line."""
    match action:
        case Forecast(boats=boats):
            yield "Forecast like this:"
            yield from (f"- {line}" for line in forecast_words(boats, [None] * len(boats)))
        case Roll():
            yield f"Roll {rolled(action)}."
        case Replace(colour=colour):
            one = _result(view, colour)
            gone = "lost" if one.replaced is None else destination(one.replaced)
            yield f"Replace **{capitalised(one.colour)}**: {view.white} back, {gone}."
        case Resolve(colour=colour):
            yield f"Carry out **{result_words(_result(view, colour))}**."
    for reason in reasons:
        yield _why(reason)


def _result(view: AusbrecherView, colour: str) -> OpenResult:
    return next(one for one in view.results if one.colour == colour)


def _why(reason: Reason) -> str:
    match reason.code:
        case "rare":
            return (
                "At the start all prisoners are alike. People like to bet in the order of the list or against it; "
                "few will bet like this, and what comes true for you alone is worth more."
            )
        case "only":
            return "It is all that is left to do in this turn."
        case "chance":
            who = capitalised(next(colour for colour in COLOURS if colour == reason.text("colour")))
            return (
                f"{who} then flees in boat {reason.number('boat')}, as you forecast, with a chance of about "
                f"{reason.number('then')}% (now {reason.number('was')}%)."
            )
        case _:
            return _expected(reason)


def _expected(reason: Reason) -> str:
    then, other, ahead = map(reason.number, ("then", "next", "ahead"))
    expected = (
        f"After it I expect about {_points(then)} from your forecast, {_tenths(reason.number('now'))} as things stand"
    )
    if then > other:
        return f"{expected}, and {_tenths(other)} after the next best choice."
    if ahead > 0:
        return f"{expected}. Against the others it is worth {_points(ahead)} more than the next best choice."
    return f"{expected}. The next best choice is about as good."


def _tenths(tenths: int) -> str:
    return f"{tenths / 10:.1f}"


def _points(tenths: int) -> str:
    return f"{_tenths(tenths)} points"
