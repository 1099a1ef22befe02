"""A table as the database has it, for commands that also serve a game whose record cannot be read."""

from dataclasses import dataclass

from cogs.core.tables import seat_rules
from cogs.core.tables.table_registry import TableRegistry
from data.store import ResultRow, Store, TableRow
from engine.contract import BrokenRecord, Moment


@dataclass(frozen=True)
class StoredTable:
    """A table and who sits there. `broken`: the record of its game cannot be read."""

    row: TableRow
    seats: seat_rules.Seats
    broken: bool

    @property
    def open(self) -> bool:
        """Whether it has not ended."""
        return self.row.status in ("lobby", "playing")

    @property
    def ranked(self) -> bool:
        """Whether a game is in progress in which leaving counts, as far as the database knows."""
        return self.row.status == "playing" and not self.row.casual and seat_rules.only_people(self.seats)

    @property
    def players(self) -> frozenset[int]:
        """The people who sit there."""
        return frozenset(seat.user for seat in self.seats if seat.user is not None)

    def results_if_ended(self) -> tuple[ResultRow, ...]:
        """Return the results that would count if it ended now."""
        return seat_rules.certain_results(self.row, self.seats, Moment(0))


async def find_stored(store: Store, registry: TableRegistry, number: int) -> StoredTable | None:
    """Return a table as it is now; None if there is none. Raises `StoreError`."""
    try:
        table = await registry.find(number)
    except BrokenRecord:
        table, broken = None, True
    else:
        broken = False
    if table is not None:
        return StoredTable(table.snapshot.row, table.snapshot.seats, broken=False)
    row = await store.tables.get(number)
    return None if row is None else StoredTable(row, tuple(await store.seats.of(number)), broken)
