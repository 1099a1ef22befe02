"""Hints in words: which sneak, vote, offer or guard check, and why."""

from collections.abc import Iterator, Sequence

from cogs.core.i18n.translation import _
from cogs.core.ops.text_format import percent
from cogs.core.pages.game_ui import TableContext
from cogs.prison_break.advice import play_words
from cogs.prison_break.words import at
from engine.contract import Action, Seat
from engine.games.prison_break import Decline, Guard, Offer, Pass, PrisonBreakView, Sneak, Vote
from engine.players import Reason

CHANCES = frozenset({"mine", "instead"})
"""The facts of a reason that say how many of 100 games are won. A review leaves them out: it has its own."""

NEGLIGIBLE = 5
"""Below this many percent an event is treated as certain not to happen."""


def hint(view: PrisonBreakView, info: TableContext, action: Action, reasons: Sequence[Reason]) -> Iterator[str]:
    """Yield what to do and why, line by line."""
    if view.seat is not None and isinstance(action, Sneak | Offer | Decline | Vote | Guard | Pass):
        words = play_words(view, view.seat, info, action)
        if isinstance(action, Guard):
            # Translators: play is "**space 7** (last seen here: Ann)".
            yield _("Check {play}.", play=words)
        else:
            yield f"**{words[2:3].upper()}{words[3:]}."
    for reason in reasons:
        yield from _why(view, info, action, reason)


def _why(view: PrisonBreakView, info: TableContext, action: Action, reason: Reason) -> Iterator[str]:
    match reason.code:
        case "safe":
            if reason.number("exit"):
                yield _("That gets you out.")
            else:
                yield _("Guards can't find you in JAIL, and what you say misleads the others.")
        case "hides":
            yield _hides(view, reason)
        case "votes":
            yield _expected_vote(info, reason)
        case "checks":
            yield _(
                "{name} is {odds} likely to be there.", name=_someone(info, reason), odds=percent(reason.number("odds"))
            )
        case "waits":
            yield _waits(info, reason)
    if reason.facts.keys() >= CHANCES:
        yield _chances(action, reason)


def _chances(action: Action, reason: Reason) -> str:
    """Return how many of 100 games are won by the play, and by the alternative."""
    games = {"mine": reason.number("mine"), "instead": reason.number("instead")}
    match reason.code:
        case "votes":
            return _vote_chances(action, reason, games)
        case "checks":
            return _(
                "I think you win about {mine} of 100 games with the check, and {instead} if you keep the token.",
                **games,
            )
        case "waits":
            return _(
                "I think you win about {mine} of 100 games without a check, and {instead} after the best one.",
                **games,
            )
        case "offers":
            return _("I think you win about {mine} of 100 games with this offer, and {instead} without one.", **games)
        case _:
            return _(
                "I think you win about {mine} of 100 games without an offer, and {instead} with the best one.", **games
            )


def _someone(info: TableContext, reason: Reason) -> str:
    return info.name(Seat(reason.number("seat")))


def _hides(view: PrisonBreakView, reason: Reason) -> str:
    found, honest = reason.number("found"), reason.number("honest")
    facts = {"where": at(reason.number("place"), view.spaces), "found": percent(found)}
    if honest <= found:
        if found:
            return _("Going by the guard checks so far, you're {found} likely to be found {where}.", **facts)
        return _("Going by the guard checks so far, no one looks for you {where}.", **facts)
    if found:
        return _(
            "Going by the guard checks so far, you're {found} likely to be found {where}; if you honestly said "
            "{said}, it would be {honest}.",
            **facts,
            said=reason.number("moves"),
            honest=percent(honest),
        )
    return _(
        "Going by the guard checks so far, no one looks for you {where}; if you honestly said {said}, you'd be "
        "{honest} likely to be found.",
        **facts,
        said=reason.number("moves"),
        honest=percent(honest),
    )


def _waits(info: TableContext, reason: Reason) -> str:
    odds = reason.number("odds")
    if not odds:
        return _("You're unlikely to find anyone on any space: not worth a token.")
    return _(
        "Your best chance is {name} on {space} ({odds}): not worth a token.",
        name=_someone(info, reason),
        space=reason.number("space"),
        odds=percent(odds),
    )


def _expected_vote(info: TableContext, reason: Reason) -> str:
    other, odds = _someone(info, reason), reason.number("accepts")
    if odds < NEGLIGIBLE:
        return _("I expect {name} to reject it.", name=other)
    if odds > 100 - NEGLIGIBLE:
        return _("I expect {name} to accept it.", name=other)
    return _("I think {name} is {odds} likely to accept it.", name=other, odds=percent(odds))


def _vote_chances(action: Action, reason: Reason, games: dict[str, int]) -> str:
    worse = games["mine"] < games["instead"]
    if worse and reason.number("own"):
        return _(
            "It's your own offer. The Master accepts most of those, at a small risk, so that others keep accepting."
        )
    if isinstance(action, Vote) and action.accept:
        words = _("I think you win about {mine} of 100 games if you accept, and {instead} if you reject.", **games)
    else:
        words = _("I think you win about {mine} of 100 games if you reject, and {instead} if you accept.", **games)
    return f"{words} {_('It still pays now and then, so that you stay unpredictable.')}" if worse else words
