"""Reads again what other processes have changed: by their notices, and by a comparison every minute for lost ones."""

from typing import assert_never

from cogs.core.app.composition import TableParts
from cogs.core.app.serving import Serving
from cogs.core.publishing.publisher import Publisher
from data.store import Store
from data.store.cluster_notices import (
    Forgotten,
    Missed,
    Notice,
    PreferenceChanged,
    Pressed,
    SettingsChanged,
    TableChanged,
)

COMPARED_EVERY_MS = 60_000
"""How often loaded tables are compared with the database, and caches dropped."""


class ClusterEvents:
    """Receives notices. Timers do the work that follows, and retry it if it fails."""

    def __init__(self, store: Store, tables: TableParts, publisher: Publisher, serving: Serving) -> None:
        self._store = store
        self._tables = tables
        self._publisher = publisher
        self._serving = serving
        self._open = True
        self._comparison = tables.scheduler.job("the comparison of awake tables with the database", self._compare)

    def start(self) -> None:
        """Compare the loaded tables with the database now, and every minute from then on."""
        self._comparison.set_in(0)

    def __call__(self, notice: Notice) -> None:
        """Handle a notice. Does not block."""
        if not self._open:
            return
        match notice:
            case TableChanged(table):
                self._tables.registry.catch_up_timer.set_in(table, 0)
            case Pressed(table, user):
                self._pressed(table, user)
            case SettingsChanged(guild):
                self._tables.settings.forget(guild)
            case PreferenceChanged(user):
                self._tables.preferences.forget(user)
                self._tables.language_choice.forget(user)
                self._tables.language_choice.changed(user)
            case Forgotten(user):
                self._tables.leaving.forget_in_memory(user)
                self._tables.tasks.spawn(self._reload_tables_of(user), "forgetting somebody")
            case Missed():
                self._missed()
            case _:
                assert_never(notice)

    def close(self) -> None:
        """Ignore all later notices."""
        self._open = False

    def _pressed(self, number: int, user: int) -> None:
        table = self._tables.registry.present.get(number)
        if table is not None:
            messages = self._publisher.of(table)
            messages.attention.pressed(user)
            messages.direct_messages.leave_to_another(user)

    async def _reload_tables_of(self, user: int) -> None:
        await self._tables.registry.loaded()  # a table that is being loaded may still know them
        for table in self._tables.registry.awake():
            if table.snapshot.knows(user):
                self._tables.registry.reload_timer.set_in(table.id, 0)

    def _missed(self) -> None:
        """Read everything again that may have changed."""
        self._store.leaderboards.changed.set()
        self._comparison.set_in(0)

    async def _compare(self) -> None:
        """Drop all caches, and reload tables that differ from the database or may be unshown. Raises `StoreError`."""
        self._tables.settings.forget()
        self._tables.leaving.forget_in_memory()
        self._comparison.set_in(COMPARED_EVERY_MS)
        known = {table.id: table for table in self._tables.registry.awake() if not table.elsewhere}
        for number, stored in (await self._store.tables.versions(known)).items():
            row = known[number].snapshot.row
            if stored != (row.version, row.revision):  # somebody's words may have been deleted there
                self._tables.registry.reload_timer.set_in(number, 0)
        await self._serving.wake_unshown()
