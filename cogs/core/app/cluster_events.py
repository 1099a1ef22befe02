"""What other processes tell, and what follows of it here: which of the things in memory are read again.

`data.store.cluster_notices` lists what there is to hear. What was told and not heard is found by comparing the tables
in memory with the database, and by letting go of all else that others may have changed, when the listener is back and
every minute.
"""

from collections.abc import Callable
from typing import assert_never

from cogs.core.tables.guild_events import Servers
from cogs.core.tables.house import House
from cogs.core.tables.table_registry import Sessions
from cogs.core.tables.timer_jobs import HOUSE
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
"""So often what is in memory is compared with the database or read again, whatever was heard."""


class Hearing:
    """Hears what other processes tell. What it sets going is served by the scheduler, and tried again if it fails."""

    def __init__(self, house: House, sessions: Sessions, servers: Servers) -> None:
        self._house = house
        self._sessions = sessions
        self._servers = servers
        self._open = True
        self.forgetting: list[Callable[[], None]] = []  # who else keeps something of people in memory lets go of all

    def __call__(self, notice: Notice) -> None:
        """Take a notice. Returns at once."""
        if not self._open:
            return
        match notice:
            case TableChanged(table):
                self._house.scheduler.set(table, "news", self._house.clock.now())
            case Pressed(table, user):
                self._pressed(table, user)
            case SettingsChanged(guild):
                self._house.settings.changed(guild)
            case PreferenceChanged(user):
                self._house.notify.forget(user)
            case Forgotten(user):
                self.forget(user)
                self._house.tasks.spawn(self._forget_at_tables(user), "forgetting somebody")
            case Missed():
                self._missed()
            case _:
                assert_never(notice)

    def close(self) -> None:
        """Hear nothing more."""
        self._open = False

    def _pressed(self, table: int, user: int) -> None:
        session = self._sessions.present.get(table)
        if session is not None:
            session.panels.pressed(user)
            session.direct_messages.leave_to_another(user)

    def forget(self, user: int | None = None) -> None:
        """Let go of what is in memory of a user (None: of everybody) besides the tables of ours."""
        self._house.notify.forget(user)
        self._sessions.visits.clear()
        for let_go in self.forgetting:
            let_go()

    async def _forget_at_tables(self, user: int) -> None:
        await self._sessions.loaded()  # what is being read may know them yet
        for session in self._sessions.awake():
            if session.table.knows(user):
                self._house.scheduler.set(session.table.id, "anew", self._house.clock.now())

    def _missed(self) -> None:
        """Read again whatever may have changed."""
        self._house.store.leaderboards.changed.set()
        self._house.scheduler.set(HOUSE, "compare", self._house.clock.now())

    async def compare(self) -> None:
        """Find the tables of ours that stand otherwise than we know, and those whose message does not show how they
        stand, and see to them; read all else again when it is needed. Raises `StoreError`.
        """
        self._house.settings.changed()
        self.forget()
        self._house.scheduler.set(HOUSE, "compare", Moment(self._house.clock.now() + COMPARED_EVERY_MS))
        known = {session.table.id: session.table for session in self._sessions.awake() if not session.table.elsewhere}
        for number, stands in (await self._house.store.tables.versions(known)).items():
            table = known[number]
            if stands != (table.row.version, table.row.revision):  # maybe somebody's words were deleted there
                self._house.scheduler.set(number, "anew", self._house.clock.now())
        await self._servers.look_for_unshown()
