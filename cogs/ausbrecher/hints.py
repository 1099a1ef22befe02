"""Hints in words: which dice or results, and why."""

from collections.abc import Iterator, Sequence

from cogs.ausbrecher.advice import rolled
from cogs.ausbrecher.words import capitalised, destination, forecast_words, result_words
from cogs.core.i18n.translation import _
from cogs.core.ops.text_format import decimal, percent
from cogs.core.pages.game_ui import TableContext
from engine.contract import Action
from engine.games.ausbrecher import AusbrecherView, Forecast, OpenResult, Replace, Resolve, Roll
from engine.players import Reason


def hint(view: AusbrecherView, info: TableContext, action: Action, reasons: Sequence[Reason]) -> Iterator[str]:
    """Yield what to do and why, line by line."""
    match action:
        case Forecast(boats=boats):
            yield _("Forecast like this:")
            yield from (f"- {line}" for line in forecast_words(boats, [None] * len(boats)))
        case Roll():
            yield _("Roll {dice}.", dice=rolled(action))
        case Replace(colour=colour):
            one = _result(view, colour)
            yield _(
                "Replace **{prisoner}**: {pips} back, {destination}.",
                prisoner=capitalised(one.colour),
                pips=view.white,
                destination=_("lost") if one.replaced is None else destination(one.replaced),
            )
        case Resolve(colour=colour):
            yield _("Move **{result}**.", result=result_words(_result(view, colour)))
    for reason in reasons:
        yield _why(reason)


def _result(view: AusbrecherView, colour: str) -> OpenResult:
    return next(one for one in view.results if one.colour == colour)


def _why(reason: Reason) -> str:
    match reason.code:
        case "rare":
            return _(
                "At the start all prisoners are alike. People like to bet in list order or the reverse; few bet like "
                "this, and what only you get right is worth more."
            )
        case "only":
            return _("It's the only thing left to do this turn.")
        case "chance":
            return _(
                "{prisoner} then escapes in boat {boat}, as you forecast, with a chance of about {then} (now {now}).",
                prisoner=capitalised(reason.text("colour")),
                boat=reason.number("boat"),
                then=percent(reason.number("then")),
                now=percent(reason.number("was")),
            )
        case _:
            return _expected(reason)


def _expected(reason: Reason) -> str:
    after, other, ahead = map(reason.number, ("then", "next", "ahead"))
    then, now = _tenths(after), _tenths(reason.number("now"))
    if after > other:
        return _(
            "Your expected points: {then} (now {now}, next best choice {other}).",
            then=then,
            now=now,
            other=_tenths(other),
        )
    if ahead > 0:
        return _(
            "Your expected points: {then} (now {now}). Against the others it gains {ahead} on the next best choice.",
            then=then,
            now=now,
            ahead=_tenths(ahead),
        )
    return _("Your expected points: {then} (now {now}). The next best choice is about as good.", then=then, now=now)


def _tenths(tenths: int) -> str:
    return decimal(tenths / 10, 1)
