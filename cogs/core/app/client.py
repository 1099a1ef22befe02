"""The client: what it hears of Discord, and which room of the house is told of it."""

import gc
import logging
from collections.abc import Callable, Collection, Iterable, Mapping
from datetime import UTC, datetime
from typing import Any, cast

import aiohttp
import discord
import msgspec
from discord.ext import commands

from cogs.core.app.app_sync import AppSync
from cogs.core.app.cluster_events import ClusterEvents
from cogs.core.app.gateway_filter import FilteredState
from cogs.core.app.guild_events import GuildEvents
from cogs.core.app.http_trace import trace_calls
from cogs.core.app.prerender import warm
from cogs.core.app.rate_limit import RateLimiter, paced
from cogs.core.cluster.gateway import SessionStartLimit, ShardedBot
from cogs.core.cluster.shard_leases import Keeper
from cogs.core.inbound.command_tree import CommandTree
from cogs.core.inbound.leaving import leave_server
from cogs.core.inbound.service import Service
from cogs.core.inbound.table_service import TableService
from cogs.core.ops.errors import ConfigurationError
from cogs.core.ops.process_stats import LoopLag, ProcessStats
from cogs.core.ops.text_format import noun
from cogs.core.ops.timers import snowflake_time
from cogs.core.publishing.responder import reply_to
from data.store import NO_SERVER, StoreError
from data.store.downtime import shard_of
from data.store.shards import steady_s
from engine.contract import Moment

log = logging.getLogger("cellblock")

# Nobody speaks here: the library need not warn that its voice extras are missing.
discord.VoiceClient.warn_nacl = discord.VoiceClient.warn_dave = False


MakeCog = Callable[[TableService, Service], commands.Cog]
"""A cog's class: what it serves is given to it."""


STARTS_LEFT = 20
"""With fewer of the day's starts of sessions left beyond those that it needs, a process does not start: one more than
there are costs the bot its token, and every connection that breaks may need one.
"""

ASKED_AGAIN_S = 1.0
"""After so long the database is asked anew for a slot to identify in."""


