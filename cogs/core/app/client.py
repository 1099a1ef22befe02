"""The Discord client: passes gateway events on to the tables and cogs."""

import gc
import logging
from collections.abc import Callable, Iterable, Mapping
from typing import Any

import aiohttp
import discord
import msgspec
from cachetools import LRUCache
from discord.ext import commands

from cogs.core.app.app_sync import AppSync
from cogs.core.app.cluster_events import ClusterEvents
from cogs.core.app.composition import InboundParts, PublishingParts, Resources, TableParts
from cogs.core.app.conditions import DiscordConditions
from cogs.core.app.guild_events import GuildEvents
from cogs.core.app.pausing import Pausing
from cogs.core.app.server_retention import ServerRetention
from cogs.core.app.serving import Serving
from cogs.core.app.shard_connections import ShardConnections
from cogs.core.cluster.gateway import SessionStartLimit
from cogs.core.cluster.ownership import Ownership, trace_calls
from cogs.core.i18n.translation import _, speaking
from cogs.core.inbound.command_translator import CommandTranslator
from cogs.core.inbound.command_tree import RECEIVED, CommandClient, CommandTree
from cogs.core.inbound.error_handler import NOT_SAVED
from cogs.core.ops.config import Config
from cogs.core.ops.errors import UserError
from cogs.core.ops.process_stats import LoopLag, ProcessStats
from cogs.core.ops.rest_errors import perhaps_answered
from cogs.core.ops.timers import snowflake_time
from cogs.core.publishing.responder import Responder, responder_for
from data.store import NO_SERVER, StoreError
from data.store.shards import steady_s
from engine.contract import Moment

log = logging.getLogger("cellblock")

PERMISSIONS = discord.Permissions(309237746688)
"""What the bot asks for when it is added to a server (README, 'On a real server')."""

SCOPES = ("bot", "applications.commands")

# The bot uses no voice: discord.py need not warn that its voice extras are missing.
discord.VoiceClient.warn_nacl = discord.VoiceClient.warn_dave = False


def _intents(config: Config) -> discord.Intents:
    intents = discord.Intents(guilds=True, guild_messages=True)
    intents.message_content = config.read_messages
    intents.members = config.members_intent
    return intents


