"""Whether presses arrive: which shards have a connection to Discord, and since when one was lost."""

import logging
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from cogs.core.cluster.gateway import ShardedBot
from cogs.core.ops.timers import Clock, Scheduler
from cogs.core.tables.playable import Obstacle
from engine.contract import Moment

log = logging.getLogger(__name__)

GRACE_MS = 3_000
"""A connection that is resumed within this time has lost no press: Discord sends them again, and waits as long for an
answer.
"""

FRESH_S = 5.0
"""Before a clock runs out, something must have come in within this time, or Discord is asked for a sign of life."""

PING_WITHIN_S = 3.0

LOOK_MS = 1_000
"""How often lost connections are looked at."""


@dataclass
class Lost:
    """A connection that was lost: the last moment at which something came in, and when that was noticed. `open`: it is
    not closed, but nothing comes in. `told`: whether tables were paused for it.
    """

    since: Moment
    noticed: Moment
    open: bool
    told: bool = False


class ShardConnections:
    """The connections of the shards. `changed` is called with a shard whose tables must pause, or can go on again."""

    def __init__(
        self, client: ShardedBot, clock: Clock, scheduler: Scheduler, changed: Callable[[int, bool], None]
    ) -> None:
        self._client = client
        self._clock = clock
        self._changed = changed
        self._connected: set[int] = set()
        self._served: dict[int, Moment] = {}
        self._lost: dict[int, Lost] = {}
        self._heard: dict[int, Moment] = {}
        self._began = clock.now()
        self._look = scheduler.job("the check of lost connections", self._look_at_lost)

    @property
    def lost(self) -> Mapping[int, Moment]:
        """The shards without a connection, and the last moment at which something came in."""
        return {shard: lost.since for shard, lost in sorted(self._lost.items())}

    def obstacle(self, shard: int) -> Obstacle | None:
        """Return why no press of a shard arrives now; None if they do."""
        lost = self._lost.get(shard)
        if lost is not None:
            return Obstacle("connection", lost.since, lost.told)
        return None if shard in self._connected else Obstacle("connection", self._began)

    def served_from(self, shard: int) -> Moment | None:
        """Return from when on presses of a shard arrived in this run; None if they do not yet."""
        return self._served.get(shard)

    # Proofs

    async def prove(self, shard: int) -> None:
        """Find out whether presses of a shard arrive, if there was no proof lately."""
        ago = self._client.heard_ago_s(shard)
        if ago is not None and ago > FRESH_S and shard not in self._lost:
            self._note_heard(shard)
            if not await self._client.ping(shard, PING_WITHIN_S):
                self._lose(shard, self._heard[shard], still_open=True)

    async def note_all_heard(self) -> None:
        """Note when something last came in on each connection."""
        for shard in self._connected:
            self._note_heard(shard)

    def _note_heard(self, shard: int) -> None:
        ago = self._client.heard_ago_s(shard)
        if ago is not None:
            self._heard[shard] = Moment(self._clock.now() - round(ago * 1_000))

    # Connected and disconnected

    def connected(self, shard: int) -> None:
        """Note that presses of a shard arrive again. Does not block."""
        self._connected.add(shard)
        self._served.setdefault(shard, self._clock.now())
        lost = self._lost.pop(shard, None)
        self._heard[shard] = self._clock.now()
        if lost is not None and lost.told:
            log.info("shard %s is connected again", shard)
            self._changed(shard, True)

    def disconnected(self, shard: int, *, by_discord: bool) -> None:
        """Note that a connection was lost; if it was closed `by_discord`, that was a sign of life. Does not block."""
        now = self._clock.now()
        self._lose(shard, now if by_discord else self._heard.get(shard, now), still_open=False)

    def _lose(self, shard: int, since: Moment, *, still_open: bool) -> None:
        if shard in self._lost:
            self._lost[shard].open &= still_open
        elif shard in self._connected:
            self._lost[shard] = Lost(since, self._clock.now(), still_open)
            self._look.set_in(LOOK_MS)

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
                self._changed(shard, False)
        if self._lost:
            self._look.set_in(LOOK_MS)
