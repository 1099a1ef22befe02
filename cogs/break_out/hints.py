"""Hints in words: which play, call or gift, and why."""

from collections.abc import Iterator, Sequence

from cogs.break_out.play_labels import pictured_name
from cogs.break_out.words import FAULTS, meld_name, pictured, pictured_face
from cogs.core.ops.text_format import count
from cogs.core.pages.game_ui import TableContext
from engine.contract import Action, Seat
from engine.games.break_out import BreakOutView, Call, Draw, Give, Next, Play, Point, fault_of
from engine.players import Reason


def hint(view: BreakOutView, info: TableContext, action: Action, reasons: Sequence[Reason]) -> Iterator[str]:
    """Yield what to do and why, line by line."""
    match action:
        case Call(kind=kind):
            yield f"Call **{kind.upper()}!**"
        case Point(meld=meld):
            yield f"Point at **{meld_name(meld)}**."
        case Give(face=face):
            yield f"Give away {pictured_face(face)}."
        case Draw():
            yield "**Take a card.**"
        case Next():
            yield "Say **NEXT**."
        case _ if isinstance(action, Play):
            yield f"**{pictured_name(view, action)}**"
    for reason in reasons:
        yield from _why(view, info, reason)


def _why(view: BreakOutView, info: TableContext, reason: Reason) -> Iterator[str]:
    match reason.code:
        case "idle":
            yield f"{info.name(Seat(reason.number('seat')))} has neither played nor taken a card."
        case "fault":
            yield f"{info.name(Seat(reason.number('seat')))} laid a bad meld: {_bad(view)}."
        case "bad":
            yield "It is a bad meld that nobody called in time: its cards leave the game."
        case "gift":
            dear = f"It counts {count(reason.number('points'), 'point')} in a hand"
            yield f"{dear}, and fits nothing that you hold." if not reason.number("useful") else f"{dear}."
        case "goes-out":
            yield _out(reason.number("plays"))
        case "others-draw":
            soon = "The round is nearly over, and a hand that grows now costs points: " if reason.number("soon") else ""
            taking = "everybody else takes a card" if reason.number("players") > 1 else "the other player takes a card"
            yield f"{soon}{taking if soon else taking.capitalize()}."
        case "breaks-out":
            yield "It breaks you out: from then on you may add to any meld in the Yard."
        case "frees-wild":
            yield "With the Wild that you get your hand makes a longer meld."
        case "spares":
            yield "It counts as playing, so that you need not take a card."
        case "sheds":
            yield _shed(reason)
        case "keeps":
            yield f"What stays makes a meld of {count(reason.number('points'), 'point')} later."
        case "instead":
            yield f"The next best would rid you of {count(reason.number('points'), 'point')}."
        case "draws" | "done":
            yield _nothing(reason)


def _bad(view: BreakOutView) -> str:
    assert view.window is not None
    for laid in view.window.plays:
        if (found := fault_of(laid, view.limits)) is not None:
            return f"{pictured(laid.cards)} – {FAULTS[found]}"
    return "it is none by the rules"


def _out(plays: int) -> str:
    if plays == 1:
        return "It empties your hand: you go out."
    return f"It begins {plays} plays that lay down your whole hand: you go out in this turn."


def _shed(reason: Reason) -> str:
    cards, left = count(reason.number("cards"), "card"), reason.number("left")
    stay = f"{count(left, 'card')} {'stays' if left == 1 else 'stay'}"
    return f"It rids you of {cards} and {count(reason.number('points'), 'point')}; {stay}."


def _nothing(reason: Reason) -> str:
    if reason.code == "draws":
        if not reason.number("plays"):
            return "Nothing in your hand can be laid, and a turn needs a card that is played or taken."
        return "What you could lay is worth more in your hand, and a turn needs a card that is played or taken."
    if not reason.number("plays"):
        return "There is nothing left that you could lay."
    return "What you could still lay is worth more in your hand."
