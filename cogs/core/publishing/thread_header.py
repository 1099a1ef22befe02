"""The line that a channel keeps of a table in a thread of its own: where it is, who sits there, how it ended.

The thread was begun with that line, so the two have one number, and nothing else needs to be kept. Nothing here holds
a table's lock or is awaited before a click is acknowledged.
"""

import logging

import discord

from cogs.core.ops import discord_errors
from cogs.core.ops.spans import span
from cogs.core.ops.timers import RETRY_AT_MOST_MS, RETRY_FROM_MS, backoff
from cogs.core.ops.worker import Worker
from cogs.core.pages.game_ui import GameUI
from cogs.core.pages.page import Block, Button, Page, Row, Text
from cogs.core.publishing import components_v2
from cogs.core.publishing.services import PublishingServices
from cogs.core.tables.snapshot import TableSnapshot
from cogs.core.tables.table import Table

log = logging.getLogger(__name__)

NEEDED = {
    "create_public_threads": "Create Public Threads",
    "send_messages_in_threads": "Send Messages in Threads",
}
"""What the bot must be allowed to do in a channel to give tables threads of their own."""


def line_page(screen: GameUI, table: TableSnapshot) -> Page | None:
    """Return the line of a table; None while there is nothing to say of it."""
    row = table.row
    if table.in_lobby and row.rematch_of is not None and row.message is None:
        return None  # the end of the game before tells of it
    there = ", ".join(sitter.bold for sitter in table.sitters)
    head = f"**{table.game.title}** · table {table.id} in <#{row.channel}>"
    blocks: list[Block] = []
    if table.in_lobby:
        blocks.append(Text(f"{head}\n{there} · {len(table.seats)} of {span(table.game.player_counts)} players"))
        full = len(table.seats) >= table.game.player_counts[-1]
        blocks.append(Row((Button("Join", "thread-join", style="success", disabled=full),)))
    elif row.status == "playing":
        blocks.append(Text(f"{head}\n{there} play."))
    elif row.status == "over":
        ending = screen.status(table.view(None), table.info()).partition("\n")[0]
        blocks.append(Text(f"{head}\n{ending}"))
    else:
        blocks.append(Text(f"{head}\nIt is closed. {table.notice or ''}".rstrip()))
    return Page(tuple(blocks), screen.colour)


class ChannelLine(Worker):
    """The line of one table; nothing where it stands in a channel, or in somebody else's thread."""

    def __init__(self, services: PublishingServices, screen: GameUI, table: Table) -> None:
        super().__init__(f"line-{table.id}")
        self._client = services.client
        self._clock = services.clock
        self._scheduler = services.scheduler
        self._screen = screen
        self._table = table
        self._shows = ""
        self._failures = 0  # edits in a row that did not get through

    def changed(self) -> None:
        """Say that something may have changed of which the line tells. Returns at once."""
        if not self._table.silent and self._place() is not None:
            self._begin()

    def _place(self) -> discord.PartialMessage | None:
        row = self._table.snapshot.row
        guild, user = self._client.get_guild(row.guild), self._client.user
        thread = None if guild is None else guild.get_thread(row.channel)
        if thread is None or user is None or thread.owner_id != user.id:
            return None
        channel = self._client.get_partial_messageable(thread.parent_id, guild_id=row.guild)
        return channel.get_partial_message(row.channel)

    async def _work(self) -> None:
        """Bring the line up to date, until it is."""
        while (place := self._place()) is not None:
            page = line_page(self._screen, self._table.snapshot)
            if page is None or page.digest() == self._shows:
                return
            try:
                with self._table.unbidden():
                    await place.edit(view=components_v2.Layout(page, self._table.id, 0))
            except discord_errors.API_ERRORS as error:
                log.warning("table %s: its line in the channel could not be updated: %s", self._table.id, error)
                if discord_errors.is_transient(error):
                    self._later()
                return
            self._shows, self._failures = page.digest(), 0

    def _later(self) -> None:
        """Try again what may work in a moment, ever more rarely."""
        self._failures += 1
        due = self._clock.now() + backoff(self._failures, RETRY_FROM_MS, RETRY_AT_MOST_MS)
        self._scheduler.set(self._table.id, "line", due)
