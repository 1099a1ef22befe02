"""Texts for reviews of Prison Break: decisions, and lies once everything is known."""

from collections.abc import Sequence
from random import Random
from typing import Any

from cogs.core.i18n.translation import _, ngettext
from cogs.core.ops.text_format import labelled, percent
from cogs.core.pages.game_ui import GameReview, TableContext
from cogs.prison_break.hints import CHANCES
from cogs.prison_break.review_picture import drawn
from cogs.prison_break.words import at, claim, joint_words, offer_name, place, split_words, terms_words, vote_words
from engine.contract import Action, Seat, number
from engine.games.prison_break import (
    GAME,
    JAIL,
    Decline,
    Guard,
    Offer,
    Position,
    PrisonBreakView,
    Sneak,
    Vote,
    terms_of,
)
from engine.players import Budget, Reason
from engine.players.prison_break.reasons import explain
from engine.review import JudgedDecision, Note
from engine.review.prison_break import REVIEWER


def _action_text(view: Any, action: Action, info: TableContext) -> str:
    match action:
        case Sneak(declare=said, move=gone):
            return _("say **{said}**, go **{gone}**", said=said, gone=gone)
        case Offer(card=card, first=first, second=second):
            return _(
                "offer **{offer}** to {first} and {second}",
                offer=offer_name(view.row[card].kind),
                first=info.name(Seat(first)),
                second=info.name(Seat(second)),
            )
        case Decline():
            return _("make no offer")
        case Vote(accept=accept) if view.proposal is None:
            return f"**{vote_words(accept=accept)}**"
        case Vote(accept=accept):
            # Translators: vote is "✓ Accept".
            return _("**{vote}** {offer}", vote=vote_words(accept=accept), offer=offer_name(view.proposal.kind))
        case Guard(space=space):
            return _("send the guards to **{space}**", space=space)
        case _:
            return _("keep the token")


def _because(view: Any, judged: JudgedDecision, info: TableContext) -> str:
    facts = judged.facts
    match judged.why:
        case "stands":
            return _found(view, info.name(Seat(number(facts, "rival"))), number(facts, "space"), number(facts, "odds"))
        case "unlikely" if facts["odds"] == 100:
            return _("Someone was there, but sending them back from so near to JAIL isn't worth a token.")
        case "unlikely" if not facts["odds"]:
            return _("Going by everything seen and heard, no one could be there.")
        case "unlikely":
            return _(
                "Going by everything seen and heard, the best chance was {odds}.", odds=percent(number(facts, "odds"))
            )
        case "votes":
            return _vote_outcomes(view, info, Seat(number(facts, "other")), number(facts, "odds"))
        case "told":
            return _("The claim was true: it told the guards where to look.")
        case _:
            return _better_outcome(view, GAME.read_action(judged.better) if judged.better is not None else None)


def _found(view: PrisonBreakView, name: str, space: Position, odds: int) -> str:
    """Return how likely a player was on a space, and how close to the end that is."""
    left = view.spaces + 1 - space
    if odds == 100:
        return ngettext(
            "Going by everything seen and heard, {name} had to be there, {n} space before EXIT.",
            "Going by everything seen and heard, {name} had to be there, {n} spaces before EXIT.",
            left,
            name=name,
        )
    return ngettext(
        "Going by everything seen and heard, {name} was {odds} likely to be there, {n} space before EXIT.",
        "Going by everything seen and heard, {name} was {odds} likely to be there, {n} spaces before EXIT.",
        left,
        name=name,
        odds=percent(odds),
    )


def _vote_outcomes(view: PrisonBreakView, info: TableContext, rival: Seat, odds: int) -> str:
    """Return the outcomes of the reader's votes for the vote expected of the other player."""
    assert view.proposal is not None and view.seat is not None
    terms = terms_of(view.proposal.kind, view.terms)
    accept, reject = split_words(terms)
    own, other = info.name(view.seat), info.name(rival)
    if odds == 50:
        return _("{name} was as likely to accept as to reject.", name=other)
    if odds > 50:
        outcomes = f"✓✓ {joint_words(terms.both_accept)} · ⊘✓ {labelled(own, reject)}, {labelled(other, accept)}"
        if odds == 100:
            return _(
                "Going by earlier votes and the stakes, {name} was certain to accept: {outcomes}.",
                name=other,
                outcomes=outcomes,
            )
        return _(
            "Going by earlier votes and the stakes, {name} was {odds} likely to accept: {outcomes}.",
            name=other,
            odds=percent(odds),
            outcomes=outcomes,
        )
    outcomes = f"✓⊘ {labelled(own, accept)}, {labelled(other, reject)} · ⊘⊘ {joint_words(terms.both_reject)}"
    if odds == 0:
        return _(
            "Going by earlier votes and the stakes, {name} was certain to reject: {outcomes}.",
            name=other,
            outcomes=outcomes,
        )
    return _(
        "Going by earlier votes and the stakes, {name} was {odds} likely to reject: {outcomes}.",
        name=other,
        odds=percent(100 - odds),
        outcomes=outcomes,
    )


def _better_outcome(view: PrisonBreakView, better: Action | None) -> str:
    """Return what the better action would have brought, if no inference supports it."""
    match better:
        case Offer(card=card):
            kind = view.row[card].kind
            return labelled(offer_name(kind), f"{terms_words(terms_of(kind, view.terms))}.")
        case Sneak(declare=said, move=gone):
            return _declared_end(view, said, gone)
        case _:
            return ""


def _declared_end(view: PrisonBreakView, said: int, gone: int) -> str:
    """Return where the declarations lead after a sneak and where the pawn is, unless that is the same."""
    assert view.seat is not None
    end = view.spaces + 1
    declared, real = min(claim(view, view.seat) + said, end), min((view.positions[view.seat] or JAIL) + gone, end)
    if declared == real:
        return ""
    return _(
        "That would have claimed {claimed}, with your pawn {where}.",
        claimed=place(declared, view.spaces),
        where=at(real, view.spaces),
    )


def _note_text(note: Note, info: TableContext) -> str:
    who, facts = info.name(note.seat), note.facts
    if note.what == "lies":
        sneaks = number(facts, "sneaks")
        return ngettext(
            "{name} lied in {lies} of {n} sneak.",
            "{name} lied in {lies} of {n} sneaks.",
            sneaks,
            name=who,
            lies=facts["lies"],
        )
    liar, spaces = info.name(Seat(number(facts, "liar"))), number(facts, "spaces")
    if note.what == "believed":
        return _(
            "-# Round {round}: {name} believed {liar} and sent the guards to {space}; {liar} was {where}.",
            round=facts["round"],
            name=who,
            liar=liar,
            space=facts["space"],
            where=at(number(facts, "real"), spaces),
        )
    return _(
        "-# Round {round}: {name} found {liar} on {space}, not {where} as claimed.",
        round=facts["round"],
        name=who,
        liar=liar,
        space=facts["space"],
        where=at(number(facts, "told"), spaces),
    )


def _explain(view: Any, action: Action, legal: Sequence[Action], budget: Budget, rng: Random) -> tuple[Reason, ...]:
    """Explain an action as the Master does, without its chances to win: those of the review would contradict them."""
    return tuple(
        Reason(reason.code, {name: fact for name, fact in reason.facts.items() if name not in CHANCES})
        for reason in explain(view, action, legal, budget, rng)
    )


REVIEW = GameReview(REVIEWER, _action_text, _because, _note_text, drawn, explain=_explain)