class Cellblock(CommandClient):
    """The client, and the parts of the bot. `make_cogs` makes its cogs out of them."""

    def __init__(self, resources: Resources, make_cogs: Callable[["Cellblock"], Iterable[commands.Cog]]) -> None:
        config, store, clock = resources.config, resources.store, resources.clock
        trace = aiohttp.TraceConfig()
        super().__init__(
            store.shards,
            clock,
            shard_count=config.shard_count,
            max_shards=config.shards,
            steady=resources.steady,
            help_command=None,
            intents=_intents(config),
            allowed_mentions=discord.AllowedMentions.none(),
            member_cache_flags=discord.MemberCacheFlags.none(),
            chunk_guilds_at_startup=False,
            max_messages=None,
            tree_cls=CommandTree,
            http_trace=trace,
        )
        assert isinstance(self.tree, CommandTree)
        self._tree = self.tree
        self._make_cogs = make_cogs
        self.games, self.store, self.bot_workers = resources.games, store, resources.bot_workers
        self._metrics, self.lag = resources.metrics, LoopLag(steady_s)
        self.ownership = ownership = Ownership(
            clock, store.shards, store.notices, lambda: self.tables.api.retry_at is not None
        )
        self.tables = TableParts(resources, ownership, self._probe_api, self._guild_locale)
        self.language_choice = self.tables.language_choice
        self.publishing = PublishingParts(
            self, resources, self.tables, lambda channel: self.serving.close_soon(channel)
        )
        self.markup, self.answers = self.publishing.markup, self.publishing.answers
        self.received = LRUCache[int, bool](RECEIVED)
        self.inbound = InboundParts(self, resources, self.tables, self.publishing)
        self.errors = self.inbound.errors
        publisher = self.publishing.publisher
        self.pausing = Pausing(store, ownership, clock, self.tables, publisher.show_timer)
        self.connections = ShardConnections(
            self, clock, self.tables.scheduler, lambda shard, on: self.pausing.update_soon(self.servers_of(shard), on)
        )
        self.conditions = DiscordConditions(self, ownership, clock, self.tables, self.connections, self.pausing)
        self.serving = Serving(
            self, store, ownership, clock, self.tables, self.publishing, self.conditions, self.pausing
        )
        self.guild_events = GuildEvents(
            self, store, ownership, self.tables, publisher, self.conditions, self.pausing, self.serving
        )
        self.cluster_events = ClusterEvents(store, self.tables, publisher, self.serving)
        self._retention = ServerRetention(self, store, self.tables.settings, ownership, clock, self.tables.scheduler)
        self._app_sync = AppSync(
            self._tree, ownership, self.tables.scheduler, self.tables.tasks, own_emoji=config.own_emoji
        )
        trace_calls(trace, ownership, self.publishing.rest_errors)

    async def _probe_api(self) -> None:
        await self.http.request(discord.http.Route("GET", "/gateway"))

    def _guild_locale(self, number: int) -> str | None:
        guild = self.get_guild(number)
        return None if guild is None else str(guild.preferred_locale)

    async def setup_hook(self) -> None:
        """Load the cogs, start the tables, upload the commands, and prerender covers in the background."""
        self.join_cluster()
        await self.load_cogs()
        if self.language_choice.languages.several:
            await self.tree.set_translator(CommandTranslator(self.language_choice.languages))
        await self.tables.heartbeat.start()
        self._retention.start()
        self.tables.scheduler.start()  # the tables of a server continue once the gateway reports the server
        if self.ownership.shared:
            self.cluster_events.start()
            self.ownership.listen(self.cluster_events)
            self.lag.start()
        await self._app_sync.sync_commands()
        # No garbage collection may block the event loop for more than 5 ms, and a full one takes 50 to 100 ms: what is
        # loaded by now is frozen, young objects are collected often, a few at a time, and old ones hardly ever.
        gc.collect()
        gc.freeze()
        gc.set_threshold(3_000, 40, 80)
        self.tables.tasks.spawn(self._prerender(), "prerendering")

    async def load_cogs(self) -> None:
        """Add the cogs, and with them all commands to the tree."""
        await self.add_cog(self.guild_events)
        for cog in self._make_cogs(self):
            await self.add_cog(cog)

    async def _prerender(self) -> None:
        """Draw the covers, then the emoji: one thread that draws is enough beside the first clicks."""
        try:
            await self.publishing.covers.prerender()
        finally:
            self.finish_startup()
            self._app_sync.sync_emoji()

    # Shards

    def note_start_limit(self, limit: SessionStartLimit, *, enough: bool) -> None:
        """Note how many sessions may still be begun, if they are too few."""
        until = Moment(self.clock.now() + limit.for_ms)
        self.publishing.rest_errors.note_session_starts(None if enough else limit.left, until)

    async def on_shard_connect(self, shard: int) -> None:
        """Serve the tables of a shard's servers, if they are ours."""
        self.tables.tasks.spawn(self.shard_connected(shard), "going on with tables")

    async def on_shard_disconnect(self, shard: int) -> None:
        """Note that presses no longer arrive."""
        self.connections.disconnected(shard, by_discord=self.closed_by_discord(shard))

    async def on_shard_resumed(self, shard: int) -> None:
        """Note that presses arrive again."""
        await super().on_shard_resumed(shard)
        if shard in self.sessions:
            self.connections.connected(shard)

    async def serve_shard(self, shard: int) -> None:
        """Serve the tables of servers that are ours; if the first shard is now ours, upload commands and emoji."""
        servers = self.servers_of(shard)
        self.connections.connected(shard)
        await self.serving.serve({NO_SERVER, *(guild.id for guild in self.guilds)}, servers)
        if self.ownership.shared and servers(NO_SERVER):
            self._app_sync.sync_again()

    def release_shard(self, shard: int) -> None:
        """Start nothing more at the tables of servers that another process serves."""
        self.connections.forget(shard)
        self.serving.release(self.servers_of(shard))

    async def unload_shard(self, shard: int) -> None:
        """Unload everything of servers that another process serves."""
        self.connections.forget(shard)
        await self.serving.unload(self.servers_of(shard))

    def refuse_queued(self, data: Any) -> None:
        """Tell the author of an interaction that nothing was done, unless another process has answered it."""
        self.tables.tasks.spawn(self._refuse(data), f"refuse-{data['id']}")

    async def _refuse(self, data: Any) -> None:
        interaction = self.interaction_of(data)
        self._tree.track_task()
        # What they have chosen may be out of reach with the rest of the database.
        with perhaps_answered(), speaking(self.language_choice.languages.of(str(interaction.locale))):
            responder = Responder(interaction, self.markup, self.answers)
            await self.errors.refuse(responder, UserError(_(NOT_SAVED)))

    def process_stats(self) -> Mapping[str, Any]:
        """Return what the other processes are shown of this one."""
        thinking, limited = self.bot_workers.waiting, self.publishing.rest_errors.recent("limited")
        worst, waits = self.lag.worst_ms(), self.publishing.rest_errors.waits_until or 0
        stats = ProcessStats(len(self.guilds), len(self.tables.registry.awake()), thinking, worst, limited, waits)
        return msgspec.structs.asdict(stats)

    async def on_ready(self) -> None:
        """Log that we are connected, and keep the garbage collector from walking all channels and roles."""
        gc.freeze()
        log.info("ready as %s; servers: %s", self.user, len(self.guilds))

    async def on_shard_ready(self, shard: int) -> None:
        """Log how to add the bot to a server, if it is on none."""
        if self.shard_count == 1 and not self.guilds and self.application_id is not None:
            url = discord.utils.oauth_url(self.application_id, permissions=PERMISSIONS, scopes=SCOPES)
            log.info("add the bot to a server: %s", url)

    async def on_interaction(self, interaction: discord.Interaction) -> None:
        """Dispatch controls and modals; commands come in through the tree."""
        if self._metrics is not None:
            self._metrics.count_interaction(interaction)
        if interaction.type in (discord.InteractionType.component, discord.InteractionType.modal_submit):
            responder = await self._tree.receive(interaction)
            if responder is not None:
                await self.inbound.router.dispatch(responder)

    async def on_app_command_completion(self, interaction: discord.Interaction, command: object) -> None:
        """Answer a finished command that has no answer yet."""
        await responder_for(interaction).finish()

    async def on_message(self, message: discord.Message) -> None:
        """Set the clock, and count the messages of others, by which table messages scroll away."""
        self.clock.received(snowflake_time(message.id))
        if message.author != self.user:
            for table in self.tables.registry.present.in_channel(message.channel.id):
                self.publishing.publisher.of(table).message.count_chatter()

    # The end

    async def close(self) -> None:
        """Send the answers under way, store and stop everything, and close the connection."""
        if not self.is_closed():
            await self.leave_cluster()
            await self._tree.wait_until_answered()
            self.cluster_events.close()
            await self.lag.close()
            await self.stop_tables()
        await super().close()

    async def stop_tables(self) -> None:
        """Stop every clock and task. Nothing is lost: what was acknowledged is on disk."""
        await self.tables.scheduler.close()
        await self.tables.tasks.close()
        await self.tables.registry.close()
        await self.bot_workers.close()
        self.publishing.drawing.close()
        self.publishing.leisure.close()
        try:
            await self.tables.heartbeat.beat()
        except StoreError as error:
            self.tables.database_status.failed(error)
