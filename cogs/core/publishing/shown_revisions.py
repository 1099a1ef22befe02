"""Up to which revision each table's message is known to show it, also after a restart.

A table's revision counts the changes that its message shows. What is stored may lag behind, which costs an edit after a
crash, but never leads, so everything committed is shown in the end.
"""

import asyncio
from collections.abc import Callable

from data.store import Store, StoreError, TableRow


class ShownRevisions:
    """Up to which revision each table is shown."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._revisions: dict[int, int] = {}
        self._unwritten: set[int] = set()
        self._waits: dict[int, Callable[[], bool]] = {}
        self._writing = asyncio.Lock()

    def of(self, row: TableRow) -> int:
        """Return the revision that the table's message is known to show; 0 if nothing is known of it."""
        return self._revisions.get(row.id, row.shown)

    def behind(self, row: TableRow) -> bool:
        """Return True if the table's message is not known to show the newest state."""
        return self.of(row) < row.revision

    def note(self, table: int, revision: int) -> None:
        """Take note of the revision that a message provably shows; 0 once it shows nothing any more."""
        self._revisions[table] = revision
        self._unwritten.add(table)

    def wait_while(self, table: int, waits: Callable[[], bool]) -> None:
        """Keep no revision of a table while `waits`, since something else does not show it yet. After a crash, the
        table is shown once more then.
        """
        self._waits[table] = waits

    async def write(self) -> None:
        """Keep what is known. Raises `StoreError`; then it is kept the next time."""
        async with self._writing:  # a table is unloaded only when what is being written is on disk
            wanted = [table for table in self._unwritten if table not in self._waits or not self._waits[table]()]
            writing = {table: self._revisions[table] for table in wanted}
            self._unwritten.difference_update(wanted)
            if not writing:
                return
            try:
                await self._store.tables.set_shown(writing)
            except StoreError:
                self._unwritten |= writing.keys()
                self._revisions = writing | self._revisions  # some may have been forgotten, others changed again
                raise

    def forget(self, table: int) -> None:
        """Forget a table that is unloaded, once its revision is written."""
        if table not in self._unwritten:
            self._waits.pop(table, None)
            self._revisions.pop(table, None)
