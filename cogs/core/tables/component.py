"""The components that serve the tables in memory: their clocks, computer players, drafts, messages and records."""

from typing import TypeVar

from cogs.core.tables.table import Table

T = TypeVar("T")


class TableComponent:
    """Serves loaded tables. The registry calls its components in the order in which they were registered."""

    async def load(self, table: Table, *, new: bool) -> None:
        """Prepare for a table that is being loaded, or is `new`; nobody else can find it yet."""

    def loaded(self, table: Table) -> None:
        """Begin to serve a table that can be found from now on. Must not block."""
        self.changed(table, False)

    def changed(self, table: Table, visible: bool) -> None:
        """Mark or schedule what follows from a change that was committed, and may be visible. Must not block."""

    def busy(self, table: Table) -> bool:
        """Return True if the table must stay in memory for now."""
        return False

    async def settle(self, table: Table) -> None:
        """Return when nothing is under way any more."""

    async def prepare_to_unload(self, table: Table) -> None:
        """Finish what can be finished before a table leaves the memory. Raises `StoreError`."""

    def unload(self, table: Table) -> None:
        """Let go of a table that has nothing left to do and leaves the memory."""

    async def close(self, table: Table) -> None:
        """Stop everything that is under way at a table."""


class PerTable(dict[Table, T]):
    """One value for each table that is served. A table that changes its owner may be served twice for a moment: `find`
    returns the value of the one that came last.
    """

    def __init__(self) -> None:
        super().__init__()
        self._last: dict[int, Table] = {}

    def __setitem__(self, table: Table, value: T) -> None:
        super().__setitem__(table, value)
        self._last[table.id] = table

    def find(self, number: int) -> T | None:
        """Return the value of the table with this number; None if none is served."""
        table = self._last.get(number)
        return None if table is None else self[table]

    def remove(self, table: Table) -> T | None:
        """Remove a table's value and return it; None if it had none."""
        value = self.pop(table, None)
        if self._last.get(table.id) is table:
            del self._last[table.id]
            self._last |= {other.id: other for other in self if other.id == table.id}
        return value
