"""Tells whoever asks to hear of it that a game has ended, once for each game."""

from collections.abc import Callable, Coroutine
from typing import Any

from cogs.core.tables.component import TableComponent
from cogs.core.tables.table import Table
from data.background import BackgroundTasks


class GameEnd(TableComponent):
    """Calls `hears` once for each game that ends with results."""

    def __init__(self, tasks: BackgroundTasks) -> None:
        self._tasks = tasks
        self._told: set[Table] = set()
        self.hears: Callable[[Table], Coroutine[Any, Any, None]] | None = None

    async def load(self, table: Table, *, new: bool) -> None:
        """Take a game that is over when it is loaded as told."""
        if table.snapshot.row.status == "over":
            self._told.add(table)

    def changed(self, table: Table, visible: bool) -> None:
        """Tell of the end of a game."""
        if self.hears is None or table.snapshot.row.status != "over" or not table.snapshot.results:
            return
        if table not in self._told and not table.silent:
            self._told.add(table)
            self._tasks.spawn(self.hears(table), f"booking-{table.id}")

    def unload(self, table: Table) -> None:
        """Let go of a table."""
        self._told.discard(table)

    async def close(self, table: Table) -> None:
        """Let go of a table."""
        self._told.discard(table)
