"""Serves the shards that this process holds, beside other processes, and goes silent about all others.

Every few seconds it renews our lease, learns what we have lost, and takes or requests our share of the shards. A shard
is handed over while both processes have a session of it: the successor queues what comes in, its predecessor tells from
which moment on it is the successor's to answer, and then closes its own session. So each interaction is answered by one
of them, and the moment at which Discord received it decides by which.
"""

import asyncio
import contextlib
import logging
from collections.abc import Callable, Collection
from typing import Any

import msgspec

from cogs.core.cluster.shard_assignment import can_stop, plan
from cogs.core.cluster.shard_sessions import ShardHost, ShardSessions
from data.background import BackgroundTasks
from data.store import StoreError
from data.store.downtime import shard_of
from data.store.shards import RENEW_MS, Shards
from engine.contract import Moment

log = logging.getLogger(__name__)

SOON_S = 0.25
"""How often both processes look while a shard is being handed over, and a process tries again to renew its lease."""

LINGER_S = 2.0
"""The old session of a shard that was handed over stays open for this long, for interactions on their way."""

GIVEN_WITHIN_S = 5.0
"""A successor that is ready takes a shard after this long from a process that does not hand it over."""

WARM_WITHIN_S = 15.0
"""A process that is not warm after this long, on a busy machine, requests its share all the same."""

STUCK_S = 20.0
"""A process that stops waits no longer if no other process has taken a shard of it for this long."""


