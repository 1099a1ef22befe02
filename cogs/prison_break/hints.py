"""Hints in words: which sneak, vote, offer or guard check, and why."""

from collections.abc import Iterator, Sequence

from cogs.core.pages.game_ui import TableContext
from cogs.prison_break.advice import play_words
from cogs.prison_break.words import at
from engine.contract import Action, Seat
from engine.games.prison_break import Decline, Guard, Offer, Pass, PrisonBreakView, Sneak, Vote
from engine.players import Reason

NEGLIGIBLE = 5
"""Below this many percent an event is treated as certain not to happen."""


def hint(view: PrisonBreakView, info: TableContext, action: Action, reasons: Sequence[Reason]) -> Iterator[str]:
    """Yield what to do and why, line by line."""
    if view.seat is not None and isinstance(action, Sneak | Offer | Decline | Vote | Guard | Pass):
        words = play_words(view, view.seat, info, action)
        yield f"Check {words}." if isinstance(action, Guard) else f"**{words[2:3].upper()}{words[3:]}."
    for reason in reasons:
        yield from _why(view, info, action, reason)


def _why(view: PrisonBreakView, info: TableContext, action: Action, reason: Reason) -> Iterator[str]:
    match reason.code:
        case "safe":
            if reason.number("exit"):
                yield "That brings you out."
            else:
                yield "In JAIL no guards can find you; what you say leads the others astray."
        case "hides":
            yield _hides(view, reason)
        case "votes":
            yield from _votes(info, action, reason)
        case "checks":
            yield f"{_someone(info, reason)} stands there with {reason.number('odds')}%."
            yield _games(reason, "with the check", "if you keep your tokens")
        case "waits":
            yield _waits(info, reason)
            yield _games(reason, "without a check", "after the best one")
        case "offers":
            yield _games(reason, "with this offer", "without one")
        case "declines":
            yield _games(reason, "without an offer", "with the best one")


def _someone(info: TableContext, reason: Reason) -> str:
    return info.name(Seat(reason.number("seat")))


def _hides(view: PrisonBreakView, reason: Reason) -> str:
    found, honest = reason.number("found"), reason.number("honest")
    where = at(reason.number("place"), view.spaces)
    so_far = "As the others have looked so far,"
    hidden = f"{so_far} guards find you {where} with {found}%" if found else f"{so_far} nobody looks for you {where}"
    if honest > found:
        return f"{hidden}; if you said {reason.number('moves')}, as it is, they would with {honest}%."
    return f"{hidden}."


def _waits(info: TableContext, reason: Reason) -> str:
    odds = reason.number("odds")
    if not odds:
        return "Nobody is likely to be found on any space: not worth a token."
    found = f"The likeliest find is {_someone(info, reason)} on {reason.number('space')}"
    return f"{found}, with {odds}%: not worth a token."


def _votes(info: TableContext, action: Action, reason: Reason) -> Iterator[str]:
    other, odds = _someone(info, reason), reason.number("accepts")
    if odds < NEGLIGIBLE:
        sure = "to reject it"
    elif odds > 100 - NEGLIGIBLE:
        sure = "to accept it"
    else:
        sure = f"to accept it with {odds}%"
    yield f"I expect {other} {sure}."
    accepts = isinstance(action, Vote) and action.accept
    mine, instead = ("if you accept", "if you reject") if accepts else ("if you reject", "if you accept")
    if reason.number("mine") >= reason.number("instead"):
        yield _games(reason, mine, instead)
    elif reason.number("own"):
        yield "It is your own offer. The Master accepts most of those, at a small risk, so that others go on accepting."
    else:
        yield f"{_games(reason, mine, instead)} It is done now and then all the same, so that nobody can foresee you."


def _games(reason: Reason, mine: str, instead: str) -> str:
    return (
        f"You win about {reason.number('mine')} of 100 games {mine}, as I judge it, and {reason.number('instead')} "
        f"{instead}."
    )
