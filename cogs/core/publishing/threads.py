"""Threads of their own for tables, where a server has them so, and the message in the channel that heads each one."""

import contextlib
import logging
from typing import Literal

import discord

from cogs.core.i18n.translation import _
from cogs.core.ops import discord_errors
from cogs.core.ops.text_format import listed
from cogs.core.pages import permissions
from cogs.core.pages.game_ui import GameUI
from cogs.core.pages.page import Block, Button, Page, RenderedPage, Row, Text
from cogs.core.publishing import components_v2
from cogs.core.publishing.forms import Form
from cogs.core.publishing.message_sync import Plan, Show, SyncedMessage, Wait
from cogs.core.publishing.services import PublishingServices
from cogs.core.tables import lobby
from cogs.core.tables.snapshot import TableSnapshot
from cogs.core.tables.table import Table
from engine.contract import Moment

log = logging.getLogger(__name__)

REST_MIN: Literal[1440] = 1440
"""Discord archives a thread after this many minutes without a message."""

NEEDED = ("create_public_threads", "send_messages_in_threads")
"""The permissions that the bot needs in a channel to give tables threads of their own."""


def header_page(ui: GameUI, table: TableSnapshot) -> Page | None:
    """Return the page that heads a table's thread; None while there is nothing to show."""
    row = table.row
    if lobby.hidden_rematch_of(row) is not None:
        return None  # the end of the game before shows it
    there = ", ".join(player.bold for player in table.seated_players)
    head = _head(ui, table)
    blocks: list[Block] = []
    if table.in_lobby:
        taken, most = len(table.seats), table.game.player_counts[-1]
        seats = _("{taken}/{most} players", taken=taken, most=most)
        blocks.append(Text(f"{head}\n{there} · {seats}"))
        blocks.append(_join(disabled=taken >= most))
    elif row.status == "playing":
        blocks.append(Text(f"{head}\n{_('Playing: {names}', names=there)}"))
    elif row.status == "over":
        ending = ui.status(table.view(None), table.info()).partition("\n")[0]
        blocks.append(Text(f"{head}\n{ending}"))
    else:
        blocks.append(Text(f"{head}\n{_('The table is closed.')} {table.notice or ''}".rstrip()))
    return Page(tuple(blocks), ui.colour)


def offer_page(ui: GameUI, table: TableSnapshot) -> Page:
    """Return the page with which a channel offers a rematch in a thread that is open to everybody. It says nothing that
    changes, since it is not kept up to date.
    """
    before = table.row.rematch_of
    again = _("Rematch of table {table}, open to everyone: no seats reserved.", table=before)
    return Page((Text(f"{_head(ui, table)}\n{again}"), _join()), ui.colour)


def _head(ui: GameUI, table: TableSnapshot) -> str:
    where = _("table {table} in {channel}", table=table.id, channel=f"<#{table.row.channel}>")
    return f"**{ui.title}** · {where}"


def _join(*, disabled: bool = False) -> Row:
    return Row((Button(_("Join"), "thread-join", style="success", disabled=disabled),))


