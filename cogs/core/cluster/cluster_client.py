"""A client whose process serves the shards that it holds: all of them, or its share beside other processes."""

import logging
from abc import abstractmethod
from collections.abc import Callable, Collection, Mapping
from datetime import UTC, datetime
from typing import Any

from cogs.core.cluster.gateway import SessionStartLimit, ShardedBot
from cogs.core.cluster.shard_leases import ShardLeases
from cogs.core.ops.errors import ConfigurationError
from cogs.core.ops.timers import Clock, snowflake_time
from data.store import NO_SERVER, StoreError
from data.store.downtime import shard_of
from data.store.shards import Shards, steady_s

log = logging.getLogger("cellblock")

STARTS_LEFT = 20
"""A process does not start if fewer of the day's session starts are left beside those that it needs: one more than
there are costs the bot its token, and every connection that breaks may need one.
"""

SLOT_AGAIN_MS = 1_000
"""The database is asked again for a slot to identify in after this long, if it failed."""

Servers = Callable[[int], bool]
"""Returns True for the servers that are meant, by their numbers (0: direct messages)."""


class ClusterClient(ShardedBot):
    """A client that follows what its process holds: it opens and closes sessions, and says which servers come and go.

    `shard_count` is the number of shards (None: as many as the other processes, or Discord, say); `room` is how many of
    them this process serves at most, None for all.
    """

    def __init__(
        self,
        shards: Shards | None,
        clock: Clock,
        *,
        shard_count: int | None = None,
        room: int | None = None,
        steady: Callable[[], float] = steady_s,
        **options: Any,
    ) -> None:
        super().__init__(**options)
        self.clock = clock
        self.leases = None if shards is None else ShardLeases(self, shards, clock.now, steady, room)
        self._wanted_count, self._room = shard_count, room
        self._handles = True

    # What follows from a change, said by the application

    @abstractmethod
    async def gained(self, servers: Servers) -> None:
        """Go on with the tables of servers that this process serves and is connected for. Raises `StoreError`."""

    @abstractmethod
    def set_aside(self, servers: Servers) -> None:
        """Start nothing more at the tables of servers that another process serves. Does not block."""

    @abstractmethod
    async def lost(self, servers: Servers) -> None:
        """Let go of everything of servers that another process serves, without a word to anybody."""

    @abstractmethod
    def figures(self) -> Mapping[str, Any]:
        """Return what the other processes are shown of this one."""

    def _servers_of(self, shard: int) -> Servers:
        count = self.shard_count or 1
        return lambda guild: shard_of(guild, count) == shard

    # Joining and leaving the other processes

    def join_cluster(self) -> None:
        """Begin to renew our lease, and to take our share of the shards."""
        if self.leases is not None:
            self.leases.start()

    def warmed(self) -> None:
        """Note that this process answers as fast as any other, and may ask them for shards."""
        if self.leases is not None:
            self.leases.warmed()

    async def hand_over(self) -> None:
        """Let other processes have our shards, as far as they have room for them, before this one closes."""
        if self.leases is not None:
            await self.leases.drain()

    async def leave_cluster(self) -> None:
        """Take and give no more shards, and no more interactions."""
        if self.leases is not None:
            await self.leases.close()
        self._handles = False

    # Shards

    async def choose_shards(self, limit: SessionStartLimit) -> tuple[int, Collection[int] | None]:
        """Return how many shards there are, and all of them if this process serves them all; otherwise they come with
        their leases. Raises `ConfigurationError` if too few session starts are left today, or a `StoreError`.
        """
        others = 0 if self.leases is None else self.leases.count_of_others()
        count = self._wanted_count or others or limit.shards
        needed = count if self._room is None else min(self._room, count)
        if limit.left < needed + STARTS_LEFT:
            until = datetime.fromtimestamp((self.clock.now() + limit.for_ms) / 1_000, UTC)
            raise ConfigurationError(
                f"Discord lets this bot begin {limit.left} more sessions until {until:%H:%M} UTC, and one too many "
                f"resets its token: this process needs {needed} and leaves {STARTS_LEFT}, so start it again after that."
            )
        if self.leases is None:
            return count, range(count)
        await self.leases.begin(count)
        return count, None

    async def identify_slot(self, number: int) -> int:
        """Take a slot for an identify among all processes; return 0, or for how many milliseconds to wait."""
        if self.leases is None:
            return await super().identify_slot(number)
        try:
            return await self.leases.slot(number)
        except StoreError as error:
            log.warning("no slot for an identify can be had: %s", error)
            return SLOT_AGAIN_MS

    async def shard_connected(self, shard: int) -> None:
        """Serve the servers of a shard whose session is open (again), if they are ours. Raises `StoreError`."""
        await (self.serve_shard(shard) if self.leases is None else self.leases.connected(shard))

    async def serve_shard(self, shard: int) -> None:
        """Serve the servers of a shard that is ours and connected. Raises `StoreError`."""
        await self.gained(self._servers_of(shard))

    def set_aside_shard(self, shard: int) -> None:
        """Start nothing more about the servers of a shard that another process serves."""
        self.set_aside(self._servers_of(shard))

    async def leave_shard(self, shard: int) -> None:
        """Let go of the servers of a shard that another process serves."""
        await self.lost(self._servers_of(shard))

    # Interactions

    def should_handle(self, data: Any) -> bool:
        """Return True if an interaction, as it came in, is ours to answer now; if it may soon be, it is queued."""
        if not self._handles:
            return False
        guild, at = int(data.get("guild_id") or NO_SERVER), snowflake_time(int(data["id"]))
        return self.leases is None or self.leases.should_handle(guild, at, data)
