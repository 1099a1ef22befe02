"""Pauses the tables of servers and channels in which nobody can play, and loads those that can go on."""

import contextlib
from collections.abc import Callable, Iterable
from dataclasses import dataclass

import msgspec

from cogs.core.app.composition import TableParts
from cogs.core.cluster.ownership import Ownership
from cogs.core.ops.timers import Clock, Timer
from data.store import Store, StoreError, TableChange
from data.store.rows import Cause
from engine.contract import BrokenRecord, Moment

WAKE_EVERY_MS = 50
"""How far apart tables are loaded after a start: time for clicks is left, and Discord's limit is not reached."""


@dataclass(eq=False)
class Pausing:
    """Applies to many tables what `Playable` decides about each. `show_timer` loads and shows a table; `check_timer`
    looks at the tables of a server on which the bot may do more or less than before.
    """

    store: Store
    ownership: Ownership
    clock: Clock
    tables: TableParts
    show_timer: Timer

    def __post_init__(self) -> None:
        self.check_timer = self.tables.scheduler.timer("check of channels", self._check)

    def wake_soon(self, tables: Iterable[int], first: int = 0) -> None:
        """Load these tables soon, one after the other, behind `first` others. Does not block."""
        for number, table in enumerate(tables, first):
            self.show_timer.set_in(table, number * WAKE_EVERY_MS)

    def update_soon(self, where: Callable[[int], bool], playable: bool) -> None:
        """Pause the tables of some servers, or let them go on. Does not block."""
        name = "going on with tables" if playable else "pausing tables"
        self.tables.tasks.spawn(self._update(where, playable), name)

    async def _update(self, where: Callable[[int], bool], playable: bool) -> None:
        """Pause the open tables of some servers, or load those that are paused, which go on if they can be played.
        Raises `StoreError`.
        """
        registry = self.tables.registry
        for table in registry.awake():
            if where(table.snapshot.row.guild):
                await registry.playable.update(table)
        ours = [row for row in await self.store.tables.open() if where(row.guild) and self.ownership.holds(row.guild)]
        asleep = [row for row in ours if row.id not in registry.present]
        if playable:
            self.wake_soon(row.id for row in asleep if row.paused_at is not None)
            return
        since = dict[Cause, dict[int, Moment]]()
        for row in asleep:
            obstacle = registry.playable.obstacle(row) if row.due is not None and row.paused_at is None else None
            if obstacle is not None:
                at = Moment(obstacle.since - registry.playable.lost_ms(row))
                since.setdefault(obstacle.cause, {})[row.id] = at
        for cause, tables in since.items():
            await self.store.tables.pause(tables, cause)

    async def _check(self, guild: int) -> None:
        """Pause the tables of a server in whose channel the bot may not write, and let others go on. Raises
        `StoreError`.
        """
        registry = self.tables.registry
        for row in await self.store.tables.open(guild) if self.ownership.holds(guild) else ():
            table, stops = registry.present.get(row.id), registry.playable.obstacle(row) is not None
            if table is None and stops != (row.paused_at is not None):
                with contextlib.suppress(BrokenRecord):
                    await registry.find(row.id)
            elif table is not None:
                await registry.playable.update(table)

    async def pause(self, number: int) -> None:
        """Stop the clocks of a table whose server is out of reach, and unload it."""
        registry = self.tables.registry
        await registry.loaded(number)
        table = registry.present.take(number)
        registry.clear_timers(number)
        row = await self.store.tables.get(number) if table is None else table.snapshot.row
        if row is None or (row.paused_at is not None and row.paused_by in (None, "server") and table is None):
            return
        # The clocks were not extended by this downtime yet.
        acted_at = None if table is None else table.snapshot.position.at
        since = row.paused_at or Moment(self.clock.now() - registry.playable.lost_ms(row, acted_at))
        if table is not None:
            # Also for what still refers to it.
            table.assume(msgspec.structs.replace(row, paused_at=since, paused_by="server"))
            await registry.stop_serving(table)
        try:
            await self.store.tables.update(number, TableChange(paused_at=since, paused_by="server"))
        except StoreError as error:
            self.tables.database_status.failed(error)  # it is paused anyway, until the next start
