"""The tables, for everybody outside: the house put together, and what can be done at a table.

A click, a command, a timer and a computer player all take the one path of `LiveTable`; what follows (clocks, computer
players, direct messages, the turn ping, the table message) is set going in `follow_up`. Each room has one task:
`sessions` finds, reads and opens tables, `servers` hears of servers and channels, `due` serves what falls due,
`departures` lets people go, `hearing` hears what other processes do.
"""

import contextlib
import logging
from collections.abc import Callable, Coroutine, Mapping
from concurrent.futures import Executor
from typing import Any, TypeVar, cast

import discord

from cogs.core.app.cluster_events import Hearing
from cogs.core.ops.database_status import Health
from cogs.core.ops.errors import UserError
from cogs.core.ops.metrics import Figures
from cogs.core.ops.process_stats import Lag, Told
from cogs.core.ops.rest_errors import Traffic
from cogs.core.ops.timers import Clock, Scheduler, What
from cogs.core.pages.game_ui import Screen
from cogs.core.publishing.answers_first import Answering
from cogs.core.publishing.covers import Covers
from cogs.core.publishing.shown_revisions import Shown
from cogs.core.tables import lobby
from cogs.core.tables.bot_workers import Thinkers
from cogs.core.tables.follow_up import FollowUp
from cogs.core.tables.guild_events import Servers
from cogs.core.tables.guild_settings import ServerSettings
from cogs.core.tables.house import House, background_of
from cogs.core.tables.leaving import Departures
from cogs.core.tables.table_registry import Sessions
from cogs.core.tables.table_session import TableSession
from cogs.core.tables.timer_jobs import Due
from cogs.core.tables.user_preferences import Preferences
from data.store import Store, StoreError, TableChange
from data.store.shards import steady_s
from engine.contract import AnyGame, BrokenRecord
from engine.lessons import Course
from engine.players import Explain, Level, Player

log = logging.getLogger(__name__)

T = TypeVar("T")


