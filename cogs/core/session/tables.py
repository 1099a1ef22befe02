"""The house: every live table, found, loaded, played, shown and put to sleep.

A click, a command, a timer and a computer player all end in `LiveTable.act`; what follows from it (clocks, computer
players, direct messages, the turn ping, the table message) is set going here, and never awaited by whoever moved. May
import discord, `engine`, `data` and its neighbours.
"""

import asyncio
import contextlib
import logging
from collections.abc import Awaitable, Callable, Collection, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, TypeVar

import discord
import msgspec

from cogs.core import codes, lobby
from cogs.core.errors import Stale, UserError
from cogs.core.health import Health
from cogs.core.messages import names
from cogs.core.messages.direct_messages import DirectMessages
from cogs.core.messages.leftovers import Leftovers
from cogs.core.messages.page import Block, Button, Page, Row, Text
from cogs.core.messages.shown import Shown
from cogs.core.messages.table_message import RenderedPage, Shared, TableMessage
from cogs.core.messages.turn_ping import TurnPing
from cogs.core.screen import Screen
from cogs.core.session import away, presence
from cogs.core.session.computers import Computers
from cogs.core.session.live import Applied, LiveTable
from cogs.core.session.thinking import Thinkers
from cogs.core.session.timers import Clock, Scheduler, What
from cogs.core.settings import ServerSettings, limit_words
from cogs.core.traffic import Traffic
from data.store import LimitReached, NewTable, Status, Store, StoreError, TableChange, TableRow
from engine.contract import Action, BrokenRecord, Moment, Refusal, Seat, View

log = logging.getLogger(__name__)

T = TypeVar("T")

HOUSE = 0
"""The scheduler's number for what belongs to no table."""

BEAT_MS = 10_000
"""How often the time is noted: after a crash the clocks are extended by the time since the last note."""

SLEEPS_AFTER_MS = 10 * 60_000
"""A table that nobody touched for so long leaves the memory; its clocks stay set."""

WAKE_EVERY_MS = 50
"""After a start the tables that have something to do are read at this pace: it leaves room for clicks, and stays below
Discord's 50 calls a second.
"""

WOKEN_FOR_MS = 60_000
"""So long such a table stays in memory unless somebody touches it."""

CALLED: Mapping[What, str] = {"beat": "the note that the bot is alive", "commands": "the upload of the commands"}
"""What falls due for the house, in words for the log."""

NUDGE_AT_MOST_MS = 60_000
NUDGE_FROM_MS = 30_000
"""Turn clocks shorter than this have no nudge."""


