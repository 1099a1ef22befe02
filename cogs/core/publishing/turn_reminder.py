"""The reminder: a short line that mentions the players whose turn it is, and is deleted when the turn passes.

Whatever fails, each kind of reminder reaches a player at most once in a turn: it is stored before its line is sent, and
a line whose answer was lost is sent again only with the same nonce, and only while Discord remembers that.
"""

import asyncio
import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Literal

import discord
from msgspec.structs import replace

from cogs.core.i18n.translation import _
from cogs.core.ops import discord_errors
from cogs.core.publishing.attention import Attention
from cogs.core.publishing.direct_messages import DirectMessages
from cogs.core.publishing.message_cleanup import MessageCleanup
from cogs.core.publishing.services import MessageTimers, PublishingServices
from cogs.core.tables import lobby
from cogs.core.tables.table import Table
from data.background import BackgroundTasks
from data.store import Reminder, StoreError
from engine.contract import Moment

log = logging.getLogger(__name__)

MENTION_AFTER_MS = 8_000
"""A player who moves sooner needs no mention, so a quick exchange of moves adds no clutter."""

NUDGE_AT_MOST_MS = 60_000
"""At most this long before the turn's clock runs out, the players to move are reminded once more."""

NUDGE_FROM_MS = 30_000
"""Turn clocks shorter than this have no nudge."""

RETRY_MS, RETRIED_FOR_MS = 5_000, 60_000
"""How often and for how long a line is sent again whose answer was lost. Discord remembers its nonce for minutes."""

Words = Callable[[], str]
"""Returns the words of a line, in the language that is spoken: everybody in the channel reads them."""


def your_turn() -> str:
    """Return the words of a mention."""
    return _("your turn")


def dm_closed() -> str:
    """Return the words of a mention that takes the place of a direct message."""
    return _("your turn – I couldn't send you a DM, so I'm telling you here")


Kind = Literal["mention", "nudge"]


@dataclass(frozen=True)
class _Line:
    """A line that is being sent, or whose answer was lost."""

    nonce: str
    text: str
    notified: tuple[int, ...]  # nobody on a quiet server
    began_at: Moment
    reminder: Reminder | None = None
    wanted: Callable[[], bool] = lambda: True  # without a reminder: whether the line still means anything


