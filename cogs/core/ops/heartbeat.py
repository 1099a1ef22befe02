"""The heartbeat: the time, stored every few seconds while the bot runs."""

from collections.abc import Awaitable, Callable

from cogs.core.ops.database_status import DatabaseStatus
from cogs.core.ops.timers import Clock, Scheduler
from data.store import Store
from engine.contract import Moment

BEAT_MS = 10_000
"""The time between two heartbeats. After a crash the clocks are extended by the time since the last one."""


class Heartbeat:
    """Stores the time at each beat, and does the `jobs` that go with it, which may raise `StoreError`. `last`: when it
    was stored last.
    """

    def __init__(self, store: Store, clock: Clock, scheduler: Scheduler, database_status: DatabaseStatus) -> None:
        self.last: Moment | None = None
        self.jobs: list[Callable[[], Awaitable[None]]] = []
        self._store = store
        self._clock = clock
        self._database_status = database_status
        self._next = scheduler.job("the note that the bot is alive", self.beat)

    async def start(self) -> None:
        """Store the time now, and from then on at each beat. Raises `StoreError`."""
        await self._store_time()
        self._next.set_in(BEAT_MS)

    async def beat(self) -> None:
        """Store the time, and do the jobs that go with it. Raises `StoreError`."""
        await self._store_time()
        for job in self.jobs:
            await job()
        self._database_status.succeeded()
        self._next.set_in(BEAT_MS)

    async def _store_time(self) -> None:
        now = self._clock.now()
        await self._store.beat(now)
        self.last = now
