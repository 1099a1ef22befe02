"""Notifies listeners of games that end, and of rematches that are closed before they begin."""

from collections.abc import Callable, Coroutine
from typing import Any

from cogs.core.tables.component import TableComponent
from cogs.core.tables.table import Table
from data.background import BackgroundTasks


class GameEnd(TableComponent):
    """Calls `listener` once for each game that ends with results, and `rematch_closed` with the number of the game
    before for each rematch that is closed.
    """

    def __init__(self, tasks: BackgroundTasks) -> None:
        self._tasks = tasks
        self._notified: set[Table] = set()
        self.listener: Callable[[Table], Coroutine[Any, Any, None]] | None = None
        self.rematch_closed: Callable[[int], Coroutine[Any, Any, None]] | None = None

    async def load(self, table: Table, *, new: bool) -> None:
        """Skip a game that was over when it was loaded."""
        if table.snapshot.row.status == "over":
            self._notified.add(table)

    def changed(self, table: Table, visible: bool) -> None:
        """Notify the listeners if the game has ended."""
        row = table.snapshot.row
        if visible and row.status == "closed" and row.rematch_of is not None and self.rematch_closed is not None:
            self._tasks.spawn(self.rematch_closed(row.rematch_of), f"rematch-of-{row.rematch_of}")
        if self.listener is None or row.status != "over" or not table.snapshot.results:
            return
        if table not in self._notified and not table.silent:
            self._notified.add(table)
            self._tasks.spawn(self.listener(table), f"booking-{table.id}")

    def unload(self, table: Table) -> None:
        """Forget a table."""
        self._notified.discard(table)

    async def close(self, table: Table) -> None:
        """Forget a table."""
        self._notified.discard(table)