class Cellblock(ShardedBot):
    """The client, and all that it hears of Discord. What it serves is given to it: the tables, made for it by
    `tables`, and the cogs.
    """

    def __init__(
        self,
        tables: Callable[[commands.AutoShardedBot], TableService],
        cogs: Iterable[MakeCog],
        *,
        read_messages: bool = False,
        members_intent: bool = False,
        own_emoji: bool = True,
        shard_count: int | None = None,
        room: int | None = None,
        steady: Callable[[], float] = steady_s,
    ) -> None:
        intents = discord.Intents(guilds=True, guild_messages=True)
        intents.message_content = read_messages
        intents.members = members_intent
        trace = aiohttp.TraceConfig()
        super().__init__(
            help_command=None,
            intents=intents,
            allowed_mentions=discord.AllowedMentions.none(),
            member_cache_flags=discord.MemberCacheFlags.none(),
            chunk_guilds_at_startup=False,
            max_messages=None,
            tree_cls=CommandTree,
            http_trace=trace,
        )
        self._tree = cast(CommandTree, self.tree)
        self.tables = tables(self)
        self.answers = self.tables.answers
        self.guild_events = GuildEvents(self, self.tables)
        self.cluster_events = ClusterEvents(self.tables, self.guild_events)
        self.lag = LoopLag(steady_s)
        trace_calls(trace, self.tables.traffic)
        self.clock = self.tables.clock
        self._listed: set[int] = set()  # the shards of whose servers we know in which channels tables are open
        self.service = Service(self.tables)
        self._cogs = tuple(cogs)
        self._uploads = AppSync(self, self.tables, own_emoji=own_emoji)
        self._wanted_count, self._room = shard_count, room
        self.leases = self.tables.store.shards
        paced(self, RateLimiter(self.clock, self.tables.ownership))
        self.keeper = Keeper(self, self.leases, self.clock.now, steady, room)

    async def setup_hook(self) -> None:
        """Load the cogs, open the house, tell Discord our commands, and let the first pictures be drawn meanwhile."""
        self.keeper.start()
        await self.load_cogs()
        await self._start_tables()
        await self._uploads.commands()
        # No collection may block the event loop for more than 5 ms: what was loaded by now is not walked again (a full
        # walk takes 50 to 100 ms), young objects are walked often, a few at a time, and old ones hardly ever.
        gc.collect()
        gc.freeze()
        gc.set_threshold(3_000, 40, 80)
        self.tables.spawn(self._warm(), "warming")

    async def load_cogs(self) -> None:
        """Add the cogs, and with them all commands to the tree."""
        for cog in self._cogs:
            await self.add_cog(cog(self.tables, self.service))

    async def _start_tables(self) -> None:
        """Begin to serve tables. Those of a server go on once it is heard that we are on it."""
        await self.tables.start()
        if self.leases.shared:
            self.tables.jobs.do("compare", self.cluster_events.compare)
            self.tables.ownership.listen(self.cluster_events)
            self.lag.start()

    async def _warm(self) -> None:
        """Draw the first pictures; from then on nobody notices if we serve what another process did. After them come
        the emoji, for which nobody waits: one thread that draws is enough beside the first clicks.
        """
        try:
            await warm(self.tables)
        finally:
            self.keeper.warmed()
            self._uploads.emoji()

    # Shards

    async def choose_shards(self, starts: SessionStartLimit) -> tuple[int, Collection[int] | None]:
        """Return how many shards there are, and all of them where nobody else plays; else they come as leases do.
        Raises `ConfigurationError` if few starts are left today, or a `StoreError`.
        """
        shards = self.leases
        others = {one.shards for one in shards.processes.values() if one.shards and not one.stopping}
        count = self._wanted_count or max(others, default=0) or starts.shards
        needed = count if self._room is None else min(self._room, count)
        if starts.left < needed + STARTS_LEFT:
            until = datetime.fromtimestamp((self.clock.now() + starts.for_ms) / 1_000, UTC)
            raise ConfigurationError(
                f"Discord lets this bot begin {starts.left} more sessions until {until:%H:%M} UTC, and one too many "
                f"resets its token: this process needs {needed} and leaves {STARTS_LEFT}, so start it again after that."
            )
        await self.keeper.begin(count)
        return count, None if shards.shared else range(count)

    async def identify_slot(self, number: int) -> int:
        """Take a slot for an identify among all processes; return 0, or for how many milliseconds to wait."""
        try:
            return await self.leases.slot(number)
        except StoreError as error:
            log.warning("no slot for an identify can be had: %s", error)
            return int(ASKED_AGAIN_S * 1_000)

    def hear_of_starts(self, starts: SessionStartLimit, *, enough: bool) -> None:
        """Take note of how many sessions may be begun yet, where that keeps us from beginning one."""
        until = Moment(self.clock.now() + starts.for_ms)
        self.tables.traffic.starts_left(None if enough else starts.left, until)

    async def on_shard_connect(self, shard: int) -> None:
        """Go on with the tables of a shard's servers, if they are ours."""
        work = self.keeper.ready(shard) if self.leases.shared else self.begin_with(shard)
        self.tables.spawn(work, "going on with tables")

    async def begin_with(self, shard: int) -> None:
        """Go on with the tables of a shard's servers."""
        shards = self.shard_count or 1
        present = {NO_SERVER, *(guild.id for guild in self.guilds)}
        await self.guild_events.connected(present, lambda guild: shard_of(guild, shards) == shard)
        self._listed.add(shard)
        if self.leases.shared and shard == 0:
            self._uploads.again()

    def set_aside(self, shard: int) -> None:
        """Do nothing more by ourselves about a shard's servers, which another process serves."""
        shards = self.shard_count or 1
        self.guild_events.set_aside(lambda guild: shard_of(guild, shards) == shard)

    async def end_with(self, shard: int) -> None:
        """Let go of everything of a shard's servers: another process serves them."""
        shards = self.shard_count or 1
        self._listed.discard(shard)
        await self.guild_events.let_go(lambda guild: shard_of(guild, shards) == shard)

    def serve(self, data: Any) -> None:
        """Serve an interaction that was kept until it was ours."""
        self._state.serve(data)

    def figures(self) -> Mapping[str, Any]:
        """Return what the other processes are to see of us."""
        thinking, limited = self.tables.thinkers.waiting, self.tables.traffic.lately("limited")
        worst, waits = self.lag.worst_ms(), self.tables.traffic.waits_until or 0
        told = ProcessStats(len(self.guilds), len(self.tables.registry.awake()), thinking, worst, limited, waits)
        return msgspec.structs.asdict(told)

    def _admits(self, data: Any) -> bool:
        return self.keeper.admits(int(data.get("guild_id") or NO_SERVER), snowflake_time(int(data["id"])), data)

    async def hand_over(self) -> None:
        """Let other processes have our shards, as far as they have room, before we close."""
        await self.keeper.drain()

    def _get_state(self, **options: Any) -> FilteredState:
        """Return what the library makes of events with."""
        state = FilteredState(
            dispatch=self.dispatch, handlers=self._handlers, hooks=self._hooks, http=self.http, **options
        )
        state.wants, state.admits = self._wants, self._admits
        self._state = state
        return state

    def _wants(self, data: Any) -> bool:
        """Say whether a message can matter here, as it came in: others' on a server, where tables are or may be. It
        sets the clock, as anybody's does.
        """
        self.clock.received(snowflake_time(int(data["id"])))
        guild = int(data.get("guild_id", 0))
        if not guild or (self.user is not None and data["author"]["id"] == str(self.user.id)):
            return False
        listed = shard_of(guild, self.shard_count or 1) in self._listed
        return int(data["channel_id"]) in self.tables.registry.channels or not listed

    async def on_ready(self) -> None:
        """Log that we are connected, and keep the collector from walking the channels and roles of all servers."""
        gc.freeze()
        servers = len(self.guilds)
        log.info("ready as %s on %s %s", self.user, servers, noun(servers, "server"))

    async def on_interaction(self, interaction: discord.Interaction) -> None:
        """Serve controls and forms; commands come in by the tree. Each of whatever kind sets the clock."""
        if self.tables.figures is not None:
            self.tables.figures.received(interaction)
        self.clock.received(snowflake_time(interaction.id))
        self._tree.serves()
        await self.service.router.dispatch(interaction)

    async def on_app_command_completion(self, interaction: discord.Interaction, command: object) -> None:
        """Make sure that a command which came to its end has told something."""
        await reply_to(interaction).end()

    async def on_message(self, message: discord.Message) -> None:
        """Take note that table messages scroll away. The text is not looked at here. `_wants` has let it in."""
        self.tables.heard(message.channel.id)

    async def on_guild_channel_delete(self, channel: discord.abc.GuildChannel) -> None:
        """Close the tables of a channel that is gone."""
        if self.tables.ownership.holds(channel.guild.id):
            self.tables.spawn(self.tables.close_in_channel(channel.id), "closing tables")

    async def on_raw_thread_delete(self, payload: discord.RawThreadDeleteEvent) -> None:
        """Close the tables of a thread that is gone."""
        if self.tables.ownership.holds(payload.guild_id):
            self.tables.spawn(self.tables.close_in_channel(payload.thread_id), "closing tables")

    async def on_guild_remove(self, guild: discord.Guild) -> None:
        """Let the tables of a server stand still that has thrown us out."""
        if self.tables.ownership.holds(guild.id):
            self.tables.spawn(self.guild_events.guild_gone(guild.id), "leaving a server")

    async def on_guild_unavailable(self, guild: discord.Guild) -> None:
        """The same for a server that Discord cannot reach for a while: nobody there can play."""
        if self.tables.ownership.holds(guild.id):
            self.tables.spawn(self.guild_events.guild_gone(guild.id), "leaving a server")

    async def on_guild_join(self, guild: discord.Guild) -> None:
        """Go on with the tables of a server that has let us in again."""
        if self.tables.ownership.holds(guild.id):
            self.tables.spawn(self.guild_events.guild_back(guild), "coming back to a server")

    async def on_guild_available(self, guild: discord.Guild) -> None:
        """The same for a server that is there (again)."""
        if self.tables.ownership.holds(guild.id):
            self.tables.spawn(self.guild_events.guild_available(guild), "coming back to a server")

    async def on_guild_channel_update(self, before: object, after: discord.abc.GuildChannel) -> None:
        """Try again what was refused: permissions may have changed."""
        self.guild_events.look_again(after.guild.id)

    async def on_guild_role_update(self, before: discord.Role, after: discord.Role) -> None:
        """The same, for all channels of a server."""
        self.guild_events.look_again(after.guild.id)

    async def on_member_update(self, before: discord.Member, after: discord.Member) -> None:
        """The same, where our own roles have changed."""
        if self.user is not None and after.id == self.user.id:
            self.guild_events.look_again(after.guild.id)

    async def on_raw_thread_update(self, payload: discord.RawThreadUpdateEvent) -> None:
        """The same, where a thread may have been taken out of the archive."""
        self.guild_events.thread_changed(payload.guild_id, payload.thread_id)

    async def on_raw_member_remove(self, payload: discord.RawMemberRemoveEvent) -> None:
        """Let a computer play on for somebody who left the server. Discord tells only with MEMBERS_INTENT=1."""
        if self.tables.ownership.holds(payload.guild_id):
            await leave_server(self.tables, payload.user.id, payload.guild_id)

    async def close(self) -> None:
        """Put everything down before the connection goes, once those have their answers who are being served."""
        if not self.is_closed():
            await self.keeper.close()
            self._state.stopping = True
            await self._tree.served()
            self.cluster_events.close()
            await self.lag.close()
            await self.tables.stop()
        await super().close()
