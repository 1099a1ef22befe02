"""What falls due: timers of tables, which load the table first, and recurring jobs of the whole bot."""

import logging
from collections.abc import Awaitable, Callable, Mapping

from cogs.core.cluster.ownership import Ownership
from cogs.core.ops import discord_errors
from cogs.core.ops.database_status import DatabaseStatus
from cogs.core.ops.timers import Clock, Scheduler, What
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
"""Who has not noted the time for longer is not alive any more, for whoever asks from outside."""

CALLED: Mapping[What, str] = {
    "beat": "the note that the bot is alive",
    "compare": "the comparison of awake tables with the database",
    "commands": "the upload of the commands",
    "emoji": "the drawing of emoji",
    "puzzles": "the posting of the day's puzzles",
}
"""What falls due for the house, in words for the log."""


class TimerJobs:
    """Calls whoever has set a timer once it is due; what fails is tried again by the scheduler."""

    def __init__(self, store: Store, ownership: Ownership, clock: Clock, health: DatabaseStatus) -> None:
        self.scheduler = Scheduler(clock, self.wake, self.failed)
        self._store = store
        self._ownership = ownership
        self._clock = clock
        self._health = health
        self._registry: TableRegistry | None = None
        self._of_tables: dict[What, Callable[[Table], Awaitable[None]]] = {}
        self._global: dict[What, Callable[[], Awaitable[None]]] = {"beat": self.beat}
        self._at_beats: list[Callable[[], Awaitable[None]]] = []
        self._running = BackgroundTasks()
        self.beaten: Moment | None = None  # when it was last noted that the bot is alive

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
        self.on("news", _catch_up)
        self.on("anew", Table.reload)

    def on(self, what: What, serve: Callable[[Table], Awaitable[None]]) -> None:
        """Serve a kind of timer of tables by this function from now on."""
        self._of_tables[what] = serve

    async def wake(self, number: int, what: What) -> None:
        """Serve a timer of a table, or a job of the whole bot."""
        registry = self._registry
        assert registry is not None
        if number == GLOBAL:
            await self._global[what]()
        elif what == "sleep":
            await registry.unload(number)
        elif not await self._is_ours(registry, number):
            self.scheduler.clear(number)
        elif (table := await self._loaded(registry, number)) is not None:
            await self._of_tables[what](table)

    async def _is_ours(self, registry: TableRegistry, number: int) -> bool:
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

    def failed(self, number: int, what: What, error: Exception, times: int) -> None:
        """Log what failed; it is tried again."""
        name = CALLED.get(what, what) if number == GLOBAL else f"table {number}: its {what}"
        if isinstance(error, NotShardOwner):
            log.info("%s is another process's to serve by now", name)
        elif isinstance(error, StoreError):
            self._health.failed(error)
        elif isinstance(error, discord_errors.API_ERRORS):
            log.warning("%s failed, and is tried again: %s", name, error)
        else:
            log.error("%s failed, and is tried again", name, exc_info=error if times == 1 else None)

    # Jobs of the whole bot

    def do(self, what: What, job: Callable[[], Awaitable[None]]) -> None:
        """Do a job now, and whenever it falls due again; if it fails it is tried again until it works."""
        self._global[what] = job
        self.scheduler.set(GLOBAL, what, self._clock.now())

    def at_beats(self, job: Callable[[], Awaitable[None]]) -> None:
        """Do a job at each beat. It may raise `StoreError`."""
        self._at_beats.append(job)

    async def beat(self) -> None:
        """Store that the bot is alive. Raises `StoreError`."""
        await self._beat()
        for job in self._at_beats:
            await job()
        self._health.took()
        self.scheduler.set(GLOBAL, "beat", self._clock.now() + BEAT_MS)

    async def _beat(self) -> None:
        now = self._clock.now()
        await self._store.beat(now)
        self.beaten = now


async def _catch_up(table: Table) -> None:
    """Show what another process has done at a table of ours."""
    if not await table.catch_up():
        table.announce(visible=False)