class TurnReminder:
    """The lines that mention who is to move at one table, and who is wanted in its lobby. `due` is when to try again
    to send those whose answers were lost; `link` returns the address of the table message.
    """

    def __init__(
        self,
        services: PublishingServices,
        table: Table,
        cleanup: MessageCleanup,
        attention: Attention,
        direct_messages: DirectMessages,
        link: Callable[[], str | None],
        timers: MessageTimers,
    ) -> None:
        self.due: Moment | None = None
        self._services = services
        self._clock = services.clock
        self._table = table
        self._cleanup = cleanup
        self._attention = attention
        self._direct_messages = direct_messages
        self._link = link
        self._timers = timers
        self._awaited: tuple[int, dict[int, int]] | None = None  # the last turn that was noted
        self._reminders: Sequence[Reminder] = ()  # of one turn
        self._unanswered: dict[str, _Line] = {}  # by nonce
        self._calls: dict[int, _Line] = {}  # the lines without a reminder that are shown, by message
        self._called_at = 0  # when the last of them was sent
        self._lock = asyncio.Lock()
        self._tasks = BackgroundTasks()

    async def read(self) -> None:
        """Take over what was stored before a restart. Raises `StoreError`."""
        self._reminders = await self._services.store.pending_deletions.reminders(self._table.id)
        for one in self._reminders:
            if one.message is None:
                line = await self._line(one, your_turn)
                self._unanswered[line.nonce] = line
                self.due = self._clock.now()

    # Whose turn it is

    def awaited(self) -> tuple[int, dict[int, int]]:
        """Return the turn (-1 if nobody plays), and the users that it waits for, by seat: bots need no mention."""
        table = self._table.snapshot
        if not table.playing:
            return -1, {}
        view = table.view(None)
        rows = [table.seats[seat] for seat in view.to_act]
        return view.ui_version, {row.seat: row.user for row in rows if row.user is not None and not row.caretaker}

    def turn_passed(self) -> bool:
        """Note whose turn it is now, and until when. Return True if mentions in the channel should be deleted."""
        if self._table.snapshot.in_lobby:
            return self._wanted_changed()
        awaited = turn, users = self.awaited()
        table, now, nudge = self._table.snapshot, self._clock.now(), None
        clock_ms = table.options.clock * 1_000
        if users and table.turn_due is not None and clock_ms >= NUDGE_FROM_MS:
            nudge = table.turn_due - min(NUDGE_AT_MOST_MS, clock_ms // 3)
        self._timers.nudge.set(table.id, nudge if nudge is not None and nudge > now else None)
        if self._awaited == awaited:
            return False
        self._awaited = awaited
        called = self._called("mention", turn) if self._reminders else set()
        to_call = not called.issuperset(users)
        self._timers.mention.set(table.id, now + MENTION_AFTER_MS if to_call else None)
        return called.isdisjoint(users)

    def _guests(self) -> tuple[int, ...]:
        """Return the users for whom the lobby has a seat."""
        return lobby.expected(self._table.snapshot) if self._table.snapshot.in_lobby else ()

    def _wanted_changed(self) -> bool:
        """Delete the lines about people who are not wanted in the lobby any more. Return True if nobody is: then those
        go, too, that were sent before a restart.
        """
        table = self._table.snapshot
        gone = [message for message, line in self._calls.items() if self._is_over(line)]
        for message in gone:
            del self._calls[message]
        self._cleanup.delete(gone)
        return not lobby.expected(table) and table.row.heir is None and table.row.rematch_of is None

    def _called(self, kind: Kind, turn: int) -> set[int]:
        """Return the seats that have been reminded in a turn."""
        return {seat for one in self._reminders if one.kind == kind and one.turn == turn for seat in one.seats}

    # Reminding

    async def remind(self) -> None:
        """Remind the players to move that it is their turn; those who are looking are reminded a little later. Raises
        `StoreError`.
        """
        async with self._lock:
            turn, users = self._uncalled("mention")
            lively = {seat: at for seat in users if (at := self._attention.watching_until(users[seat])) is not None}
            self._timers.mention.set(self._table.id, min(lively.values(), default=None))
            await self._post("mention", turn, {seat: users[seat] for seat in users if seat not in lively}, your_turn)

    async def nudge(self, words: Words) -> None:
        """Remind the players to move once more, in place of the mentions before. Raises `StoreError`."""
        async with self._lock:
            await self._post("nudge", *self._uncalled("nudge"), words)

    def _uncalled(self, kind: Kind) -> tuple[int, dict[int, int]]:
        """Return the turn, and the users that it waits for and who were not reminded yet, by seat."""
        turn, users = self.awaited()
        called = self._called(kind, turn)
        return turn, {seat: user for seat, user in users.items() if seat not in called}

    async def call(self, words: Words) -> None:
        """Mention all players once at a game that has just begun, instead of those who are to move there; the line goes
        when the turn passes. Raises `StoreError`.
        """
        async with self._lock:
            turn = self.awaited()[0]
            called, seats = self._called("mention", turn), self._table.snapshot.seats
            wanted = tuple(row.seat for row in seats if row.user is not None and row.seat not in called)
            if wanted and self._table.snapshot.playing and self._link() is not None:
                self._timers.mention.set(self._table.id, None)
                await self._begin(Reminder("mention", turn, wanted, self._clock.now()), (), words)

    async def call_guest(self, user: int, words: Words) -> None:
        """Mention somebody who is invited to the lobby; the line goes when they answer, or when the lobby ends."""
        await self._call((user,), "i", words, lambda: user in self._guests())

    async def call_host(self, words: Words) -> None:
        """Mention the host whom a player asks to replace; the line goes when that is settled."""
        host = self._table.snapshot.row.opener

        def wanted() -> bool:
            row = self._table.snapshot.row
            return row.status == "lobby" and row.opener == host and row.heir is not None

        await self._call((host,), "h", words, wanted)

    async def call_players(self, users: Sequence[int], words: Words) -> None:
        """Mention the people whom a rematch waits for, as they want it; the line goes when all are in, or it lapses."""
        ways = {user: await self._services.preferences.of(user) for user in users}
        called = tuple(user for user in users if ways[user] != "nothing")

        def wanted() -> bool:
            table = self._table.snapshot
            return table.in_lobby and any(table.seat_of(user) is None for user in called)

        if called:
            await self._call(called, "r", words, wanted, quiet=await self._quiet())

    async def tell_host(self, words: Words) -> None:
        """Mention the host of a lobby that has closed, as they want it; the line goes if the table is opened again."""
        row = self._table.snapshot.row
        if await self._services.preferences.of(row.opener) != "nothing":
            closed = partial(_is_closed, self._table)
            await self._call((row.opener,), "c", words, closed, quiet=await self._quiet())

    async def _quiet(self) -> bool:
        """Return True if nobody is notified on this server."""
        return (await self._services.settings.of(self._table.snapshot.row.guild)).mentions == "quiet"

    async def _call(
        self, users: tuple[int, ...], kind: str, words: Words, wanted: Callable[[], bool], *, quiet: bool = False
    ) -> None:
        async with self._lock:
            now = self._clock.now()
            with await self._services.server_language(self._table):
                text = f"{' '.join(f'<@{user}>' for user in users)} {words()}"
            self._called_at = max(now, self._called_at + 1)
            nonce = f"{self._table.id}.{kind}{self._called_at}"  # of its own, also for two lines of one moment
            await self._send(_Line(nonce, text, () if quiet else users, now, wanted=wanted))

    async def _post(self, kind: Kind, turn: int, users: dict[int, int], words: Words) -> None:
        """Remind these players, each in the way that they have chosen. Mentions share one line."""
        table = self._table.snapshot
        if not users or self._link() is None or self._table.silent:
            return
        if (wait := self._services.api.retry_at) is not None:  # it is begun once, and given up after a minute
            if kind == "mention":
                self._timers.mention.set(table.id, wait)
            return
        ways = {user: await self._services.preferences.of(user) for user in users.values()}
        closed = {users[seat] for seat in users if table.seats[seat].dm_closed}
        by_message = [user for user in ways if ways[user] == "message" and user not in closed]
        wanted = [user for user in ways if ways[user] != "nothing" and user not in by_message and not table.unhurried]
        mentioned = tuple(seat for seat, user in users.items() if user in wanted)
        others = tuple(seat for seat in users if seat not in mentioned)
        if turn != self.awaited()[0]:
            return
        await self._begin(Reminder(kind, turn, mentioned, self._clock.now()), others, words)
        for user in by_message:
            self._direct_messages.renew(user, partial(self._mention_instead, user, kind, turn))

    def _mention_instead(self, user: int, kind: Kind, turn: int) -> None:
        """Mention a player in the channel who accepts no direct messages. Does not block."""
        self._tasks.spawn(self._mention_closed(user, kind, turn), f"mention-{self._table.id}")

    async def _mention_closed(self, user: int, kind: Kind, turn: int) -> None:
        async with self._lock:
            present, users = self.awaited()
            seats = tuple(seat for seat, awaited in users.items() if awaited == user)
            if present == turn and seats and not self._table.silent:
                try:
                    await self._begin(Reminder(kind, turn, seats, self._clock.now()), (), dm_closed)
                except StoreError as error:
                    self._services.database_status.failed(error)

    async def _begin(self, reminder: Reminder, others: tuple[int, ...], words: Words) -> None:
        """Store that these seats and those of `others`, who need no line, are reminded; then send the line."""
        line = await self._line(reminder, words) if reminder.seats else None
        new = [one for one in (reminder, replace(reminder, seats=others, message=0)) if one.seats]
        await self._store([*(one for one in self._reminders if one.turn == reminder.turn), *new])
        if line is not None and not self._is_over(line):
            if reminder.kind == "nudge":
                self._cleanup.delete_all()
            await self._send(line)

    async def _store(self, reminders: Sequence[Reminder]) -> None:
        await self._services.store.pending_deletions.set_reminders(self._table.id, reminders)
        self._reminders = reminders

    # Sending

    async def _line(self, reminder: Reminder, words: Words) -> _Line:
        """Return the line of a reminder: who, why, and where, since several tables may share a channel."""
        table = self._table.snapshot
        users = tuple(user for seat in reminder.seats if (user := table.seats[seat].user) is not None)
        quiet = await self._quiet()
        names = " ".join(f"<@{user}>" for user in users)
        with await self._services.server_language(self._table):
            where = _("[{game}, table {table}]({link})", game=table.game.title, table=table.id, link=self._link())
            text = f"{names} {words()} · {where}"
        return _Line(
            f"{table.id}.{reminder.turn}.{reminder.kind[0]}{reminder.seats[0]}",
            text,
            () if quiet else users,
            reminder.at,
            reminder,
        )

    async def _send(self, line: _Line) -> None:
        """Send a line, or learn which message it is if an earlier try has sent it. If nobody whom it mentions is wanted
        any more, it notifies nobody, and is deleted.
        """
        channel = self._services.channel(self._table)
        due = self._clock.now() if line.reminder is None else self._table.snapshot.earliest  # somebody invites now
        try:
            async with self._table.unasked_call(due):
                notified = () if self._is_over(line) else line.notified  # the turn may have passed while it waited
                allowed = discord.AllowedMentions(users=[discord.Object(user) for user in notified])
                message = await channel.send(line.text, nonce=line.nonce, allowed_mentions=allowed, silent=not notified)
        except discord_errors.API_ERRORS as error:
            log.warning("table %s: nobody could be mentioned: %s", self._table.id, error)
            if discord_errors.is_transient(error):
                self._unanswered[line.nonce] = line
                self.due = Moment(self._clock.now() + RETRY_MS)
                self._services.schedule(self._table, self.due)
            return
        self._unanswered.pop(line.nonce, None)
        await self._cleanup.add(message.id)
        if line.reminder is None:
            self._calls[message.id] = line
        if self._is_over(line):
            self._cleanup.delete((message.id,))
        reminders = [replace(one, message=message.id) if one == line.reminder else one for one in self._reminders]
        if reminders != self._reminders:
            try:
                await self._store(reminders)
            except StoreError as error:
                self._services.database_status.failed(error)  # after a restart, its nonce tells which message it is

    def _is_over(self, line: _Line) -> bool:
        """Return True if nobody whom a line mentions is wanted any more."""
        one = line.reminder
        if one is None:
            return not line.wanted()
        turn, users = self.awaited()
        return one.turn != turn or users.keys().isdisjoint(one.seats)

    def wake(self, now: Moment) -> None:
        """Send again what has had no answer, if it is time to. Does not block."""
        if self.due is not None and self.due <= now:
            self.due = None
            self._tasks.spawn(self._send_again(), f"reminder-{self._table.id}")

    async def _send_again(self) -> None:
        async with self._lock:
            for nonce, line in tuple(self._unanswered.items()):
                if self._table.silent or self._clock.now() - line.began_at >= RETRIED_FOR_MS:
                    del self._unanswered[nonce]
                else:
                    await self._send(line)

    async def settle(self) -> None:
        """Return when every line has been sent, or has failed for now."""
        await self._tasks.settle()

    async def close(self) -> None:
        """Stop sending; the next start continues."""
        await self._tasks.close()


def _is_closed(table: Table) -> bool:
    return table.snapshot.row.status == "closed"
