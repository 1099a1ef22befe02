"""The Discord client: passes gateway events on to the tables and cogs."""

import gc
import logging
from collections.abc import Callable, Iterable, Mapping
from typing import Any

import aiohttp
import discord
import msgspec
from discord.ext import commands

from cogs.core.app.app_sync import AppSync
from cogs.core.app.cluster_events import ClusterEvents
from cogs.core.app.guild_events import GuildEvents
from cogs.core.cluster.cluster_client import ClusterClient
from cogs.core.cluster.gateway import SessionStartLimit
from cogs.core.cluster.ownership import trace_calls
from cogs.core.inbound.command_tree import CommandTree
from cogs.core.inbound.leaving import leave_server
from cogs.core.inbound.service import Service
from cogs.core.inbound.table_service import TableService
from cogs.core.ops.process_stats import LoopLag, ProcessStats
from cogs.core.ops.text_format import noun
from cogs.core.ops.timers import Clock, snowflake_time
from cogs.core.publishing.app_emoji import EmojiMarkup
from cogs.core.publishing.responder import responder_for
from data.store import NO_SERVER
from data.store.shards import Shards, steady_s
from engine.contract import Moment

log = logging.getLogger("cellblock")

# The bot uses no voice: discord.py need not warn that its voice extras are missing.
discord.VoiceClient.warn_nacl = discord.VoiceClient.warn_dave = False


MakeCog = Callable[[TableService, Service], commands.Cog]
"""Makes a cog for the table service."""


