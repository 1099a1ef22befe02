"""The reminder: a short line that mentions the players whose turn it is, and is deleted when the turn passes.

Even if calls fail, each kind of reminder reaches a player at most once in a turn: it is stored before its line is sent,
and a line whose answer was lost is sent again only with the same nonce, and only while Discord remembers that.
"""

import logging
from collections.abc import Callable, Sequence
from functools import partial
from typing import Literal

from msgspec.structs import replace

from cogs.core.i18n.translation import Words, _
from cogs.core.publishing import absence_pages
from cogs.core.publishing.direct_messages import DirectMessages
from cogs.core.publishing.mention_lines import MentionLine, MentionLines
from cogs.core.publishing.message_links import game_link
from cogs.core.publishing.player_page_host import Attention
from cogs.core.publishing.services import MessageTimers
from data.store import Reminder, StoreError

log = logging.getLogger(__name__)

MENTION_AFTER_MS = 8_000
"""A player who moves sooner needs no mention, so a quick exchange of moves adds no clutter."""

NUDGE_AT_MOST_MS = 60_000
"""At most this long before the turn's clock runs out, the players to move are reminded once more."""

NUDGE_FROM_MS = 30_000
"""Turn clocks shorter than this have no nudge."""


def your_turn() -> str:
    """Return the words of a mention."""
    return _("your turn")


def dm_closed() -> str:
    """Return the words of a mention that takes the place of a direct message."""
    return _("your turn – I couldn't send you a DM, so I'm telling you here")


ReminderKind = Literal["mention", "nudge"]


class TurnReminder:
    """The lines that mention whose turn it is at one table. `link` returns the address of the table message."""

    def __init__(
        self,
        lines: MentionLines,
        attention: Attention,
        direct_messages: DirectMessages,
        link: Callable[[], str | None],
        timers: MessageTimers,
    ) -> None:
        self._lines = lines
        self._services, self._table, self._clock = lines.services, lines.table, lines.services.clock
        self._attention = attention
        self._direct_messages = direct_messages
        self._link = link
        self._timers = timers
        self._awaited: tuple[int, dict[int, int]] | None = None  # the last turn that was noted
        self._reminders: Sequence[Reminder] = ()  # of one turn

    async def read(self) -> None:
        """Take over what was stored before a restart. Raises `StoreError`."""
        self._reminders = await self._services.store.pending_deletions.reminders(self._table.id)
        for one in self._reminders:
            if one.message is None:
                self._lines.resume(await self._line(one, your_turn))

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

    def _called(self, kind: ReminderKind, turn: int) -> set[int]:
        """Return the seats that have been reminded in a turn."""
        return {seat for one in self._reminders if one.kind == kind and one.turn == turn for seat in one.seats}

    # Reminding

    async def remind(self) -> None:
        """Remind the players to move that it is their turn; those who are looking are reminded a little later. Raises
        `StoreError`.
        """
        async with self._lines.lock:
            turn, users = self._uncalled("mention")
            lively = {seat: at for seat in users if (at := self._attention.watching_until(users[seat])) is not None}
            self._timers.mention.set(self._table.id, min(lively.values(), default=None))
            await self._post("mention", turn, {seat: users[seat] for seat in users if seat not in lively}, your_turn)

    async def nudge(self) -> None:
        """Remind the players to move once more, in place of the mentions before, while a clock of the turn runs. Raises
        `StoreError`.
        """
        if (due := self._table.snapshot.turn_due) is None:
            return

        def words() -> str:
            turn = _("your turn – time runs out {when}", when=f"<t:{due // 1_000}:R>")
            warning = absence_pages.warning(self._table.snapshot)
            return f"{turn}. {warning}" if warning else turn

        async with self._lines.lock:
            await self._post("nudge", *self._uncalled("nudge"), words)

    def _uncalled(self, kind: ReminderKind) -> tuple[int, dict[int, int]]:
        """Return the turn, and the users that it waits for and who were not reminded yet, by seat."""
        turn, users = self.awaited()
        called = self._called(kind, turn)
        return turn, {seat: user for seat, user in users.items() if seat not in called}

    async def call(self, words: Words) -> None:
        """Mention all players once at a game that has just begun, instead of those who are to move there; the line goes
        when the turn passes. Raises `StoreError`.
        """
        async with self._lines.lock:
            turn = self.awaited()[0]
            called, seats = self._called("mention", turn), self._table.snapshot.seats
            wanted = tuple(row.seat for row in seats if row.user is not None and row.seat not in called)
            if wanted and self._table.snapshot.playing and self._link() is not None:
                self._timers.mention.set(self._table.id, None)
                await self._begin(Reminder("mention", turn, wanted, self._clock.now()), (), words)

    async def _post(self, kind: ReminderKind, turn: int, users: dict[int, int], words: Words) -> None:
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

    def _mention_instead(self, user: int, kind: ReminderKind, turn: int) -> None:
        """Mention a player in the channel who accepts no direct messages. Does not block."""
        self._lines.tasks.spawn(self._mention_closed(user, kind, turn), f"mention-{self._table.id}")

    async def _mention_closed(self, user: int, kind: ReminderKind, turn: int) -> None:
        async with self._lines.lock:
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
        if line is not None and line.wanted():
            if reminder.kind == "nudge":
                self._lines.cleanup.delete(self._lines.cleanup.pending)
            await self._lines.send(line)

    async def _store(self, reminders: Sequence[Reminder]) -> None:
        await self._services.store.pending_deletions.set_reminders(self._table.id, reminders)
        self._reminders = reminders

    async def _line(self, reminder: Reminder, words: Words) -> MentionLine:
        """Return the line of a reminder: who, why, and where, since several tables may share a channel."""
        table = self._table.snapshot
        users = tuple(user for seat in reminder.seats if (user := table.seats[seat].user) is not None)
        quiet = await self._lines.is_quiet()
        text = await self._lines.text(users, lambda: f"{words()} · {game_link(table, self._link())}")
        nonce = f"{table.id}.{reminder.turn}.{reminder.kind[0]}{reminder.seats[0]}"

        def wanted() -> bool:
            turn, awaited = self.awaited()
            return reminder.turn == turn and not awaited.keys().isdisjoint(reminder.seats)

        sent = partial(self._sent, reminder)
        return MentionLine(nonce, text, () if quiet else users, reminder.at, wanted, sent, of_turn=True)

    async def _sent(self, reminder: Reminder, message: int) -> None:
        """Store which message a reminder's line is."""
        if reminder in self._reminders:
            try:
                await self._store(
                    [replace(one, message=message) if one == reminder else one for one in self._reminders]
                )
            except StoreError as error:
                self._services.database_status.failed(error)  # after a restart, its nonce tells which message it is
