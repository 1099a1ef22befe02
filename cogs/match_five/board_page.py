"""The pages about the board that everybody may open: a part of it to move over the whole, and the stacks in words."""

import re

from cogs.core.i18n.translation import _
from cogs.core.pages.game_ui import TableContext
from cogs.core.pages.page import Block, Button, Picture, Row, Text
from cogs.match_five import alt_text, picture, text_view
from cogs.match_five.layout import Window, moved_window, reach_of
from engine.games.match_five import MatchFiveView

_CORNER = re.compile(r"(-?[0-9]{1,7})/(-?[0-9]{1,7})")


def sheet_button() -> Button:
    """Return the button of the score sheet."""
    return Button(_("Score sheet"), "sheet")


def look_button() -> Button:
    """Return the button of the board's other parts."""
    return Button(_("Look around"), "look")


def look_blocks(view: MatchFiveView, info: TableContext, argument: str) -> list[Block]:
    """Return a part of the board, with buttons that move over the whole."""
    names, spots = info.distinct_names, {(one.x, one.y) for one in view.stones}
    found = _CORNER.match(argument)
    frame = picture.table_window(view)
    if found is not None:
        frame = moved_window(frame, spots, int(found[1]), int(found[2]))
    data = picture.draw(view, names, frame=frame)
    board = Picture(data, "part.png", alt_text.alt(view, names))
    return [board, _arrows(frame, reach_of(spots, frame)), Row((Button(_("Stacks"), "stacks"), sheet_button()))]


def _arrows(frame: Window, reach: tuple[range, range]) -> Row:
    """Return the buttons that move by half of the part shown."""
    across, up = frame.columns // 2, frame.rows // 2
    ways = (("◀", -across, 0), ("▲", 0, up), ("▼", 0, -up), ("▶", across, 0))
    buttons = []
    for sign, dx, dy in ways:
        left = min(max(frame.left + dx, reach[0][0]), reach[0][-1])
        bottom = min(max(frame.bottom + dy, reach[1][0]), reach[1][-1])
        still = (left, bottom) == (frame.left, frame.bottom)
        buttons.append(Button(sign, "look", f"{left}/{bottom}.{sign}", disabled=still))
    return Row(tuple(buttons))


def stacks_text(view: MatchFiveView) -> Text:
    """Return every stack in words."""
    lines = list(text_view.stack_lines(view))
    how = _("-# Each from the bottom up, starting on level 1.") if lines else _("-# There are none yet.")
    return Text("\n".join([_("### Stacks"), how, *lines]))
