"""What becomes of a page that Discord refuses: the simpler forms in which it is shown, and what managers are told."""

import logging
from collections.abc import Callable
from dataclasses import dataclass
from enum import IntEnum
from typing import NamedTuple

import discord

from cogs.core.i18n.translation import N_, _, ngettext
from cogs.core.ops import discord_errors
from cogs.core.ops.timers import Clock
from cogs.core.pages.game_ui import MARKS
from cogs.core.pages.page import Block, Button, Page, Picture, Row, Text
from cogs.core.pages.player_page import REFUSED, more_button
from cogs.core.publishing.app_emoji import EmojiMarkup
from cogs.core.tables.language_choice import LanguageChoice
from cogs.core.tables.snapshot import TableSnapshot
from cogs.core.tables.table import Table
from data.background import BackgroundTasks
from data.store import StoreError
from engine.contract import Moment

log = logging.getLogger(__name__)

REMEMBERED_MS = 86_400_000
"""How long a refusal is remembered; its managers are told of the same one once in that time."""


class Form(IntEnum):
    """How much of a page is shown, from everything to one sentence."""

    FULL = 0
    TEXT = 1
    """The board as text in place of the pictures."""
    MARKS = 2
    """Also the seats' marks in place of the players' names."""
    SENTENCE = 3


SHOWN_AS = {
    Form.FULL: N_("as usual"),
    Form.TEXT: N_("without pictures"),
    Form.MARKS: N_("without names"),
    Form.SENTENCE: N_("as one sentence"),
}

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
    """Return what a private page says in one sentence, after a line that says whether anything was done."""
    return Page((Text(_(NOTHING_DONE if line.startswith(REFUSED) else NOT_SHOWN)), _ways_on()))


def _ways_on() -> Row:
    return Row((Button(_("Play"), "hand", style="primary"), more_button()))


# What managers are told


class Refusal(NamedTuple):
    """A refusal: where, Discord's code or else the status, how the table is shown now, and when."""

    channel: int
    code: int
    form: Form
    at: Moment


def why_refused(code: int) -> str:
    """Return what Discord refused with a code and what helps, for a server's managers."""
    if code in discord_errors.BLOCKED_WORDS:
        return _("AutoMod blocked a word, probably in a player's name. Exempt this channel or my role from that rule.")
    if code == discord_errors.MISSING_PERMISSIONS:
        return _("I lack a permission, probably *Attach Files*. Allow it in this channel's settings.")
    return _("Discord refused a message (code {code}).", code=code)


@dataclass
class Refusals:
    """The refusals of the last day, by server and reason. The first of each is told once in the table's channel."""

    client: discord.Client
    clock: Clock
    tasks: BackgroundTasks
    language_choice: LanguageChoice
    markup: EmojiMarkup

    def __post_init__(self) -> None:
        self._found: dict[tuple[int, int], Refusal] = {}

    def of(self, guild: int) -> list[Refusal]:
        """Return what was refused on a server lately."""
        since = self.clock.now() - REMEMBERED_MS
        self._found = {key: one for key, one in self._found.items() if one.at > since}
        return [one for (place, _code), one in self._found.items() if place == guild]

    def note(self, table: Table, error: Exception, form: Form) -> None:
        """Note that a page of a table was refused and is shown in a simpler form. Does not block."""
        row = table.snapshot.row
        if table.snapshot.practice:
            return
        code, now = discord_errors.code_of(error) or getattr(error, "status", 0), self.clock.now()
        key = row.guild, code
        before = self._found.get(key)
        self._found[key] = Refusal(row.channel, code, form, now)
        if before is None or now - before.at > REMEMBERED_MS:
            self.tasks.spawn(self._tell(table, code), f"refusal-{table.id}")

    async def _tell(self, table: Table, code: int) -> None:
        row = table.snapshot.row
        channel = self.client.get_partial_messageable(row.channel, guild_id=row.guild)
        try:
            with await self.language_choice.for_all(row.guild):
                words = _(
                    "Managers of this server: {why} Until then, tables here look simpler than usual; see `/doctor`.",
                    why=why_refused(code),
                )
            async with table.unasked_call():
                await channel.send(f"-# {words}", silent=True, allowed_mentions=discord.AllowedMentions.none())
        except (*discord_errors.API_ERRORS, StoreError) as error:
            log.warning("table %s: its managers could not be told what Discord refused: %s", table.id, error)
