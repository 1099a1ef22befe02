"""Notices from other processes, and which of the things in memory are read again because of them.

`data.store.cluster_notices` lists the notices. What was sent and not received is found by comparing the tables in
memory with the database, and by dropping all else that others may have changed, when the listener is back and every
minute.
"""

from typing import assert_never

from cogs.core.app.guild_events import GuildEvents
from cogs.core.inbound.table_service import TableService
from cogs.core.tables.timer_jobs import GLOBAL
from data.store.cluster_notices import (
    Forgotten,
    Missed,
    Notice,
    PreferenceChanged,
    Pressed,
    SettingsChanged,
    TableChanged,
)
from engine.contract import Moment

COMPARED_EVERY_MS = 60_000
"""How often what is in memory is compared with the database or read again, whatever was received."""


class ClusterEvents:
    """Receives notices from other processes. What they lead to is done by timers, and tried again if it fails."""

    def __init__(self, tables: TableService, guilds: GuildEvents) -> None:
        self._tables = tables
        self._guilds = guilds
        self._open = True

    def __call__(self, notice: Notice) -> None:
        """Take a notice. Does not block."""
        if not self._open:
            return
        match notice:
            case TableChanged(table):
                self._tables.scheduler.set(table, "news", self._tables.clock.now())
            case Pressed(table, user):
                self._pressed(table, user)
            case SettingsChanged(guild):
                self._tables.settings.changed(guild)
            case PreferenceChanged(user):
                self._tables.notify.forget(user)
            case Forgotten(user):
                self._tables.forget_in_memory(user)
                self._tables.spawn(self._reload_tables_of(user), "forgetting somebody")
            case Missed():
                self._missed()
            case _:
                assert_never(notice)

    def close(self) -> None:
        """Take no more notices."""
        self._open = False

    def _pressed(self, number: int, user: int) -> None:
        table = self._tables.registry.present.get(number)
        if table is not None:
            messages = self._tables.publisher.of(table)
            messages.attention.pressed(user)
            messages.direct_messages.leave_to_another(user)

    async def _reload_tables_of(self, user: int) -> None:
        await self._tables.registry.loaded()  # what is being loaded may know them yet
        for table in self._tables.registry.awake():
            if table.snapshot.knows(user):
                self._tables.scheduler.set(table.id, "anew", self._tables.clock.now())

    def _missed(self) -> None:
        """Read again whatever may have changed."""
        self._tables.store.leaderboards.changed.set()
        self._tables.scheduler.set(GLOBAL, "compare", self._tables.clock.now())

    async def compare(self) -> None:
        """Reload the tables of ours that differ from the database, show those whose message is not known to be up to
        date, and drop what else is in memory. Raises `StoreError`.
        """
        self._tables.settings.changed()
        self._tables.forget_in_memory()
        self._tables.scheduler.set(GLOBAL, "compare", Moment(self._tables.clock.now() + COMPARED_EVERY_MS))
        known = {table.id: table for table in self._tables.registry.awake() if not table.elsewhere}
        for number, stored in (await self._tables.store.tables.versions(known)).items():
            row = known[number].snapshot.row
            if stored != (row.version, row.revision):  # maybe somebody's words were deleted there
                self._tables.scheduler.set(number, "anew", self._tables.clock.now())
        await self._guilds.look_for_unshown()
