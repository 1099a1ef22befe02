"""Texts for reviews of Break-Out: turns, and the catches, bluffs and late calls once everything is known."""

from typing import Any

from cogs.break_out.play_labels import pictured_name
from cogs.break_out.review_picture import drawn
from cogs.break_out.words import FAULTS, pictured_face
from cogs.core.i18n.translation import _, ngettext
from cogs.core.ops.text_format import decimal, listed
from cogs.core.pages.game_ui import GameReview, TableContext
from engine.contract import Action, Seat, number
from engine.games.break_out import Draw, Give, Next, Play
from engine.players.break_out import BOTS
from engine.review import JudgedDecision, Note
from engine.review.break_out import REVIEWER


def _action_text(view: Any, action: Action, info: TableContext) -> str:
    match action:
        case Draw():
            return _("Take a card")
        case Next():
            return _("Say **NEXT**")
        case Give(face=face):
            return _("Give away {card}", card=pictured_face(face))
        case _ if isinstance(action, Play):
            return pictured_name(view, action)
        case _:
            return _("Call")


def _because(view: Any, judged: JudgedDecision, info: TableContext) -> str:
    match judged.why:
        case "goes-out":
            return _("The whole hand could have been played this turn.")
        case "breaks-out":
            return _("It breaks out: from then on cards can go in more places.")
        case "sheds":
            return ngettext(
                "It would have left {n} card in hand after this turn, instead of {kept}.",
                "It would have left {n} cards in hand after this turn, instead of {kept}.",
                number(judged.facts, "left"),
                kept=judged.facts["kept"],
            )
        case "card-first":
            return _("Playing gained little here: it's better to take a card first, and you can still play then.")
        case "waits":
            return _("It's better to break out when more of the hand can go in the same turn.")
        case "wilds":
            return ngettext(
                "It would have left {n} more Wild in hand for later turns.",
                "It would have left {n} more Wilds in hand for later turns.",
                number(judged.facts, "more"),
            )
        case "together":
            return _("The cards it leaves in hand go together better.")
        case _:
            return ""


def _note_text(note: Note, info: TableContext) -> str:
    who, facts = info.name(note.seat), note.facts
    if note.what == "caught":
        calls = _calls_against(note)
        return ngettext(
            "{player} was caught once ({calls}).",
            "{player} was caught {n} times ({calls}).",
            number(facts, "times"),
            player=who,
            calls=calls,
        )
    in_round = facts["round"]
    match note.what:
        case "draw":
            return _(
                "Round {number}: {player} neither played nor took a card, and no one called it.",
                number=in_round,
                player=who,
            )
        case "meld":
            return _bluff_text(note, info)
        case "late":
            return _(
                "Round {number}: {player} was right to call {other}, but {seconds} too late.",
                number=in_round,
                player=who,
                other=info.name(Seat(number(facts, "whom"))),
                seconds=_seconds(note),
            )
        case _:
            return _(
                "Round {number}: {player} made the right call too, {seconds} after {other}.",
                number=in_round,
                player=who,
                seconds=_seconds(note),
                other=info.name(Seat(number(facts, "by"))),
            )


def _bluff_text(note: Note, info: TableContext) -> str:
    """Return who laid a bad meld that was not called in time, and who spotted it later."""
    who, facts = info.name(note.seat), note.facts
    why = next((_(words) for fault, words in FAULTS.items() if fault == facts["fault"]), _("not a meld"))
    if (found := number(facts, "found")) < 0:
        return _(
            "Round {number}: {player} laid a bad meld ({reason}), and no one saw it.",
            number=facts["round"],
            player=who,
            reason=why,
        )
    return _(
        "Round {number}: {player} laid a bad meld ({reason}), and {other} saw it too late.",
        number=facts["round"],
        player=who,
        reason=why,
        other=info.name(Seat(found)),
    )


def _calls_against(note: Note) -> str:
    """Return the calls that caught a player, and the cards that this cost."""
    calls, cost = (words if isinstance(words := note.facts[name], tuple) else () for name in ("calls", "cost"))
    named = ", ".join(f"{str(call).upper()}!" for call in dict.fromkeys(calls))
    if not cost:
        return named
    cards = listed(pictured_face(str(face)) for face in cost)
    # Translators: the calls that caught a player, and the cards that this cost.
    return _("{calls}, cost {cards}", calls=named, cards=cards)


def _seconds(note: Note) -> str:
    return _("{seconds} s", seconds=decimal(number(note.facts, "ms") / 1_000, 2))


REVIEW = GameReview(REVIEWER, _action_text, _because, _note_text, drawn, explain=BOTS.explain)