class ThreadHeader(SyncedMessage[RenderedPage]):
    """The header of one table's thread, if the bot opened one for it.

    A thread has the number of the message that it was opened from, so nothing is stored about the header.
    """

    def __init__(self, services: PublishingServices, ui: GameUI, table: Table) -> None:
        super().__init__(services, table, "header")
        self._ui = ui
        self._shown_facts: object = None
        self._missing = False  # whether Discord has said that there is no header
        services.shown_revisions.wait_while(table.id, lambda: self.open and self._message() is not None)

    def table_changed(self, *, shown: bool = False) -> None:
        """Bring it up to date if anything changed that it shows, unless that is `shown`. Does not block."""
        table = self.table.snapshot
        facts = table.row.status, table.row.message is not None, table.seated_players
        if self._shown_facts != facts:
            self._shown_facts = facts
            if not shown:
                self.mark()

    async def post_offer(self) -> int | None:
        """Post in the channel that the lobby in the thread is open to everybody, since the header is far up by then;
        return the message. Does nothing in a place that the bot has not opened. Raises `API_ERRORS`.
        """
        header = self._message()
        if header is None:
            return None
        with await self._services.server_language(self.table):
            page = offer_page(self._ui, self.table.snapshot)
        async with self.table.unasked_call(channel=header.channel.id):
            view = components_v2.Layout(page, self.table.id, 0)
            return (await header.channel.send(view=view, silent=True)).id

    def plan(self, now: Moment) -> Plan:
        """Return what should become of the header."""
        return Show() if self.open and not self.table.silent and self._message() is not None else Wait()

    async def compose(self) -> RenderedPage | Wait:
        """Return the page."""
        table = self.table.snapshot
        with await self._services.server_language(self.table):
            page = header_page(self._ui, table if self.form is Form.FULL else table.nameless())
        return Wait() if page is None else RenderedPage(page, 0, 0)

    async def deliver(self, rendered: RenderedPage, *, new_message: bool) -> bool:
        """Edit the header."""
        message = self._message()
        if message is not None:
            async with self.table.unasked_call(channel=message.channel.id):
                await message.edit(view=components_v2.Layout(rendered.page, self.table.id, 0))
        return True

    def refused(self, error: Exception) -> None:
        """Look for no header any more if there is none."""
        self._missing |= discord_errors.code_of(error) == discord_errors.UNKNOWN_MESSAGE
        super().refused(error)

    def _message(self) -> discord.PartialMessage | None:
        row = self.table.snapshot.row
        guild, user = self.client.get_guild(row.guild), self.client.user
        thread = None if guild is None else guild.get_thread(row.channel)
        if self._missing or row.parent is None or user is None or (thread is not None and thread.owner_id != user.id):
            return None
        # The library knows no thread that is archived or was deleted: then only the call shows whether it has a header.
        channel = self.client.get_partial_messageable(row.parent, guild_id=row.guild)
        return channel.get_partial_message(row.channel)


class NoThread(Exception):
    """A table got no thread of its own; the sentence says why."""


async def create(interaction: discord.Interaction, ui: GameUI, line: str) -> discord.Thread | None:
    """Begin a thread for a table in the channel of an interaction, with the line that the channel keeps of it; None in
    a place that has no threads, such as a thread. Raises `NoThread`.
    """
    channel = interaction.channel
    if not isinstance(channel, discord.TextChannel):
        return None
    if lacking := permissions.missing(interaction.app_permissions, NEEDED):
        words = listed(lacking)
        raise NoThread(_("I can't start a thread here without {permissions}. Ask a server manager.", permissions=words))
    page = Page((Text(line),), ui.colour)
    try:
        message = await channel.send(view=components_v2.Layout(page, 0, 0), silent=True)
    except discord_errors.API_ERRORS as error:
        log.warning("a line for a thread could not be posted: %s", error)
        raise NoThread(_("Discord wouldn't let me start a thread just now.")) from error
    try:
        return await message.create_thread(name=ui.title, auto_archive_duration=REST_MIN)
    except discord_errors.API_ERRORS as error:
        log.warning("a thread could not be begun: %s", error)
        with contextlib.suppress(*discord_errors.API_ERRORS):
            await message.delete()
        raise NoThread(_("Discord wouldn't let me start a thread just now.")) from error


async def discard(thread: discord.Thread) -> None:
    """Delete a thread that will hold no table, and its header in the channel; a thread that the bot may not delete is
    archived. Raises `API_ERRORS`.
    """
    if isinstance(thread.parent, discord.TextChannel):
        with contextlib.suppress(*discord_errors.API_ERRORS):
            await thread.parent.get_partial_message(thread.id).delete()
    try:
        await thread.delete()
    except discord.Forbidden:
        await thread.edit(archived=True)