class Tables:
    """All tables of the bot."""

    def __init__(
        self,
        client: discord.Client,
        store: Store,
        clock: Clock,
        thinkers: Thinkers,
        screens: Mapping[str, Screen],
        materials: Mapping[str, Any],
        players: Mapping[str, Mapping[Level, Player]],
        reasons: Mapping[str, Explain],
        courses: Mapping[str, Course],
        figures: Figures | None,
    ) -> None:
        self.courses = courses  # by game: what there is to learn, in the order in which people see the games
        self.client = client
        self.store = store
        self.clock = clock
        self.screens = dict(screens)
        self.settings = ServerSettings(store, self.screens)
        self.notify = Preferences(store)
        self.figures = figures
        self.traffic = Traffic(clock, figures)
        self.health = Health(clock)
        self.lag = Lag(steady_s)
        self.scheduler = Scheduler(clock, self._wake, self._failed)
        self._tasks = background_of(self.health)
        self._thinkers = thinkers
        self._materials = dict(materials)
        self.covers = Covers(self.screens, self._materials)
        house = House(
            client,
            store,
            clock,
            self.scheduler,
            self.screens,
            players,
            reasons,
            self.settings,
            self.traffic,
            self.health,
            Shown(store),
            self._tasks,
            self.notify,
            self.covers,
            cast(Answering, client).answers,
        )
        self.follow_up = FollowUp(house)
        self.sessions = Sessions(house, thinkers, self.follow_up, self._place_gone)
        self.servers = Servers(house, self.sessions, self.follow_up)
        self.due = Due(house, self.sessions, self.follow_up)
        self.hearing = Hearing(house, self.sessions, self.servers)
        self.departures = Departures(house, self.sessions, self.follow_up, self.hearing)

    # The scheduler and the table messages are made before the rooms that they call.

    async def _wake(self, number: int, what: What) -> None:
        await self.due.wake(number, what)

    def _failed(self, number: int, what: What, error: Exception, times: int) -> None:
        self.due.failed(number, what, error, times)

    def _place_gone(self, channel: int) -> None:
        self.servers.place_gone(channel)

    # Opening and closing the house

    async def open_house(self) -> None:
        """Begin to serve. The tables of a server go on when `connected` hears that we are on it."""
        await self.due.open()
        if self.store.shards.shared:
            self.due.do("compare", self.hearing.compare)
            self.store.notices.listen(self.hearing)
            self.lag.start()

    async def close_house(self) -> None:
        """Stop every clock and worker. Nothing is lost: what was acknowledged is on disk."""
        self.hearing.close()
        await self.lag.close()
        await self.due.close()
        await self._tasks.close()
        await self.sessions.close()
        try:
            await self.due.beat()
        except StoreError as error:
            self.health.failed(error)

    def spawn(self, work: Coroutine[Any, Any, Any], name: str) -> None:
        """Let this go on by itself; an error is logged."""
        self._tasks.spawn(work, name)

    async def settle(self) -> None:
        """Return when every message that is wanted has been sent, and nobody is thinking.

        For tests and the last breath.
        """
        while True:
            await self._tasks.settle()
            await self.sessions.settle()
            if not self._tasks.running:
                return

    async def draw(self, work: Callable[..., T], *args: Any) -> T:
        """Run what draws a page outside the event loop. What takes longer is done `at_leisure`."""
        return await self.sessions.composer.draw(work, *args)

    async def at_leisure(self, work: Callable[..., T], *args: Any) -> T:
        """Run outside the event loop what takes longer than a page, such as a film: one after the other, so that no
        page waits for it.
        """
        return await self.sessions.composer.at_leisure(work, *args)

    def aside(self) -> contextlib.AbstractAsyncContextManager[Executor]:
        """Give a place to work out, outside the event loop, what no table waits for: for one at a time."""
        return self._thinkers.aside()

    def told(self, servers: int) -> Told:
        """Return what other processes are to see of this one, which is on so many servers."""
        waiting, limited = self._thinkers.waiting, self.traffic.lately("limited")
        worst, waits = self.lag.worst_ms(), self.traffic.waits_until or 0
        return Told(servers, len(self.sessions.awake()), waiting, worst, limited, waits)

    # What the client hears of

    def heard(self, channel: int) -> None:
        """Take note of a message of somebody else's in a channel: table messages scroll away."""
        for session in self.sessions.present.in_channel(channel):
            session.message.written_below()

    async def of_user(
        self, interaction: discord.Interaction, game: str, number: int | None, *, guess: bool = True
    ) -> TableSession:
        """Return the table that a command means: the one named, or the only one of this user and game in this
        channel, or (to `guess`) the only one of those at which the user is awaited. Raises `UserError`.
        """
        session = await self.sessions.meant(interaction, game, number, guess)
        await session.visit(interaction.user.id)
        return session

    # What happens at a table

    def material(self, game: str) -> Any:
        """Return what this version ships for a game."""
        return self._materials[game]

    def played(self, game: str) -> AnyGame:
        """Return the game with this key. Raises `UserError` for one that is not played here."""
        screen = self.screens.get(game)
        if screen is None:
            raise UserError(f"The game {game!r} is not played here any more.")
        return screen.game

    async def begin(self, session: TableSession) -> None:
        """Begin the game with those who sit there. Raises `UserError`."""
        await session.table.begin(self._materials[session.table.game.key], self.clock.now())
        session.table.notice = None

    async def end(self, number: int, reason: str) -> bool:
        """End a table without a result, also one that can no longer be read. Return False if it was not open."""
        try:
            session = await self.sessions.find(number)
        except BrokenRecord:
            log.exception("table %s cannot be read, and is closed", number)
            await self.store.tables.update(number, TableChange(status="closed", ended_at=self.clock.now(), due=None))
            self.scheduler.clear(number)
            return True
        if session is None or not await session.table.close(reason, self.clock.now()):
            return False
        self.follow_up(session)
        session.message.changed()
        return True

    async def repair(self, session: TableSession) -> None:
        """Read a table anew from its events, ask its computer players again, and post its message anew."""
        await session.table.reread()
        session.computers.forget()
        self.follow_up(session)
        session.message.move_down()

    async def begin_rematch(self, session: TableSession) -> bool:
        """Begin a rematch if all people who played before sit there. Return whether it has begun."""
        table = session.table
        if table.row.rematch_of is None or not table.in_lobby:
            return False
        before = await self.store.seats.of(table.row.rematch_of)
        wanted = {row.user for row in before if row.user is not None}
        if not wanted <= {row.user for row in table.seats} or len(table.seats) not in table.game.seats:
            return False
        await lobby.sit_as_before(table, before)
        await self.begin(session)
        self.spawn(self._call(session), f"rematch-{table.id}")
        return True

    async def _call(self, session: TableSession) -> None:
        """Show a rematch that has begun, call those who play once, and let the game before lead to it. Whoever is alone
        in it has just pressed.
        """
        session.message.changed()
        await session.message.settle()
        await self.sessions.tell_of_rematch(session.table.row.rematch_of)
        people = [row.user for row in session.table.seats if row.user is not None]
        if not session.table.alone:
            await session.turn_ping.call(people, session.message.link(), "the rematch begins")
