"""Serves the shards that this process holds. A shard is handed over while both processes have a session of it, and from
a moment on the next one answers: so exactly one answers each interaction, by when Discord received it.
"""

import asyncio
import contextlib
import logging
from collections.abc import Callable, Collection, Mapping
from typing import Any

import msgspec

from cogs.core.cluster.shard_assignment import Plan, can_stop, plan, read_figures, settled
from cogs.core.cluster.shard_sessions import ShardHost, ShardSessions
from data.background import BackgroundTasks
from data.store import StoreError
from data.store.downtime import shard_of
from data.store.postgres.shards import Shards
from data.store.shards import RENEW_MS
from engine.contract import Moment

log = logging.getLogger(__name__)

STEP_S = 0.25
"""How long a step waits for the next during a handover, and before a failed renewal is tried again."""

STUCK_S = 20.0
"""A stopping process waits no longer if no other process has taken a shard of it for this long."""

LINGER_S = 2.0
"""How long the session of a shard that was handed over stays open, for interactions on their way."""

HANDOVER_WITHIN_S = 5.0
"""After this long, the next process takes over a shard from a process that does not hand it over."""

STARTUP_WITHIN_S = 15.0
"""A process whose startup takes longer, on a busy machine, requests its share all the same."""

REJOINED_S = 5.0
"""A process whose lease had expired takes only its own shards for this long: if the database was away, the others take
theirs again meanwhile.
"""


