"""What Discord lets people do at tables: whether presses arrive, and whether the bot can show what happens."""

import contextlib
import logging
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

import discord
from cachetools import LRUCache

from cogs.core.app.composition import TableParts
from cogs.core.cluster.gateway import ShardedBot
from cogs.core.cluster.ownership import Ownership
from cogs.core.ops import discord_errors
from cogs.core.ops.timers import Clock, Timer, backoff
from cogs.core.tables.playable import Obstacle
from data.store import NO_SERVER, Store
from data.store.downtime import shard_of
from data.store.rows import Cause
from engine.contract import BrokenRecord, Moment

log = logging.getLogger(__name__)

GRACE_MS = 3_000
"""A connection that is resumed within this time has lost no press: Discord sends them again, and waits as long for an
answer.
"""

FRESH_S = 5.0
"""Before a clock runs out, something must have come in within this time, or Discord is asked for a sign of life."""

PING_WITHIN_S = 3.0

REMEMBERED = 10_000
"""Of how many archived threads it is remembered that they are locked."""

PROBE_CHANNEL_MS = (30_000, 900_000)
"""The first and longest wait before it is tried whether the bot may write in a channel again."""

LOOK_MS = 1_000
"""How often lost connections are looked at."""

WAKE_EVERY_MS = 50
"""How far apart tables are loaded after a start: time for clicks is left, and Discord's limit is not reached."""


@dataclass
class Lost:
    """A connection that was lost: the last moment at which something came in, and when that was noticed. `open`: it is
    not closed, but nothing comes in. `told`: whether tables were paused for it.
    """

    since: Moment
    noticed: Moment
    open: bool
    told: bool = False


async def probe_api(client: discord.Client) -> None:
    """Make a harmless call. Raises `API_ERRORS`."""
    await client.http.request(discord.http.Route("GET", "/gateway"))


