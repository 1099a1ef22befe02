"""What follows from a move, a coming or a going: clocks, computer players, direct messages, the turn ping.

Set going here, and never awaited by whoever moved.
"""

import logging
from collections.abc import Callable, Coroutine
from typing import Any

from cogs.core.ops import discord_errors
from cogs.core.tables.house import House
from cogs.core.tables.table_session import TableSession
from engine.turns import Interlude

log = logging.getLogger(__name__)

SLOW_S = 3_600
"""At a table with a longer turn clock people look in now and then: twenty seconds of an interlude pass unseen."""

ASIDE_AGAIN_MS = 3_000
"""So long after it could not be posted, what a round has decided is posted again."""

AtEnd = Callable[[TableSession], Coroutine[Any, Any, None]]
"""Hears of a game that has ended."""


class FollowUp:
    """Sees to what follows, at any table."""

    def __init__(self, house: House) -> None:
        self._answers = house.answers
        self._clock = house.clock
        self._scheduler = house.scheduler
        self._tasks = house.tasks
        self.at_end: AtEnd | None = None  # hears once of each game that ends

    def __call__(self, session: TableSession) -> None:
        """Set the clocks, wake the computer players, see to direct messages and the turn ping. Returns at once."""
        table = session.table
        number = table.id
        if table.elsewhere:
            return  # its owner has heard of it
        if table.row.paused_at is not None:
            self._scheduler.clear(number)
            self._scheduler.set(number, "sleep", self._clock.now() + table.sleeps_after_ms)
            return
        if table.in_lobby or table.asleep:
            self._scheduler.set(number, "deadline", table.row.due)
        else:
            self._scheduler.set(number, "deadline", table.earliest or (table.row.due if table.alone else None))
        if table.hurried:
            self._answers.hurry(number)
        session.computers.prompt()
        if session.screen.game.hides or table.practice or session.told != table.row.status:
            session.told = table.row.status
            session.direct_messages.changed()
        session.panels.changed()
        if table.options.clock > SLOW_S:
            self._post_aside(session)
        tells = (table.row.status, table.row.message is not None, table.sitters)
        if session.lined != tells:
            session.lined = tells
            session.line.changed()
        if (session.turn_ping.turn_passed() or table.ended) and session.leftovers.standing:
            self._tasks.spawn(session.leftovers.sweep(), f"erase-{number}")
        if table.row.status == "over" and self.at_end is not None and table.results and not session.booked:
            session.booked = True
            self._tasks.spawn(self.at_end(session), f"booking-{number}")
        self._scheduler.set(number, "sleep", self._clock.now() + table.sleeps_after_ms)

    def _post_aside(self, session: TableSession) -> None:
        """Let what a round has decided stand in a message of its own where people look in only now and then."""
        pause = session.interlude()
        if pause is not None and (session.aside is None or session.aside.until != pause.until):
            session.aside = pause
            self._tasks.spawn(self._aside(session, pause), f"aside-{session.table.id}")

    async def _aside(self, session: TableSession, pause: Interlude) -> None:
        """Post what a round has decided; what may work in a moment is tried again while the pause lasts."""
        table = session.table
        try:
            await session.message.post_aside()
        except discord_errors.FAILED_CALL as error:
            log.warning("table %s: what its round has decided could not be posted: %s", table.id, error)
            if discord_errors.passing(error) and session.aside is pause:
                session.aside = None
                self._scheduler.set(table.id, "aside", self._clock.now() + ASIDE_AGAIN_MS)
