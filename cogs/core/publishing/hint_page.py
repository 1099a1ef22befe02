"""The page of a hint: what a strong player would do, why, and a button that does it."""

from collections.abc import Iterator
from typing import Any

from cogs.core.pages.game_ui import GameUI, TableContext
from cogs.core.pages.page import Block, BoardPlaceholder, Button, Page, Row, Text
from cogs.core.pages.player_page import BACK
from cogs.core.tables.bots import ADVISER, Hint
from cogs.core.tables.lobby import LEVEL_NAMES
from engine.turns import Ready

HINT, DO = "hint", "hint-do"
"""The verbs of the buttons that ask for a hint and follow it."""

RANKED = "Hints are for tables that are not ranked: against a computer, or in practice."

SWITCHED_OFF = "The host of this table has switched hints off."


def why_no_hints(info: TableContext) -> str:
    """Return why there are no hints at a table; empty if there are."""
    if info.ranked:
        return RANKED
    return SWITCHED_OFF if getattr(info.options, "hints", "on") == "off" else ""


def hint_page(ui: GameUI, view: Any, info: TableContext, hint: Hint) -> Page:
    """Return the page of a hint for the seat whose view this is. It may draw: not for the event loop."""
    board = None if hint.action is None else ui.sketch(view, info, hint.action)
    return Page((board or BoardPlaceholder(), *_explanation(ui, view, info, hint)), ui.colour)


def _explanation(ui: GameUI, view: Any, info: TableContext, hint: Hint) -> Iterator[Block]:
    name = LEVEL_NAMES[ADVISER]
    if hint.action is None:
        yield Text(f"### What the {name} would do\nNothing at present: it would wait for the others.")
        yield BACK
        return
    if isinstance(hint.action, Ready):
        words = "There is nothing to decide in this pause. Press *Ready* when you have seen enough."
    else:
        words = ui.hint(view, info, hint.action, hint.reasons)
    yield Text(f"### What the {name} would do\n{words}")
    yield Row((Button("Do it", DO, hint.mark, style="success"), *BACK.buttons))
