"""Hints in words: which play, call or gift, and why."""

from collections.abc import Iterator, Sequence

from cogs.break_out.play_labels import pictured_name
from cogs.break_out.words import FAULTS, meld_name, pictured, pictured_face
from cogs.core.i18n.translation import _, ngettext
from cogs.core.ops.text_format import count
from cogs.core.pages.game_ui import TableContext
from engine.contract import Action, Seat
from engine.games.break_out import BreakOutView, Call, Draw, Give, Next, Play, Point, fault_of
from engine.players import Reason


def hint(view: BreakOutView, info: TableContext, action: Action, reasons: Sequence[Reason]) -> Iterator[str]:
    """Yield what to do and why, line by line."""
    match action:
        case Call(kind=kind):
            yield _("Call **{call}**", call=f"{kind.upper()}!")
        case Point(meld=meld):
            yield _("Point at **{meld}**.", meld=meld_name(meld))
        case Give(face=face):
            yield _("Give away {card}.", card=pictured_face(face))
        case Draw():
            yield _("**Take a card.**")
        case Next():
            yield _("Say **NEXT**.")
        case _ if isinstance(action, Play):
            yield f"**{pictured_name(view, action)}**"
    for reason in reasons:
        yield from _why(view, info, reason)


def _why(view: BreakOutView, info: TableContext, reason: Reason) -> Iterator[str]:
    match reason.code:
        case "idle":
            yield _("{player} neither played nor took a card.", player=info.name(Seat(reason.number("seat"))))
        case "fault":
            player = info.name(Seat(reason.number("seat")))
            yield _("{player} laid a bad meld: {reason}.", player=player, reason=_bad(view))
        case "bad":
            yield _("It's a bad meld that no one called in time: its cards leave the game.")
        case "gift":
            yield _gift(reason.number("points"), bool(reason.number("useful")))
        case "goes-out":
            yield _out(reason.number("plays"))
        case "others-draw":
            if reason.number("players") > 1:
                yield _("Everyone else takes a card.")
            else:
                yield _("The other player takes a card.")
        case "breaks-out":
            yield _("It breaks you out: from then on you can add to any meld in the Yard.")
        case "frees-wild":
            yield _("You get a Wild for it, which can represent any number card.")
        case "spares":
            yield _("It counts as playing, so you don't need to take a card.")
        case "sheds":
            yield _shed(reason)
        case "keeps":
            yield ngettext(
                "The cards you keep make a meld of {n} point later.",
                "The cards you keep make a meld of {n} points later.",
                reason.number("points"),
            )
        case "draws" | "done":
            yield _nothing(reason)


def _bad(view: BreakOutView) -> str:
    assert view.window is not None
    for laid in view.window.plays:
        if (found := fault_of(laid, view.limits)) is not None:
            why = _(FAULTS[found])
            return f"{pictured(laid.cards)} – {why}"
    return _("not a meld")


def _gift(points: int, useful: bool) -> str:
    if useful:
        return ngettext("It costs {n} point in a hand.", "It costs {n} points in a hand.", points)
    return ngettext(
        "It costs {n} point in a hand, and fits nothing you hold.",
        "It costs {n} points in a hand, and fits nothing you hold.",
        points,
    )


def _out(plays: int) -> str:
    if plays == 0:
        return _("Your hand is empty: you go out.")
    if plays == 1:
        return _("It empties your hand: you go out.")
    return ngettext(
        "It's the first of {n} play that empties your hand: you go out this turn.",
        "It's the first of {n} plays that empty your hand: you go out this turn.",
        plays,
    )


def _shed(reason: Reason) -> str:
    left = reason.number("left")
    if reason.number("plays") > 1:
        return ngettext(
            "With what you can play after it, {n} card stays in your hand this turn.",
            "With what you can play after it, {n} cards stay in your hand this turn.",
            left,
        )
    cards, points = count(reason.number("cards"), "card"), count(reason.number("points"), "point")
    return ngettext(
        "It gets rid of {cards} and {points}; {n} card stays.",
        "It gets rid of {cards} and {points}; {n} cards stay.",
        left,
        cards=cards,
        points=points,
    )


def _nothing(reason: Reason) -> str:
    playable = reason.number("plays")
    if reason.code == "draws":
        if not playable:
            return _("You have no legal play, so you need to take a card.")
        return _("What you could play now gains little. Take a card first: you can still play after that.")
    if not playable:
        return _("There's nothing left that you could play.")
    return _("The cards you could still play are worth more in your hand.")
