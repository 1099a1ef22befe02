"""The tables in memory: found, loaded when they are needed, opened, and unloaded."""

import asyncio
import logging
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence

from cogs.core.cluster.ownership import Ownership
from cogs.core.i18n.translation import Words
from cogs.core.ops.timers import Clock, Scheduler, Timer
from cogs.core.pages.game_ui import GameUI
from cogs.core.tables import absence, changes, seat_rules
from cogs.core.tables.component import TableComponent
from cogs.core.tables.playable import Playable
from cogs.core.tables.snapshot import TableSnapshot
from cogs.core.tables.table import Table
from data.store import Limits, NewTable, NotShardOwner, SeatRow, Store, TableRow
from data.store.cluster_notices import TableChanged
from engine.contract import BrokenRecord

log = logging.getLogger(__name__)

REMOTE_TABLES = 128
"""How many tables of other processes are kept of which somebody has pressed a message here lately."""


class LoadedTables(dict[int, Table]):
    """The tables in memory, by number and by channel. No other channel than these `places` has open tables."""

    def __init__(self) -> None:
        super().__init__()
        self.places: set[int] = set()
        self._channels: dict[int, dict[int, Table]] = {}

    def in_channel(self, channel: int) -> Collection[Table]:
        """Return those of a channel. Fast, however many there are elsewhere."""
        return tuple(self._channels.get(channel, {}).values())

    def put(self, table: Table) -> Table:
        """Add a table and return it, or return the one that is here already: no table is in memory twice."""
        here = self.setdefault(table.id, table)
        self.places.add(here.snapshot.row.channel)
        self._channels.setdefault(here.snapshot.row.channel, {})[here.id] = here
        return here

    def take(self, number: int) -> Table | None:
        """Remove a table and return it; None if it was not here."""
        table = self.pop(number, None)
        if table is not None:
            channel = table.snapshot.row.channel
            del self._channels[channel][number]
            if not self._channels[channel]:
                del self._channels[channel]
        return table

    def clear(self) -> None:
        """Remove all."""
        super().clear()
        self._channels.clear()


