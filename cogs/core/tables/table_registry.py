"""The tables in memory: found, loaded when they are needed, opened, and unloaded."""

import asyncio
import logging
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Collection, Iterable, Mapping, Sequence
from typing import Any

from cogs.core.cluster.ownership import Ownership
from cogs.core.ops.timers import Clock, Scheduler, Timer
from cogs.core.pages.game_ui import GameUI
from cogs.core.tables import absence, moves
from cogs.core.tables.component import TableComponent
from cogs.core.tables.snapshot import TableSnapshot
from cogs.core.tables.table import Table
from data.store import Limits, NewTable, NotShardOwner, Store, TableRow
from data.store.cluster_notices import TableChanged
from engine.contract import BrokenRecord

log = logging.getLogger(__name__)

REMOTE_TABLES = 128
"""How many tables of other processes are kept at which somebody has lately pressed something here, as in their direct
messages. They are read again at every press; what stays is which page each presser sees.
"""


class LoadedTables(dict[int, Table]):
    """The tables in memory, by number, and by their channel, which a table never changes."""

    def __init__(self) -> None:
        super().__init__()
        self._channels: dict[int, dict[int, Table]] = {}

    def in_channel(self, channel: int) -> Collection[Table]:
        """Return those of a channel, at no greater cost however many there are elsewhere."""
        return tuple(self._channels.get(channel, {}).values())

    def put(self, table: Table) -> Table:
        """Add a table and return it, or return the one that is here already: no table is in memory twice."""
        here = self.setdefault(table.id, table)
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
    """All tables in memory, and the way to the others. Its `components` serve each table that is loaded."""

    def __init__(
        self,
        store: Store,
        ownership: Ownership,
        clock: Clock,
        scheduler: Scheduler,
        game_uis: Mapping[str, GameUI],
    ) -> None:
        self.present = LoadedTables()
        self.components: list[TableComponent] = []
        self.out_of_reach: set[int] = set()  # servers of open tables that we are not on: their clocks are paused
        self.remote = OrderedDict[int, Table]()
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
        """Return the table with this number, loading it if necessary; None if there is none. Raises `BrokenRecord`."""
        table = self.present.get(number)
        if table is not None and self._ownership.holds(table.snapshot.row.guild):
            return table
        loading = self._loading.get(number)
        if loading is None:
            loading = asyncio.create_task(self._load(number), name=f"load-{number}")
            self._loading[number] = loading
            loading.add_done_callback(lambda _: self._loading.pop(number, None))
        return await asyncio.shield(loading)

    async def readable(self, rows: Iterable[TableRow]) -> tuple[list[Table], list[int]]:
        """Return those of these tables that exist, and the numbers of those whose record cannot be read."""
        found: dict[int, Table] = {}
        broken: list[int] = []
        for number in dict.fromkeys(row.id for row in rows):
            try:
                table = await self.find(number)
            except BrokenRecord as error:
                log.warning("table %s cannot be read: %s", number, error)
                broken.append(number)
            else:
                if table is not None:
                    found[number] = table
        return list(found.values()), broken

    async def of_user(self, user: int, guild: int | None, channel: int | None, game: str) -> list[TableRow]:
        """Return the running tables of a game at which a user sits in a channel."""
        rows = await self._store.tables.of(user, guild=guild, channel=channel)
        return [row for row in rows if row.game == game and row.status == "playing"]

    def awake(self) -> Sequence[Table]:
        """Return the tables in memory."""
        return tuple(self.present.values())

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
        """Let the components serve a table from now on; return the one that is in memory already, if one is."""
        for component in self.components:
            await component.load(table, new=new)
        here = self.present.put(table)
        if here is not table:
            self._unload(table)
        else:
            listening = (one for one in self.components if type(one).changed is not TableComponent.changed)
            table.listeners = [component.changed for component in listening]
            for component in self.components:
                component.loaded(table)
        return here

    async def _load_remote(self, row: TableRow) -> Table:
        """Return the table of another process as it is now, for a press that came in here: it is neither shown from
        here, nor are its clocks kept, nor do its computers play.
        """
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
        """Let go of the tables of other processes; they are read again when they are needed."""
        while self.remote:
            self._unload(self.remote.popitem()[1])

    async def loaded(self, number: int | None = None) -> None:
        """Return when what is being loaded (or only the table with this number) has been, well or badly."""
        loading = [task for table, task in self._loading.items() if number in (None, table)]
        await asyncio.gather(*loading, return_exceptions=True)

    async def go_on(self, table: Table) -> None:
        """Let the clocks of a table run again that were stopped while the bot, or its server, was away."""
        row, now = table.snapshot.row, self._clock.now()
        since = row.run, row.paused_at
        if row.paused_at is None:
            if table.snapshot.playing:
                await table.act(moves.make_up_for, self._store.downtime(row.run, row.guild), since, now)
                await table.act(absence.fall_asleep, now)
        elif row.guild not in self.out_of_reach:
            away_ms = now - row.paused_at
            await table.act(moves.make_up_for, away_ms, since, now)
            await table.act(moves.unpause, away_ms)

    async def open(self, new: NewTable, seats: Sequence[Any], limits: Limits) -> Table:
        """Open a table with these people, numbered in this order. Raises `LimitReached` or another `StoreError`."""
        row = await self._created(new, seats, limits)
        snapshot = TableSnapshot.of(self._game_uis[row.game].game, row, seats)
        table = Table(self._store, self._ownership, snapshot)
        if self._ownership.holds(row.guild):
            table = await self._serve(table, new=True)  # somebody may have asked for it since it was committed
        else:  # its server went to another process while this was asked for
            await self._keep_remote(table, new=True)
            table.tell_owner(TableChanged(row.id))
        return table

    async def _created(self, new: NewTable, seats: Sequence[Any], limits: Limits) -> TableRow:
        """Store a new table, even if another process serves its server by now. Raises what `Tables.create` does."""
        try:
            return await self._store.tables.create(new, seats, limits)
        except NotShardOwner:
            await self._ownership.refresh()
            return await self._store.tables.create(new, seats, limits)

    # Timers

    def timer(self, name: str, run: Callable[[Table], Awaitable[None]], *, calls_discord: bool = False) -> Timer:
        """Return a timer of tables: a table is loaded before the timer runs for it. See `Scheduler.timer`."""

        async def run_loaded(number: int) -> None:
            table = await self._find_running(number)
            if table is not None:
                await run(table)

        return self._scheduler.timer(name, run_loaded, calls_discord=calls_discord)

    async def _find_running(self, number: int) -> Table | None:
        """Return a table of this process whose clocks run; None if it is not one."""
        if not await self._is_owned(number):
            self.clear_timers(number)
            return None
        try:
            table = await self.find(number)
        except BrokenRecord as error:
            log.warning("table %s cannot be read: %s", number, error)  # until somebody ends it
            return None
        if table is None:
            return None
        if table.elsewhere:
            self.clear_timers(number)
            return None
        if table.snapshot.paused:
            await self.go_on(table)
            table.announce(visible=False)
        return None if table.snapshot.paused else table

    async def _is_owned(self, number: int) -> bool:
        """Return True if this process owns a table."""
        if not self._ownership.shared:
            return True
        table = self.present.get(number)
        row = await self._store.tables.get(number) if table is None else table.snapshot.row
        return row is None or self._ownership.holds(row.guild)

    def clear_timers(self, number: int) -> None:
        """Clear all timers of a table."""
        self._scheduler.clear(number)

    # Unloading

    async def _unload_unused(self, number: int) -> None:
        """Let a table leave the memory that nobody has used for long and that has nothing to do. If the game has ended,
        players who have a page open are shown nothing new: its buttons load the table again.
        """
        table = self.present.get(number)
        if table is None:
            return
        for component in self.components:
            await component.prepare_to_unload(table)
        # Asked last, without awaiting anything after: somebody may have come while the rest was finished.
        now, after = self._clock.now(), table.snapshot.unloads_after_ms
        busy = table.busy or any(component.busy(table) for component in self.components)
        if busy or now - table.used < after:
            self.unload_timer.set(number, now + after)
            return
        self.present.take(number)
        self._unload(table)

    def _unload(self, table: Table) -> None:
        for component in self.components:
            component.unload(table)

    async def stop_serving(self, table: Table) -> None:
        """Stop everything that serves a table."""
        for component in self.components:
            await component.close(table)

    async def settle(self) -> None:
        """Return when every message that is wanted has been sent, and nobody is thinking."""
        for table in self.awake():
            for component in self.components:
                await component.settle(table)

    async def close(self) -> None:
        """Stop everything that serves a table."""
        for table in self.awake():
            await self.stop_serving(table)
        self.present.clear()


async def _catch_up(table: Table) -> None:
    """Show what another process has done at a table of this one."""
    if not await table.catch_up():
        table.announce(visible=False)
