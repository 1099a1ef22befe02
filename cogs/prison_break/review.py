"""Texts for reviews of Prison Break: decisions, and lies once everything is known."""

from typing import Any

from cogs.core.ops.text_format import count
from cogs.core.pages.game_ui import GameReview, TableContext
from cogs.prison_break.words import ACCEPT, OFFER_NAMES, REJECT, at, claim, joint_words, place, split_words, terms_words
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
from engine.review import JudgedDecision, Note
from engine.review.prison_break import REVIEWER


def _action_text(view: Any, action: Action, info: TableContext) -> str:
    match action:
        case Sneak(declare=said, move=gone):
            return f"say **{said}**, go **{gone}**"
        case Offer(card=card, first=first, second=second):
            kind = OFFER_NAMES[view.row[card].kind]
            return f"offer **{kind}** to {info.name(Seat(first))} and {info.name(Seat(second))}"
        case Decline():
            return "make no offer"
        case Vote(accept=accept):
            kind = f" {OFFER_NAMES[view.proposal.kind]}" if view.proposal is not None else ""
            return f"**{f'{ACCEPT} accept' if accept else f'{REJECT} reject'}**{kind}"
        case Guard(space=space):
            return f"send the guards to **{space}**"
        case _:
            return "keep the token"


def _because(view: Any, judged: JudgedDecision, info: TableContext) -> str:
    facts = judged.facts
    match judged.why:
        case "stands":
            odds = "for certain" if facts["odds"] == 100 else f"with a chance of {facts['odds']}%"
            rival, near = info.name(Seat(number(facts, "rival"))), _before_exit(view, number(facts, "space"))
            return f"By all that was seen and heard, {rival} stood there {odds}, {near}."
        case "unlikely" if facts["odds"] == 100:
            return "Somebody stood there, but a token is worth more than sending them back from so near to JAIL."
        case "unlikely" if not facts["odds"]:
            return "By all that was seen and heard, nobody could stand there."
        case "unlikely":
            return f"By all that was seen and heard, nobody stood there with a chance of more than {facts['odds']}%."
        case "votes":
            return _vote_outcomes(view, info, Seat(number(facts, "other")), number(facts, "odds"))
        case "told":
            return "What was said told the guards where to look."
        case _:
            return _better_outcome(view, GAME.read_action(judged.better) if judged.better is not None else None)


def _before_exit(view: PrisonBreakView, space: Position) -> str:
    """Return how close to the end somebody on a space is."""
    return f"{count(view.spaces + 1 - space, 'space')} before EXIT"


def _vote_outcomes(view: PrisonBreakView, info: TableContext, rival: Seat, odds: int) -> str:
    """Return the outcomes of the reader's votes for the vote expected of the other player."""
    assert view.proposal is not None and view.seat is not None
    terms = terms_of(view.proposal.kind, view.terms)
    accept, reject = split_words(terms)
    own, other = info.name(view.seat), info.name(rival)
    if odds == 50:
        return f"{other} was as likely to accept as to reject."
    if odds > 50:
        sure, vote = odds, f"{ACCEPT} accept"
        either = (
            f"{ACCEPT}{ACCEPT} {joint_words(terms.both_accept)} · {REJECT}{ACCEPT} {own}: {reject}, {other}: {accept}"
        )
    else:
        sure, vote = 100 - odds, f"{REJECT} reject"
        either = (
            f"{ACCEPT}{REJECT} {own}: {accept}, {other}: {reject} · {REJECT}{REJECT} {joint_words(terms.both_reject)}"
        )
    how = "for certain" if sure == 100 else f"with a chance of {sure}%"
    return f"By earlier votes and by what was at stake, {other} was to {vote} {how}: {either}."


def _better_outcome(view: PrisonBreakView, better: Action | None) -> str:
    """Return what the better action would have brought, if no inference supports it."""
    match better:
        case Offer(card=card):
            kind = view.row[card].kind
            return f"{OFFER_NAMES[kind]}: {terms_words(terms_of(kind, view.terms))}."
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
    return f"So the words would have led to {place(declared, view.spaces)}, with the pawn {at(real, view.spaces)}."


def _note_text(note: Note, info: TableContext) -> str:
    who, facts = info.name(note.seat), note.facts
    if note.what == "lies":
        return f"{who} lied in {facts['lies']} of {count(number(facts, 'sneaks'), 'sneak')}."
    liar, spaces = info.name(Seat(number(facts, "liar"))), number(facts, "spaces")
    when = f"-# Round {facts['round']}: {who}"
    if note.what == "believed":
        real = at(number(facts, "real"), spaces)
        return f"{when} believed {liar}, and sent the guards to {facts['space']}; {liar} was {real}."
    declared = at(number(facts, "told"), spaces)
    return f"{when} found {liar} on {facts['space']}, whose words had them {declared}."


REVIEW = GameReview(REVIEWER, _action_text, _because, _note_text)
