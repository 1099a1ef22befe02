"""Short lines in a channel that mention people, each sent at most once and deleted when it no longer means anything."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass

import discord

from cogs.core.i18n.translation import Words
from cogs.core.ops import discord_errors
from cogs.core.publishing.message_cleanup import MessageCleanup
from cogs.core.publishing.services import PublishingServices
from cogs.core.tables import lobby
from cogs.core.tables.table import Table
from data.background import BackgroundTasks
from engine.contract import Moment

log = logging.getLogger(__name__)

RETRY_MS, RETRIED_FOR_MS = 5_000, 60_000
"""How often and for how long a line is sent again whose answer was lost. Discord remembers its nonce for minutes."""


@dataclass(frozen=True)
class MentionLine:
    """A line that is being sent, or whose answer was lost. `sent` gets the number of its message."""

    nonce: str
    text: str
    notified: tuple[int, ...]  # the users, or nobody on a quiet server
    began_at: Moment
    wanted: Callable[[], bool]  # whether the line still means anything
    sent: Callable[[int], Awaitable[None]]
    of_turn: bool = False  # whether it is as urgent as the turn, and not as somebody who invites


class MentionLines:
    """Sends the lines about one table. `due` is when to try again those whose answers were lost. Callers hold `lock`
    while they decide on a line and send it.
    """

    def __init__(self, services: PublishingServices, table: Table, cleanup: MessageCleanup) -> None:
        self.due: Moment | None = None
        self.lock = asyncio.Lock()
        self.tasks = BackgroundTasks()
        self.services = services
        self.table = table
        self.cleanup = cleanup
        self._clock = services.clock
        self._unanswered: dict[str, MentionLine] = {}  # by nonce

    async def is_quiet(self) -> bool:
        """Return True if nobody is notified on this server."""
        return (await self.services.settings.of(self.table.snapshot.row.guild)).mentions == "quiet"

    async def text(self, users: Sequence[int], words: Words) -> str:
        """Return a line that mentions users, in the language of the server."""
        with await self.services.server_language(self.table):
            return f"{' '.join(f'<@{user}>' for user in users)} {words()}"

    def resume(self, line: MentionLine) -> None:
        """Send a line again soon that may have been sent before a restart."""
        self._unanswered[line.nonce] = line
        self.due = self._clock.now()

    async def send(self, line: MentionLine) -> None:
        """Send a line, or learn which message it is if an earlier try has sent it. If nobody whom it mentions is wanted
        any more, it notifies nobody, and is deleted.
        """
        channel = self.services.channel(self.table)
        due = self.table.snapshot.earliest if line.of_turn else self._clock.now()
        try:
            async with self.table.unasked_call(due):
                notified = line.notified if line.wanted() else ()  # the turn may have passed while it waited
                allowed = discord.AllowedMentions(users=[discord.Object(user) for user in notified])
                message = await channel.send(line.text, nonce=line.nonce, allowed_mentions=allowed, silent=not notified)
        except discord_errors.API_ERRORS as error:
            log.warning("table %s: nobody could be mentioned: %s", self.table.id, error)
            if discord_errors.is_transient(error):
                self._unanswered[line.nonce] = line
                self.due = Moment(self._clock.now() + RETRY_MS)
                self.services.schedule(self.table, self.due)
            return
        self._unanswered.pop(line.nonce, None)
        await self.cleanup.add(message.id)
        if not line.wanted():
            self.cleanup.delete((message.id,))
        await line.sent(message.id)

    def wake(self, now: Moment) -> None:
        """Send again what has had no answer, if it is time to. Does not block."""
        if self.due is not None and self.due <= now:
            self.due = None
            self.tasks.spawn(self._send_again(), f"reminder-{self.table.id}")

    async def _send_again(self) -> None:
        async with self.lock:
            for nonce, line in tuple(self._unanswered.items()):
                if self.table.silent or self._clock.now() - line.began_at >= RETRIED_FOR_MS:
                    del self._unanswered[nonce]
                else:
                    await self.send(line)

    async def settle(self) -> None:
        """Return when every line has been sent, or has failed for now."""
        await self.tasks.settle()

    async def close(self) -> None:
        """Stop sending; the next start continues."""
        await self.tasks.close()


class LobbyMentions:
    """The lines about one table's lobby. Each is deleted once nobody whom it mentions is wanted any more."""

    def __init__(self, lines: MentionLines) -> None:
        self._lines = lines
        self._table = lines.table
        self._shown: dict[int, MentionLine] = {}  # by message
        self._last_at = 0  # when the last of them was sent

    def changed(self) -> bool:
        """Delete the lines about people who are no longer wanted. Return True if nobody is: then those sent before a
        restart can go, too.
        """
        table = self._table.snapshot
        gone = [message for message, line in self._shown.items() if not line.wanted()]
        for message in gone:
            del self._shown[message]
        self._lines.cleanup.delete(gone)
        return not lobby.expected(table) and table.row.heir is None and table.row.rematch_of is None

    async def call_guest(self, user: int, words: Words) -> None:
        """Mention somebody who is invited; the line goes when they answer, or when the lobby ends."""

        def wanted() -> bool:
            return self._table.snapshot.in_lobby and user in lobby.expected(self._table.snapshot)

        await self._call((user,), "i", words, wanted)

    async def call_host(self, words: Words) -> None:
        """Mention the host whom a player asks to replace; the line goes when that is settled."""
        host = self._table.snapshot.row.opener

        def wanted() -> bool:
            row = self._table.snapshot.row
            return row.status == "lobby" and row.opener == host and row.heir is not None

        await self._call((host,), "h", words, wanted)

    async def call_players(self, users: Sequence[int], words: Words) -> None:
        """Mention the people whom a rematch waits for, as they want it; the line goes when all are in, or it lapses."""
        called = tuple([user for user in users if await self._may_be_told(user)])

        def wanted() -> bool:
            table = self._table.snapshot
            return table.in_lobby and any(table.seat_of(user) is None for user in called)

        if called:
            await self._call(called, "r", words, wanted, quiet=await self._lines.is_quiet())

    async def tell_host(self, words: Words) -> None:
        """Mention the host of a lobby that has closed, as they want it; the line goes if the table is opened again."""
        host = self._table.snapshot.row.opener

        def wanted() -> bool:
            return self._table.snapshot.row.status == "closed"

        if await self._may_be_told(host):
            await self._call((host,), "c", words, wanted, quiet=await self._lines.is_quiet())

    async def _may_be_told(self, user: int) -> bool:
        return await self._lines.services.preferences.of(user) != "nothing"

    async def _call(
        self, users: tuple[int, ...], kind: str, words: Words, wanted: Callable[[], bool], *, quiet: bool = False
    ) -> None:
        async with self._lines.lock:
            now, text = self._lines.services.clock.now(), await self._lines.text(users, words)
            self._last_at = max(now, self._last_at + 1)
            nonce = f"{self._table.id}.{kind}{self._last_at}"  # of its own, also for two lines of one moment

            async def sent(message: int) -> None:
                self._shown[message] = line

            line = MentionLine(nonce, text, () if quiet else users, now, wanted, sent)
            await self._lines.send(line)