class DiscordConditions:
    """Knows of each shard whether presses arrive, and of each channel whether the bot may write there. It pauses the
    tables where that changes, and lets them go on: `show_timer` loads and shows a table.
    """

    def __init__(
        self,
        client: ShardedBot,
        store: Store,
        ownership: Ownership,
        clock: Clock,
        tables: TableParts,
        show_timer: Timer,
    ) -> None:
        self._client = client
        self._store = store
        self._ownership = ownership
        self._clock = clock
        self._api = tables.api
        self._channels = ownership.channels
        self._registry = tables.registry
        self._tasks = tables.tasks
        self._show_timer = show_timer
        self._blocked: dict[int, Obstacle] = {}  # by channel
        self._told: set[int] = set()  # the channels in which Discord has told of the reason
        self._shut_threads = LRUCache[int, int](REMEMBERED)  # archived and locked ones, with their channel
        self._probing: dict[int, tuple[int, int]] = {}  # by channel: its server, and how many probes failed
        self._probe_timer = tables.scheduler.timer("probe of a channel", self._probe)
        self._check_timer = tables.scheduler.timer("check of channels", self._check_tables)
        self._connected: set[int] = set()
        self._served: dict[int, Moment] = {}
        self._lost: dict[int, Lost] = {}
        self._heard: dict[int, Moment] = {}
        self._began = clock.now()
        self._look = tables.scheduler.job("the check of lost connections", self._look_at_lost)
        tables.registry.playable.conditions = self
        tables.heartbeat.jobs.append(self._note_all_heard)
        tables.api.listeners.append(self._api_changed)
        ownership.channels.changed = self._check_channel_soon

    # What keeps people from playing

    def obstacle(self, guild: int, channel: int) -> Obstacle | None:
        """Return what keeps people from playing in a channel now, if anything does."""
        if guild in self._registry.out_of_reach:
            return Obstacle("server", self._clock.now())
        if guild != NO_SERVER and (blocked := self._blocked_since(guild, channel)) is not None:
            return blocked
        shard = self._shard(guild)
        lost = self._lost.get(shard)
        if lost is not None:
            return Obstacle("connection", lost.since, lost.told)
        if shard not in self._connected:
            return Obstacle("connection", self._began)
        return None if self._api.down_since is None else Obstacle("api", self._api.down_since)

    @property
    def lost(self) -> Mapping[int, Moment]:
        """The shards without a connection, and the last moment at which something came in."""
        return {shard: lost.since for shard, lost in sorted(self._lost.items())}

    def _shard(self, guild: int) -> int:
        return shard_of(guild, self._client.shard_count or 1)

    # Channels

    def check_soon(self, guild: int) -> None:
        """Check the tables of a server, since something has changed that the bot may do there. Does not block."""
        self._check_timer.set_in(guild, 0)

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
        self.check_soon(thread.guild.id)

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
            self.check_soon(table.snapshot.row.guild)

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
        guild, failed = self._probing.pop(channel)
        if channel in self._channels.refused:
            try:
                async with self._ownership.unasked_call(guild, channel):
                    await self._client.http.send_typing(channel)  # allowed only where the bot may write
            except discord_errors.API_ERRORS:
                self._probing[channel] = guild, failed + 1
        self.check_soon(guild)  # if open tables wait there, the next probe follows

    def _told_cause(self, server: discord.Guild, here: discord.abc.GuildChannel | discord.Thread) -> Cause | None:
        until = server.me.timed_out_until
        until_ms = 0 if until is None else round(until.timestamp() * 1_000)
        allowed = here.permissions_for(server.me)
        if until_ms > self._clock.now() and not allowed.administrator:
            self._check_timer.set(server.id, until_ms)  # Discord does not tell of its end
            return "timeout"
        if isinstance(here, discord.Thread) and here.locked and not allowed.manage_threads:
            return "locked"
        sends = allowed.send_messages_in_threads if isinstance(here, discord.Thread) else allowed.send_messages
        if isinstance(here, discord.VoiceChannel | discord.StageChannel):
            sends &= allowed.connect
        return None if (allowed.view_channel and sends) or server.me.is_timed_out() else "permissions"

    def _cause_in_archive(self, server: discord.Guild, thread: int) -> Cause | None:
        parent = self._shut_threads.get(thread)
        above = None if parent is None else server.get_channel(parent)
        return None if above is None or above.permissions_for(server.me).manage_threads else "locked"

    def served_from(self, guild: int) -> Moment | None:
        """Return from when on presses on a server arrived in this run; None if they do not yet."""
        return self._served.get(self._shard(guild))

    # Proofs

    async def prove(self, guild: int) -> None:
        """Find out whether presses on a server arrive, if there was no proof lately."""
        await self._api.prove()
        shard = self._shard(guild)
        ago = self._client.heard_ago_s(shard)
        if ago is not None and ago > FRESH_S and shard not in self._lost:
            self._note_heard(shard)
            if not await self._client.ping(shard, PING_WITHIN_S):
                self._lose(shard, self._heard[shard], still_open=True)

    async def _note_all_heard(self) -> None:
        """Note when something last came in on each connection."""
        for shard in self._connected:
            self._note_heard(shard)

    def _note_heard(self, shard: int) -> None:
        ago = self._client.heard_ago_s(shard)
        if ago is not None:
            self._heard[shard] = Moment(self._clock.now() - round(ago * 1_000))

    # Connections

    def disconnected(self, shard: int, *, by_discord: bool = False) -> None:
        """Note that a connection was lost; if it was closed `by_discord`, that was a sign of life. Does not block."""
        now = self._clock.now()
        self._lose(shard, now if by_discord else self._heard.get(shard, now), still_open=False)

    def _lose(self, shard: int, since: Moment, *, still_open: bool) -> None:
        if shard in self._lost:
            self._lost[shard].open &= still_open
        elif shard in self._connected:
            self._lost[shard] = Lost(since, self._clock.now(), still_open)
            self._look.set_in(LOOK_MS)

    def connected(self, shard: int) -> None:
        """Note that presses of a shard arrive again. Does not block."""
        self._connected.add(shard)
        self._served.setdefault(shard, self._clock.now())
        lost = self._lost.pop(shard, None)
        self._heard[shard] = self._clock.now()
        if lost is not None and lost.told:
            log.info("shard %s is connected again", shard)
            self._changed(lambda guild: self._shard(guild) == shard, True)

    def forget(self, shard: int) -> None:
        """Forget a shard that another process serves. Does not block."""
        self._connected.discard(shard)
        self._served.pop(shard, None)
        self._lost.pop(shard, None)

    async def _look_at_lost(self) -> None:
        now = self._clock.now()
        for shard, lost in list(self._lost.items()):
            ago = self._client.heard_ago_s(shard) if lost.open else None
            if ago is not None and ago * 1_000 < now - lost.noticed:
                self.connected(shard)  # it was only late
            elif not lost.told and now - lost.noticed >= GRACE_MS:
                lost.told = True
                log.warning("shard %s has no connection: the clocks of its tables stop", shard)
                self._changed(lambda guild, lost_shard=shard: self._shard(guild) == lost_shard, False)  # type: ignore[misc]
        if self._lost:
            self._look.set_in(LOOK_MS)

    # The API

    def _api_changed(self) -> None:
        self._changed(lambda guild: True, self._api.down_since is None)

    # Tables

    def _changed(self, where: Callable[[int], bool], playable: bool) -> None:
        """Pause the tables of some servers, or let them go on. Does not block."""
        name = "going on with tables" if playable else "pausing tables"
        self._tasks.spawn(self._update_tables(where, playable), name)

    async def _update_tables(self, where: Callable[[int], bool], playable: bool) -> None:
        """Pause the open tables of some servers, or load those that are paused, which go on if they can be played.
        Raises `StoreError`.
        """
        registry = self._registry
        for table in registry.awake():
            if where(table.snapshot.row.guild):
                await registry.playable.update(table)
        ours = [row for row in await self._store.tables.open() if where(row.guild) and self._ownership.holds(row.guild)]
        asleep = [row for row in ours if row.id not in registry.present]
        if playable:
            self.wake_soon(row.id for row in asleep if row.paused_at is not None)
            return
        since = dict[Cause, dict[int, Moment]]()
        for row in asleep:
            obstacle = registry.playable.obstacle(row) if row.due is not None and row.paused_at is None else None
            if obstacle is not None:
                at = Moment(obstacle.since - registry.playable.lost_ms(row))
                since.setdefault(obstacle.cause, {})[row.id] = at
        for cause, tables in since.items():
            await self._store.tables.pause(tables, cause)

    async def _check_tables(self, guild: int) -> None:
        """Pause the tables of a server in whose channel the bot may not write, and let others go on. Raises
        `StoreError`.
        """
        registry = self._registry
        for row in await self._store.tables.open(guild) if self._ownership.holds(guild) else ():
            table, stops = registry.present.get(row.id), registry.playable.obstacle(row) is not None
            if table is None and stops != (row.paused_at is not None):
                with contextlib.suppress(BrokenRecord):
                    await registry.find(row.id)
            elif table is not None:
                await registry.playable.update(table)

    def wake_soon(self, tables: Iterable[int], first: int = 0) -> None:
        """Load these tables soon, one after the other, behind `first` others."""
        for number, table in enumerate(tables, first):
            self._show_timer.set_in(table, number * WAKE_EVERY_MS)
