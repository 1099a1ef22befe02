"""Notifies a listener of the end of a game, once for each game."""

from collections.abc import Callable, Coroutine
from typing import Any

from cogs.core.tables.component import TableComponent
from cogs.core.tables.table import Table
from data.background import BackgroundTasks


class GameEnd(TableComponent):
    """Calls `listener` once for each game that ends with results."""

    def __init__(self, tasks: BackgroundTasks) -> None:
        self._tasks = tasks
        self._notified: set[Table] = set()
        self.listener: Callable[[Table], Coroutine[Any, Any, None]] | None = None

    async def load(self, table: Table, *, new: bool) -> None:
        """Skip a game that was over when it was loaded."""
        if table.snapshot.row.status == "over":
            self._notified.add(table)

    def changed(self, table: Table, visible: bool) -> None:
        """Notify the listener if the game has ended."""
        if self.listener is None or table.snapshot.row.status != "over" or not table.snapshot.results:
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