class Cellblock(ClusterClient):
    """The client. `tables` makes its table service, with what knows the commands and emoji."""

    def __init__(
        self,
        shards: Shards | None,
        clock: Clock,
        tables: Callable[[commands.AutoShardedBot, EmojiMarkup], TableService],
        cogs: Iterable[MakeCog],
        *,
        read_messages: bool = False,
        members_intent: bool = False,
        own_emoji: bool = True,
        shard_count: int | None = None,
        max_shards: int | None = None,
        steady: Callable[[], float] = steady_s,
    ) -> None:
        intents = discord.Intents(guilds=True, guild_messages=True)
        intents.message_content = read_messages
        intents.members = members_intent
        trace = aiohttp.TraceConfig()
        super().__init__(
            shards,
            clock,
            shard_count=shard_count,
            max_shards=max_shards,
            steady=steady,
            help_command=None,
            intents=intents,
            allowed_mentions=discord.AllowedMentions.none(),
            member_cache_flags=discord.MemberCacheFlags.none(),
            chunk_guilds_at_startup=False,
            max_messages=None,
            tree_cls=CommandTree,
            http_trace=trace,
        )
        assert isinstance(self.tree, CommandTree)
        self._tree: CommandTree = self.tree
        self.tables = tables(self, self._tree.markup)
        self.guild_events = GuildEvents(self, self.tables)
        self.cluster_events = ClusterEvents(self.tables, self.guild_events)
        self.lag = LoopLag(steady_s)
        trace_calls(trace, self.tables.ownership, self.tables.rest_errors)
        self.service = Service(self.tables)
        self._cogs = tuple(cogs)
        self._app_sync = AppSync(self._tree, self.tables, own_emoji=own_emoji)

    async def setup_hook(self) -> None:
        """Load the cogs, start the tables, upload the commands, and prerender pictures in the background."""
        self.join_cluster()
        await self.load_cogs()
        await self._start_tables()
        await self._app_sync.sync_commands()
        # No garbage collection may block the event loop for more than 5 ms, and a full one takes 50 to 100 ms: what is
        # loaded by now is frozen, young objects are collected often, a few at a time, and old ones hardly ever.
        gc.collect()
        gc.freeze()
        gc.set_threshold(3_000, 40, 80)
        self.tables.spawn(self._prerender(), "prerendering")

    async def load_cogs(self) -> None:
        """Add the cogs, and with them all commands to the tree."""
        for cog in self._cogs:
            await self.add_cog(cog(self.tables, self.service))

    async def _start_tables(self) -> None:
        """Start the table service. The tables of a server continue once the gateway reports the server."""
        await self.tables.start()
        if self.tables.ownership.shared:
            self.cluster_events.start()
            self.tables.ownership.listen(self.cluster_events)
            self.lag.start()

    async def _prerender(self) -> None:
        """Draw the first pictures, then the emoji: one thread that draws is enough beside the first clicks."""
        try:
            await self.tables.covers.prerender()
        finally:
            self.finish_startup()
            self._app_sync.sync_emoji()

    # Shards

    def note_start_limit(self, limit: SessionStartLimit, *, enough: bool) -> None:
        """Note how many sessions may still be begun, if they are too few."""
        until = Moment(self.clock.now() + limit.for_ms)
        self.tables.rest_errors.note_session_starts(None if enough else limit.left, until)

    async def on_shard_connect(self, shard: int) -> None:
        """Serve the tables of a shard's servers, if they are ours."""
        self.tables.spawn(self.shard_connected(shard), "going on with tables")

    async def serve_shard(self, shard: int) -> None:
        """Serve the tables of servers that are ours; if the first shard is now ours, upload commands and emoji."""
        servers = self.servers_of(shard)
        await self.guild_events.serve({NO_SERVER, *(guild.id for guild in self.guilds)}, servers)
        if self.tables.ownership.shared and servers(NO_SERVER):
            self._app_sync.sync_again()

    def release_shard(self, shard: int) -> None:
        """Start nothing more at the tables of servers that another process serves."""
        self.guild_events.release(self.servers_of(shard))

    async def unload_shard(self, shard: int) -> None:
        """Unload everything of servers that another process serves."""
        await self.guild_events.unload(self.servers_of(shard))

    def process_stats(self) -> Mapping[str, Any]:
        """Return what the other processes are shown of this one."""
        thinking, limited = self.tables.bot_workers.waiting, self.tables.rest_errors.recent("limited")
        worst, waits = self.lag.worst_ms(), self.tables.rest_errors.waits_until or 0
        stats = ProcessStats(len(self.guilds), len(self.tables.registry.awake()), thinking, worst, limited, waits)
        return msgspec.structs.asdict(stats)

    async def on_ready(self) -> None:
        """Log that we are connected, and keep the garbage collector from walking all channels and roles."""
        gc.freeze()
        servers = len(self.guilds)
        log.info("ready as %s on %s %s", self.user, servers, noun(servers, "server"))

    async def on_interaction(self, interaction: discord.Interaction) -> None:
        """Dispatch controls and modals; commands come in through the tree. Every interaction sets the clock."""
        if self.tables.metrics is not None:
            self.tables.metrics.count_interaction(interaction)
        self.clock.received(snowflake_time(interaction.id))
        self._tree.track_task()
        await self.service.router.dispatch(interaction)

    @property
    def serving(self) -> int:
        """How many interactions are being served."""
        return self._tree.serving

    async def on_app_command_completion(self, interaction: discord.Interaction, command: object) -> None:
        """Answer a finished command that has no answer yet."""
        await responder_for(interaction).finish()

    async def on_message(self, message: discord.Message) -> None:
        """Set the clock, and count the messages of others, by which table messages scroll away."""
        self.clock.received(snowflake_time(message.id))
        if message.author != self.user:
            self.tables.count_chatter(message.channel.id)

    async def on_guild_channel_delete(self, channel: discord.abc.GuildChannel) -> None:
        """Close the tables of a channel that is gone."""
        if self.tables.ownership.holds(channel.guild.id):
            self.tables.spawn(self.tables.close_in_channel(channel.id), "closing tables")

    async def on_raw_thread_delete(self, payload: discord.RawThreadDeleteEvent) -> None:
        """Close the tables of a thread that is gone."""
        if self.tables.ownership.holds(payload.guild_id):
            self.tables.spawn(self.tables.close_in_channel(payload.thread_id), "closing tables")

    async def on_guild_remove(self, guild: discord.Guild) -> None:
        """Pause the tables of a server that has removed the bot, or is unavailable."""
        if self.tables.ownership.holds(guild.id):
            self.tables.spawn(self.guild_events.guild_gone(guild.id), "leaving a server")

    on_guild_unavailable = on_guild_remove

    async def on_guild_join(self, guild: discord.Guild) -> None:
        """Resume the tables of a server that has added the bot again."""
        if self.tables.ownership.holds(guild.id):
            self.tables.spawn(self.guild_events.guild_back(guild), "coming back to a server")

    async def on_guild_available(self, guild: discord.Guild) -> None:
        """Resume the tables of a server that is available (again)."""
        if self.tables.ownership.holds(guild.id):
            self.tables.spawn(self.guild_events.guild_available(guild), "coming back to a server")

    async def on_guild_channel_update(self, before: object, after: discord.abc.GuildChannel) -> None:
        """Retry what was refused: permissions may have changed."""
        self.guild_events.retry_failed(after.guild.id)

    async def on_guild_role_update(self, before: discord.Role, after: discord.Role) -> None:
        """Retry what was refused in all channels of a server."""
        self.guild_events.retry_failed(after.guild.id)

    async def on_member_update(self, before: discord.Member, after: discord.Member) -> None:
        """Retry what was refused, if our own roles have changed."""
        if self.user is not None and after.id == self.user.id:
            self.guild_events.retry_failed(after.guild.id)

    async def on_raw_thread_update(self, payload: discord.RawThreadUpdateEvent) -> None:
        """Retry what was refused in a thread, which may have been unarchived."""
        self.guild_events.thread_changed(payload.guild_id, payload.thread_id)

    async def on_raw_member_remove(self, payload: discord.RawMemberRemoveEvent) -> None:
        """Let a computer play on for a person who left the server. Discord reports it only with MEMBERS_INTENT=1."""
        if self.tables.ownership.holds(payload.guild_id):
            await leave_server(self.tables, payload.user.id, payload.guild_id)

    async def close(self) -> None:
        """Send the answers under way, store and stop everything, and close the connection."""
        if not self.is_closed():
            await self.leave_cluster()
            await self._tree.wait_until_answered()
            self.cluster_events.close()
            await self.lag.close()
            await self.tables.stop()
        await super().close()
