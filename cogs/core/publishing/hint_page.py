"""The page of a hint: what a strong player would do in somebody's place, why, and a button that does it."""

from collections.abc import Iterator
from typing import Any

from cogs.core.ops.errors import StaleControl, UserError
from cogs.core.pages.custom_ids import ComponentPress
from cogs.core.pages.game_ui import DrawsHints, ExplainsHints, GameUI, TableContext, interpret
from cogs.core.pages.page import Block, BoardPlaceholder, Button, Page, Picture, Row, Text
from cogs.core.pages.player_page import BACK
from cogs.core.tables.bots import ADVISER, Hint
from cogs.core.tables.lobby import LEVEL_NAMES
from engine.contract import Action
from engine.turns import Ready

HINT, DO = "hint", "hint-do"
"""The verbs of the buttons that ask for a hint and follow it."""

RANKED = "Hints are for tables that are not ranked: against a computer, or in practice."

SWITCHED_OFF = "The host of this table has switched hints off."


def why_no_hints(info: TableContext) -> str:
    """Return why nobody is given hints at a table; empty where they are."""
    if info.ranked:
        return RANKED
    return SWITCHED_OFF if getattr(info.options, "hints", "on") == "off" else ""


def hint_page(ui: GameUI, view: Any, info: TableContext, hint: Hint) -> Page:
    """Return the page of a hint for the seat whose view this is. Not for the event loop: it may draw."""
    return Page((_board(ui, view, info, hint.action), *_explanation(ui, view, info, hint)), ui.colour)


def _board(ui: GameUI, view: Any, info: TableContext, action: Action | None) -> Picture | BoardPlaceholder:
    """Return the table's picture with the action on it, if the game's UI draws hints."""
    if action is None or not isinstance(ui, DrawsHints):
        return BoardPlaceholder()
    return ui.sketch(view, info, action) or BoardPlaceholder()


def _explanation(ui: GameUI, view: Any, info: TableContext, hint: Hint) -> Iterator[Block]:
    name = LEVEL_NAMES[ADVISER]
    if hint.action is None:
        yield Text(f"### What the {name} would do\nNothing at present: it would wait for the others.")
        yield BACK
        return
    if isinstance(hint.action, Ready):
        words = "There is nothing to decide in this pause. Press *Ready* when you have seen enough."
    elif isinstance(ui, ExplainsHints):
        words = ui.hint(view, info, hint.action, hint.reasons)
    else:
        words = f"**{_label(ui, view, info, hint.action)}**"
    yield Text(f"### What the {name} would do\n{words}")
    yield Row((Button("Do it", DO, hint.mark, style="success"), *BACK.buttons))


def _label(ui: GameUI, view: Any, info: TableContext, action: Action) -> str:
    """Return what an action is called on the control that does it, in a game that has no words for it."""
    for block in ui.player_blocks(view, info):
        for button in block.buttons if isinstance(block, Row) else ():
            if isinstance(button, Button) and _does(ui, view, info, button, action):
                return button.label
    return str(action.__struct_config__.tag)


def _does(ui: GameUI, view: Any, info: TableContext, button: Button, action: Action) -> bool:
    try:
        return (
            interpret(ui, view, info, ComponentPress(info.id, view.ui_version, button.verb, button.argument)) == action
        )
    except (StaleControl, UserError):
        return False
