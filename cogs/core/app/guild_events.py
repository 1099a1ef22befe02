"""Starts, pauses and closes the tables of servers and channels that come and go."""

import asyncio
import contextlib
from collections.abc import Callable, Collection
from dataclasses import dataclass, field

import discord
from discord.ext import commands

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
from engine.contract import BrokenRecord

AT_A_TIME = 250
"""How many tables' timers are set without a pause, in some two milliseconds."""


@dataclass(eq=False)
class GuildEvents(commands.Cog):
    """Starts, pauses and closes tables. `owned` returns True for the servers that are meant."""

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

    # Servers

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

    # What Discord tells

    @commands.Cog.listener("on_guild_unavailable")
    @commands.Cog.listener("on_guild_remove")
    async def guild_left(self, guild: discord.Guild) -> None:
        """Pause the tables of a server that has removed the bot, or is unavailable."""
        self.conditions.forget_refusals(guild)
        if self.ownership.holds(guild.id):
            self.tables.tasks.spawn(self._guild_gone(guild.id), "leaving a server")

    @commands.Cog.listener()
    async def on_guild_join(self, guild: discord.Guild) -> None:
        """Resume the tables of a server that has added the bot again."""
        if self.ownership.holds(guild.id):
            self.tables.tasks.spawn(self.guild_back(guild), "coming back to a server")

    @commands.Cog.listener()
    async def on_guild_available(self, guild: discord.Guild) -> None:
        """Resume the tables of a server that has become available, as each does after a start."""
        if self.ownership.holds(guild.id):
            if guild.id in self.tables.registry.out_of_reach:
                self.tables.tasks.spawn(self.guild_back(guild), "coming back to a server")
            else:
                self._check_channels(guild)

    @commands.Cog.listener()
    async def on_raw_message_delete(self, payload: discord.RawMessageDeleteEvent) -> None:
        """Post the message of a running game again that somebody has deleted."""
        self._messages_deleted(payload.guild_id, payload.channel_id, {payload.message_id})

    @commands.Cog.listener()
    async def on_raw_bulk_message_delete(self, payload: discord.RawBulkMessageDeleteEvent) -> None:
        """Post the messages of running games again that somebody has deleted with others."""
        self._messages_deleted(payload.guild_id, payload.channel_id, payload.message_ids)

    def _messages_deleted(self, guild: int | None, channel: int, messages: set[int]) -> None:
        known = channel in self.tables.registry.present.places
        if guild is not None and known and self.ownership.holds(guild):
            self.tables.tasks.spawn(self._repost_deleted(channel, messages), f"deleted-in-{channel}")

    @commands.Cog.listener()
    async def on_guild_channel_delete(self, channel: discord.abc.GuildChannel) -> None:
        """Close the tables of a channel that is gone."""
        if self.ownership.holds(channel.guild.id):
            self.close_soon(channel.id)

    @commands.Cog.listener()
    async def on_raw_thread_delete(self, payload: discord.RawThreadDeleteEvent) -> None:
        """Close the tables of a thread that is gone."""
        if self.ownership.holds(payload.guild_id):
            self.close_soon(payload.thread_id)

    @commands.Cog.listener("on_guild_role_update")
    @commands.Cog.listener("on_guild_channel_update")
    async def permissions_changed(self, before: object, after: discord.abc.GuildChannel | discord.Role) -> None:
        """Retry what was refused on a server: permissions may have changed."""
        self._retry_failed(after.guild.id)

    @commands.Cog.listener()
    async def on_guild_role_delete(self, role: discord.Role) -> None:
        """Retry what was refused on a server: Discord tells nothing else of the members who lose the role."""
        self._retry_failed(role.guild.id)

    @commands.Cog.listener()
    async def on_guild_update(self, before: discord.Guild, after: discord.Guild) -> None:
        """Show tables in the server's new language."""
        if before.preferred_locale != after.preferred_locale:
            self.publishing.publisher.language_changed(after.id)

    @commands.Cog.listener()
    async def on_member_update(self, before: discord.Member, after: discord.Member) -> None:
        """Retry what was refused, if our own roles have changed."""
        if self.client.user is not None and after.id == self.client.user.id:
            self._retry_failed(after.guild.id)

    @commands.Cog.listener()
    async def on_raw_thread_update(self, payload: discord.RawThreadUpdateEvent) -> None:
        """Retry what was refused in a thread, and update its header: it may have been unarchived or unlocked."""
        state = payload.data["thread_metadata"]
        shut = state["archived"] and state.get("locked", False)
        self.conditions.note_thread(payload.thread_id, payload.parent_id if shut else None)
        self._thread_changed(payload.guild_id, payload.thread_id)

    @commands.Cog.listener()
    async def on_thread_join(self, thread: discord.Thread) -> None:
        """Retry what was refused in a thread that has come into sight, such as a private one."""
        self.conditions.probe_soon(thread.guild.id, thread.id)
        self._thread_changed(thread.guild.id, thread.id)

    @commands.Cog.listener()
    async def on_thread_remove(self, thread: discord.Thread) -> None:
        """Check whether the bot may still write in a thread from which it was removed."""
        self.conditions.removed_from(thread)

    def _thread_changed(self, guild: int, thread: int) -> None:
        self._retry_failed(guild, thread)
        for table in self.tables.registry.present.in_channel(thread):
            self.publishing.publisher.of(table).header.mark()

    @commands.Cog.listener()
    async def on_raw_member_remove(self, payload: discord.RawMemberRemoveEvent) -> None:
        """Replace a person who left the server with a computer. Discord reports it only with MEMBERS_INTENT=1."""
        if self.ownership.holds(payload.guild_id):
            await self.tables.leaving.leave_server(payload.user.id, payload.guild_id)

    def _retry_failed(self, guild: int, channel: int | None = None) -> None:
        """Retry what Discord has refused on a server (in a channel), where something has changed."""
        self.pausing.check_timer.set_in(guild, 0)
        self.pausing.wake_soon(self.publishing.publisher.in_trouble(guild, channel))

    async def _guild_gone(self, guild: int) -> None:
        self.tables.registry.out_of_reach.add(guild)
        for row in await self.store.tables.open(guild):
            await self.pausing.pause(row.id)

    async def guild_back(self, guild: discord.Guild) -> None:
        """Resume the tables of a server that has added the bot (again); close those whose channel is gone."""
        self.tables.registry.out_of_reach.discard(guild.id)
        soon = await self._unshown(lambda place: place == guild.id) + self.publishing.publisher.in_trouble()
        rows = await self.store.tables.open(guild.id)
        self.pausing.wake_soon(dict.fromkeys([*soon, *(row.id for row in rows if row.paused_at is not None)]))
        self._channels[guild.id] = {row.channel for row in rows}
        self.tables.registry.present.places |= self._channels[guild.id]
        self._check_channels(guild)

    # Waking tables

    async def _unshown(self, where: Callable[[int], bool]) -> list[int]:
        """Return the tables of some servers that are not loaded, and whose message may not be up to date."""
        unshown = await self.store.tables.unshown()
        return [table for table, guild in unshown if where(guild) and table not in self.tables.registry.present]

    async def wake_unshown(self) -> None:
        """Load tables whose message is not up to date, since a notice was lost. Raises `StoreError`."""
        holds, away = self.ownership.holds, self.tables.registry.out_of_reach
        self.pausing.wake_soon(await self._unshown(lambda guild: holds(guild) and guild not in away))

    # Channels

    async def _repost_deleted(self, channel: int, messages: Collection[int]) -> None:
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

    def _check_channels(self, guild: discord.Guild) -> None:
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
