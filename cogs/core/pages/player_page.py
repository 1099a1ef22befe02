"""A game's part of the table message and of each player's private page."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from enum import Enum, auto
from typing import Any

from cogs.core.i18n.translation import _
from cogs.core.pages import emoji_markup
from cogs.core.pages.custom_ids import ComponentPress
from cogs.core.pages.game_ui import GameUI, TableContext
from cogs.core.pages.page import Block, BoardPlaceholder, Button, Page, Picture, Row, Select, StampedPage, Text

BESIDE = 64
"""The most characters after the first line of a status that are shown beside a picture, where a line is short."""

DISCARD_DRAFT = "anew"
"""The argument of "hand" that leads back to the game and discards the draft."""

REFUSED, TAKEN = "⚠", "✓"
"""The prefixes of lines that say why nothing was done, and what was."""

BoardSource = Picture | Callable[[], Picture | None] | None
"""The table's picture, or what draws it for a page that shows it; None: it is drawn for this page."""


class PageKind(Enum):
    """Where a player's page is shown."""

    ANSWER = auto()  # as the answer to a press or a command in the channel
    BESIDE = auto()  # in the channel, after a press on the table message above it: a line comes first of all
    MESSAGE = auto()  # as a direct message, under a heading that names the table, on which its reader plays
    RESTING = auto()  # as one that is not updated before its reader must be told something: it has no clock then


DIRECT = frozenset({PageKind.MESSAGE, PageKind.RESTING})
"""The direct messages."""


@dataclass(frozen=True)
class PlayerPage(StampedPage):
    """A player's private page."""

    look: ComponentPress | None = None  # the control that opened it; None: the game itself
    key: str = ""  # names what the reader must be told: whether it is their move, and what only they may know
    still: bool = False  # it does not change with the game, and stays until they go back
    lesson: str = ""  # the lesson and step to which its controls belong
    rests: bool = False  # it shows an earlier state, and is not updated before its reader must be told something
    line: str = ""  # a sentence about what they just did
    tells: bool = False  # whether it tells what they have newly achieved


def more_button() -> Button:
    """Return the button to everything else."""
    return Button(_("More …"), "more")


def go_on_button() -> Button:
    """Return the button that brings a page up to date that rests."""
    return Button(_("Go on"), "hand", style="primary")


def back_row(argument: str = "back") -> Row:
    """Return the way back to the game, where a draft is shown again, or discarded with `DISCARD_DRAFT`."""
    return Row((Button(_("◀ Back to the game"), "hand", argument),))


def table_page(ui: GameUI, view: Any, info: TableContext, board: Picture | None = None) -> Page:
    """Return the game's part of a table message, from the public view; the table's picture is drawn unless given."""
    board = board or ui.picture(view, info)
    news = ui.news(view, info)
    blocks: list[Block | None] = [
        *_head(ui, view, info, f"### {ui.title}"),
        board,
        Text(news) if news else None,
        *ui.controls(view, info),
    ]
    return Page(tuple(block for block in blocks if block is not None), ui.colour)


def seat_page(
    ui: GameUI,
    view: Any,
    info: TableContext,
    board: BoardSource = None,
    opened: Page | None = None,
    back: Row | None = None,
    head: Text | None = None,
) -> Page:
    """Return the game's part of a player's page, from their own view, or the page `opened` that they opened, with the
    way `back` unless it has its own. The controls keep their place at the bottom of the message. A `head`, as a lesson
    has it, says all that matters: the game's status and news are left out.
    """
    heads: tuple[Text, ...]
    if opened is not None:
        heads = (head or Text(ui.status(view, info)),)
        body = opened.blocks if _leads_back(opened) else (*opened.blocks, back or back_row())
    elif head is not None:
        heads, body = (head,), tuple(ui.player_blocks(view, info))
    else:
        heads, body = _head(ui, view, info), _with_news(ui.player_blocks(view, info), ui.news(view, info))
    page = Page((*heads, *body), ui.colour)
    return _with_board(page, ui, view, info, board)


def away_page(ui: GameUI, view: Any, info: TableContext, board: BoardSource = None) -> Page:
    """Return the game's part of a player's page while a computer plays for them, from the public view: no control
    takes the seat back by mistake.
    """
    page = Page((*_head(ui, view, info), *_with_news((BoardPlaceholder(),), ui.news(view, info))))
    return _with_board(page, ui, view, info, board)


def _head(ui: GameUI, view: Any, info: TableContext, title: str = "") -> tuple[Text, ...]:
    """Return the status, under the headline of a great moment that has just been, below the `title`. What is long
    in a status is below the picture of the moment, where a phone has longer lines.
    """
    highlight, status = ui.highlight(view, info), ui.status(view, info)
    if highlight is None:
        return (Text("\n".join(filter(None, (title, status)))),)
    first, _break, more = status.partition("\n")
    if highlight.picture is None or len(emoji_markup.strip(more).replace("*", "")) <= BESIDE:
        return (highlight.above(status, title),)
    return highlight.above(first, title), Text(more)


def _with_board(page: Page, ui: GameUI, view: Any, info: TableContext, board: BoardSource) -> Page:
    """Return a page with the table's picture in its place; it is drawn only for a page that has one."""
    if not any(isinstance(block, BoardPlaceholder) for block in page.blocks):
        return page
    return page.with_board(board() if callable(board) else board or ui.picture(view, info))


def _with_news(blocks: Iterable[Block], news: str) -> tuple[Block, ...]:
    """Return a seat's own blocks with the news below the first picture, or above all."""
    blocks = tuple(blocks)
    if not news:
        return blocks
    place = next((place for place, block in enumerate(blocks, 1) if isinstance(block, BoardPlaceholder | Picture)), 0)
    return (*blocks[:place], Text(news), *blocks[place:])


def with_line(blocks: Sequence[Block], line: str, *, first: bool = False) -> tuple[Block, ...]:
    """Return the blocks of a page with a line, unless it is empty: above the first controls, where it is in sight, or
    `first` of all.
    """
    if not line:
        return tuple(blocks)
    controls = (place for place, block in enumerate(blocks) if isinstance(block, Row | Select))
    place = 0 if first else next(controls, 0)
    return (*blocks[:place], Text(line), *blocks[place:])


def _leads_back(page: Page) -> bool:
    """Return True if a page has its own way back to the game."""
    buttons = (button for block in page.blocks if isinstance(block, Row) for button in block.buttons)
    return any(isinstance(button, Button) and button.verb == "hand" for button in buttons)


def with_more(page: Page, more: Button | None = None) -> Page:
    """Return the page with the button to everything else, or another one: in its last row if there is space."""
    more, blocks = more or more_button(), list(page.blocks)
    for place in reversed(range(len(blocks))):
        row = blocks[place]
        if isinstance(row, Row):
            if len(row.buttons) < 5:
                blocks[place] = Row((*row.buttons, more))
                return Page(tuple(blocks), page.colour)
            break
    return Page((*blocks, Row((more,))), page.colour)
