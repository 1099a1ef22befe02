"""A client that serves the shards of its process: all of them, or its share if there are other processes."""

import logging
from collections.abc import Callable, Collection
from datetime import UTC, datetime
from typing import Any

from cogs.core.cluster.gateway import SessionStartLimit, ShardedBot
from cogs.core.cluster.shard_leases import ShardLeases
from cogs.core.cluster.shard_sessions import ShardHost
from cogs.core.ops.errors import ConfigurationError
from cogs.core.ops.timers import Clock, snowflake_time
from data.store import NO_SERVER, StoreError
from data.store.downtime import shard_of
from data.store.postgres.shards import Shards
from data.store.shards import steady_s

log = logging.getLogger("cellblock")

STARTS_LEFT = 20
"""How many session starts of the day a process must leave when it starts: connections that break need them."""

SLOT_AGAIN_MS = 1_000
"""How soon the database is asked again for a slot to identify in, if it failed."""

Servers = Callable[[int], bool]
"""Returns True for the servers that are meant, by their ids (0: direct messages)."""


class ClusterClient(ShardedBot, ShardHost):
    """A client that opens and closes sessions as its process gains and loses shards. Without a `shard_count`, the other
    processes or Discord say how many there are; this process serves at most `max_shards` of them.
    """

    def __init__(
        self,
        shards: Shards | None,
        clock: Clock,
        *,
        shard_count: int | None = None,
        max_shards: int | None = None,
        steady: Callable[[], float] = steady_s,
        **options: Any,
    ) -> None:
        super().__init__(**options)
        self.clock = clock
        self._shards = shards
        self.leases = None if shards is None else ShardLeases(self, shards, clock.now, steady, max_shards)
        self._wanted_count, self._max_shards = shard_count, max_shards
        self._handles = True

    # The cluster

    def join_cluster(self) -> None:
        """Begin to renew our lease, and to take our share of the shards."""
        if self.leases is not None:
            self.leases.start()

    def finish_startup(self) -> None:
        """Note that this process answers as fast as any other, and may request their shards."""
        if self.leases is not None:
            self.leases.finish_startup()

    async def hand_over(self) -> None:
        """Hand our shards over to other processes, as far as they take them, before this one closes."""
        if self.leases is not None:
            await self.leases.drain()

    async def leave_cluster(self) -> None:
        """Take and hand over no more shards, and handle no more interactions."""
        if self.leases is not None:
            await self.leases.close()
        self._handles = False

    # Shards

    async def choose_shards(self, limit: SessionStartLimit) -> tuple[int, Collection[int] | None]:
        """Return how many shards there are, and all of them if there are no leases. Raises `ConfigurationError` if too
        few session starts are left today, or a `StoreError`.
        """
        others = 0 if self.leases is None else self.leases.count_of_others()
        count = self._wanted_count or others or limit.shards
        needed = count if self._max_shards is None else min(self._max_shards, count)
        if limit.left < needed + STARTS_LEFT:
            until = datetime.fromtimestamp((self.clock.now() + limit.for_ms) / 1_000, UTC)
            raise ConfigurationError(
                f"Discord lets this bot start only {limit.left} more sessions until {until:%H:%M} UTC, and resets its "
                f"token after one too many. This process needs {needed} and keeps {STARTS_LEFT} in reserve: "
                "start it again after that time."
            )
        if self.leases is None:
            return count, range(count)
        await self.leases.begin(count)
        return count, None

    async def identify_slot(self, number: int) -> int:
        """Take a slot for an identify among all processes; return 0, or how many milliseconds to wait."""
        if self._shards is None:
            return await super().identify_slot(number)
        try:
            return await self._shards.slot(number)
        except StoreError as error:
            log.warning("no slot for an identify can be had: %s", error)
            return SLOT_AGAIN_MS

    def urgency(self, shard: int) -> float:
        """Return when the first clock of a shard runs out, as far as we know."""
        return 0 if self.leases is None else self.leases.first_clocks.get(shard, float("inf"))

    def servers_of(self, shard: int) -> Servers:
        """Return a function that tells the servers of a shard."""
        count = self.shard_count or 1
        return lambda guild: shard_of(guild, count) == shard

    async def shard_connected(self, shard: int) -> None:
        """Serve the servers of a shard whose session is open (again), if they are ours. Raises `StoreError`."""
        await (self.serve_shard(shard) if self.leases is None else self.leases.connected(shard))

    def should_handle(self, data: Any) -> bool:
        """Return True if an interaction, as it came in, is ours to answer now; if it may soon be, it is queued."""
        if not self._handles:
            return False
        guild, at = int(data.get("guild_id") or NO_SERVER), snowflake_time(int(data["id"]))
        return self.leases is None or self.leases.should_handle(guild, at, data)
