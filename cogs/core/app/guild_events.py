"""What Discord tells of servers, channels, threads and messages, and what follows from it for their tables."""

import contextlib
from collections.abc import Collection
from dataclasses import dataclass

import discord
from discord.ext import commands

from cogs.core.app.composition import TableParts
from cogs.core.app.conditions import DiscordConditions
from cogs.core.app.pausing import Pausing
from cogs.core.app.serving import Serving
from cogs.core.cluster.ownership import Ownership
from cogs.core.publishing.publisher import Publisher
from data.store import Store
from engine.contract import BrokenRecord


@dataclass(eq=False)
class GuildEvents(commands.Cog):
    """Passes on what concerns the tables of this process."""

    client: discord.Client
    store: Store
    ownership: Ownership
    tables: TableParts
    publisher: Publisher
    conditions: DiscordConditions
    pausing: Pausing
    serving: Serving

    @commands.Cog.listener("on_guild_unavailable")
    @commands.Cog.listener("on_guild_remove")
    async def guild_left(self, guild: discord.Guild) -> None:
        """Pause the tables of a server that has removed the bot, or is unavailable."""
        self.conditions.forget_refusals(guild)
        if self.ownership.holds(guild.id):
            self.tables.tasks.spawn(self.serving.server_gone(guild.id), "leaving a server")

    @commands.Cog.listener()
    async def on_guild_join(self, guild: discord.Guild) -> None:
        """Resume the tables of a server that has added the bot again."""
        if self.ownership.holds(guild.id):
            self.tables.tasks.spawn(self.serving.server_back(guild), "coming back to a server")

    @commands.Cog.listener()
    async def on_guild_available(self, guild: discord.Guild) -> None:
        """Resume the tables of a server that has become available, as each does after a start."""
        if self.ownership.holds(guild.id):
            if guild.id in self.tables.registry.out_of_reach:
                self.tables.tasks.spawn(self.serving.server_back(guild), "coming back to a server")
            else:
                self.serving.check_channels(guild)

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

    async def _repost_deleted(self, channel: int, messages: Collection[int]) -> None:
        """Post the messages of running games again that somebody has deleted. Raises `StoreError`."""
        for row in await self.store.tables.in_channel(channel):
            loaded = self.tables.registry.present.get(row.id)
            shown = row.message if loaded is None else self.publisher.of(loaded).message.number
            if row.status != "playing" or shown not in messages:
                continue
            with contextlib.suppress(BrokenRecord):
                table = await self.tables.registry.find(row.id)
                if table is not None and not table.silent:
                    self.publisher.of(table).message.was_deleted()

    @commands.Cog.listener()
    async def on_guild_channel_delete(self, channel: discord.abc.GuildChannel) -> None:
        """Close the tables of a channel that is gone."""
        if self.ownership.holds(channel.guild.id):
            self.serving.close_soon(channel.id)

    @commands.Cog.listener()
    async def on_raw_thread_delete(self, payload: discord.RawThreadDeleteEvent) -> None:
        """Close the tables of a thread that is gone."""
        if self.ownership.holds(payload.guild_id):
            self.serving.close_soon(payload.thread_id)

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
            self.publisher.language_changed(after.id)

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
            self.publisher.of(table).header.mark()

    @commands.Cog.listener()
    async def on_raw_member_remove(self, payload: discord.RawMemberRemoveEvent) -> None:
        """Replace a person who left the server with a computer. Discord reports it only with MEMBERS_INTENT=1."""
        if self.ownership.holds(payload.guild_id):
            await self.tables.leaving.leave_server(payload.user.id, payload.guild_id)

    def _retry_failed(self, guild: int, channel: int | None = None) -> None:
        """Retry what Discord has refused on a server (in a channel), where something has changed."""
        self.pausing.check_timer.set_in(guild, 0)
        self.pausing.wake_soon(self.publisher.in_trouble(guild, channel))
