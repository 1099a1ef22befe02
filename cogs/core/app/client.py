"""The Discord client: passes gateway events on to the tables and cogs."""

import gc
import logging
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any

import aiohttp
import discord
import msgspec
from discord.ext import commands

from cogs.core.app.app_sync import AppSync
from cogs.core.app.cluster_events import ClusterEvents
from cogs.core.app.composition import InboundParts, PublishingParts, TableParts
from cogs.core.app.conditions import DiscordConditions, probe_api
from cogs.core.app.guild_events import GuildEvents
from cogs.core.app.server_retention import ServerRetention
from cogs.core.cluster.gateway import SessionStartLimit
from cogs.core.cluster.ownership import Ownership, trace_calls
from cogs.core.i18n.languages import Languages
from cogs.core.inbound.command_translator import CommandTranslator
from cogs.core.inbound.command_tree import CommandClient, CommandTree, received_interactions, speak_to
from cogs.core.inbound.error_handler import NOT_SAVED
from cogs.core.ops.channel_proofs import ChannelProofs
from cogs.core.ops.errors import UserError
from cogs.core.ops.process_stats import LoopLag, ProcessStats
from cogs.core.ops.rest_errors import perhaps_answered
from cogs.core.ops.text_format import noun
from cogs.core.ops.timers import Clock, snowflake_time
from cogs.core.pages.game_catalog import GameCatalog
from cogs.core.publishing.app_emoji import EmojiMarkup
from cogs.core.publishing.pending_answers import PendingAnswers
from cogs.core.publishing.responder import Responder, responder_for
from cogs.core.tables.bot_workers import BotWorkers
from data.store import NO_SERVER, Store, StoreError
from data.store.shards import steady_s
from engine.contract import Moment
from engine.players import Bots

if TYPE_CHECKING:
    from cogs.core.ops.metrics import Metrics

log = logging.getLogger("cellblock")

PERMISSIONS = discord.Permissions(309237746688)
"""What the bot asks for when it is added to a server (README, 'On a real server')."""

SCOPES = ("bot", "applications.commands")

# The bot uses no voice: discord.py need not warn that its voice extras are missing.
discord.VoiceClient.warn_nacl = discord.VoiceClient.warn_dave = False


