"""What follows from a move, a coming or a going: clocks, computer players, direct messages, the turn ping.

Set going here, and never awaited by whoever moved. May import its neighbours.
"""

from collections.abc import Awaitable, Callable

from cogs.core.session.house import House
from cogs.core.session.table_session import TableSession

SLEEPS_AFTER_MS = 10 * 60_000
"""A table that nobody touched for so long leaves the memory; its clocks stay set."""

SLOW_S = 3_600
"""At a table with a longer turn clock people look in now and then: twenty seconds of an interlude pass unseen."""

NUDGE_AT_MOST_MS = 60_000
NUDGE_FROM_MS = 30_000
"""Turn clocks shorter than this have no nudge."""


class FollowUp:
    """Sees to what follows, at any table."""

    def __init__(self, house: House) -> None:
        self._clock = house.clock
        self._scheduler = house.scheduler
        self._tasks = house.tasks
        self.at_end: Callable[[TableSession], Awaitable[None]] | None = None  # hears once of each game that ends

    def __call__(self, session: TableSession) -> None:
        """Set the clocks, wake the computer players, see to direct messages and the turn ping. Returns at once."""
        table = session.table
        number = table.id
        if table.elsewhere:
            return  # its owner has heard of it
        if table.row.paused_at is not None:
            self._scheduler.clear(number)
            self._scheduler.set(number, "sleep", self._clock.now() + SLEEPS_AFTER_MS)
            return
        if table.in_lobby or table.asleep:
            self._scheduler.set(number, "deadline", table.row.due)
        else:
            self._scheduler.set(number, "deadline", table.earliest() or (table.row.due if table.practice else None))
            self._set_nudge(session)
        session.computers.prompt()
        if session.screen.game.hides or table.practice or session.told != table.row.status:
            session.told = table.row.status
            session.direct_messages.changed()
        session.panels.changed()
        self._post_aside(session)
        session.line.changed()
        ended = not table.playing and not table.in_lobby
        if (session.turn_ping.turn_passed() or ended) and session.leftovers:
            self._tasks.spawn(session.leftovers.sweep(), f"erase-{number}")
        if ended:
            self._scheduler.set(number, "nudge", None)
            if table.row.status == "over" and self.at_end is not None and session.table.results and not session.booked:
                session.booked = True
                self._tasks.spawn(self.at_end(session), f"booking-{number}")
        self._scheduler.set(number, "sleep", self._clock.now() + SLEEPS_AFTER_MS)

    def _post_aside(self, session: TableSession) -> None:
        """Let what a round has decided stand in a message of its own where people look in only now and then."""
        pause = session.interlude()
        if pause is None or (session.aside is not None and session.aside.until == pause.until):
            return
        session.aside = pause
        if session.table.options.clock > SLOW_S:
            self._tasks.spawn(session.message.post_aside(), f"aside-{session.table.id}")

    def _set_nudge(self, session: TableSession) -> None:
        due = min((d.due for d in session.table.deadlines() if d.kind == "turn"), default=None)
        clock_ms = session.table.options.clock * 1_000
        if due is None or clock_ms < NUDGE_FROM_MS or not session.turn_ping.awaited():
            self._scheduler.set(session.table.id, "nudge", None)
            return
        nudge = due - min(NUDGE_AT_MOST_MS, clock_ms // 3)
        self._scheduler.set(session.table.id, "nudge", nudge if nudge > self._clock.now() else None)
