"""The controls of a round: NEXT, taking a card, the calls, pointing, the log and the scores."""

from collections.abc import Iterator

from cogs.break_out.plays import can_break_out, has_sound_play
from cogs.core.i18n.translation import _
from cogs.core.pages import interludes
from cogs.core.pages.game_ui import TableContext
from cogs.core.pages.page import Button, Row, Style
from engine.games.break_out import KINDS, BreakOutView, pointable

LABEL = 17
"""The most characters of a call's label: both calls fit beside each other on a phone."""


def controls(view: BreakOutView, info: TableContext, hints: bool) -> Iterator[Row]:
    """Yield the controls of the table message: the same buttons in the same place in every phase of a round.

    Buttons that would be refused are disabled. D62: a call names whom it accuses.
    """
    if view.interlude is not None:
        yield Row((interludes.button(view.interlude, view.seat), scores()))
    elif view.phase != "over":
        said, take = _turn_buttons(view, hints)
        yield Row((said, *_calls(view, info), take)) if view.referee != "strict" else Row((said, take))
        yield Row((scores(), log()))


def turn_row(view: BreakOutView, hints: bool, *more: Button) -> Row:
    """Return NEXT, taking a card while that is possible, and `more`, for the player whose turn it is."""
    said, take = _turn_buttons(view, hints)
    return Row((said, *(() if take.disabled else (take,)), *more))


def _turn_buttons(view: BreakOutView, hints: bool) -> tuple[Button, Button]:
    """Return NEXT and taking a card.

    With `hints` NEXT is green only once it is no offence: a card was played or taken, or none can be taken. Until then
    the button that takes a card is green for a player without a sound play. If a way out is offered too, NEXT is not
    green, so that one button stands out.
    """
    says = view.phase == "turn" and view.seat in (None, view.turn)
    done = view.drew or view.acted or not view.place
    own = hints and says and view.seat is not None
    only = own and not done and not has_sound_play(view)
    out = own and done and can_break_out(view)
    take = Button(_("Take a card"), "draw", style="success" if only else "secondary", disabled=not says or done)
    style: Style = "success" if (done and not out) or not hints else "secondary"
    said = Button("NEXT", "next", style=style, disabled=not says or (view.referee == "strict" and not done))
    return said, take


def call_row(view: BreakOutView, info: TableContext) -> Row | None:
    """Return the calls that the reader can still make now; None if there are none."""
    window = view.window
    if window is None or view.referee == "strict" or view.phase == "gift" or window.seat == view.seat:
        return None
    calls = tuple(button for button in _calls(view, info) if not button.disabled)
    return Row(calls) if calls else None


def _calls(view: BreakOutView, info: TableContext) -> Iterator[Button]:
    window = view.window
    for kind in KINDS:
        words = f"{kind.upper()}!"
        if window is None:
            yield Button(words, "call", f"{kind}.-1", style="danger", disabled=True)
        else:
            yield Button(
                f"{words} {info.seated_players[window.seat].label(LABEL - len(words) - 1, short=True)}",
                "call",
                f"{kind}.{window.turn}",
                style="danger",
                disabled=window.seat == view.seat or kind in window.mine,
                target=str(window.turn),
            )


def scores() -> Button:
    return Button(_("Scores"), "scores")


def log() -> Button:
    return Button(_("Log"), "happened")


def pointing(view: BreakOutView) -> tuple[Button, ...]:
    """Return the button to point at a meld, while the reader can."""
    can = view.seat is not None and view.referee != "strict" and pointable(view)
    return (Button(_("Point at a meld"), "point"),) if can else ()
