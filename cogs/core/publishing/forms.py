"""How a page is shown if Discord refuses it: step by step without its pictures, without names, and as one sentence."""

from collections.abc import Callable
from enum import IntEnum

import discord

from cogs.core.ops import discord_errors
from cogs.core.pages.game_ui import MARKS
from cogs.core.pages.page import Block, Button, Page, Picture, Row, Text
from cogs.core.tables.snapshot import TableSnapshot


class Form(IntEnum):
    """How much of a page is shown, from everything to one sentence."""

    FULL = 0
    TEXT = 1
    """The board as text in place of the pictures."""
    MARKS = 2
    """Also the seats' marks in place of the players' names."""
    SENTENCE = 3


NOT_SHOWN = "Discord does not let me show this page. Nothing is lost, and every move that you made counts."
NOTHING_DONE = "Nothing was done, and Discord does not let me show why."

_PLAY = Row((Button("Play", "hand", style="primary"), Button("More …", "more")))

_HOPELESS = frozenset(
    {
        discord_errors.UNKNOWN_MESSAGE,
        discord_errors.OLD_MESSAGE_EDITS,
        discord_errors.MISSING_ACCESS,
        discord_errors.THREAD_ARCHIVED,
        discord_errors.THREAD_LOCKED,
        *discord_errors.EXPIRED_TOKEN,
        *discord_errors.PLACE_GONE,
        *discord_errors.CLOSED_TO_US,
    }
)
"""Refusals that have nothing to do with what a page says."""


def simpler_form(form: Form, error: Exception) -> Form | None:
    """Return the form in which a page should be tried next after a refusal; None if no other form could help."""
    if not isinstance(error, discord.HTTPException) or discord_errors.is_transient(error) or form is Form.SENTENCE:
        return None
    if error.code in _HOPELESS or error.status in (401, 404):
        return None
    if error.code in discord_errors.BLOCKED_WORDS:
        return max(Form.MARKS, Form(form + 1))
    if error.status == 403:  # pictures need a permission of their own
        return Form.TEXT if form is Form.FULL and error.code == discord_errors.MISSING_PERMISSIONS else None
    return Form(form + 1)


def without_pictures(page: Page, text: Callable[[], str] | None = None) -> Page:
    """Return a page with what `text` returns in place of its first picture, and with the descriptions of the others."""
    blocks: list[Block] = []
    for block in page.blocks:
        if isinstance(block, Picture):
            words, text = (block.alt if text is None else f"```\n{text()}\n```"), None
            block = Text(words)
        blocks.append(block)
    return Page(tuple(blocks), page.colour)


def table_sentence(table: TableSnapshot) -> Page:
    """Return what the table message says in one sentence: how the table is, without names."""
    if table.in_lobby:
        state = f"{len(table.seats)} people sit here, and the game has not begun"
    elif table.playing:
        marks = " ".join(MARKS[seat] for seat in table.view(None).to_act)
        state = f"the game goes on, and waits for {marks}" if marks else "the game goes on"
    elif table.results:
        first = " ".join(MARKS[result.seat] for result in table.results if result.place == 1)
        state = f"the game is over, and {first} won"
    else:
        state = "it is closed"
    words = f"Table {table.id}: {state}. Discord does not let me show more of it here."
    return Page((Text(words), _PLAY))


def private_sentence(line: str = "") -> Page:
    """Return what a private page says in one sentence, after a line that begins with ⚠ if nothing was done."""
    return Page((Text(NOTHING_DONE if line.startswith("⚠") else NOT_SHOWN), _PLAY))
