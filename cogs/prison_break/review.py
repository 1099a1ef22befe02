"""What a review says about decisions of Prison Break, and of lies when all is known.

May import `cogs.core`, `engine` and its own package.
"""

from typing import Any

from cogs.core.games.reviews import GameReview
from cogs.core.phrases import count
from cogs.core.screen import TableInfo
from cogs.prison_break.words import ACCEPT, OFFER_NAMES, REJECT, at
from engine.contract import Action, Seat, number
from engine.games.prison_break import Decline, Guard, Offer, Sneak, Vote
from engine.review import Judged, Note
from engine.review.prison_break import REVIEWER


def _deed(view: Any, action: Action, info: TableInfo) -> str:
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


def _because(view: Any, judged: Judged, info: TableInfo) -> str:
    facts = judged.facts
    match judged.why:
        case "stands":
            odds = "for certain" if facts["odds"] == 100 else f"with {facts['odds']}%"
            return f"By all that was seen and heard, {info.name(Seat(number(facts, 'rival')))} stood there {odds}."
        case "unlikely" if facts["odds"] == 100:
            return "Somebody stood there, but a token is worth more than sending them back from so near."
        case "unlikely" if not facts["odds"]:
            return "By all that was seen and heard, nobody could stand there."
        case "unlikely":
            return f"By all that was seen and heard, nobody stood there with more than {facts['odds']}%."
        case "votes":
            other = info.name(Seat(number(facts, "other")))
            return f"By how {other} had voted and by what was at stake, they would accept with {facts['odds']}%."
        case "told":
            return "What was said told the guards where to look."
        case _:
            return ""


def _noted(note: Note, info: TableInfo) -> str:
    who, facts = info.name(note.seat), note.facts
    if note.what == "lies":
        return f"{who} lied in {facts['lies']} of {count(number(facts, 'sneaks'), 'sneak')}."
    liar, spaces = info.name(Seat(number(facts, "liar"))), number(facts, "spaces")
    when = f"-# Round {facts['round']}: {who}"
    if note.what == "believed":
        real = at(number(facts, "real"), spaces)
        return f"{when} believed {liar}, and sent the guards to {facts['space']}; {liar} was {real}."
    told = at(number(facts, "told"), spaces)
    return f"{when} found {liar} on {facts['space']}, whose words had them {told}."


REVIEW = GameReview(REVIEWER, _deed, _because, _noted)
