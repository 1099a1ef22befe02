"""Serves the shards that this process holds. A shard is handed over while both processes have a session of it, and from
a moment on the next one answers: so exactly one answers each interaction, by when Discord received it.
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

STEP_S = 0.25
"""How long a step waits for the next during a handover, and before a failed renewal is tried again."""

LINGER_S = 2.0
"""How long the session of a shard that was handed over stays open, for interactions on their way."""

HANDOVER_WITHIN_S = 5.0
"""After this long, the next process takes over a shard from a process that does not hand it over."""

STARTUP_WITHIN_S = 15.0
"""A process whose startup takes longer, on a busy machine, requests its share all the same."""

STUCK_S = 20.0
"""A stopping process waits no longer if no other process has taken a shard of it for this long."""


class ShardLeases:
    """Every few seconds, renews our lease, learns what we have lost, and takes or requests our share of the shards.

    `now` is Discord's time, `steady` a clock in seconds; `max_shards` is how many we serve at most, None for all.
    """

    def __init__(
        self,
        host: ShardHost,
        shards: Shards,
        now: Callable[[], Moment],
        steady: Callable[[], float],
        max_shards: int | None,
    ) -> None:
        self._host = host
        self._shards = shards
        self._now = now
        self._steady = steady
        self._max_shards = max_shards
        self._count = 0
        self._joined = False
        self._started_at = steady() + STARTUP_WITHIN_S
        self.stopping = False
        self.sessions = ShardSessions(host)
        self._wake = asyncio.Event()
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
        """Set the number of shards, and serve our share from now on. Raises `ShardCountMismatch` or a `StoreError`."""
        self._joined = await self._shards.join(count, self._max_shards)
        self._count = count
        self._wake.set()

    async def slot(self, number: int) -> int:
        """Take a slot for an identify; return 0, or how many milliseconds to wait. Raises `StoreError`."""
        return await self._shards.slot(number)

    def finish_startup(self) -> None:
        """Note that our pictures are prerendered: we answer as fast as any other process."""
        self._started_at = self._steady()
        self._wake.set()

    async def drain(self) -> None:
        """Hand our shards over to the others, as far as they take them; return when there is nothing to wait for."""
        if not self._joined:
            return
        if await self._announce_stop():
            held, since = len(self.sessions.serving), self._steady()
            while self.sessions.serving and self._steady() - since < STUCK_S and not self._can_stop():
                self._wake.set()
                await asyncio.sleep(STEP_S)
                if len(self.sessions.serving) != held:
                    held, since = len(self.sessions.serving), self._steady()
        await self.sessions.wait_until_closed()

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
            await asyncio.sleep(STEP_S)

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
                    await self._wake.wait()
            self._wake.clear()

    def _pause_s(self) -> float:
        """Return for how long there is nothing to do."""
        shards = self._shards
        ours = shards.processes.get(shards.process)
        requested = any(self._requested(shard) for shard in self.sessions.serving)
        if ours is None or shards.expired or self.stopping or self.sessions.waiting or requested:
            return STEP_S
        # A process that does not renew its lease loses its shards at a known moment.
        others = [process.until for process in shards.processes.values() if process is not ours]
        return max(STEP_S, min([RENEW_MS, *(until - ours.beat_at + 50 for until in others)]) / 1_000)

    # One step

    async def step(self) -> None:
        """Renew our lease, and do what follows from the state of all leases. Raises `StoreError`."""
        figures = {**self._host.process_stats(), "ready": sorted(self.sessions.waiting)}
        try:
            lost = await self._shards.renew(self._now(), msgspec.json.encode(figures).decode())
        except StoreError:
            if self._shards.expired:
                await self._leave(self.sessions.numbers, "this process was not heard of in time")
            raise
        # A shard that is served but not held was lost while we could not read that.
        gone = {*lost, *self.sessions.serving.difference(self._shards.held)}
        await self._leave(sorted(gone), "another process has taken over, or may do so")
        if not self._count:
            return
        if not self._joined:
            self._joined = await self._shards.join(self._count, self._max_shards)
        if self._joined and not self.stopping:
            await self._take_share()
        for shard in sorted(self.sessions.serving):
            self.sessions.cancel_handover(shard)
            await self._hand_over(shard)
        for shard in sorted(self.sessions.waiting):
            await self._take_over(shard)

    async def _take_share(self) -> None:
        shards = self._shards
        requested = self.sessions.numbers.difference(shards.held, self.sessions.handed_over)
        stopping = {process.id for process in shards.processes.values() if process.stopping}
        todo = plan(shards.process, self._count, shards.leases, shards.processes, requested)
        for shard in todo.take:
            if await shards.take(shard, self._now()):
                log.info("shard %s of %s is ours", shard, self._count)
        # A process keeps a shard until we are as fast as it is, unless it stops.
        for shard in todo.request:
            ready = self._steady() >= self._started_at or shards.leases[shard].process in stopping
            if ready and shard not in self.sessions.handed_over and await shards.request(shard):
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
            self._wake.set()

    async def _leave(self, shards: Collection[int], why: str) -> None:
        """Answer nothing more about these shards, and close their sessions."""
        for shard in shards:
            log.warning("shard %s of %s is not ours any more: %s", shard, self._count, why)
        await asyncio.gather(*(self.sessions.close(shard) for shard in shards))

    # Handovers

    def _requested(self, shard: int) -> bool:
        """Return True if a live process has requested a shard."""
        lease = self._shards.leases.get(shard)
        return lease is not None and lease.wanted_by is not None and lease.wanted_by in self._shards.processes

    async def _hand_over(self, shard: int) -> None:
        """Hand over a shard if the process that has requested it is ready."""
        session, lease = self.sessions.get(shard), self._shards.leases.get(shard)
        successor = self._shards.processes.get(lease.wanted_by or 0) if lease is not None else None
        if session is None or successor is None or shard not in _ready_shards(successor.figures):
            return
        # What we have begun to answer was received before now.
        at = Moment(self._now() + 1)
        # If the outcome is unknown, the next step finds it out; until then interactions are queued.
        session.handed_over_at = at
        if not await self._shards.hand_over(shard, at):
            self.sessions.cancel_handover(shard)
            return
        log.info("shard %s of %s was handed over to process %s", shard, self._count, successor.id)
        session.serving = False
        self._host.release_shard(shard)
        self.sessions.close_after(shard, LINGER_S)

    async def _take_over(self, shard: int) -> None:
        """Serve a shard that is ours now, or take it over if that is late; leave one that another process has got."""
        session = self.sessions.get(shard)
        if session is None or session.connected_at is None:
            return
        shards, lease = self._shards, self._shards.leases.get(shard)
        if shard not in shards.held:
            if lease is None or lease.wanted_by != shards.process:
                await self._leave([shard], "another process was first")
                return
            gone = lease.process not in shards.processes
            late = self._steady() - session.connected_at >= HANDOVER_WITHIN_S
            if not (gone or late) or not await shards.take_over(shard, self._now()):
                return
        log.info("shard %s of %s is ours", shard, self._count)
        await self.sessions.serve(shard, shards.leases[shard].since)

    # Interactions

    def should_handle(self, guild: int, at: Moment, data: Any) -> bool:
        """Return True if what Discord received at a moment about a server (0: direct messages) is ours to answer now;
        if it may soon be, queue it.
        """
        shards = self._shards
        if shards.expired:
            return False
        shard = shard_of(guild, self._count)
        session = self.sessions.get(shard)
        if session is not None and session.handed_over_at is not None:
            if at >= session.handed_over_at:
                session.queue(at, data)
            return at < session.handed_over_at
        if shards.holds(guild):
            return at >= shards.ours_from(guild)
        if session is not None:
            session.queue(at, data)
        return False


class _Figures(msgspec.Struct):
    ready: list[int] = []


def _ready_shards(figures: str) -> Collection[int]:
    """Return the shards of which a process says that its sessions are connected."""
    try:
        return set(msgspec.json.decode(figures, type=_Figures).ready)
    except msgspec.DecodeError:
        return ()
