"""A game's part of the two pages that people play on: the table message, and one person's cockpit."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from cogs.core.pages.custom_ids import ComponentPress
from cogs.core.pages.game_ui import GameUI, TableContext
from cogs.core.pages.page import Block, BoardPlaceholder, Button, Page, Picture, Row, Select, Text

MORE = Button("More …", "more")
RESTS = "~"
"""What the key of a page begins with that rests."""

BACK = Row((Button("◀ Back to the game", "hand", "back"),))
"""The way back from what stands before the game: what somebody has begun there is there again."""

ANEW = "anew"
"""What the argument of "hand" begins with where it leads back from what somebody has begun, and gives that up."""

GIVE_UP = Row((Button("◀ Back to the game", "hand", ANEW),))


Drawn = Picture | Callable[[], Picture | None] | None
"""The table's picture, or what draws it for those pages alone that show it; None: it is drawn for this page."""


@dataclass(frozen=True)
class PlayerPage:
    """One person's private page, the stamp of its controls, and the control that led to it (None: the game itself).

    `key` names what the reader must hear of: whether it is their move, and what only they may know. `still`: it shows
    what does not change with the game, and stays until they go back; its controls may belong to a step of a `lesson`.
    `rests`: it tells how the game stood, for it is not brought up to date before its reader must hear of something.
    `line`: what it tells its reader of what they did.
    """

    page: Page
    stamp: int
    look: ComponentPress | None = None
    key: str = ""
    still: bool = False
    lesson: str = ""
    rests: bool = False
    line: str = ""


def table_page(screen: GameUI, view: Any, info: TableContext, board: Picture | None = None) -> Page:
    """Return the game's part of a table message, from the public view; the table's picture is drawn unless given."""
    board = board or screen.picture(view, info)
    news = screen.news(view, info)
    blocks: list[Block | None] = [
        Text(f"### {screen.game.title}\n{screen.status(view, info)}"),
        board,
        Text(news) if news else None,
        *screen.controls(view, info),
    ]
    return Page(tuple(block for block in blocks if block is not None), screen.colour)


def seat_page(
    screen: GameUI,
    view: Any,
    info: TableContext,
    board: Drawn = None,
    look: Page | None = None,
    back: Row = BACK,
) -> Page:
    """Return the game's part of a seat's cockpit, from its own view, or another page that it has asked for, with the
    way `back` from there unless it has one.

    What happened last stands where it does at the table, below the picture and above the controls: these keep their
    place at the foot of the message, under the thumb, however many lines there are to tell.
    """
    if look is None:
        body = _with_news(screen.player_blocks(view, info), screen.news(view, info))
    else:
        body = look.blocks if _leads_back(look) else (*look.blocks, back)
    page = Page((Text(screen.status(view, info)), *body), screen.colour)
    return _with_board(page, screen, view, info, board)


def away_page(screen: GameUI, view: Any, info: TableContext, board: Drawn = None) -> Page:
    """Return the game's part of a cockpit while a computer plays for its reader, from the public view: nothing on it
    takes the seat back by a slip.
    """
    page = Page((Text(screen.status(view, info)), *_with_news((BoardPlaceholder(),), screen.news(view, info))))
    return _with_board(page, screen, view, info, board)


def _with_board(page: Page, screen: GameUI, view: Any, info: TableContext, board: Drawn) -> Page:
    """Return a page with the table's picture in its place, which is not drawn for one that has no such place."""
    if not any(isinstance(block, BoardPlaceholder) for block in page.blocks):
        return page
    return page.with_board(board() if callable(board) else board or screen.picture(view, info))


def _with_news(blocks: Sequence[Block], news: str) -> tuple[Block, ...]:
    """Return a seat's own blocks with what happened last: below the first picture, or above all where there is none."""
    if not news:
        return tuple(blocks)
    place = next((place for place, block in enumerate(blocks, 1) if isinstance(block, BoardPlaceholder | Picture)), 0)
    return (*blocks[:place], Text(news), *blocks[place:])


def with_line(blocks: Sequence[Block], line: str, *, first: bool = False) -> tuple[Block, ...]:
    """Return the blocks of a page with a line for its reader, an empty one is none. It stands above the first of the
    controls, for the top of a tall page is out of sight where its foot is pressed; `first` of all if that is asked for.
    """
    if not line:
        return tuple(blocks)
    controls = (place for place, block in enumerate(blocks) if isinstance(block, Row | Select))
    place = 0 if first else next(controls, 0)
    return (*blocks[:place], Text(line), *blocks[place:])


def _leads_back(look: Page) -> bool:
    """Say whether a page has its own way back to the game."""
    buttons = (button for block in look.blocks if isinstance(block, Row) for button in block.buttons)
    return any(isinstance(button, Button) and button.verb == "hand" for button in buttons)


def with_more(page: Page, more: Button = MORE) -> Page:
    """Return the page with the way to everything else, or another such button: in its last row if there is room."""
    blocks = list(page.blocks)
    for place in reversed(range(len(blocks))):
        row = blocks[place]
        if isinstance(row, Row):
            if len(row.buttons) < 5:
                blocks[place] = Row((*row.buttons, more))
                return Page(tuple(blocks), page.colour)
            break
    return Page((*blocks, Row((more,))), page.colour)