class Cellblock(CommandClient):
    """The client, and the parts of the bot. `make_cogs` makes its cogs out of them."""

    def __init__(
        self,
        games: GameCatalog,
        players: Mapping[str, Bots],
        store: Store,
        clock: Clock,
        bot_workers: BotWorkers,
        metrics: "Metrics | None",
        languages: Languages,
        make_cogs: Callable[["Cellblock"], Iterable[commands.Cog]],
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
            store.shards,
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
        self._tree = self.tree
        self._make_cogs = make_cogs
        self.games, self.store = games, store
        self.markup, self.answers, self.received = EmojiMarkup(), PendingAnswers(), received_interactions()
        self.bot_workers, self._metrics, self.lag = bot_workers, metrics, LoopLag(steady_s)
        channels = ChannelProofs(clock)
        self.ownership = ownership = Ownership(
            clock, store.shards, store.notices, lambda: self.tables.api.retry_at is not None, channels
        )
        self.tables = TableParts(
            games,
            store,
            ownership,
            clock,
            players,
            bot_workers,
            partial(probe_api, self),
            languages,
            self._guild_locale,
        )
        self.language_choice = self.tables.language_choice
        self.publishing = PublishingParts(
            self, games, store, clock, self.markup, self.answers, metrics, self.tables, self._close_channel_soon
        )
        self.inbound = InboundParts(self, games, store, self.tables, self.publishing)
        self.errors = self.inbound.errors
        self.guild_events = GuildEvents(self, store, ownership, clock, self.tables, self.publishing)
        self.conditions = DiscordConditions(self, ownership, clock, channels, self.tables, self.guild_events)
        self.tables.registry.playable.conditions = self.conditions
        self.tables.heartbeat.jobs.append(self.conditions.note_heard)
        self.cluster_events = ClusterEvents(store, self.tables, self.publishing.publisher, self.guild_events)
        self._retention = ServerRetention(self, store, self.tables.settings, ownership, clock, self.tables.scheduler)
        self._app_sync = AppSync(self._tree, ownership, self.tables.scheduler, self.tables.tasks, own_emoji=own_emoji)
        trace_calls(trace, ownership, self.publishing.rest_errors)

    def _guild_locale(self, number: int) -> str | None:
        guild = self.get_guild(number)
        return None if guild is None else str(guild.preferred_locale)

    async def setup_hook(self) -> None:
        """Load the cogs, start the tables, upload the commands, and prerender pictures in the background."""
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
        for cog in self._make_cogs(self):
            await self.add_cog(cog)

    async def _prerender(self) -> None:
        """Draw the first pictures, then the emoji: one thread that draws is enough beside the first clicks."""
        try:
            await self.publishing.covers.prerender(self.answers)
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
        self.conditions.disconnected(shard, by_discord=self.closed_by_discord(shard))

    async def on_shard_resumed(self, shard: int) -> None:
        """Note that presses arrive again."""
        await super().on_shard_resumed(shard)
        if shard in self.sessions:
            self.conditions.connected(shard)

    async def serve_shard(self, shard: int) -> None:
        """Serve the tables of servers that are ours; if the first shard is now ours, upload commands and emoji."""
        servers = self.servers_of(shard)
        self.conditions.connected(shard)
        await self.guild_events.serve({NO_SERVER, *(guild.id for guild in self.guilds)}, servers)
        if self.ownership.shared and servers(NO_SERVER):
            self._app_sync.sync_again()

    def release_shard(self, shard: int) -> None:
        """Start nothing more at the tables of servers that another process serves."""
        self.conditions.forget(shard)
        self.guild_events.release(self.servers_of(shard))

    async def unload_shard(self, shard: int) -> None:
        """Unload everything of servers that another process serves."""
        self.conditions.forget(shard)
        await self.guild_events.unload(self.servers_of(shard))

    def refuse_queued(self, data: Any) -> None:
        """Tell the author of an interaction that nothing was done, unless another process has answered it."""
        self.tables.tasks.spawn(self._refuse(data), f"refuse-{data['id']}")

    async def _refuse(self, data: Any) -> None:
        self._tree.track_task()
        with perhaps_answered():
            responder = Responder(self.interaction_of(data), self.markup, self.answers)
            await self.errors.refuse(responder, UserError(NOT_SAVED))

    def process_stats(self) -> Mapping[str, Any]:
        """Return what the other processes are shown of this one."""
        thinking, limited = self.bot_workers.waiting, self.publishing.rest_errors.recent("limited")
        worst, waits = self.lag.worst_ms(), self.publishing.rest_errors.waits_until or 0
        stats = ProcessStats(len(self.guilds), len(self.tables.registry.awake()), thinking, worst, limited, waits)
        return msgspec.structs.asdict(stats)

    async def on_ready(self) -> None:
        """Log that we are connected, and keep the garbage collector from walking all channels and roles."""
        gc.freeze()
        servers = len(self.guilds)
        log.info("ready as %s on %s %s", self.user, servers, noun(servers, "server"))

    async def on_shard_ready(self, shard: int) -> None:
        """Log how to add the bot to a server, if it is on none."""
        if self.shard_count == 1 and not self.guilds and self.application_id is not None:
            url = discord.utils.oauth_url(self.application_id, permissions=PERMISSIONS, scopes=SCOPES)
            log.info("add the bot to a server: %s", url)

    async def on_interaction(self, interaction: discord.Interaction) -> None:
        """Dispatch controls and modals; commands come in through the tree. Every interaction sets the clock.

        One that Discord delivers again, as after a resumed session, is answered by its first delivery.
        """
        if self._metrics is not None:
            self._metrics.count_interaction(interaction)
        self.clock.received(snowflake_time(interaction.id))
        self._tree.track_task()
        pressed = interaction.type in (discord.InteractionType.component, discord.InteractionType.modal_submit)
        if pressed and interaction.id not in self.received:
            self.received[interaction.id] = True
            await speak_to(interaction)
            await self.inbound.router.dispatch(Responder(interaction, self.markup, self.answers))

    async def on_app_command_completion(self, interaction: discord.Interaction, command: object) -> None:
        """Answer a finished command that has no answer yet."""
        await responder_for(interaction).finish()

    async def on_message(self, message: discord.Message) -> None:
        """Set the clock, and count the messages of others, by which table messages scroll away."""
        self.clock.received(snowflake_time(message.id))
        if message.author != self.user:
            for table in self.tables.registry.present.in_channel(message.channel.id):
                self.publishing.publisher.of(table).message.count_chatter()

    async def on_raw_message_delete(self, payload: discord.RawMessageDeleteEvent) -> None:
        """Post the message of a running game again that somebody has deleted."""
        self._messages_deleted(payload.guild_id, payload.channel_id, {payload.message_id})

    async def on_raw_bulk_message_delete(self, payload: discord.RawBulkMessageDeleteEvent) -> None:
        """Post the messages of running games again that somebody has deleted with others."""
        self._messages_deleted(payload.guild_id, payload.channel_id, payload.message_ids)

    def _messages_deleted(self, guild: int | None, channel: int, messages: set[int]) -> None:
        if guild is not None and self.ownership.holds(guild):
            self.tables.tasks.spawn(self.guild_events.messages_deleted(channel, messages), f"deleted-in-{channel}")

    async def on_guild_channel_delete(self, channel: discord.abc.GuildChannel) -> None:
        """Close the tables of a channel that is gone."""
        if self.ownership.holds(channel.guild.id):
            self._close_channel_soon(channel.id)

    async def on_raw_thread_delete(self, payload: discord.RawThreadDeleteEvent) -> None:
        """Close the tables of a thread that is gone."""
        if self.ownership.holds(payload.guild_id):
            self._close_channel_soon(payload.thread_id)

    async def on_guild_remove(self, guild: discord.Guild) -> None:
        """Pause the tables of a server that has removed the bot, or is unavailable."""
        self.conditions.forget_refusals(guild)
        if self.ownership.holds(guild.id):
            self.tables.tasks.spawn(self.guild_events.guild_gone(guild.id), "leaving a server")

    on_guild_unavailable = on_guild_remove

    async def on_guild_join(self, guild: discord.Guild) -> None:
        """Resume the tables of a server that has added the bot again."""
        if self.ownership.holds(guild.id):
            self.tables.tasks.spawn(self.guild_events.guild_back(guild), "coming back to a server")

    async def on_guild_available(self, guild: discord.Guild) -> None:
        """Resume the tables of a server that is available (again)."""
        if self.ownership.holds(guild.id):
            self.tables.tasks.spawn(self.guild_events.guild_available(guild), "coming back to a server")

    async def on_guild_channel_update(self, before: object, after: discord.abc.GuildChannel) -> None:
        """Retry what was refused: permissions may have changed."""
        self.conditions.check_soon(after.guild.id)
        self.guild_events.retry_failed(after.guild.id)

    async def on_guild_role_update(self, before: discord.Role, after: discord.Role) -> None:
        """Retry what was refused in all channels of a server."""
        self.conditions.check_soon(after.guild.id)
        self.guild_events.retry_failed(after.guild.id)

    async def on_guild_role_delete(self, role: discord.Role) -> None:
        """Retry what was refused in all channels of a server: Discord tells nothing else of who loses the role."""
        self.conditions.check_soon(role.guild.id)
        self.guild_events.retry_failed(role.guild.id)

    async def on_guild_update(self, before: discord.Guild, after: discord.Guild) -> None:
        """Show tables in the server's new language."""
        if before.preferred_locale != after.preferred_locale:
            self.publishing.publisher.language_changed(after.id)

    async def on_member_update(self, before: discord.Member, after: discord.Member) -> None:
        """Retry what was refused, if our own roles have changed."""
        if self.user is not None and after.id == self.user.id:
            self.conditions.check_soon(after.guild.id)
            self.guild_events.retry_failed(after.guild.id)

    async def on_raw_thread_update(self, payload: discord.RawThreadUpdateEvent) -> None:
        """Retry what was refused in a thread, which may have been unarchived or unlocked."""
        state = payload.data["thread_metadata"]
        shut = state["archived"] and state.get("locked", False)
        self.conditions.note_thread(payload.thread_id, payload.parent_id if shut else None)
        self.conditions.check_soon(payload.guild_id)
        self.guild_events.thread_changed(payload.guild_id, payload.thread_id)

    async def on_thread_join(self, thread: discord.Thread) -> None:
        """Retry what was refused in a thread that has come into sight, such as a private one."""
        self.conditions.probe_soon(thread.guild.id, thread.id)
        self.guild_events.thread_changed(thread.guild.id, thread.id)

    async def on_thread_remove(self, thread: discord.Thread) -> None:
        """Check whether the bot may still write in a thread from which it was removed."""
        self.conditions.removed_from(thread)

    async def on_raw_member_remove(self, payload: discord.RawMemberRemoveEvent) -> None:
        """Replace a person who left the server with a computer. Discord reports it only with MEMBERS_INTENT=1."""
        if self.ownership.holds(payload.guild_id):
            await self.tables.leaving.leave_server(payload.user.id, payload.guild_id)

    def _close_channel_soon(self, channel: int) -> None:
        """Close the tables of a channel that no longer exists. Does not block."""
        self.tables.tasks.spawn(self.guild_events.close_in_channel(channel), f"close-tables-of-{channel}")

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