@dataclass
class TableSession:
    """A live table with what serves it."""

    table: LiveTable
    screen: Screen
    message: TableMessage
    direct_messages: DirectMessages
    leftovers: Leftovers
    turn_ping: TurnPing
    computers: Computers
    rematch: int | None = None
    told: Status | None = None  # what direct messages of a game without secrets were last written for


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
    ) -> None:
        self.client = client
        self.store = store
        self.clock = clock
        self.screens = dict(screens)
        self.settings = ServerSettings(store, self.screens)
        self.traffic = Traffic(clock)
        self.traffic.watch(client)
        self.health = Health(clock)
        self.shown = Shown(store)
        self.scheduler = Scheduler(clock, self._wake, self._failed)
        self._shared = Shared(client, self._compose, clock, self.scheduler, self.shown, self.health, self._place_gone)
        self._chores: dict[What, Callable[[], Awaitable[None]]] = {"beat": self._beat}
        self._materials = dict(materials)
        self._thinkers = thinkers
        self._gone: set[int] = set()  # servers of open tables that we are not on
        self._channels: dict[int, set[int]] = {}  # by server, those that are still to be looked for
        self._sessions: dict[int, TableSession] = {}
        self._loading: dict[int, asyncio.Task[TableSession | None]] = {}
        self._drawers = ThreadPoolExecutor(2, "drawing")
        self._runner: asyncio.Task[None] | None = None
        self._tasks: set[asyncio.Task[Any]] = set()

    # Opening and closing the house

    async def open_house(self) -> None:
        """Begin to serve. The tables of a server go on when `connected` hears that we are on it."""
        await self.store.beat(self.clock.now())
        self.scheduler.set(HOUSE, "beat", self.clock.now() + BEAT_MS)
        self._runner = asyncio.create_task(self.scheduler.run(), name="scheduler")

    async def connected(self, present: Collection[int], ours: Callable[[int], bool]) -> None:
        """Set the clocks of the open tables of the servers that are `ours`; on those that are not `present`, they
        stand still.

        A table is read when it is needed. Those that a computer or a clock drives, and those whose message is not known
        to show how they stand, are read soon, one after the other: the computers go on, and the players see what
        happened and the clocks that were extended.
        """
        self._gone = {guild for guild in self._gone if not ours(guild)}
        soon = await self._unshown(lambda guild: ours(guild) and guild in present)
        for row in await self.store.open_tables():
            if not ours(row.guild):
                continue
            if row.guild not in present:
                self._gone.add(row.guild)
                await self._stand_still(row.id)
                continue
            self._channels.setdefault(row.guild, set()).add(row.channel)
            if row.due is not None and row.paused_at is None and row.id not in self._sessions:
                self.scheduler.set(row.id, "deadline", row.due + self.store.downtime(row.run))
            driven = row.status == "playing" and not row.asleep and (row.computers or row.due is not None)
            if driven or row.paused_at is not None:
                soon.append(row.id)
        self._wake_soon(dict.fromkeys(soon))
        for number in tuple(self._channels):
            guild = self.client.get_guild(number)
            if guild is not None and not guild.unavailable:  # the others say when they are there
                self._look_through(guild)

    async def _unshown(self, where: Callable[[int], bool]) -> list[int]:
        """Return the tables of some servers that are not known to be shown as they stand. Of those in memory, what is
        on disk may lag; they see to it themselves, unless they wait with a try that failed.
        """
        found = [table for table, guild in await self.store.unshown() if where(guild) and table not in self._sessions]
        return found + [session.table.id for session in self._sessions.values() if session.message.trouble is not None]

    def _wake_soon(self, tables: Iterable[int]) -> None:
        now = self.clock.now()
        for number, table in enumerate(tables):
            self.scheduler.set(table, "wake", now + number * WAKE_EVERY_MS)

    async def close_house(self) -> None:
        """Stop every clock and worker. Nothing is lost: what was acknowledged is on disk."""
        if self._runner is not None:
            self._runner.cancel()
            await asyncio.gather(self._runner, return_exceptions=True)
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        for session in self._sessions.values():
            await session.computers.close()
            await session.message.close()
            await session.direct_messages.close()
            await session.leftovers.close()
        self._sessions.clear()
        await self._thinkers.close()
        self._drawers.shutdown(wait=False, cancel_futures=True)
        try:
            await self._beat()
        except StoreError as error:
            self.health.failed(error)

    def spawn(self, work: Awaitable[Any], name: str) -> None:
        """Let this go on by itself; an error is logged."""

        async def guarded() -> None:
            try:
                await work
            except StoreError as error:
                self.health.failed(error)
            except codes.FAILED_CALL as error:
                log.warning("%s failed: %s", name, error)
            except Exception:
                log.exception("%s failed", name)

        task = asyncio.create_task(guarded(), name=name)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def settle(self) -> None:
        """Return when every message that is wanted has been sent, and nobody is thinking.

        For tests and the last breath.
        """
        while True:
            if busy := [task for task in self._tasks if not task.done()]:
                await asyncio.wait(busy)
            for session in list(self._sessions.values()):
                await session.computers.settle()
                await session.message.settle()
                await session.direct_messages.settle()
                await session.leftovers.settle()
            if not any(not task.done() for task in self._tasks):
                return

    # Finding tables

    async def session(self, table: int) -> TableSession | None:
        """Return the table with this number, reading it if it sleeps; None if there is none."""
        present = self._sessions.get(table)
        if present is not None:
            return present
        loading = self._loading.get(table)
        if loading is None:
            loading = asyncio.create_task(self._load(table), name=f"load-{table}")
            self._loading[table] = loading
            loading.add_done_callback(lambda _: self._loading.pop(table, None))
        return await asyncio.shield(loading)

    async def readable(self, rows: Iterable[TableRow]) -> tuple[list[TableSession], list[int]]:
        """Return those of these tables that are there, and the numbers of those whose record cannot be read."""
        found: dict[int, TableSession] = {}
        broken: list[int] = []
        for number in dict.fromkeys(row.id for row in rows):
            try:
                session = await self.session(number)
            except BrokenRecord as error:
                log.warning("table %s cannot be read: %s", number, error)
                broken.append(number)
            else:
                if session is not None:
                    found[number] = session
        return list(found.values()), broken

    async def _load(self, number: int) -> TableSession | None:
        row = await self.store.table(number)
        if row is None or row.game not in self.screens:
            return None
        screen = self.screens[row.game]
        table = await LiveTable.load(self.store, screen.game, row)
        session = self._furnish(table, screen)
        await session.leftovers.read()
        if row.status == "over":
            rematch = await self.store.rematch(number)
            session.rematch = None if rematch is None else rematch.id
        await self._go_on(table)
        self._sessions[number] = session
        if table.notice is not None or session.message.behind:
            session.message.changed()
        self.follow_up(session)
        return session

    async def _go_on(self, table: LiveTable) -> None:
        """Let the clocks of a table run again that stood still while the bot, or its server, was away."""
        row, now = table.row, self.clock.now()
        if row.paused_at is None:
            if table.playing:
                await table.make_up_for(self.store.downtime(row.run), now)
                await presence.doze(table, now)
        elif row.guild not in self._gone:
            await table.resume(now)

    def _furnish(self, table: LiveTable, screen: Screen) -> TableSession:
        leftovers = Leftovers(self.client, self.store, table, self.health)
        message = TableMessage(self._shared, table, leftovers)
        direct_messages = DirectMessages(self.client, table, self._compose_direct_message, self.traffic, self.health)
        turn_ping = TurnPing(self.client, table, leftovers, self.clock, self.scheduler, self.settings)

        def moved() -> None:
            self.follow_up(session)
            session.message.refresh()

        computers = Computers(table, self._thinkers, self.clock, self.scheduler, moved)
        session = TableSession(table, screen, message, direct_messages, leftovers, turn_ping, computers)
        return session

    def awake(self) -> Sequence[TableSession]:
        """Return the tables in memory."""
        return tuple(self._sessions.values())

    def heard(self, channel: int) -> None:
        """Take note of a message of somebody else's in a channel: table messages scroll away."""
        for session in self._sessions.values():
            if session.table.row.channel == channel:
                session.message.chatter += 1

    async def visit(self, session: TableSession, user: int) -> TableSession:
        """Take note that somebody asks for anything at a table: every way in to one comes by here. Return the table."""
        await presence.seen(session.table, user, self.clock.now())
        return session

    async def of_user(
        self, interaction: discord.Interaction, game: str, number: int | None, *, guess: bool = True
    ) -> TableSession:
        """Return the table that a command means: the one named, or the only one of this user and game in this
        channel, or (to `guess`) the only one of those at which the user is awaited. Raises `UserError`.
        """
        return await self.visit(await self._of_user(interaction, game, number, guess), interaction.user.id)

    async def _of_user(
        self, interaction: discord.Interaction, game: str, number: int | None, guess: bool
    ) -> TableSession:
        if number is not None:
            session = await self.session(number)
            if session is None or session.table.row.guild != interaction.guild_id or session.table.game.key != game:
                raise UserError(f"There is no table {number} of this game on this server. /tables lists yours.")
            return session
        rows = [
            row
            for row in await self.store.tables_of(
                interaction.user.id, guild=interaction.guild_id, channel=interaction.channel_id
            )
            if row.game == game and row.status == "playing"
        ]
        if not rows:
            command = self.screens[game].command
            raise UserError(
                "You are not playing this game in this channel. Open a table with "
                f"`/{command} start`, or see `/tables`."
            )
        if len(rows) > 1:
            sessions, _ = await self.readable(rows)
            mine = [
                session
                for session in sessions
                if session.table.playing
                and session.table.seat_of(interaction.user.id) in session.table.view(None).waiting
            ]
            if guess and len(mine) == 1:
                return mine[0]
            names = ", ".join(str(row.id) for row in rows)
            raise UserError(f"You play at several tables here ({names}). Say which one with the option `table`.")
        session = await self.session(rows[0].id)
        assert session is not None
        return session

    # Pages

    async def draw(self, work: Callable[..., T], *args: Any) -> T:
        """Run what draws outside the event loop."""
        return await asyncio.get_running_loop().run_in_executor(self._drawers, work, *args)

    async def _compose(self, table: LiveTable) -> RenderedPage:
        desk_screen, revision = self.screens[table.game.key], table.row.revision
        if table.in_lobby:
            return RenderedPage(lobby.lobby_page(desk_screen, table, table.row.due), 0, revision)
        if table.row.status == "closed":
            return RenderedPage(lobby.closed_page(desk_screen, table), 0, revision)
        view, info = table.view(None), table.info()
        page = await self.draw(desk_screen.table, view, info)
        return RenderedPage(self._with_footer(page, table, desk_screen), view.stamp, revision)

    def _with_footer(self, page: Page, table: LiveTable, screen: Screen) -> Page:
        """Add the controls that every game has."""
        buttons = [Button("Text view", "text"), Button("Rules", "rules", screen.game.key)]
        blocks: list[Block] = list(page.blocks)
        info = table.info()
        if table.row.status == "over":
            session = self._sessions.get(table.id)
            rematch = None if session is None else session.rematch
            again = Button("Rematch", "rematch", style="primary")
            blocks[:0] = away.places(table)
            blocks.append(Row((again, *buttons)))
            if rematch is not None:
                blocks.append(Text(f"-# Rematch: table {rematch}, further down."))
            blocks.append(Text(f"-# Fair chance: the seed was `{info.seed}`; its SHA-256 is `{info.commitment}`."))
        else:
            if screen.game.hides:
                buttons.insert(0, Button("My hand", "hand", style="primary"))
            buttons.insert(0, Button("What can I do?", "what"))
            blocks.append(Row((*buttons, Button("Leave", "leave"))))
            blocks += away.notes(table)
            if info.notice is not None:
                blocks.append(Text(f"-# {info.notice}"))
            blocks.append(Text(f"-# Fair chance: SHA-256 of the secret seed `{info.commitment}`"))
        return Page(tuple(blocks), page.colour)

    async def _compose_direct_message(self, table: LiveTable, seat: Seat) -> Page | None:
        screen = self.screens[table.game.key]
        row = table.seats[seat]
        session = self._sessions.get(table.id)
        link = None if session is None else session.message.link()
        guild = self.client.get_guild(table.row.guild)
        where = f"[the table]({link})" if link else "the channel"
        server = names.shown(guild.name, names.LONGEST_SERVER) if guild is not None else "the server"
        head = (
            f"### {table.game.title}\n-# {server} · table {table.id} · you are seat "
            f"{lobby.seat_number(seat)} · all play happens at {where}"
        )
        if row.user is None:
            return None
        if table.in_lobby:
            return Page(
                (
                    Text(head),
                    Text("You have a seat." + (" What only you may see will stand here." if screen.game.hides else "")),
                ),
                screen.colour,
            )
        if table.row.status == "closed":
            return Page((Text(head), Text("This table is closed.")), None)
        view, info = table.view(seat), table.info()
        page = await self.draw(screen.private, view, info)
        if table.row.status == "over":
            ending = Text(f"The game is over. See {where} for the end of it.")
            blocks = page.without_controls().blocks if page is not None else ()
            return Page((Text(head), ending, *blocks), screen.colour)
        if page is None:
            return Page(
                (Text(head), Text("The game is on. Nothing in it is secret: all stands at the table.")), screen.colour
            )
        return Page((Text(head), *page.blocks), screen.colour)

    # What happens at a table

    async def open(self, new: NewTable, seats: Sequence[Any]) -> TableSession:
        """Open a table. Raises `UserError` where as many are open as the server's settings allow."""
        settings = await self.settings.of(new.guild)
        try:
            row = await self.store.create_table(new, seats, settings.limits)
        except LimitReached as reached:
            raise UserError(limit_words(reached)) from reached
        screen = self.screens[row.game]
        table = LiveTable(self.store, screen.game, row, await self.store.seats(row.id))
        session = self._furnish(table, screen)
        self._sessions[row.id] = session
        self.scheduler.set(row.id, "deadline", row.due)
        return session

    def material(self, game: str) -> Any:
        """Return what this version ships for a game."""
        return self._materials[game]

    async def begin(self, session: TableSession) -> None:
        await session.table.begin(self._materials[session.table.game.key], self.clock.now())

    async def act(
        self, session: TableSession, seat: Seat, action: Action, at: Moment, fresh: Callable[[View], bool] | None = None
    ) -> Applied:
        """Let a person move. Raises `UserError` with the rule that refuses it, `Stale` for an outdated control."""
        user = session.table.seats[seat].user
        if user is not None:
            await self.visit(session, user)
        try:
            applied = await session.table.act(seat, action, at, fresh)
        except Refusal as refusal:
            raise UserError(session.screen.refusal(refusal, session.table.info())) from refusal
        session.table.notice = None
        self.follow_up(session)
        return applied

    async def leave(self, session: TableSession, seat: Seat) -> None:
        """Let a person go who leaves, was kicked or is gone: see `presence.leave`. Raises `UserError`."""
        await presence.leave(session.table, seat, self.clock.now())
        self.follow_up(session)
        session.message.changed()

    async def back(self, session: TableSession, seat: Seat) -> None:
        """Let a person take their seat back. Raises `UserError`."""
        await presence.back(session.table, seat, self.clock.now())
        self.follow_up(session)

    async def person_left(self, user: int, guild: int) -> None:
        """Let nobody be held up by a person who is no longer on the server: they leave all their tables there."""
        for row in await self.store.tables_of(user, guild=guild):
            session = await self.session(row.id)
            if session is None:
                continue
            with contextlib.suppress(UserError):  # the game began, or the table closed, this very moment
                if session.table.in_lobby:
                    await lobby.leave(session.table, user, self.clock.now())
                    self.follow_up(session)
                    session.message.changed()
                elif (seat := session.table.seat_of(user)) is not None:
                    await self.leave(session, seat)

    async def channel_gone(self, channel: int) -> None:
        """Close the tables of a channel that was deleted: nobody can play them any more."""
        for row in await self.store.tables_in(channel):
            await self._close_for_good(row.id)

    async def _close_for_good(self, number: int) -> None:
        session = await self.session(number)
        if session is not None and (session.table.playing or session.table.in_lobby):
            await session.table.close("Its channel was deleted.", self.clock.now())
            session.message.give_up()
            self.follow_up(session)

    async def guild_gone(self, guild: int) -> None:
        """Let the tables of a server stand still that has thrown us out, or is out of reach."""
        self._gone.add(guild)
        for row in await self.store.open_tables(guild):
            await self._stand_still(row.id)

    async def _stand_still(self, number: int) -> None:
        """Stop the clocks of a table and all that serves it: nobody there can hear of it."""
        loading = self._loading.get(number)
        if loading is not None:
            await asyncio.gather(loading, return_exceptions=True)
        session = self._sessions.pop(number, None)
        self.scheduler.clear(number)
        row = await self.store.table(number) if session is None else session.table.row
        if row is None or row.paused_at is not None:
            return
        since = Moment(self.clock.now() - self.store.downtime(row.run))  # what it was not yet extended by counts
        if session is not None:
            session.table.row = msgspec.structs.replace(row, paused_at=since)  # whoever still holds it is silent too
            await session.computers.close()
            await session.message.close()
            await session.direct_messages.close()
            await session.leftovers.close()
        try:
            await self.store.update_table(number, TableChange(paused_at=since))
        except StoreError as error:
            self.health.failed(error)  # it stands still all the same, until the next start

    async def guild_back(self, guild: discord.Guild) -> None:
        """Go on with the tables of a server that we are on (again); close those whose channel is gone."""
        self._gone.discard(guild.id)
        soon = await self._unshown(lambda place: place == guild.id)
        rows = await self.store.open_tables(guild.id)
        self._wake_soon(dict.fromkeys([*soon, *(row.id for row in rows if row.paused_at is not None)]))
        self._channels[guild.id] = {row.channel for row in rows}
        self._look_through(guild)

    async def guild_available(self, guild: discord.Guild) -> None:
        """Hear that a server is there, as each is after a start: what it lists is known from now on."""
        if guild.id in self._gone:
            await self.guild_back(guild)
        else:
            self._look_through(guild)

    def _look_through(self, guild: discord.Guild) -> None:
        """Look whether the channels of a server's open tables are there; each time that was asked for, once."""
        for channel in self._channels.pop(guild.id, ()):
            if guild.get_channel_or_thread(channel) is None:
                self.spawn(self._look_for(channel), f"look-for-{channel}")

    async def _look_for(self, channel: int) -> None:
        """Ask Discord whether a channel is there that the server does not list: a thread may only be archived."""
        try:
            await self.client.fetch_channel(channel)
        except codes.FAILED_CALL as error:
            if codes.code_of(error) in codes.PLACE_GONE:
                await self.channel_gone(channel)

    def look_again(self, guild: int, channel: int | None = None) -> None:
        """Try again what Discord has refused on a server (in a channel): somebody has changed something there."""
        rows = [session.table.row for session in self._sessions.values() if session.message.trouble is not None]
        self._wake_soon([row.id for row in rows if row.guild == guild and channel in (None, row.channel)])

    def _place_gone(self, channel: int) -> None:
        """Hear of a channel that a call has found deleted."""
        self.spawn(self.channel_gone(channel), f"close-tables-of-{channel}")

    async def end(self, number: int, reason: str) -> bool:
        """End a table without a result, also one that can no longer be read. Return False if it was not open."""
        try:
            session = await self.session(number)
        except BrokenRecord:
            log.exception("table %s cannot be read, and is closed", number)
            await self.store.update_table(number, TableChange(status="closed", ended_at=self.clock.now(), due=None))
            self.scheduler.clear(number)
            return True
        if session is None:
            return False
        async with session.table.lock:
            if not (session.table.playing or session.table.in_lobby):
                return False
            await session.table.close_alone(reason, self.clock.now())
        self.follow_up(session)
        session.message.changed()
        return True

    async def repair(self, session: TableSession) -> None:
        """Read a table anew from its events, ask its computer players again, and post its message anew."""
        await session.table.reread()
        session.computers.forget()
        self.follow_up(session)
        session.message.move_down()

    async def forget(self, user: int) -> None:
        """Delete who a user is everywhere: they leave every lobby and every game, and computers play on for them."""
        for row in await self.store.tables_of(user):
            try:
                session = await self.session(row.id)
            except BrokenRecord:
                log.exception("table %s cannot be read", row.id)
                continue
            if session is not None and session.table.in_lobby:
                with contextlib.suppress(UserError):  # the game began, or the table closed, this very moment
                    await lobby.leave(session.table, user, self.clock.now())
                self.follow_up(session)
                session.message.changed()
        await self._forget_awake(user)
        await self.store.people.forget(user)
        # What was read before this, and is still being read into, knows them yet.
        await asyncio.gather(*self._loading.values(), return_exceptions=True)
        await self._forget_awake(user)

    async def _forget_awake(self, user: int) -> None:
        for session in self.awake():
            row = session.table.row
            if session.table.seat_of(user) is not None or user in (row.opener, row.invited):
                await presence.forget(session.table, user, self.clock.now())
                self.follow_up(session)
                session.message.changed()

    def rematch_complete(self, session: TableSession) -> bool:
        before = self._sessions.get(session.table.row.rematch_of or 0)
        if before is None or not session.table.in_lobby:
            return False
        wanted = {row.user for row in before.table.seats}
        return wanted <= {row.user for row in session.table.seats} and len(session.table.seats) == len(
            before.table.seats
        )

    # What follows from a move

    def follow_up(self, session: TableSession) -> None:
        """Set the clocks, wake the computer players, see to direct messages and the turn ping. Returns at once."""
        table = session.table
        number = table.id
        if table.row.paused_at is not None:
            self.scheduler.clear(number)
            self.scheduler.set(number, "sleep", self.clock.now() + SLEEPS_AFTER_MS)
            return
        if table.in_lobby or table.asleep:
            self.scheduler.set(number, "deadline", table.row.due)
        else:
            self.scheduler.set(number, "deadline", table.earliest())
            self._set_nudge(session)
        session.computers.prompt()
        if session.screen.game.hides or session.told != table.row.status:
            session.told = table.row.status
            session.direct_messages.changed()
        ended = not table.playing and not table.in_lobby
        if (session.turn_ping.turn_passed() or ended) and session.leftovers:
            self.spawn(session.leftovers.sweep(), f"erase-{number}")
        if ended:
            self.scheduler.set(number, "nudge", None)
        self.scheduler.set(number, "sleep", self.clock.now() + SLEEPS_AFTER_MS)

    def _set_nudge(self, session: TableSession) -> None:
        due = min((d.due for d in session.table.deadlines() if d.kind == "turn"), default=None)
        clock_ms = session.table.options.clock * 1_000
        if due is None or clock_ms < NUDGE_FROM_MS or not session.turn_ping.awaited():
            self.scheduler.set(session.table.id, "nudge", None)
            return
        nudge = due - min(NUDGE_AT_MOST_MS, clock_ms // 3)
        self.scheduler.set(session.table.id, "nudge", nudge if nudge > self.clock.now() else None)

    # What falls due

    async def _wake(self, number: int, what: What) -> None:
        if number == HOUSE:
            await self._chores[what]()
            return
        if what == "sleep":
            await self._put_to_sleep(number)
            return
        try:
            session = await self.session(number)
        except BrokenRecord as error:
            log.warning("table %s cannot be read: %s", number, error)  # that stays so until somebody ends it
            return
        if session is None:
            return
        if session.table.row.paused_at is not None:
            await self._go_on(session.table)
            self.follow_up(session)
            if session.table.row.paused_at is not None:
                return
        match what:
            case "wake":
                session.message.retry()
                self.scheduler.set(number, "sleep", self.clock.now() + WOKEN_FOR_MS)
            case "deadline":
                await self._expire(session)
            case "nudge":
                due = min((d.due for d in session.table.deadlines() if d.kind == "turn"), default=None)
                if due is not None:
                    words = f"your turn – the clock runs out <t:{due // 1_000}:R>{away.warning(session.table)}"
                    await session.turn_ping.post(session.message.link(), words)
            case "mention":
                await session.turn_ping.post(session.message.link(), "your turn")
            case "computer":
                await session.computers.play()
            case "board":
                session.message.retry()
            case "beat" | "commands":
                raise AssertionError(f"the {what} belongs to the house")

    def _failed(self, number: int, what: What, error: Exception, times: int) -> None:
        """Hear of what fell due and failed; it is tried again."""
        name = CALLED.get(what, what) if number == HOUSE else f"table {number}: its {what}"
        if isinstance(error, StoreError):
            self.health.failed(error)
        elif isinstance(error, codes.FAILED_CALL):
            log.warning("%s failed, and is tried again: %s", name, error)
        else:
            log.error("%s failed, and is tried again", name, exc_info=error if times == 1 else None)

    def do(self, what: What, chore: Callable[[], Awaitable[None]]) -> None:
        """Do something for the house now; what fails is tried again until it works."""
        self._chores[what] = chore
        self.scheduler.set(HOUSE, what, self.clock.now())

    async def _beat(self) -> None:
        """Keep that the bot is alive, and what is shown."""
        await self.store.beat(self.clock.now())
        await self.shown.write()
        self.health.took()
        self.scheduler.set(HOUSE, "beat", self.clock.now() + BEAT_MS)

    async def _expire(self, session: TableSession) -> None:
        table, now = session.table, self.clock.now()
        if table.in_lobby:
            if table.row.due is not None and table.row.due > now:
                self.scheduler.set(table.id, "deadline", table.row.due)
                return
            await lobby.expire(table, now)
            session.message.changed()
            self.follow_up(session)
            return
        if table.asleep:
            await presence.wind_up(table, now)
            self.follow_up(session)
            if not table.playing:
                session.message.changed()
            return
        changed = False
        for deadline in table.deadlines():
            if deadline.due <= now:
                try:
                    await table.expire(deadline.id, now)
                    changed = True
                except (Refusal, Stale, UserError) as error:
                    log.info("table %s: deadline %s had gone: %r", table.id, deadline.id, error)
        self.follow_up(session)
        if changed:
            session.message.refresh()

    async def _put_to_sleep(self, number: int) -> None:
        session = self._sessions.get(number)
        if session is None:
            return
        await session.message.settle()
        await session.direct_messages.settle()
        await session.leftovers.settle()
        await self.shown.write()
        # Asked last, and let go of in the same breath: somebody may have come while the rest was shown.
        now = self.clock.now()
        unrest = session.computers.busy or session.message.busy or session.table.lock.locked()
        if unrest or now - session.table.used < SLEEPS_AFTER_MS:
            self.scheduler.set(number, "sleep", now + SLEEPS_AFTER_MS)
            return
        self._sessions.pop(number, None)
        self.shown.forget(number)
