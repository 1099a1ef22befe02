"""The page of a hint: what a strong player would do, why, and a button that does it."""

from collections.abc import Iterator
from typing import Any

from cogs.core.i18n.translation import N_, _
from cogs.core.pages.game_ui import GameUI, TableContext
from cogs.core.pages.page import Block, BoardPlaceholder, Button, Page, Row, Text
from cogs.core.pages.player_page import back_row
from cogs.core.tables.bots import ADVISER, Hint
from cogs.core.tables.lobby import LEVEL_NAMES
from engine.turns import Ready

HINT, DO = "hint", "hint-do"
"""The verbs of the buttons that ask for a hint and follow it."""

RANKED = N_("Hints aren't allowed when only people play. Play against a computer, or practise.")

SWITCHED_OFF = N_("The host has turned hints off at this table.")


def why_no_hints(info: TableContext) -> str:
    """Return why there are no hints at a table; empty if there are."""
    if info.ranked:
        return _(RANKED)
    return _(SWITCHED_OFF) if getattr(info.options, "hints", "on") == "off" else ""


def hint_button(*, urgent: bool = False) -> Button:
    """Return the button that asks for a hint."""
    return Button(_("Hint"), HINT, style="success" if urgent else "secondary")


def hint_page(ui: GameUI, view: Any, info: TableContext, hint: Hint) -> Page:
    """Return the page of a hint for the seat whose view this is. It may draw: not for the event loop."""
    board = None if hint.action is None else ui.sketch(view, info, hint.action)
    return Page((board or BoardPlaceholder(), *_explanation(ui, view, info, hint)), ui.colour)


def _explanation(ui: GameUI, view: Any, info: TableContext, hint: Hint) -> Iterator[Block]:
    head = _("### What the {computer} would do", computer=_(LEVEL_NAMES[ADVISER]))
    if hint.action is None:
        yield Text(f"{head}\n{_('Nothing right now: it would wait for the others.')}")
        yield back_row()
        return
    if isinstance(hint.action, Ready):
        words = _("There's nothing to decide during this pause. Press *{ready}* to go on.", ready=_("Ready"))
    else:
        words = "\n".join(ui.hint(view, info, hint.action, hint.reasons))
    yield Text(f"{head}\n{words}")
    yield Row((Button(_("Do it"), DO, hint.mark, style="success"), *back_row().buttons))
