"""The keeper: sees to it that this process serves the shards that it holds, and falls silent about all others.

Every few seconds it says that we are there, hears what we have lost, and takes or asks for what we should have. A shard
is handed over while both have a session of it: the successor keeps what comes in, its predecessor says from which
moment on it is the successor's to answer, and then closes its own session. So each click is answered by one of them,
and Discord's own moment of it says by which.
"""

import asyncio
import contextlib
import logging
from collections.abc import Callable, Collection
from typing import Any

import msgspec

from cogs.core.cluster.shard_assignment import may_go, plan
from cogs.core.cluster.shard_sessions import OpenShards, Served
from data.background import BackgroundTasks
from data.store import StoreError
from data.store.downtime import shard_of
from data.store.shards import RENEW_MS, Shards
from engine.contract import Moment

log = logging.getLogger(__name__)

SOON_S = 0.25
"""While a shard is being handed over, both look so often how that stands; so does whoever could not say that it is
there.
"""

LINGER_S = 2.0
"""So long the old session of a shard that was handed over stays open, for clicks that are still on their way."""

GIVEN_WITHIN_S = 5.0
"""A successor that is ready takes a shard after so long from a process that does not give it away."""

WARM_WITHIN_S = 15.0
"""A process that is not warm after so long, on a busy machine, asks for its share all the same."""

STUCK_S = 20.0
"""A process that stops waits no longer if nobody has taken a shard of it for so long."""


