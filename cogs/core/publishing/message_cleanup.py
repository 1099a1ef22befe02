"""Leftovers: lines of ours in a table's channel that are to go, such as mentions, invitations and old table messages.

They are on record from the moment they stand, so that they go after a restart too. What cannot be deleted for the
moment is tried again with the next that goes.
"""

import asyncio
import logging

import discord

from cogs.core.ops import discord_errors
from cogs.core.ops.database_status import DatabaseStatus
from cogs.core.pages.page import Page
from cogs.core.publishing import components_v2
from cogs.core.tables.table import Table
from data.background import BackgroundTasks
from data.store import Store, StoreError

log = logging.getLogger(__name__)


class Leftovers:
    """The lines of one table. `standing`: the messages in which they stand, oldest first."""

    def __init__(self, client: discord.Client, store: Store, table: Table, health: DatabaseStatus) -> None:
        self._client = client
        self._store = store
        self._table = table
        self._health = health
        self.standing: list[int] = []
        self._lock = asyncio.Lock()
        self._tasks = BackgroundTasks()

    async def read(self) -> None:
        """Take over the lines that stand in the channel from before a restart."""
        self.standing = await self._store.pending_deletions.of(self._table.id)

    async def add(self, message: int) -> None:
        """Take note of a line that stands now."""
        self.standing.append(message)
        try:
            await self._store.pending_deletions.add(self._table.id, self._table.snapshot.row.channel, message)
        except StoreError as error:
            self._health.failed(error)  # it goes all the same, unless the bot stops before

    async def sweep(self) -> None:
        """Delete every line that stands."""
        async with self._lock:
            for message in tuple(self.standing):
                if message in self.standing and not await self._delete(message, None):
                    return

    def remove_soon(self, message: int, instead: Page) -> None:
        """Delete one message; where that is not allowed, leave this page of it. Returns at once."""
        if message not in self.standing:
            self.standing.append(message)
        self._tasks.spawn(self._remove(message, instead), f"remove-{message}")

    async def settle(self) -> None:
        """Return when what was to be removed is gone, or has failed for now."""
        await self._tasks.settle()

    async def close(self) -> None:
        """Stop removing; the next start goes on with it."""
        await self._tasks.close()

    async def _remove(self, message: int, instead: Page) -> None:
        async with self._lock:
            if message in self.standing:
                await self._delete(message, instead)

    async def _delete(self, message: int, instead: Page | None) -> bool:
        """Delete a message and forget it. Return False if that is to be tried again."""
        row = self._table.snapshot.row
        if self._table.silent:
            return False
        found = self._client.get_partial_messageable(row.channel, guild_id=row.guild).get_partial_message(message)
        try:
            with self._table.unbidden():
                await found.delete()
        except discord_errors.API_ERRORS as error:
            if discord_errors.is_transient(error):
                return False
            if discord_errors.code_of(error) not in {discord_errors.UNKNOWN_MESSAGE, *discord_errors.PLACE_GONE}:
                log.warning("table %s: a line could not be deleted: %s", row.id, error)
                if instead is not None:
                    await self._cover(found, instead)
        self.standing.remove(message)
        try:
            await self._store.pending_deletions.remove(message)
        except StoreError as error:
            self._health.failed(error)  # after the next start it is found gone
        return True

    async def _cover(self, message: discord.PartialMessage, page: Page) -> None:
        try:
            with self._table.unbidden():
                await message.edit(view=components_v2.Layout(page, self._table.id, 0), attachments=[])
        except discord_errors.API_ERRORS as error:
            log.warning("table %s: an old message keeps its controls: %s", self._table.id, error)
