"""What Discord lets people do at tables: whether presses arrive, and whether the bot can show what happens."""

import discord
from cachetools import LRUCache

from cogs.core.app.composition import TableParts
from cogs.core.app.pausing import Pausing
from cogs.core.app.shard_connections import ShardConnections
from cogs.core.cluster.gateway import ShardedBot
from cogs.core.cluster.ownership import Ownership
from cogs.core.ops import discord_errors
from cogs.core.ops.timers import Clock, backoff
from cogs.core.pages import permissions
from cogs.core.tables.playable import Obstacle
from data.store import NO_SERVER
from data.store.downtime import shard_of
from data.store.rows import Cause
from engine.contract import Moment

REMEMBERED = 10_000
"""Of how many archived threads it is remembered that they are locked."""

PROBE_CHANNEL_MS = (30_000, 900_000)
"""The first and longest wait before it is tried whether the bot may write in a channel again."""


class DiscordConditions:
    """Knows of each channel whether people can play there: presses arrive, and the bot may write there. When that
    changes, `pausing` looks at the tables.
    """

    def __init__(
        self,
        client: ShardedBot,
        ownership: Ownership,
        clock: Clock,
        tables: TableParts,
        connections: ShardConnections,
        pausing: Pausing,
    ) -> None:
        self._client = client
        self._ownership = ownership
        self._clock = clock
        self.connections = connections
        self._pausing = pausing
        self.api = tables.api
        self._channels = ownership.channels
        self._registry = tables.registry
        self._blocked: dict[int, Obstacle] = {}  # by channel
        self._told: set[int] = set()  # the channels in which Discord has told of the reason
        self._shut_threads = LRUCache[int, int](REMEMBERED)  # archived and locked ones, with their channel
        self._probing: dict[int, tuple[int, int]] = {}  # by channel: its server, and how many probes failed
        self._probe_timer = tables.scheduler.timer("probe of a channel", self._probe)
        tables.registry.playable.conditions = self
        tables.heartbeat.jobs.append(connections.note_all_heard)
        tables.api.listeners.append(lambda: pausing.update_soon(lambda guild: True, self.api.down_since is None))
        ownership.channels.changed = self._check_channel_soon

    # What keeps people from playing

    def obstacle(self, guild: int, channel: int) -> Obstacle | None:
        """Return what keeps people from playing in a channel now, if anything does."""
        if guild in self._registry.out_of_reach:
            return Obstacle("server", self._clock.now())
        if guild != NO_SERVER and (blocked := self._blocked_since(guild, channel)) is not None:
            return blocked
        if (disconnected := self.connections.obstacle(self._shard(guild))) is not None:
            return disconnected
        return None if self.api.down_since is None else Obstacle("api", self.api.down_since)

    def served_from(self, guild: int) -> Moment | None:
        """Return from when on presses on a server arrived in this run; None if they do not yet."""
        return self.connections.served_from(self._shard(guild))

    async def prove(self, guild: int) -> None:
        """Find out whether presses on a server arrive, if there was no proof lately."""
        await self.api.prove()
        await self.connections.prove(self._shard(guild))

    def _shard(self, guild: int) -> int:
        return shard_of(guild, self._client.shard_count or 1)

    # Channels

    def note_thread(self, thread: int, shut_in: int | None) -> None:
        """Note that a thread is both archived and locked, and in which channel; None if it is not. The library knows
        nothing of archived threads. Does not block.
        """
        if shut_in is None:
            self._shut_threads.pop(thread, None)
        else:
            self._shut_threads[thread] = shut_in

    def thread_found(self, thread: discord.Thread) -> None:
        """Note a thread that Discord was asked for, since the library knows no archived ones. Does not block."""
        self.note_thread(thread.id, thread.parent_id if thread.archived and thread.locked else None)
        self._pausing.check_timer.set_in(thread.guild.id, 0)

    def forget_refusals(self, guild: discord.Guild) -> None:
        """Forget where Discord has refused calls on a server that removes the bot. Does not block."""
        for place in (*guild.channels, *guild.threads):
            self._channels.refused.pop(place.id, None)

    def probe_soon(self, guild: int, channel: int) -> None:
        """Try at once whether the bot may write in a channel where Discord has refused it. Does not block."""
        if channel in self._channels.refused:
            self._probing[channel] = guild, 0
            self._probe_timer.set_in(channel, 0)

    def removed_from(self, thread: discord.Thread) -> None:
        """Note that the bot was removed from a thread: a private one is out of its sight then. Does not block."""
        if thread.is_private() and not thread.permissions_for(thread.guild.me).manage_threads:
            self._channels.shut(thread.id)

    def _check_channel_soon(self, channel: int) -> None:
        """Check the tables of a channel, in which Discord refuses calls, or no longer. Does not block."""
        for table in self._registry.present.in_channel(channel):
            self._pausing.check_timer.set_in(table.snapshot.row.guild, 0)

    def _blocked_since(self, guild: int, channel: int) -> Obstacle | None:
        cause, known = self._channel_cause(guild, channel), self._blocked.get(channel)
        if cause is None:
            self._blocked.pop(channel, None)
            return None
        if known is None or known.cause != cause:
            since = self._channels.refused.get(channel, self._clock.now()) if known is None else known.since
            known = self._blocked[channel] = Obstacle(cause, since)
        return known

    def _channel_cause(self, guild: int, channel: int) -> Cause | None:
        """Return why the bot may not write in a channel by what Discord has told of it, or else by what it refuses."""
        server = self._client.get_guild(guild)
        here = None if server is None or server.unavailable else server.get_channel_or_thread(channel)
        told = None
        if server is not None:
            told = self._cause_in_archive(server, channel) if here is None else self._told_cause(server, here)
        if told is not None or channel in self._told:
            self._channels.refused.pop(channel, None)  # what was refused is explained
        if told is not None:
            self._told.add(channel)
            return told
        self._told.discard(channel)
        if channel not in self._channels.refused:
            return None
        if server is not None and here is not None and not here.permissions_for(server.me).attach_files:
            return None  # pages without pictures can be shown
        if self._probe_timer.due(channel) is None:
            _, failed = self._probing.setdefault(channel, (guild, 0))
            self._probe_timer.set_in(channel, backoff(failed + 1, *PROBE_CHANNEL_MS))
        return "permissions"

    async def _probe(self, channel: int) -> None:
        """Find out whether the bot may write in a channel again, of which Discord may tell nothing."""
        probing = self._probing.pop(channel, None)
        if probing is None:
            return  # the timer was set again right before an earlier probe began
        guild, failed = probing
        if channel in self._channels.refused:
            try:
                async with self._ownership.unasked_call(guild, channel):
                    await self._client.http.send_typing(channel)  # allowed only where the bot may write
            except discord_errors.API_ERRORS:
                self._probing[channel] = guild, failed + 1
        self._pausing.check_timer.set_in(guild, 0)  # if open tables wait there, the next probe follows

    def _told_cause(self, server: discord.Guild, here: discord.abc.GuildChannel | discord.Thread) -> Cause | None:
        until = server.me.timed_out_until
        until_ms = 0 if until is None else round(until.timestamp() * 1_000)
        allowed = here.permissions_for(server.me)
        if until_ms > self._clock.now() and not allowed.administrator:
            self._pausing.check_timer.set(server.id, until_ms)  # Discord does not tell of its end
            return "timeout"
        if isinstance(here, discord.Thread) and here.locked and not allowed.manage_threads:
            return "locked"
        writes = all(getattr(allowed, key) for key in permissions.to_write(here))
        return None if writes or server.me.is_timed_out() else "permissions"

    def _cause_in_archive(self, server: discord.Guild, thread: int) -> Cause | None:
        parent = self._shut_threads.get(thread)
        above = None if parent is None else server.get_channel(parent)
        return None if above is None or above.permissions_for(server.me).manage_threads else "locked"
