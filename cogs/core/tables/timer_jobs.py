"""Timers of tables, which load the table first, and recurring jobs of the whole bot."""

import logging
from collections.abc import Awaitable, Callable, Mapping

from cogs.core.cluster.ownership import Ownership
from cogs.core.ops import discord_errors
from cogs.core.ops.database_status import DatabaseStatus
from cogs.core.ops.timers import Clock, JobKind, Scheduler
from cogs.core.tables.table import Table
from cogs.core.tables.table_registry import TableRegistry
from data.background import BackgroundTasks
from data.store import NotShardOwner, Store, StoreError
from engine.contract import BrokenRecord, Moment

log = logging.getLogger(__name__)

GLOBAL = 0
"""The scheduler's number for what belongs to no table."""

BEAT_MS = 10_000
"""How often the time is noted: after a crash the clocks are extended by the time since the last note."""

ALIVE_WITHIN_MS = 60_000
"""A bot without a heartbeat for this long counts as stopped."""

JOB_NAMES: Mapping[JobKind, str] = {
    "beat": "the note that the bot is alive",
    "compare": "the comparison of awake tables with the database",
    "commands": "the upload of the commands",
    "emoji": "the drawing of emoji",
    "puzzles": "the posting of the day's puzzles",
}
"""The jobs of the whole bot in words, for the log."""


class TimerJobs:
    """Runs timers and jobs when they are due; the scheduler retries those that fail."""

    def __init__(self, store: Store, ownership: Ownership, clock: Clock, database_status: DatabaseStatus) -> None:
        self.scheduler = Scheduler(clock, self.wake, self.failed)
        self._store = store
        self._ownership = ownership
        self._clock = clock
        self._database_status = database_status
        self._registry: TableRegistry | None = None
        self._table_jobs: dict[JobKind, Callable[[Table], Awaitable[None]]] = {}
        self._global_jobs: dict[JobKind, Callable[[], Awaitable[None]]] = {"beat": self.beat}
        self._beat_jobs: list[Callable[[], Awaitable[None]]] = []
        self._running = BackgroundTasks()
        self.last_beat: Moment | None = None  # when it was last noted that the bot is alive

    async def open(self) -> None:
        """Begin to serve what falls due."""
        await self._beat()
        self.scheduler.set(GLOBAL, "beat", self._clock.now() + BEAT_MS)
        self._running.spawn(self.scheduler.run(), "the scheduler")

    async def close(self) -> None:
        """Stop every clock."""
        await self._running.close()

    # Timers of tables

    def serve(self, registry: TableRegistry) -> None:
        """Find tables there from now on."""
        self._registry = registry
        self.register("news", _catch_up)
        self.register("anew", Table.reload)

    def register(self, kind: JobKind, serve: Callable[[Table], Awaitable[None]]) -> None:
        """Serve a kind of timer of tables by this function from now on."""
        self._table_jobs[kind] = serve

    async def wake(self, number: int, kind: JobKind) -> None:
        """Serve a timer of a table, or a job of the whole bot."""
        registry = self._registry
        assert registry is not None
        if number == GLOBAL:
            await self._global_jobs[kind]()
        elif kind == "sleep":
            await registry.unload(number)
        elif not await self._is_owned(registry, number):
            self.scheduler.clear(number)
        elif (table := await self._loaded(registry, number)) is not None:
            await self._table_jobs[kind](table)

    async def _is_owned(self, registry: TableRegistry, number: int) -> bool:
        """Return True if this process serves a table: nobody else does anything there by itself."""
        if not self._ownership.shared:
            return True
        table = registry.present.get(number)
        row = await self._store.tables.get(number) if table is None else table.snapshot.row
        return row is None or self._ownership.holds(row.guild)

    async def _loaded(self, registry: TableRegistry, number: int) -> Table | None:
        """Return a table whose clocks run; None if there is none."""
        try:
            table = await registry.find(number)
        except BrokenRecord as error:
            log.warning("table %s cannot be read: %s", number, error)  # until somebody ends it
            return None
        if table is not None and table.elsewhere:
            self.scheduler.clear(number)
            return None
        if table is not None and table.snapshot.paused:
            await registry.go_on(table)
            table.announce(visible=False)
        return None if table is None or table.snapshot.paused else table

    def failed(self, number: int, kind: JobKind, error: Exception, times: int) -> None:
        """Log what failed; it is tried again."""
        name = JOB_NAMES.get(kind, kind) if number == GLOBAL else f"table {number}: its {kind}"
        if isinstance(error, NotShardOwner):
            log.info("%s is another process's to serve by now", name)
        elif isinstance(error, StoreError):
            self._database_status.failed(error)
        elif isinstance(error, discord_errors.API_ERRORS):
            log.warning("%s failed, and is tried again: %s", name, error)
        else:
            log.error("%s failed, and is tried again", name, exc_info=error if times == 1 else None)

    # Jobs of the whole bot

    def run_job(self, kind: JobKind, job: Callable[[], Awaitable[None]]) -> None:
        """Do a job now, and whenever it falls due again; if it fails it is tried again until it works."""
        self._global_jobs[kind] = job
        self.scheduler.set(GLOBAL, kind, self._clock.now())

    def on_beat(self, job: Callable[[], Awaitable[None]]) -> None:
        """Do a job at each beat. It may raise `StoreError`."""
        self._beat_jobs.append(job)

    async def beat(self) -> None:
        """Store that the bot is alive. Raises `StoreError`."""
        await self._beat()
        for job in self._beat_jobs:
            await job()
        self._database_status.succeeded()
        self.scheduler.set(GLOBAL, "beat", self._clock.now() + BEAT_MS)

    async def _beat(self) -> None:
        now = self._clock.now()
        await self._store.beat(now)
        self.last_beat = now


async def _catch_up(table: Table) -> None:
    """Show what another process has done at a table of this one."""
    if not await table.catch_up():
        table.announce(visible=False)