class TableRegistry:
    """All tables in memory, and the way to the others.

    - `present`: the tables in memory. `remote`: those of other processes that somebody used here lately.
    - `components`: what serves each table that is loaded, in this order.
    - `out_of_reach`: servers of open tables that the bot is not on.
    - `playable`: which tables can be played; the clocks of others are paused.
    - `unload_timer` unloads a table if nobody uses it, `catch_up_timer` shows what another process has done at a table,
      and `reload_timer` reads a table again.
    """

    def __init__(
        self, store: Store, ownership: Ownership, clock: Clock, scheduler: Scheduler, game_uis: Mapping[str, GameUI]
    ) -> None:
        self.present = LoadedTables()
        self.remote = OrderedDict[int, Table]()
        self.components: list[TableComponent] = []
        self.out_of_reach: set[int] = set()
        self.playable = Playable(store, clock)
        self._store = store
        self._ownership = ownership
        self._clock = clock
        self._scheduler = scheduler
        self._game_uis = game_uis
        self._loading: dict[int, asyncio.Task[Table | None]] = {}
        self.unload_timer = scheduler.timer("unloading", self._unload_unused, calls_discord=True)
        self.catch_up_timer = self.timer("catching-up", _catch_up)
        self.reload_timer = self.timer("reload", Table.reload)

    # Finding

    async def find(self, number: int) -> Table | None:
        """Return the table with this number, loading it if necessary; None if there is none. A table that was paused
        goes on if it can be played now. Raises `BrokenRecord`.
        """
        table = self.present.get(number)
        if table is not None and self._ownership.holds(table.snapshot.row.guild):
            if table.snapshot.paused:
                await self.playable.update(table)
            return table
        loading = self._loading.get(number)
        if loading is None:
            loading = asyncio.create_task(self._load(number), name=f"load-{number}")
            self._loading[number] = loading
            loading.add_done_callback(lambda _: self._loading.pop(number, None))
        return await asyncio.shield(loading)

    def awake(self) -> Sequence[Table]:
        """Return the tables in memory."""
        return tuple(self.present.values())

    # Timers

    def timer(self, name: str, run: Callable[[Table], Awaitable[None]], *, calls_discord: bool = False) -> Timer:
        """Return a timer of tables: a table is loaded before the timer runs for it. See `Scheduler.timer`."""

        async def run_loaded(number: int) -> None:
            table = await self._find_running(number)
            if table is not None and self.present.get(number) is table:  # else it has just left the process
                await run(table)

        return self._scheduler.timer(name, run_loaded, calls_discord=calls_discord)

    async def _find_running(self, number: int) -> Table | None:
        """Return a table of this process whose server is in reach; None for any other."""
        try:
            table = await self.find(number) if await self._is_owned(number) else None
        except BrokenRecord as error:
            log.warning("table %s cannot be read: %s", number, error)  # until somebody ends it
            return None
        if table is None or table.elsewhere:
            self.clear_timers(number)
            return None
        return None if table.silent else table

    async def _is_owned(self, number: int) -> bool:
        if not self._ownership.shared:
            return True
        table = self.present.get(number)
        row = await self._store.tables.get(number) if table is None else table.snapshot.row
        return row is None or self._ownership.holds(row.guild)

    def clear_timers(self, number: int) -> None:
        """Clear all timers of a table."""
        self._scheduler.clear(number)

    # Loading and opening

    async def _load(self, number: int) -> Table | None:
        row = await self._store.tables.get(number)
        if row is None or row.game not in self._game_uis:
            return None
        if not self._ownership.holds(row.guild):
            return await self._load_remote(row)
        table = await self._read(row)
        await self.go_on(table)
        return await self._serve(table, new=False)

    async def _read(self, row: TableRow) -> Table:
        return await Table.load(self._store, self._ownership, self._game_uis[row.game].game, row)

    async def _serve(self, table: Table, *, new: bool) -> Table:
        """Serve a table from now on, and return it, or the one that is in memory already."""
        for component in self.components:
            await component.load(table, new=new)
        here = self.present.put(table)
        if here is not table:
            self._unload(table)
            return here
        listening = (one for one in self.components if type(one).changed is not TableComponent.changed)
        table.listeners = [component.changed for component in listening]
        for component in self.components:
            component.loaded(table)
        return table

    async def _load_remote(self, row: TableRow) -> Table:
        """Return the table of another process as it is now, for a press that came in here. It is not served here."""
        table = self.remote.get(row.id)
        if table is not None:
            self.remote.move_to_end(row.id)
            await table.catch_up()
        else:
            table = await self._read(row)
            await self._keep_remote(table, new=False)
        if row.paused_at is None:
            await self.go_on(table)
        return table

    async def _keep_remote(self, table: Table, *, new: bool) -> None:
        table.elsewhere = True
        for component in self.components:
            await component.load(table, new=new)
        self.remote[table.id] = table
        if len(self.remote) > REMOTE_TABLES:
            self._unload(self.remote.popitem(last=False)[1])

    def forget_remote(self) -> None:
        """Drop the tables of other processes; they are read again when they are needed."""
        while self.remote:
            self._unload(self.remote.popitem()[1])

    async def loaded(self, number: int | None = None) -> None:
        """Wait until what is being loaded (or only the table with this number) has been, or has failed."""
        loading = [task for table, task in self._loading.items() if number in (None, table)]
        await asyncio.gather(*loading, return_exceptions=True)

    async def go_on(self, table: Table) -> None:
        """Restart the clocks of a table that stopped while it could not be played, if it can be now."""
        await self.playable.update(table)
        if table.snapshot.playing and not table.snapshot.paused:
            await table.act(absence.fall_asleep, self._clock.now())

    async def open(self, new: NewTable, seats: Sequence[SeatRow], limits: Limits) -> Table:
        """Open a table with these people, numbered in this order. Raises `LimitReached` or another `StoreError`."""
        try:
            row = await self._store.tables.create(new, seats, limits)
        except NotShardOwner:  # another process serves the server by now
            await self._ownership.refresh()
            row = await self._store.tables.create(new, seats, limits)
        table = Table(self._store, self._ownership, TableSnapshot.of(self._game_uis[row.game].game, row, seats))
        if self._ownership.holds(row.guild):
            return await self._serve(table, new=True)  # somebody may have asked for it since it was committed
        await self._keep_remote(table, new=True)
        table.tell_owner(TableChanged(row.id))
        return table

    # Ending and unloading

    async def end(self, number: int, reason: Words) -> bool:
        """End a table as it is, also one that can no longer be read. Return False if it was not open."""
        now = self._clock.now()
        try:
            table = await self.find(number)
        except BrokenRecord:
            log.exception("table %s cannot be read, and is closed", number)
            row, seats = await self._store.tables.get(number), await self._store.seats.of(number)
            if row is None or row.status not in ("lobby", "playing"):
                return False
            results = seat_rules.certain_results(row, seats, now)
            await self._store.seats.update_many(number, {}, changes.closing(now), results)
            self._scheduler.clear(number)
            return True
        return table is not None and await table.act(changes.close, reason, now)

    async def _unload_unused(self, number: int) -> None:
        """Unload a table that has nothing to do and that nobody uses. Buttons of its pages load it again."""
        table = self.present.get(number)
        if table is None:
            return
        for component in self.components:
            await component.prepare_to_unload(table)
            if self.present.get(number) is not table:
                return  # it has left the process meanwhile
        # Nothing is awaited from here on: somebody may have used the table meanwhile, and must not be missed.
        now, after = self._clock.now(), table.snapshot.unloads_after_ms
        if table.busy or any(component.busy(table) for component in self.components) or now - table.used < after:
            self.unload_timer.set(number, now + after)
            return
        self.present.take(number)
        self._unload(table)

    def _unload(self, table: Table) -> None:
        for component in self.components:
            component.unload(table)

    async def stop_serving(self, table: Table) -> None:
        """Stop everything that is under way at a table. What is still being changed there is stored and announced to
        nobody: the next to load the table shows it.
        """
        table.listeners = ()
        for component in self.components:
            await component.close(table)

    async def settle(self) -> None:
        """Wait until all messages have been sent, and nobody is thinking."""
        for table in self.awake():
            for component in self.components:
                await component.settle(table)

    async def close(self) -> None:
        """Stop everything, and drop all tables."""
        for table in self.awake():
            await self.stop_serving(table)
        self.present.clear()


async def _catch_up(table: Table) -> None:
    if not await table.catch_up():
        table.announce(visible=False)
