"""Starts, pauses and closes the tables of servers and channels that come and go."""

import asyncio
import contextlib
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass, field

import discord
import msgspec

from cogs.core.app.composition import PublishingParts, TableParts
from cogs.core.cluster.ownership import Ownership
from cogs.core.i18n.translation import _
from cogs.core.ops import discord_errors
from cogs.core.ops.timers import Clock
from cogs.core.tables import changes
from cogs.core.tables.table import Table
from data.store import Store, StoreError, TableChange
from data.store.rows import Cause
from engine.contract import BrokenRecord, Moment

WAKE_EVERY_MS = 50
"""How far apart tables are loaded after a start: time for clicks is left, and Discord's limit is not reached."""

AT_A_TIME = 250
"""How many tables' timers are set without a pause, in some two milliseconds."""


@dataclass(eq=False)
class GuildEvents:
    """Starts, pauses and closes tables. `owned` returns True for the servers that are meant. `thread_found` is called
    with threads that Discord was asked for, since the library knows no archived ones.
    """

    client: discord.Client
    store: Store
    ownership: Ownership
    clock: Clock
    tables: TableParts
    publishing: PublishingParts
    thread_found: Callable[[discord.Thread], None] = field(default=lambda thread: None, init=False)
    _handed_over: list[Table] = field(default_factory=list, init=False)  # another process owns them; we still answer
    _channels: dict[int, set[int]] = field(default_factory=dict, init=False)  # by server, those not checked yet

    # Servers

    async def serve(self, present: Collection[int], owned: Callable[[int], bool]) -> None:
        """Set the clocks of the open tables of `owned` servers, and pause those of servers that are not `present`.
        Tables that a computer or a clock drives, or whose message may not be up to date, are loaded soon, others when
        needed.
        """
        out_of_reach = self.tables.registry.out_of_reach
        out_of_reach.difference_update([guild for guild in out_of_reach if owned(guild)])
        soon = await self._unshown(lambda guild: owned(guild) and guild in present)
        for number, row in enumerate(await self.store.tables.open(), 1):
            if number % AT_A_TIME == 0:
                await asyncio.sleep(0)  # clicks are handled in between
            if not owned(row.guild):
                continue
            if row.guild not in present:
                out_of_reach.add(row.guild)
                await self._pause(row.id)
                continue
            self._channels.setdefault(row.guild, set()).add(row.channel)
            if row.due is not None and row.paused_at is None and row.id not in self.tables.registry.present:
                lost_ms = self.tables.registry.playable.lost_ms(row)
                self.tables.clocks.deadline_timer.set(row.id, row.due + lost_ms)
            driven = row.status == "playing" and not row.asleep and (row.computers or row.due is not None)
            if driven or row.paused_at is not None:
                soon.append(row.id)
        soon = list(dict.fromkeys(soon))
        for first in range(0, len(soon), AT_A_TIME):
            self.wake_soon(soon[first : first + AT_A_TIME], first)
            await asyncio.sleep(0)
        for number in tuple(self._channels):
            guild = self.client.get_guild(number)
            if guild is not None and not guild.unavailable:  # the others report when they are available
                self._check_channels(guild)

    def release(self, owned: Callable[[int], bool]) -> None:
        """Start nothing more at the tables of servers that another process owns now. Answers under way are finished."""
        for table in self.tables.registry.awake():
            if owned(table.snapshot.row.guild):
                table.elsewhere = True
                self.tables.registry.present.take(table.id)
                self.tables.registry.clear_timers(table.id)
                self._handed_over.append(table)
                self.tables.tasks.spawn(self.tables.drafts.store(table), f"drafts-{table.id}")

    async def unload(self, owned: Callable[[int], bool]) -> None:
        """Unload everything of servers that another process owns now, without telling anybody."""
        await self.tables.registry.loaded()
        self.release(owned)
        leaving = [table for table in self._handed_over if owned(table.snapshot.row.guild)]
        self._handed_over = [table for table in self._handed_over if table not in leaving]
        for table in leaving:
            await self.tables.registry.stop_serving(table)
            self.publishing.shown_revisions.forget(table.id)
        out_of_reach = self.tables.registry.out_of_reach
        out_of_reach.difference_update([guild for guild in out_of_reach if owned(guild)])
        for guild in [guild for guild in self._channels if owned(guild)]:
            del self._channels[guild]
        with contextlib.suppress(StoreError):  # a timer that is left does nothing
            for row in await self.store.tables.open():
                if owned(row.guild):
                    self.tables.registry.clear_timers(row.id)

    async def guild_gone(self, guild: int) -> None:
        """Pause the tables of a server that has removed the bot, or is unavailable."""
        self.tables.registry.out_of_reach.add(guild)
        for row in await self.store.tables.open(guild):
            await self._pause(row.id)

    async def _pause(self, number: int) -> None:
        """Stop a table's clocks and unload it."""
        await self.tables.registry.loaded(number)
        table = self.tables.registry.present.take(number)
        self.tables.registry.clear_timers(number)
        row = await self.store.tables.get(number) if table is None else table.snapshot.row
        if row is None or (row.paused_at is not None and row.paused_by in (None, "server") and table is None):
            return
        # The clocks were not extended by this downtime yet.
        since = row.paused_at or Moment(self.clock.now() - self.tables.registry.playable.lost_ms(row))
        if table is not None:
            # Also for what still refers to it.
            table.assume(msgspec.structs.replace(row, paused_at=since, paused_by="server"))
            await self.tables.registry.stop_serving(table)
        try:
            await self.store.tables.update(number, TableChange(paused_at=since, paused_by="server"))
        except StoreError as error:
            self.tables.database_status.failed(error)  # it is paused anyway, until the next start

    async def guild_back(self, guild: discord.Guild) -> None:
        """Resume the tables of a server that has added the bot (again); close those whose channel is gone."""
        self.tables.registry.out_of_reach.discard(guild.id)
        soon = await self._unshown(lambda place: place == guild.id)
        rows = await self.store.tables.open(guild.id)
        self.wake_soon(dict.fromkeys([*soon, *(row.id for row in rows if row.paused_at is not None)]))
        self._channels[guild.id] = {row.channel for row in rows}
        self._check_channels(guild)

    async def guild_available(self, guild: discord.Guild) -> None:
        """Resume the tables of a server that has become available, as each does after a start."""
        if guild.id in self.tables.registry.out_of_reach:
            await self.guild_back(guild)
        else:
            self._check_channels(guild)

    # Tables that cannot be played

    async def pause_tables(self, where: Callable[[int], bool]) -> None:
        """Stop the clocks of the open tables of some servers that cannot be played, also of those not in memory. Raises
        `StoreError`.
        """
        registry = self.tables.registry
        for table in registry.awake():
            if where(table.snapshot.row.guild):
                await registry.playable.update(table)
        since = dict[Cause, dict[int, Moment]]()
        for row in await self.store.tables.open():
            obstacle = registry.playable.obstacle(row)
            waits = row.due is not None and row.paused_at is None and row.id not in registry.present
            if obstacle is not None and waits and where(row.guild) and self.ownership.holds(row.guild):
                at = Moment(obstacle.since - registry.playable.lost_ms(row))
                since.setdefault(obstacle.cause, {})[row.id] = at
        for cause, tables in since.items():
            await self.store.tables.pause(tables, cause)

    async def check_tables(self, guild: int) -> None:
        """Pause the tables of a server in whose channel the bot may not write, and let others go on. Raises
        `StoreError`.
        """
        registry = self.tables.registry
        for row in await self.store.tables.open(guild) if self.ownership.holds(guild) else ():
            table, stops = registry.present.get(row.id), registry.playable.obstacle(row) is not None
            if table is None and stops != (row.paused_at is not None):
                with contextlib.suppress(BrokenRecord):
                    await registry.find(row.id)
            elif table is not None:
                await registry.playable.update(table)

    async def resume_tables(self, where: Callable[[int], bool]) -> None:
        """Resume the paused tables of some servers that can be played again. Raises `StoreError`."""
        registry = self.tables.registry
        for table in registry.awake():
            if where(table.snapshot.row.guild):
                await registry.playable.update(table)
        rows = [row for row in await self.store.tables.open() if row.paused_at is not None and where(row.guild)]
        self.wake_soon(row.id for row in rows if self.ownership.holds(row.guild) and row.id not in registry.present)

    # Waking tables

    async def _unshown(self, where: Callable[[int], bool]) -> list[int]:
        """Return the tables of some servers whose message may not be up to date, and loaded ones that wait to retry."""
        unshown = await self.store.tables.unshown()
        found = [table for table, guild in unshown if where(guild) and table not in self.tables.registry.present]
        return found + self.publishing.publisher.in_trouble()

    async def wake_unshown(self) -> None:
        """Load tables whose message is not up to date, since a notice was lost. Raises `StoreError`."""
        holds, away = self.ownership.holds, self.tables.registry.out_of_reach
        unshown = await self.store.tables.unshown()
        asleep = (table for table, guild in unshown if holds(guild) and guild not in away)
        self.wake_soon([table for table in asleep if table not in self.tables.registry.present])

    def wake_soon(self, tables: Iterable[int], first: int = 0) -> None:
        """Load these tables soon, one after the other, behind `first` others."""
        for number, table in enumerate(tables, first):
            self.publishing.publisher.show_timer.set_in(table, number * WAKE_EVERY_MS)

    def retry_failed(self, guild: int, channel: int | None = None) -> None:
        """Retry what Discord has refused on a server (in a channel), where something has changed."""
        self.wake_soon(self.publishing.publisher.in_trouble(guild, channel))

    def thread_changed(self, guild: int, thread: int) -> None:
        """Retry what was refused in a thread, and update its header: it may have been unarchived."""
        self.retry_failed(guild, thread)
        for table in self.tables.registry.present.in_channel(thread):
            self.publishing.publisher.of(table).header.mark()

    # Channels

    async def messages_deleted(self, channel: int, messages: Collection[int]) -> None:
        """Post the messages of running games again that somebody has deleted. Raises `StoreError`."""
        for row in await self.store.tables.in_channel(channel):
            loaded = self.tables.registry.present.get(row.id)
            shown = row.message if loaded is None else self.publishing.publisher.of(loaded).message.number
            if row.status != "playing" or shown not in messages:
                continue
            with contextlib.suppress(BrokenRecord):
                table = await self.tables.registry.find(row.id)
                if table is not None and not table.silent:
                    self.publishing.publisher.of(table).message.was_deleted()

    async def close_in_channel(self, channel: int) -> None:
        """Close the tables of a channel that was deleted, also in its threads: nobody can play them any more."""
        for row in await self.store.tables.below(channel):
            table = await self.tables.registry.find(row.id)
            if table is not None:
                await table.act(changes.close, lambda: _("Its channel was deleted."), self.clock.now())
                self.publishing.publisher.of(table).message.give_up()

    def _check_channels(self, guild: discord.Guild) -> None:
        """Check once whether the channels of a server's open tables exist."""
        for channel in self._channels.pop(guild.id, ()):
            if self.tables.registry.playable.obstacle_in(guild.id, channel) is not None:
                self.tables.tasks.spawn(self.check_tables(guild.id), f"check-{guild.id}")
            if guild.get_channel_or_thread(channel) is None:
                self.tables.tasks.spawn(self._check_channel(channel), f"look-for-{channel}")

    async def _check_channel(self, channel: int) -> None:
        """Ask Discord whether a channel exists that the server does not list: a thread may only be archived."""
        try:
            found = await self.client.fetch_channel(channel)
        except discord_errors.API_ERRORS as error:
            if discord_errors.code_of(error) in discord_errors.PLACE_GONE:
                await self.close_in_channel(channel)
        else:
            if isinstance(found, discord.Thread):
                self.thread_found(found)
