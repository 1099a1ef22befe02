"""What falls due: deadlines, nudges, moves of computers, what is tried again, and the beat of the house itself."""

import logging
from collections.abc import Awaitable, Callable, Mapping

from cogs.core.ops import discord_errors
from cogs.core.ops.errors import Stale, UserError
from cogs.core.ops.timers import What
from cogs.core.publishing import absence_pages
from cogs.core.tables import absence, lobby, timeout_drafts
from cogs.core.tables.follow_up import FollowUp
from cogs.core.tables.house import House
from cogs.core.tables.table_registry import Sessions
from cogs.core.tables.table_session import TableSession
from data.background import BackgroundTasks
from data.store import NotShardOwner, StoreError
from engine.contract import BrokenRecord, Moment, Refusal

log = logging.getLogger(__name__)

HOUSE = 0
"""The scheduler's number for what belongs to no table."""

BEAT_MS = 10_000
"""How often the time is noted: after a crash the clocks are extended by the time since the last note."""

ALIVE_WITHIN_MS = 60_000
"""Who has not noted the time for longer is not alive any more, for whoever asks from outside."""

WOKEN_FOR_MS = 60_000
"""So long a table that was only woken to show itself stays in memory unless somebody touches it."""

CALLED: Mapping[What, str] = {
    "beat": "the note that the bot is alive",
    "compare": "the comparison of awake tables with the database",
    "commands": "the upload of the commands",
    "emoji": "the drawing of emoji",
    "memory": "the return of unused memory to the system",
    "puzzles": "the posting of the day's puzzles",
}
"""What falls due for the house, in words for the log."""


class Due:
    """Serves what the scheduler says has fallen due."""

    def __init__(self, house: House, sessions: Sessions, follow_up: FollowUp) -> None:
        self._house = house
        self._clock = house.clock
        self._scheduler = house.scheduler
        self._sessions = sessions
        self._follow_up = follow_up
        self._chores: dict[What, Callable[[], Awaitable[None]]] = {"beat": self.beat}
        self._running = BackgroundTasks()
        self.beaten: Moment | None = None  # when it was last noted that the bot is alive

    async def open(self) -> None:
        """Begin to serve what falls due."""
        await self._beat()
        self._scheduler.set(HOUSE, "beat", self._clock.now() + BEAT_MS)
        self._running.spawn(self._scheduler.run(), "the scheduler")

    async def close(self) -> None:
        """Stop every clock."""
        await self._running.close()

    async def wake(self, number: int, what: What) -> None:
        """Do what has fallen due at a table, or for the house."""
        if number == HOUSE:
            await self._chores[what]()
            return
        if what == "sleep":
            await self._sessions.put_to_sleep(number)
            return
        if not await self._ours(number):
            self._scheduler.clear(number)
            return
        try:
            session = await self._sessions.find(number)
        except BrokenRecord as error:
            log.warning("table %s cannot be read: %s", number, error)  # that stays so until somebody ends it
            return
        if session is None:
            return
        if session.table.elsewhere:
            self._scheduler.clear(number)
            return
        if session.table.row.paused_at is not None:
            await self._sessions.go_on(session.table)
            self._follow_up(session)
            if session.table.row.paused_at is not None:
                return
        await self._serve(session, what)

    async def _ours(self, number: int) -> bool:
        """Say whether we serve a table: nobody else does anything there by itself."""
        shards = self._house.store.shards
        if not shards.shared:
            return True
        session = self._sessions.present.get(number)
        row = await self._house.store.tables.get(number) if session is None else session.table.row
        return row is None or shards.holds(row.guild)

    async def _serve(self, session: TableSession, what: What) -> None:
        match what:
            case "wake":
                session.message.retry()
                self._scheduler.set(session.table.id, "sleep", self._clock.now() + WOKEN_FOR_MS)
            case "news" | "anew":
                await self._catch_up(session, whole=what == "anew")
            case "deadline":
                await self.expire(session)
            case "nudge":
                await self._nudge(session)
            case "mention":
                await session.turn_ping.remind(session.message.link(), "your turn")
            case "computer":
                await session.computers.play()
            case "message":
                session.message.retry()
            case "line":
                session.line.changed()
            case "aside":
                self._follow_up(session)
            case "panels":
                session.panels.wake()
            case "begun":
                await session.begun.keep()
            case "direct messages":
                session.direct_messages.changed()
            case "sleep" | "beat" | "compare" | "commands" | "emoji" | "memory" | "puzzles":
                raise AssertionError(f"the {what} is not served at a table in memory")

    async def _catch_up(self, session: TableSession, *, whole: bool) -> None:
        """Show what another process has done at a table of ours; read it `whole` where what had happened has changed
        too.
        """
        if whole:
            await session.table.reread()
            seen = True
        else:
            seen = await session.table.catch_up()
        self._follow_up(session)
        if seen or session.message.behind:  # it may have been read before it was heard of
            session.message.refresh()

    async def _nudge(self, session: TableSession) -> None:
        due = session.table.turn_due
        if due is not None:
            words = f"your turn – time runs out <t:{due // 1_000}:R>{absence_pages.warning(session.table)}"
            await session.turn_ping.post(session.message.link(), words)

    async def expire(self, session: TableSession) -> None:
        """Let what is due at a table pass: the clocks of its game, the time of a lobby, or of a table that sleeps."""
        table, now = session.table, self._clock.now()
        if table.in_lobby:
            if table.row.due is not None and table.row.due > now:
                self._scheduler.set(table.id, "deadline", table.row.due)
                return
            await lobby.expire(table, now)
            session.message.changed()
            await self._sessions.tell_of_rematch(table.row.rematch_of)
            self._follow_up(session)
            return
        if table.asleep or (table.alone and table.earliest is None):
            await (absence.wind_up if table.asleep else absence.give_up)(table, now)
            self._follow_up(session)
            if not table.playing:
                session.message.changed()
            return
        changed = False
        for deadline in table.deadlines:
            if deadline.due <= now:
                if await timeout_drafts.finish(session, deadline, now):
                    changed = True
                    continue
                try:
                    await table.expire(deadline.id, now)
                    changed = True
                except (Refusal, Stale, UserError) as error:
                    log.info("table %s: deadline %s had gone: %r", table.id, deadline.id, error)
        self._follow_up(session)
        if changed:
            session.message.refresh()

    def failed(self, number: int, what: What, error: Exception, times: int) -> None:
        """Hear of what fell due and failed; it is tried again."""
        name = CALLED.get(what, what) if number == HOUSE else f"table {number}: its {what}"
        if isinstance(error, NotShardOwner):
            log.info("%s is another process's to serve by now", name)
        elif isinstance(error, StoreError):
            self._house.health.failed(error)
        elif isinstance(error, discord_errors.FAILED_CALL):
            log.warning("%s failed, and is tried again: %s", name, error)
        else:
            log.error("%s failed, and is tried again", name, exc_info=error if times == 1 else None)

    # For the house itself

    def do(self, what: What, chore: Callable[[], Awaitable[None]]) -> None:
        """Do something for the house now, and whenever it falls due again; what fails is tried again until it works."""
        self._chores[what] = chore
        self._scheduler.set(HOUSE, what, self._clock.now())

    async def beat(self) -> None:
        """Keep that the bot is alive, and what is shown."""
        await self._beat()
        await self._house.shown.write()
        self._house.health.took()
        self._scheduler.set(HOUSE, "beat", self._clock.now() + BEAT_MS)

    async def _beat(self) -> None:
        now = self._clock.now()
        await self._house.store.beat(now)
        self.beaten = now
