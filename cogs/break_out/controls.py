"""The quick controls of every page (NEXT, the calls, taking a card), and those behind *More …*."""

from collections.abc import Iterator

import msgspec

from cogs.break_out.plays import can_break_out, has_sound_play
from cogs.core.i18n.translation import _
from cogs.core.pages import interludes
from cogs.core.pages.game_ui import TableContext
from cogs.core.pages.page import Button, Row, Style
from engine.contract import Seat
from engine.games.break_out import KINDS, BreakOutView, pointable

LABEL = 24
"""The most characters of a button's label that fit on a phone."""


def quick_controls(view: BreakOutView, info: TableContext, hints: bool) -> Row:
    """Return NEXT, the calls and taking a card: the same buttons in the same place in every phase of a round.

    With `hints` NEXT is green only once it is no offence: a card was played or taken, or none can be taken. Until then
    the button that takes a card is green for a player without a sound play. If a way out is offered below, NEXT is not
    green, so that one button stands out. Buttons that would be refused are disabled. D62: a call names whom it accuses.
    """
    says = view.phase == "turn" and view.seat in (None, view.turn)
    done = view.drew or view.acted or not view.place
    own = hints and says and view.seat is not None
    only = own and not done and not has_sound_play(view)
    out = own and done and can_break_out(view)
    take = Button(_("Take a card"), "draw", style="success" if only else "secondary", disabled=not says or done)
    strict = view.referee == "strict"
    style: Style = "success" if (done and not out) or not hints else "secondary"
    said = Button("NEXT", "next", style=style, disabled=not says or (strict and not done))
    if strict:
        return Row((said, take))
    return Row((said, *_calls(view, info), take))


def _calls(view: BreakOutView, info: TableContext) -> Iterator[Button]:
    window = view.window
    for kind in KINDS:
        words = f"{kind.upper()}!"
        if window is None:
            yield Button(words, "call", f"{kind}.-1", style="danger", disabled=True)
        else:
            yield Button(
                f"{words} {info.label(window.seat, LABEL - len(words) - 1)}",
                "call",
                f"{kind}.{window.turn}",
                style="danger",
                disabled=window.seat == view.seat or kind in window.mine,
                target=str(window.turn),
            )


def controls(view: BreakOutView, info: TableContext, hints: bool) -> Iterator[Row]:
    """Yield the quick controls of the table message."""
    if view.interlude is not None:
        yield Row((interludes.button(view.interlude, view.seat), scores()))
    elif view.phase != "over":
        yield quick_controls(view, info, hints)
        yield other_controls(view)


def scores() -> Button:
    return Button(_("Scores"), "scores")


def log() -> Button:
    return Button(_("Log"), "happened")


def can_point(view: BreakOutView) -> bool:
    """Return whether the reader can point at a meld now.

    On the table message: whether any player can who has not pointed since their last turn began.
    """
    if view.seat is not None:
        return bool(pointable(view))
    left = (Seat(seat) for seat, pointed in enumerate(view.pointed) if not pointed)
    return any(pointable(msgspec.structs.replace(view, seat=seat)) for seat in left)


def other_controls(view: BreakOutView) -> Row:
    """Return the controls that are used less often."""
    if view.referee == "strict":
        return Row((scores(), log()))
    shut = not can_point(view)
    return Row((Button(_("Point at a meld"), "point", disabled=shut), scores(), log()))
