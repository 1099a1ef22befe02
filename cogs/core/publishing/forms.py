"""How a page is shown if Discord refuses it: step by step without its pictures, without names, and as one sentence."""

from collections.abc import Callable
from enum import IntEnum

import discord

from cogs.core.i18n.translation import N_, _, ngettext
from cogs.core.ops import discord_errors
from cogs.core.pages.game_ui import MARKS
from cogs.core.pages.page import Block, Button, Page, Picture, Row, Text
from cogs.core.pages.player_page import more_button
from cogs.core.tables.snapshot import TableSnapshot


class Form(IntEnum):
    """How much of a page is shown, from everything to one sentence."""

    FULL = 0
    TEXT = 1
    """The board as text in place of the pictures."""
    MARKS = 2
    """Also the seats' marks in place of the players' names."""
    SENTENCE = 3


NOT_SHOWN = N_("Discord won't let me show this page. Nothing is lost, and all your moves went through.")
NOTHING_DONE = N_("Nothing happened, and Discord won't let me show why.")

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
    """Return a page with what `text` returns in place of its first picture, with the descriptions of the others, and
    without thumbnails.
    """
    blocks: list[Block] = []
    for block in page.blocks:
        if isinstance(block, Picture):
            words, text = (block.alt if text is None else f"```\n{text()}\n```"), None
            block = Text(words)
        elif isinstance(block, Text):
            block = Text(block.body)
        blocks.append(block)
    return Page(tuple(blocks), page.colour)


def table_sentence(table: TableSnapshot) -> Page:
    """Return what the table message says in one sentence: how the table is, without names."""
    if table.in_lobby:
        state = ngettext(
            "Table {table}: {n} player is here, and the game hasn't started.",
            "Table {table}: {n} players are here, and the game hasn't started.",
            len(table.seats),
            table=table.id,
        )
    elif table.playing:
        marks = " ".join(MARKS[seat] for seat in table.view(None).to_act)
        # Translators: {seats} are signs such as ● and ◆.
        waiting = _("Table {table}: the game is running and waits for {seats}.", table=table.id, seats=marks)
        state = waiting if marks else _("Table {table}: the game is running.", table=table.id)
    elif table.results:
        first = " ".join(MARKS[result.seat] for result in table.results if result.place == 1)
        state = _("Table {table}: the game is over, and {seats} won.", table=table.id, seats=first)
    else:
        state = _("Table {table} is closed.", table=table.id)
    rest = _("Discord won't let me show more of it here.")
    return Page((Text(f"{state} {rest}"), _ways_on()))


def private_sentence(line: str = "") -> Page:
    """Return what a private page says in one sentence, after a line that begins with ⚠ if nothing was done."""
    return Page((Text(_(NOTHING_DONE if line.startswith("⚠") else NOT_SHOWN)), _ways_on()))


def _ways_on() -> Row:
    return Row((Button(_("Play"), "hand", style="primary"), more_button()))