class Keeper:
    """Keeps what is served and what is held the same. `now` is Discord's time, `steady` a clock in seconds; `room` is
    how many shards we serve at the most, None for as many as any other process.
    """

    def __init__(
        self, served: Served, shards: Shards, now: Callable[[], Moment], steady: Callable[[], float], room: int | None
    ) -> None:
        self._served = served
        self._shards = shards
        self._now = now
        self._steady = steady
        self._room = room
        self._count = 0
        self._joined = False
        self._warm_at = steady() + WARM_WITHIN_S
        self.stopping = False
        self.sessions = OpenShards(served)
        self._bell = asyncio.Event()
        self._running = BackgroundTasks()

    # Coming and going

    def start(self) -> None:
        """Begin to say that we are there."""
        if self._shards.shared and not self._running.running:
            self._running.spawn(self._run(), "the keeper of shards")

    async def begin(self, count: int) -> None:
        """Count with so many shards, and serve our share of them from now on. Raises `ShardCountMismatch` or another
        `StoreError`.
        """
        self._joined = await self._shards.join(count, self._room)
        self._count = count
        self._bell.set()

    def warmed(self) -> None:
        """Hear that we answer as fast as any other process: nobody is to wait for our first pictures."""
        self._warm_at = self._steady()
        self._bell.set()

    async def drain(self) -> None:
        """Give our shards to the others, as far as they have room; return when there is nothing more to wait for."""
        if not self._shards.shared or not self._joined:
            return
        if await self._others_know():
            held, since = len(self.sessions.begun), self._steady()
            while self.sessions.begun and self._steady() - since < STUCK_S and not self._may_go():
                self._bell.set()
                await asyncio.sleep(SOON_S)
                if len(self.sessions.begun) != held:
                    held, since = len(self.sessions.begun), self._steady()
        await self.sessions.lingered()

    async def _others_know(self) -> bool:
        """Tell the others that we are about to stop; return whether they know. A database that is away for a moment is
        waited for, as long as we serve anything that others could have.
        """
        since = self._steady()
        while True:
            try:
                await self._shards.stop()
                self.stopping = True
                await self._shards.refresh()
            except StoreError as error:
                log.warning("nobody can be told that this process is about to stop: %s", error)
                if not self.sessions.begun or self._may_go() or self._steady() - since >= STUCK_S:
                    return False
            else:
                return True
            await asyncio.sleep(SOON_S)

    def _may_go(self) -> bool:
        return may_go(self._shards.process, self._count, self._shards.leases, self._shards.processes)

    async def close(self) -> None:
        """Open, take and give nothing more."""
        await self._running.close()
        await self.sessions.stop()

    async def _run(self) -> None:
        while True:
            try:
                await self.step()
            except StoreError as error:
                log.warning("leases cannot be renewed: %s", error)
            except Exception:
                log.exception("the shards could not be seen to")
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(self._pause_s()):
                    await self._bell.wait()
            self._bell.clear()

    def _pause_s(self) -> float:
        """Return for how long nothing is to be done."""
        shards = self._shards
        changing = self.stopping or self.sessions.waiting or any(self._wanted(shard) for shard in self.sessions.begun)
        if changing or shards.silent:
            return SOON_S
        ours = shards.processes.get(shards.process)
        if ours is None:
            return SOON_S
        # Who is not heard of any more has lost its shards at a moment that we know.
        others = [process.until for process in shards.processes.values() if process is not ours]
        return max(SOON_S, min([RENEW_MS, *(until - ours.beat_at + 50 for until in others)]) / 1_000)

    # What is to be done now

    async def step(self) -> None:
        """Say that we are there, and do what follows of how things stand. Raises `StoreError`."""
        figures = {**self._served.figures(), "ready": sorted(self.sessions.waiting)}
        try:
            lost = await self._shards.renew(self._now(), msgspec.json.encode(figures).decode())
        except StoreError:
            if self._shards.silent:
                await self._leave(self.sessions.numbers, "this process was not heard of in time")
            raise
        # What is served and not held was lost at a time when we could not read that it was.
        gone = {*lost, *self.sessions.begun.difference(self._shards.held)}
        await self._leave(sorted(gone), "another process has taken over, or may do so")
        if not self._count:
            return
        if not self._joined:
            self._joined = await self._shards.join(self._count, self._room)
        if self._joined and not self.stopping:
            await self._reach_out()
        for shard in sorted(self.sessions.begun):
            self.sessions.keep_on(shard)
            await self._give(shard)
        for shard in sorted(self.sessions.waiting):
            await self._receive(shard)

    async def _reach_out(self) -> None:
        shards = self._shards
        wanting = self.sessions.numbers.difference(shards.held, self.sessions.given)
        stopping = {process.id for process in shards.processes.values() if process.stopping}
        todo = plan(shards.process, self._count, shards.leases, shards.processes, wanting)
        for shard in todo.take:
            if await shards.take(shard, self._now()):
                log.info("shard %s of %s is ours", shard, self._count)
        # Who has a shard keeps it until nobody notices the difference, unless it is to stop.
        for shard in todo.want:
            ready = self._steady() >= self._warm_at or shards.leases[shard].process in stopping
            if ready and shard not in self.sessions.given and await shards.request(shard):
                self.sessions.open(shard)
        for shard in shards.held:
            self.sessions.open(shard)

    async def ready(self, shard: int) -> None:
        """Hear that a session of a shard stands (anew)."""
        opened = self.sessions.get(shard)
        if opened is None:
            return
        if opened.connected_at is None:
            opened.connected_at = self._steady()
        if shard in self._shards.held:
            await self.sessions.begin(shard, self._shards.leases[shard].since)
        else:
            self._bell.set()

    async def _leave(self, shards: Collection[int], why: str) -> None:
        """Fall silent about shards, and close their sessions."""
        for shard in shards:
            log.warning("shard %s of %s is not ours any more: %s", shard, self._count, why)
        await asyncio.gather(*(self.sessions.close(shard) for shard in shards))

    # Handing over

    def _wanted(self, shard: int) -> bool:
        lease = self._shards.leases.get(shard)
        return lease is not None and lease.wanted_by is not None and lease.wanted_by in self._shards.processes

    async def _give(self, shard: int) -> None:
        """Give a shard away whose successor is ready."""
        opened, lease = self.sessions.get(shard), self._shards.leases.get(shard)
        wanter = self._shards.processes.get(lease.wanted_by or 0) if lease is not None else None
        if opened is None or wanter is None or shard not in _ready_of(wanter.figures):
            return
        # What we have begun to answer was received before now; the rest is the successor's, which keeps it.
        at = Moment(self._now() + 1)
        # Where nothing is heard of that, it is found out in the next step whose the shard is; until then they wait.
        opened.given_from = at
        if not await self._shards.hand_over(shard, at):
            self.sessions.keep_on(shard)
            return
        log.info("shard %s of %s was handed over to process %s", shard, self._count, wanter.id)
        opened.begun = False
        self._served.set_aside(shard)
        self.sessions.close_after(shard, LINGER_S)

    async def _receive(self, shard: int) -> None:
        """Begin with a shard that is ours by now, or take it at last; let go of one that went to another process."""
        opened = self.sessions.get(shard)
        if opened is None or opened.connected_at is None:
            return
        shards, lease = self._shards, self._shards.leases.get(shard)
        if shard not in shards.held:
            owner = None if lease is None else lease.process
            alone = owner not in shards.processes
            if lease is None or lease.wanted_by != shards.process:
                await self._leave([shard], "another process was first")
                return
            late = self._steady() - opened.connected_at >= GIVEN_WITHIN_S
            if not (alone or late) or not await shards.take_over(shard, self._now()):
                return
        log.info("shard %s of %s is ours", shard, self._count)
        await self.sessions.begin(shard, shards.leases[shard].since)

    # What comes in

    def admits(self, guild: int, at: Moment, data: Any) -> bool:
        """Say whether what Discord received at a moment about a server (0 for none) is ours to answer now; keep it if
        it may soon be.
        """
        shards = self._shards
        if not shards.shared:
            return True
        if shards.silent:
            return False
        shard = shard_of(guild, self._count)
        opened = self.sessions.get(shard)
        if opened is not None and opened.given_from is not None:
            if at >= opened.given_from:
                opened.keep(at, data)
            return at < opened.given_from
        if shards.holds(guild):
            return at >= shards.ours_from(guild)
        if opened is not None:
            opened.keep(at, data)
        return False


def _ready_of(figures: str) -> Collection[int]:
    """Return for which shards a process says that its sessions stand."""
    try:
        return set(msgspec.json.decode(figures, type=_Figures).ready)
    except msgspec.DecodeError:
        return ()


class _Figures(msgspec.Struct):
    ready: list[int] = []
