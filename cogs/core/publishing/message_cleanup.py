"""Deletes messages of the bot that are no longer needed, such as mentions, invitations and old table messages."""

import asyncio
import logging

import discord

from cogs.core.ops import discord_errors
from cogs.core.ops.timers import backoff
from cogs.core.pages.page import Page
from cogs.core.publishing import components_v2
from cogs.core.publishing.services import PublishingServices
from cogs.core.tables.table import Table
from data.background import BackgroundTasks
from data.store import StoreError
from engine.contract import Moment

log = logging.getLogger(__name__)


RETRY_MS = (2_000, 60_000)
"""The first and longest wait before a message is deleted that could not be."""


class MessageCleanup:
    """The messages of one table that should be deleted, oldest first: `pending`.

    They are stored from the moment they are posted, so they are deleted after a restart too. What cannot be deleted for
    now is tried again when it is `due`.
    """

    def __init__(self, services: PublishingServices, table: Table) -> None:
        self.pending: list[int] = []
        self.due: Moment | None = None
        self._failed: dict[int, Page | None] = {}  # what could not be deleted for now, and its cover
        self._failures = 0  # deletions in a row that failed
        self._services = services
        self._client = services.client
        self._stored = services.store.pending_deletions
        self._database_status = services.database_status
        self._table = table
        self._lock = asyncio.Lock()
        self._tasks = BackgroundTasks()

    async def read(self) -> None:
        """Take over what was stored before a restart."""
        self.pending = await self._stored.of(self._table.id)

    async def add(self, message: int) -> None:
        """Add a message that was just posted."""
        self.pending.append(message)
        try:
            await self._stored.add(self._table.id, self._table.snapshot.row.channel, message)
        except StoreError as error:
            self._database_status.failed(error)  # it is deleted all the same, unless the bot stops before

    async def delete_all(self) -> None:
        """Delete every message, until one cannot be deleted for now."""
        async with self._lock:
            for message in tuple(self.pending):
                if message in self.pending and not await self._delete(message, None):
                    return

    def remove_soon(self, message: int, cover: Page) -> None:
        """Delete one message; if that is not allowed, let it show the `cover` instead. Does not block."""
        if message not in self.pending:
            self.pending.append(message)
        self._tasks.spawn(self._remove(message, cover), f"remove-{message}")

    def wake(self, now: Moment) -> None:
        """Try again what could not be deleted, if it is time to. Does not block."""
        if self.due is not None and self.due <= now:
            self.due = None
            for message, cover in self._failed.items():
                self._tasks.spawn(self._remove(message, cover), f"remove-{message}")

    async def settle(self) -> None:
        """Return when every deletion is done, or has failed for now."""
        await self._tasks.settle()

    async def close(self) -> None:
        """Stop deleting; the next start continues."""
        await self._tasks.close()

    async def _remove(self, message: int, cover: Page | None) -> None:
        async with self._lock:
            if message in self.pending:
                await self._delete(message, cover)

    async def _delete(self, message: int, cover: Page | None) -> bool:
        """Delete a message and forget it. Return False if it must be tried again."""
        row = self._table.snapshot.row
        if self._table.silent:
            return False
        found = self._client.get_partial_messageable(row.channel, guild_id=row.guild).get_partial_message(message)
        try:
            async with self._table.unasked_call():
                await found.delete()
        except discord_errors.API_ERRORS as error:
            if discord_errors.is_transient(error):
                self._retry(message, cover)
                return False
            if discord_errors.code_of(error) not in {discord_errors.UNKNOWN_MESSAGE, *discord_errors.PLACE_GONE}:
                log.warning("table %s: a message could not be deleted: %s", row.id, error)
                if cover is not None:
                    await self._cover(found, cover)
        self.pending.remove(message)
        self._failed.pop(message, None)
        self._failures = 0
        try:
            await self._stored.remove(message)
        except StoreError as error:
            self._database_status.failed(error)  # after the next start it is found to be gone
        return True

    def _retry(self, message: int, cover: Page | None) -> None:
        self._failed[message] = cover
        self._failures += 1
        self.due = Moment(self._services.clock.now() + backoff(self._failures, *RETRY_MS))
        self._services.schedule(self._table)

    async def _cover(self, message: discord.PartialMessage, page: Page) -> None:
        try:
            async with self._table.unasked_call():
                await message.edit(view=components_v2.Layout(page, self._table.id, 0), attachments=[])
        except discord_errors.API_ERRORS as error:
            log.warning("table %s: an old message keeps its controls: %s", self._table.id, error)
