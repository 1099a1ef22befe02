"""The interface of components, which serve the tables in memory: clocks, computer players, drafts and messages."""

from typing import TypeVar

from cogs.core.tables.table import Table

T = TypeVar("T")


class TableComponent:
    """Serves loaded tables. The registry calls its components in the order in which they were registered."""

    async def load(self, table: Table, *, new: bool) -> None:
        """Prepare for a table that is being loaded, or is `new`; nobody else can find it yet."""

    def loaded(self, table: Table) -> None:
        """Begin to serve a table, which can be found from now on. Must not block."""
        self.changed(table, False)

    def changed(self, table: Table, visible: bool) -> None:
        """Mark or schedule what follows from a committed change, `visible` or not. Must not block."""

    def busy(self, table: Table) -> bool:
        """Return True if the table must stay in memory for now."""
        return False

    async def settle(self, table: Table) -> None:
        """Wait until nothing is under way."""

    async def prepare_to_unload(self, table: Table) -> None:
        """Finish what can be finished before a table is unloaded. Raises `StoreError`."""

    def unload(self, table: Table) -> None:
        """Forget a table that has nothing left to do."""

    async def close(self, table: Table) -> None:
        """Stop everything that is under way at a table."""


class PerTable(dict[Table, T]):
    """One value for each table that is served. A table may be served twice for a moment while its owner changes."""

    def __init__(self) -> None:
        super().__init__()
        self._last: dict[int, Table] = {}

    def __setitem__(self, table: Table, value: T) -> None:
        super().__setitem__(table, value)
        self._last[table.id] = table

    def find(self, number: int) -> T | None:
        """Return the value of the table with this number, the later one of two; None if it is not served."""
        table = self._last.get(number)
        return None if table is None else self[table]

    def remove(self, table: Table) -> T | None:
        """Remove a table's value and return it; None if it had none."""
        value = self.pop(table, None)
        if self._last.get(table.id) is table:
            del self._last[table.id]
            self._last |= {other.id: other for other in self if other.id == table.id}
        return value