class ShardLeases:
    """Every few seconds, renews our lease, learns what we have lost, and takes or requests our share of the shards.

    `now` is Discord's time, `steady` a clock in seconds; `max_shards` is how many we serve at most, None for all.
    `first_clocks`: when the first clock of each shard ran out, when we last took some.
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
        self._rejoined_at = float("-inf")
        self._away: StoreError | None = None  # why the last step failed
        self.first_clocks: Mapping[int, Moment] = {}
        self.stopping = False
        self.sessions = ShardSessions(host, self._is_unsure)
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

    def finish_startup(self) -> None:
        """Note that our covers are prerendered: we answer as fast as any other process."""
        self._started_at = self._steady()
        self._wake.set()

    async def drain(self) -> None:
        """Tell the others that we are about to stop, and hand over our shards as far as they take them. Return when
        there is nothing to wait for.
        """
        if not self._joined:
            return
        if await self._announce_stop():
            held, since = len(self.sessions.serving), self._steady()
            while not self._may_stop() and self._steady() - since < STUCK_S:
                self._wake.set()
                await asyncio.sleep(STEP_S)
                if len(self.sessions.serving) != held:
                    held, since = len(self.sessions.serving), self._steady()
        await self.sessions.wait_until_closed()

    async def _announce_stop(self) -> bool:
        """Tell the others that we are about to stop, and take no more shards; return whether they know. If the database
        is unreachable, try again as long as we serve anything that others could take.
        """
        since = self._steady()
        while True:
            try:
                await self._shards.stop()
                self.stopping = True
                self._wake.set()
                await self._shards.refresh()
            except StoreError as error:
                log.warning("nobody can be told that this process is about to stop: %s", error)
                if self._may_stop() or self._steady() - since >= STUCK_S:
                    return False
            else:
                return True
            await asyncio.sleep(STEP_S)

    def _may_stop(self) -> bool:
        """Return True if we serve nothing that others could take."""
        shards = self._shards
        return not self.sessions.serving or can_stop(shards.process, self._count, shards.leases, shards.processes)

    async def close(self) -> None:
        """Open, take and hand over nothing more."""
        await self._running.close()
        await self.sessions.stop()

    async def _run(self) -> None:
        while True:
            try:
                await self.step()
            except StoreError:
                pass  # it was logged, and the next step tries again
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
        leases = (shards.leases.get(shard) for shard in self.sessions.serving)
        requested = any(lease is not None and lease.wanted_by in shards.processes for lease in leases)
        if ours is None or self._is_unsure() or self.stopping or self.sessions.waiting or requested:
            return STEP_S
        # A process that does not renew its lease loses its shards at a known moment.
        others = [process.until for process in shards.processes.values() if process is not ours]
        return max(STEP_S, min([RENEW_MS, *(until - ours.beat_at + 50 for until in others)]) / 1_000)

    # One step

    async def step(self) -> None:
        """Renew our lease, and do what follows from the state of all leases. Raises `StoreError`."""
        try:
            await self._step()
        except StoreError as error:
            if self._away is None:
                log.warning("leases cannot be renewed: %s", error)
            self._away = error
            if self._shards.expired:
                # Others may take our shards now. As long as we do not know, the sessions stay, and people are refused.
                for shard in sorted(self.sessions.serving):
                    await self.sessions.suspend(shard)
            raise

    async def _step(self) -> None:
        expired = self._shards.expired
        told = {"ready": sorted(self.sessions.waiting), "served": self.sessions.served_since()}
        figures = msgspec.json.encode({**self._host.process_stats(), **told}).decode()
        lost = await self._shards.renew(self._now(), figures)
        if self._away is not None:
            log.info("leases are renewed again")
            self._away = None
        if expired and self._joined:
            self._rejoined_at = self._steady()
        # A shard that is served but not held was lost while we could not read that.
        await self._keep({*lost, *self.sessions.serving.difference(self._shards.held), *self.sessions.suspended})
        if not self._count:
            return
        if not self._joined:
            self._joined = await self._shards.join(self._count, self._max_shards)
        if self._joined and not self.stopping:
            await self._take_share()
        for shard in sorted(self.sessions.serving):
            self.sessions.cancel_handover(shard)
            self.sessions.handle_queued(shard)
            await self._hand_over(shard)
        for shard in sorted(self.sessions.waiting):
            await self._take_over(shard)

    async def _keep(self, lost: Collection[int]) -> None:
        """Take shards again that we have lost, and go on with their sessions; leave those that others have."""
        gone = []
        for shard in sorted(lost):
            if self._belongs_to_another(shard):
                gone.append(shard)
                continue
            await self.sessions.suspend(shard)
            if shard in self._shards.held or (not self.stopping and await self._shards.take(shard, self._now())):
                log.info("shard %s of %s is ours again", shard, self._count)
                await self._serve(shard)
            else:
                gone.append(shard)
        await self._leave(gone, "another process has taken over, or may do so")

    def _is_unsure(self) -> bool:
        return self._away is not None or self._shards.expired

    def _belongs_to_another(self, shard: int) -> bool:
        """Return True if another live process certainly holds a shard."""
        lease, others = self._shards.leases.get(shard), self._shards.processes.keys() - {self._shards.process}
        return lease is not None and lease.process in others and not self._is_unsure()

    async def _take_share(self) -> None:
        shards = self._shards
        requested = self.sessions.numbers.difference(shards.held, self.sessions.handed_over)
        stopping = {process.id for process in shards.processes.values() if process.stopping}
        todo = plan(shards.process, self._count, shards.leases, shards.processes, requested)
        if todo.take:
            self.first_clocks = clocks = await shards.first_clocks()
            todo = plan(shards.process, self._count, shards.leases, shards.processes, requested, clocks)
        if self._steady() - self._rejoined_at < REJOINED_S:
            todo = Plan([], [])
        for shard in todo.take:
            if await shards.take(shard, self._now()):
                log.info("shard %s of %s is ours", shard, self._count)
        # A process keeps a shard until we are as fast as it is, and nobody waits for a session, unless it stops.
        calm = settled(self._count, shards.leases, shards.processes, self._now())
        rebalances = calm and self._steady() >= self._started_at
        for shard in todo.request:
            ready = rebalances or shards.leases[shard].process in stopping
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
        if shard in self._shards.held and not session.suspended:
            await self._serve(shard)
        else:
            self._wake.set()

    async def _serve(self, shard: int) -> None:
        """Serve a shard that is ours, once its session is connected."""
        session = self.sessions.get(shard)
        if session is not None:
            session.suspended = False
            if session.connected_at is not None:
                await self.sessions.serve(shard, self._shards.leases[shard].since, self._now())

    async def _leave(self, shards: Collection[int], why: str) -> None:
        """Answer nothing more about these shards, and close their sessions."""
        for shard in shards:
            log.warning("shard %s of %s is not ours any more: %s", shard, self._count, why)
        await asyncio.gather(*(self.sessions.close(shard) for shard in shards))

    # Handovers

    async def _hand_over(self, shard: int) -> None:
        """Hand over a shard if the process that has requested it is ready."""
        session, lease = self.sessions.get(shard), self._shards.leases.get(shard)
        successor = self._shards.processes.get(lease.wanted_by or 0) if lease is not None else None
        if session is None or successor is None or shard not in read_figures(successor).ready:
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
        await self._serve(shard)

    def should_handle(self, guild: int, at: Moment, data: Any) -> bool:
        """Return True if what Discord received at a moment about a server (0: direct messages) is ours to answer now;
        if it may soon be, queue it.
        """
        since = self._shards.ours_from(guild) if self._shards.holds(guild) else None
        return self.sessions.should_handle(shard_of(guild, self._count), since, at, data)