class ShardLeases:
    """Keeps the shards that are served the same as those that are held.

    `now` is Discord's time, `steady` a clock in seconds; `room` is how many shards we serve at most, None for as many
    as any other process.
    """

    def __init__(
        self, host: ShardHost, shards: Shards, now: Callable[[], Moment], steady: Callable[[], float], room: int | None
    ) -> None:
        self._host = host
        self._shards = shards
        self._now = now
        self._steady = steady
        self._room = room
        self._count = 0
        self._joined = False
        self._warm_at = steady() + WARM_WITHIN_S
        self.stopping = False
        self.sessions = ShardSessions(host)
        self._bell = asyncio.Event()
        self._running = BackgroundTasks()

    # Starting and stopping

    def start(self) -> None:
        """Begin to renew our lease."""
        if not self._running.running:
            self._running.spawn(self._run(), "shard leases")

    def count_of_others(self) -> int:
        """Return the number of shards that the other processes count with; 0 if there are no others."""
        processes = self._shards.processes.values()
        return max((one.shards for one in processes if one.shards and not one.stopping), default=0)

    async def begin(self, count: int) -> None:
        """Set the number of shards, and serve our share of them from now on. Raises `ShardCountMismatch` or another
        `StoreError`.
        """
        self._joined = await self._shards.join(count, self._room)
        self._count = count
        self._bell.set()

    async def slot(self, number: int) -> int:
        """Take a slot for an identify; return 0, or how many milliseconds to wait. Raises `StoreError`."""
        return await self._shards.slot(number)

    def warmed(self) -> None:
        """Note that we answer as fast as any other process: nobody has to wait for our first pictures."""
        self._warm_at = self._steady()
        self._bell.set()

    async def drain(self) -> None:
        """Hand our shards over to the others, as far as they have room; return when there is nothing left to wait
        for.
        """
        if not self._joined:
            return
        if await self._announce_stop():
            held, since = len(self.sessions.serving), self._steady()
            while self.sessions.serving and self._steady() - since < STUCK_S and not self._can_stop():
                self._bell.set()
                await asyncio.sleep(SOON_S)
                if len(self.sessions.serving) != held:
                    held, since = len(self.sessions.serving), self._steady()
        await self.sessions.lingered()

    async def _announce_stop(self) -> bool:
        """Tell the others that we are about to stop; return whether they know. If the database is unreachable, try
        again as long as we serve anything that others could take.
        """
        since = self._steady()
        while True:
            try:
                await self._shards.stop()
                self.stopping = True
                await self._shards.refresh()
            except StoreError as error:
                log.warning("nobody can be told that this process is about to stop: %s", error)
                if not self.sessions.serving or self._can_stop() or self._steady() - since >= STUCK_S:
                    return False
            else:
                return True
            await asyncio.sleep(SOON_S)

    def _can_stop(self) -> bool:
        return can_stop(self._shards.process, self._count, self._shards.leases, self._shards.processes)

    async def close(self) -> None:
        """Open, take and hand over nothing more."""
        await self._running.close()
        await self.sessions.stop()

    async def _run(self) -> None:
        while True:
            try:
                await self.step()
            except StoreError as error:
                log.warning("leases cannot be renewed: %s", error)
            except Exception:
                log.exception("a step of the shard leases failed")
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(self._pause_s()):
                    await self._bell.wait()
            self._bell.clear()

    def _pause_s(self) -> float:
        """Return for how long there is nothing to do."""
        shards = self._shards
        changing = self.stopping or self.sessions.waiting or any(self._wanted(shard) for shard in self.sessions.serving)
        if changing or shards.silent:
            return SOON_S
        ours = shards.processes.get(shards.process)
        if ours is None:
            return SOON_S
        # A process that does not renew its lease loses its shards at a moment that we know.
        others = [process.until for process in shards.processes.values() if process is not ours]
        return max(SOON_S, min([RENEW_MS, *(until - ours.beat_at + 50 for until in others)]) / 1_000)

    # One step

    async def step(self) -> None:
        """Renew our lease, and do what follows from how things are. Raises `StoreError`."""
        figures = {**self._host.figures(), "ready": sorted(self.sessions.waiting)}
        try:
            lost = await self._shards.renew(self._now(), msgspec.json.encode(figures).decode())
        except StoreError:
            if self._shards.silent:
                await self._leave(self.sessions.numbers, "this process was not heard of in time")
            raise
        # What is served and not held was lost at a time when we could not read that it was.
        gone = {*lost, *self.sessions.serving.difference(self._shards.held)}
        await self._leave(sorted(gone), "another process has taken over, or may do so")
        if not self._count:
            return
        if not self._joined:
            self._joined = await self._shards.join(self._count, self._room)
        if self._joined and not self.stopping:
            await self._take_share()
        for shard in sorted(self.sessions.serving):
            self.sessions.keep(shard)
            await self._give(shard)
        for shard in sorted(self.sessions.waiting):
            await self._receive(shard)

    async def _take_share(self) -> None:
        shards = self._shards
        wanting = self.sessions.numbers.difference(shards.held, self.sessions.given)
        stopping = {process.id for process in shards.processes.values() if process.stopping}
        todo = plan(shards.process, self._count, shards.leases, shards.processes, wanting)
        for shard in todo.take:
            if await shards.take(shard, self._now()):
                log.info("shard %s of %s is ours", shard, self._count)
        # A process keeps a shard until we are as fast as it is, unless it stops.
        for shard in todo.want:
            ready = self._steady() >= self._warm_at or shards.leases[shard].process in stopping
            if ready and shard not in self.sessions.given and await shards.request(shard):
                self.sessions.open(shard)
        for shard in shards.held:
            self.sessions.open(shard)

    async def connected(self, shard: int) -> None:
        """Serve a shard whose session is connected (again), if the shard is ours. Raises `StoreError`."""
        session = self.sessions.get(shard)
        if session is None:
            return
        if session.connected_at is None:
            session.connected_at = self._steady()
        if shard in self._shards.held:
            await self.sessions.serve(shard, self._shards.leases[shard].since)
        else:
            self._bell.set()

    async def _leave(self, shards: Collection[int], why: str) -> None:
        """Go silent about shards, and close their sessions."""
        for shard in shards:
            log.warning("shard %s of %s is not ours any more: %s", shard, self._count, why)
        await asyncio.gather(*(self.sessions.close(shard) for shard in shards))

    # Handing over

    def _wanted(self, shard: int) -> bool:
        lease = self._shards.leases.get(shard)
        return lease is not None and lease.wanted_by is not None and lease.wanted_by in self._shards.processes

    async def _give(self, shard: int) -> None:
        """Hand over a shard whose successor is ready."""
        session, lease = self.sessions.get(shard), self._shards.leases.get(shard)
        successor = self._shards.processes.get(lease.wanted_by or 0) if lease is not None else None
        if session is None or successor is None or shard not in _ready_of(successor.figures):
            return
        # What we have begun to answer was received before now; the rest is the successor's, which queues it.
        at = Moment(self._now() + 1)
        # If the outcome is unknown, the next step finds out whose the shard is; until then interactions are queued.
        session.given_from = at
        if not await self._shards.hand_over(shard, at):
            self.sessions.keep(shard)
            return
        log.info("shard %s of %s was handed over to process %s", shard, self._count, successor.id)
        session.serving = False
        self._host.set_aside_shard(shard)
        self.sessions.close_after(shard, LINGER_S)

    async def _receive(self, shard: int) -> None:
        """Serve a shard that is ours by now, or take it at last; leave one that went to another process."""
        session = self.sessions.get(shard)
        if session is None or session.connected_at is None:
            return
        shards, lease = self._shards, self._shards.leases.get(shard)
        if shard not in shards.held:
            owner = None if lease is None else lease.process
            alone = owner not in shards.processes
            if lease is None or lease.wanted_by != shards.process:
                await self._leave([shard], "another process was first")
                return
            late = self._steady() - session.connected_at >= GIVEN_WITHIN_S
            if not (alone or late) or not await shards.take_over(shard, self._now()):
                return
        log.info("shard %s of %s is ours", shard, self._count)
        await self.sessions.serve(shard, shards.leases[shard].since)

    # Interactions

    def should_handle(self, guild: int, at: Moment, data: Any) -> bool:
        """Return True if what Discord received at a moment about a server (0: direct messages) is ours to answer now;
        if it may soon be, queue it.
        """
        shards = self._shards
        if shards.silent:
            return False
        shard = shard_of(guild, self._count)
        session = self.sessions.get(shard)
        if session is not None and session.given_from is not None:
            if at >= session.given_from:
                session.queue(at, data)
            return at < session.given_from
        if shards.holds(guild):
            return at >= shards.ours_from(guild)
        if session is not None:
            session.queue(at, data)
        return False


def _ready_of(figures: str) -> Collection[int]:
    """Return the shards for which a process says that its sessions are connected."""
    try:
        return set(msgspec.json.decode(figures, type=_Figures).ready)
    except msgspec.DecodeError:
        return ()


class _Figures(msgspec.Struct):
    ready: list[int] = []
