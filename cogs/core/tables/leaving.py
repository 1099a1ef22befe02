"""People who leave: a game, a server, or for good, with all that is kept of them; and those who come back.

What it means for one table is worked out in `presence` and `lobby`.
"""

import contextlib
import logging
from collections.abc import Iterable

from cogs.core.app.cluster_events import Hearing
from cogs.core.ops.errors import UserError
from cogs.core.tables import absence, lobby
from cogs.core.tables.follow_up import FollowUp
from cogs.core.tables.house import House
from cogs.core.tables.table_registry import Sessions
from cogs.core.tables.table_session import TableSession
from data.store.cluster_notices import Forgotten
from engine.contract import BrokenRecord, Seat

log = logging.getLogger(__name__)


class Departures:
    """Lets people go, and come back, at every table that it concerns."""

    def __init__(self, house: House, sessions: Sessions, follow_up: FollowUp, hearing: Hearing) -> None:
        self._store = house.store
        self._games = [screen.game for screen in house.screens.values()]
        self._clock = house.clock
        self._hearing = hearing
        self._sessions = sessions
        self._follow_up = follow_up

    async def leave(self, session: TableSession, seat: Seat) -> None:
        """Let a person go who leaves, was kicked or is gone: see `presence.leave`. Raises `UserError`."""
        await absence.leave(session.table, seat, self._clock.now())
        self._follow_up(session)
        session.message.changed()

    async def back(self, session: TableSession, seat: Seat) -> None:
        """Let a person take their seat back. Raises `UserError`."""
        await absence.back(session.table, seat, self._clock.now())
        self._follow_up(session)

    async def person_left(self, user: int, guild: int) -> None:
        """Let nobody be held up by a person who is no longer on the server: they leave all their tables there."""
        for row in await self._store.tables.of(user, guild=guild):
            session = await self._sessions.find(row.id)
            if session is None:
                continue
            with contextlib.suppress(UserError):  # the game began, or the table closed, this very moment
                if session.table.in_lobby:
                    await lobby.leave(session.table, user, self._clock.now())
                    self._follow_up(session)
                    session.message.changed()
                elif (seat := session.table.seat_of(user)) is not None:
                    await self.leave(session, seat)

    async def forget(self, user: int) -> None:
        """Delete who a user is everywhere: they leave every lobby and every game, and computers play on for them."""
        visited = []
        for row in await self._store.tables.of(user):
            try:
                session = await self._sessions.find(row.id)
            except BrokenRecord:
                log.exception("table %s cannot be read", row.id)
                continue
            if session is not None and session.table.in_lobby:
                with contextlib.suppress(UserError):  # the game began, or the table closed, this very moment
                    await lobby.leave(session.table, user, self._clock.now())
                self._follow_up(session)
                session.message.changed()
            if session is not None and session.table.elsewhere:
                visited.append(session)
        await self._forget_at(user, [*self._sessions.awake(), *visited])
        await self._store.user_data.forget(user, self._games)
        self._store.notices.tell(Forgotten(user))
        self._hearing.forget(user)
        # What was read before this, and is still being read into, knows them yet.
        await self._sessions.loaded()
        await self._forget_at(user, self._sessions.awake())

    async def _forget_at(self, user: int, sessions: Iterable[TableSession]) -> None:
        for session in sessions:
            if session.table.knows(user):
                await absence.forget(session.table, user, self._clock.now())
                self._follow_up(session)
                session.message.changed()
