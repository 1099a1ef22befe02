"""Texts for reviews of Break-Out: turns, and the catches, bluffs and late calls once everything is known."""

from typing import Any

from cogs.break_out.play_labels import pictured_name
from cogs.break_out.words import FAULTS, pictured_face
from cogs.core.ops.text_format import count, listed
from cogs.core.pages.game_ui import GameReview, TableContext
from engine.contract import Action, Seat, number
from engine.games.break_out import Draw, Give, Next, Play
from engine.review import JudgedDecision, Note
from engine.review.break_out import REVIEWER

DRAW_CARD = "DRAW"
"""The start of a card name that is capitalised within sentences too."""


def _action_text(view: Any, action: Action, info: TableContext) -> str:
    match action:
        case Draw():
            return "take a card"
        case Next():
            return "say **NEXT**"
        case Give(face=face):
            return f"give away {pictured_face(face)}"
        case _ if isinstance(action, Play):
            name = pictured_name(view, action)
            return name if name.startswith(DRAW_CARD) else f"{name[:1].lower()}{name[1:]}"
        case _:
            return "call"


def _because(view: Any, judged: JudgedDecision, info: TableContext) -> str:
    match judged.why:
        case "goes-out":
            return "The whole hand could be laid down in this turn."
        case "breaks-out":
            return "It breaks out: from then on there is more to lay cards on."
        case "sheds":
            left, kept = number(judged.facts, "left"), judged.facts["kept"]
            return f"With it {count(left, 'card')} would have stayed in hand after this turn, instead of {kept}."
        case _:
            return ""


def _note_text(note: Note, info: TableContext) -> str:
    who, facts = info.name(note.seat), note.facts
    if note.what == "caught":
        return f"{who} was caught {_often(number(facts, 'times'))} ({_calls_against(note)})."
    when = f"Round {facts['round']}: {who}"
    match note.what:
        case "draw":
            return f"{when} neither played nor took a card, and nobody called."
        case "meld":
            why = next((words for fault, words in FAULTS.items() if fault == facts["fault"]), "it was none")
            found = number(facts, "found")
            seen = "nobody saw it" if found < 0 else f"{info.name(Seat(found))} saw it too late"
            return f"{when} laid a bad meld ({why}), and {seen}."
        case "late":
            return f"{when} called {info.name(Seat(number(facts, 'whom')))} rightly, {_seconds(note)} too late."
        case _:
            by = info.name(Seat(number(facts, "by")))
            return f"{when} called rightly too, {_seconds(note)} after {by}."


def _often(times: int) -> str:
    return {1: "once", 2: "twice"}.get(times, f"{times} times")


def _calls_against(note: Note) -> str:
    """Return the calls that caught somebody, and the cards that this cost."""
    calls, cost = (words if isinstance(words := note.facts[name], tuple) else () for name in ("calls", "cost"))
    named = ", ".join(f"{str(call).upper()}!" for call in dict.fromkeys(calls))
    return named + (f", cost {listed(pictured_face(str(face)) for face in cost)}" if cost else "")


def _seconds(note: Note) -> str:
    return f"{number(note.facts, 'ms') / 1_000:.2f} s"


REVIEW = GameReview(REVIEWER, _action_text, _because, _note_text)
