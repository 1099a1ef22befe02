"""Serves the tables of servers that this process gains and loses, and of those that add and remove the bot."""

import asyncio
import contextlib
from collections.abc import Callable, Collection
from dataclasses import dataclass, field

import discord

from cogs.core.app.composition import PublishingParts, TableParts
from cogs.core.app.conditions import DiscordConditions
from cogs.core.app.pausing import Pausing
from cogs.core.cluster.ownership import Ownership
from cogs.core.i18n.translation import _
from cogs.core.ops import discord_errors
from cogs.core.ops.timers import Clock
from cogs.core.tables import changes
from cogs.core.tables.table import Table
from data.store import Store, StoreError

AT_A_TIME = 250
"""How many tables' timers are set without a pause, in some two milliseconds."""


@dataclass(eq=False)
class Serving:
    """Starts, pauses, unloads and closes tables. `owned` returns True for the servers that are meant."""

    client: discord.Client
    store: Store
    ownership: Ownership
    clock: Clock
    tables: TableParts
    publishing: PublishingParts
    conditions: DiscordConditions
    pausing: Pausing
    _handed_over: list[Table] = field(default_factory=list, init=False)  # another process owns them; we still answer
    _channels: dict[int, set[int]] = field(default_factory=dict, init=False)  # by server, those not checked yet

    # Servers that this process gains and loses

    async def serve(self, present: Collection[int], owned: Callable[[int], bool]) -> None:
        """Set the clocks of the open tables of `owned` servers, and pause those of servers that are not `present`.
        Tables that a computer or a clock drives, or whose message may not be up to date, are loaded soon, others when
        needed.
        """
        out_of_reach = self.tables.registry.out_of_reach
        out_of_reach.difference_update([guild for guild in out_of_reach if owned(guild)])
        soon = await self._unshown(lambda guild: owned(guild) and guild in present)
        soon += self.publishing.publisher.in_trouble()
        for number, row in enumerate(await self.store.tables.open(), 1):
            if number % AT_A_TIME == 0:
                await asyncio.sleep(0)  # clicks are handled in between
            if not owned(row.guild):
                continue
            if row.guild not in present:
                out_of_reach.add(row.guild)
                await self.pausing.pause(row.id)
                continue
            self._channels.setdefault(row.guild, set()).add(row.channel)
            self.tables.registry.present.places.add(row.channel)
            if row.due is not None and row.paused_at is None and row.id not in self.tables.registry.present:
                lost_ms = self.tables.registry.playable.lost_ms(row)
                self.tables.clocks.deadline_timer.set(row.id, row.due + lost_ms)
            driven = row.status == "playing" and not row.asleep and (row.computers or row.due is not None)
            if driven or row.paused_at is not None:
                soon.append(row.id)
        soon = list(dict.fromkeys(soon))
        for first in range(0, len(soon), AT_A_TIME):
            self.pausing.wake_soon(soon[first : first + AT_A_TIME], first)
            await asyncio.sleep(0)
        for number in tuple(self._channels):
            guild = self.client.get_guild(number)
            if guild is not None and not guild.unavailable:  # the others report when they are available
                self.check_channels(guild)

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

    # Servers that remove and add the bot

    async def server_gone(self, guild: int) -> None:
        """Pause the tables of a server that has removed the bot, or is unavailable. Raises `StoreError`."""
        self.tables.registry.out_of_reach.add(guild)
        for row in await self.store.tables.open(guild):
            await self.pausing.pause(row.id)

    async def server_back(self, guild: discord.Guild) -> None:
        """Resume the tables of a server that has added the bot (again); close those whose channel is gone."""
        self.tables.registry.out_of_reach.discard(guild.id)
        soon = await self._unshown(lambda place: place == guild.id) + self.publishing.publisher.in_trouble()
        rows = await self.store.tables.open(guild.id)
        self.pausing.wake_soon(dict.fromkeys([*soon, *(row.id for row in rows if row.paused_at is not None)]))
        self._channels[guild.id] = {row.channel for row in rows}
        self.tables.registry.present.places |= self._channels[guild.id]
        self.check_channels(guild)

    async def _unshown(self, where: Callable[[int], bool]) -> list[int]:
        """Return the tables of some servers that are not loaded, and whose message may not be up to date."""
        unshown = await self.store.tables.unshown()
        return [table for table, guild in unshown if where(guild) and table not in self.tables.registry.present]

    async def wake_unshown(self) -> None:
        """Load tables whose message is not up to date, since a notice was lost. Raises `StoreError`."""
        holds, away = self.ownership.holds, self.tables.registry.out_of_reach
        self.pausing.wake_soon(await self._unshown(lambda guild: holds(guild) and guild not in away))

    # Channels that are gone

    def close_soon(self, channel: int) -> None:
        """Close the tables of a channel that no longer exists. Does not block."""
        self.tables.tasks.spawn(self._close_in_channel(channel), f"close-tables-of-{channel}")

    async def _close_in_channel(self, channel: int) -> None:
        """Close the tables of a channel that was deleted, also in its threads: nobody can play them any more."""
        for row in await self.store.tables.below(channel):
            table = await self.tables.registry.find(row.id)
            if table is not None:
                await table.act(changes.close, lambda: _("Its channel was deleted."), self.clock.now())
                self.publishing.publisher.of(table).message.give_up()

    def check_channels(self, guild: discord.Guild) -> None:
        """Check once whether the channels of a server's open tables exist."""
        for channel in self._channels.pop(guild.id, ()):
            if self.conditions.obstacle(guild.id, channel) is not None:
                self.pausing.check_timer.set_in(guild.id, 0)
            if guild.get_channel_or_thread(channel) is None:
                self.tables.tasks.spawn(self._check_channel(channel), f"look-for-{channel}")

    async def _check_channel(self, channel: int) -> None:
        """Ask Discord whether a channel exists that the server does not list: a thread may only be archived."""
        try:
            found = await self.client.fetch_channel(channel)
        except discord_errors.API_ERRORS as error:
            if discord_errors.code_of(error) in discord_errors.PLACE_GONE:
                await self._close_in_channel(channel)
        else:
            if isinstance(found, discord.Thread):
                self.conditions.thread_found(found)
