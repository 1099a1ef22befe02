"""Deletes old messages of the bot: lines that mention somebody, and what another message has replaced."""

import logging
from collections.abc import Iterable

from cogs.core.ops import discord_errors
from cogs.core.ops.timers import backoff
from cogs.core.pages.page import Page, Text
from cogs.core.publishing import components_v2, message_links
from cogs.core.publishing.services import PublishingServices
from cogs.core.tables.table import Table
from data.background import BackgroundTasks
from data.store import PendingDeletion, StoreError
from engine.contract import Moment

log = logging.getLogger(__name__)

RETRY_MS = (2_000, 60_000)
"""The first and longest wait before a message is deleted that could not be."""


class MessageCleanup:
    """The old messages of one table, by number: `pending`.

    They are stored, so they are deleted after a restart too. What cannot be deleted for now is tried again when it is
    `due`.
    """

    def __init__(self, services: PublishingServices, table: Table) -> None:
        self.pending: dict[int, PendingDeletion] = {}
        self.due: Moment | None = None
        self._wanted: list[int] = []  # those that should be deleted now, in this order
        self._failures = 0  # deletions in a row that failed
        self._services = services
        self._stored = services.store.pending_deletions
        self._table = table
        self._tasks = BackgroundTasks()

    async def read(self) -> None:
        """Take over what was stored before a restart. Lines wait until their turn has passed."""
        row = self._table.snapshot.row
        in_use = {row.message, *(seat.dm_message for seat in self._table.snapshot.seats)}
        for one in await self._stored.of(row.id):
            if one.message in in_use:  # it was never replaced: the bot stopped before
                await self._forget(one.message)
                continue
            self.pending[one.message] = one
            if one.showed_table or one.channel != row.channel:
                self._wanted.append(one.message)

    def note(self, message: int, channel: int | None = None, *, showed_table: bool = False) -> None:
        """Note a message (of the table's channel) that is stored, or will be if it cannot be deleted at once."""
        channel = channel or self._table.snapshot.row.channel
        self.pending[message] = PendingDeletion(message, channel, showed_table)

    async def add(self, message: int, channel: int | None = None) -> None:
        """Note and store a message (of the table's channel) that is deleted later."""
        self.note(message, channel)
        await self._store(self.pending[message])

    def delete(self, messages: Iterable[int] = ()) -> None:
        """Delete these messages, and those that could not be deleted before. If one is not allowed to be deleted that
        showed the table, it says where the table goes on. Does not block.
        """
        self._wanted += [message for message in messages if message in self.pending and message not in self._wanted]
        if self._wanted and not self._table.silent and not self._tasks.running:
            self._tasks.spawn(self._run(), f"delete-messages-{self._table.id}")

    def wake(self, now: Moment) -> None:
        """Try again what could not be deleted, if it is time to. Does not block."""
        if self.due is not None and self.due <= now:
            self.due = None
            self.delete()

    async def settle(self) -> None:
        """Return when every deletion is done, or has failed for now."""
        await self._tasks.settle()

    async def close(self) -> None:
        """Stop deleting; the next start continues."""
        await self._tasks.close()

    async def _run(self) -> None:
        while self._wanted and not self._table.silent:
            message = self._wanted.pop(0)
            one = self.pending.get(message)
            if one is None:
                continue  # it was wanted again while it was deleted
            try:
                await self._delete(one)
            except discord_errors.API_ERRORS as error:
                log.warning("table %s: a message could not be deleted: %s", self._table.id, error)
                archived = discord_errors.code_of(error) == discord_errors.THREAD_ARCHIVED
                if archived or discord_errors.is_transient(error):
                    self._wanted.append(message)
                    if not archived:  # else with the next change, which takes the thread out of the archive
                        self._failures += 1
                        self.due = Moment(self._services.clock.now() + backoff(self._failures, *RETRY_MS))
                        self._services.schedule(self._table, self.due)
                    if one.showed_table:  # one of another kind is stored already, or its reader's data was deleted
                        await self._store(one)
                    return
            self._failures = 0
            del self.pending[message]
            await self._forget(message)

    async def _delete(self, one: PendingDeletion) -> None:
        """Delete a message, or let it say where the table goes on. Raises `API_ERRORS`."""
        row = self._table.snapshot.row
        channel = self._services.client.get_partial_messageable(one.channel, guild_id=row.guild)
        message = channel.get_partial_message(one.message)
        try:
            async with self._table.unasked_call(channel=one.channel, proves=False):
                await message.delete()
        except discord_errors.API_ERRORS as error:
            if discord_errors.code_of(error) in {discord_errors.UNKNOWN_MESSAGE, *discord_errors.PLACE_GONE}:
                return
            if discord_errors.is_transient(error) or not one.showed_table:
                raise
            log.warning("table %s: an old message could not be deleted: %s", row.id, error)
            with await self._services.server_language(self._table):
                cover = Page((Text(message_links.further_down(row, row.message)),))
            async with self._table.unasked_call(channel=one.channel):
                await message.edit(view=components_v2.Layout(cover, row.id, 0), attachments=[])

    async def _store(self, one: PendingDeletion) -> None:
        try:
            await self._stored.add(self._table.id, one)
        except StoreError as error:
            self._services.database_status.failed(error)  # it is deleted all the same, unless the bot stops before

    async def _forget(self, message: int) -> None:
        try:
            await self._stored.remove(message)
        except StoreError as error:
            self._services.database_status.failed(error)  # after the next start it is found to be gone
