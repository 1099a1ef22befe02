"""The quick controls: NEXT, the calls and the draw card, at the same place on every page; and what is used less often.

May import `cogs.core`, `engine` and its own package.
"""

from collections.abc import Iterator

from cogs.core.games import interludes
from cogs.core.messages.page import Button, Row, Style
from engine.games.break_out import KINDS, BreakOutView, pointable


def quick(view: BreakOutView, hints: bool) -> Row:
    """Return NEXT, the calls and the draw card: the same buttons at the same place in every phase of a round. With
    `hints` NEXT is green only once it is no offence: a card was played or drawn, or there is none to draw. Where it
    would be refused it cannot be pressed.
    """
    says = view.phase == "turn" and view.seat in (None, view.turn)
    done = view.drew or view.acted or not view.place
    take = Button("Draw a card", "draw", disabled=not says or done)
    strict = view.referee == "strict"
    style: Style = "success" if done or not hints else "secondary"
    said = Button("NEXT", "next", style=style, disabled=not says or (strict and not done))
    if strict:
        return Row((said, take))
    window = view.window
    turn = -1 if window is None else window.turn
    calls = (
        Button(
            f"{kind.upper()}!",
            "call",
            f"{kind}.{turn}",
            style="danger",
            disabled=window is None or window.seat == view.seat or kind in window.mine,
        )
        for kind in KINDS
    )
    return Row((said, *calls, take))


def controls(view: BreakOutView, hints: bool) -> Iterator[Row]:
    """Yield the quick controls of the table message."""
    if view.interlude is not None:
        yield Row((interludes.button(view.interlude, view.seat), scores()))
    elif view.phase != "over":
        yield quick(view, hints)
        yield rest(view)


def scores() -> Button:
    return Button("Scores", "scores")


def rest(view: BreakOutView) -> Row:
    """Return what is used less often."""
    if view.referee == "strict":
        return Row((scores(),))
    shut = view.seat is not None and not pointable(view)
    return Row((Button("Point at a meld", "point", disabled=shut), scores()))
