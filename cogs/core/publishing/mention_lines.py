"""Short lines in a channel that mention people, each sent at most once and deleted when it no longer means anything."""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

import discord

from cogs.core.ops import discord_errors
from cogs.core.publishing.message_cleanup import MessageCleanup
from cogs.core.publishing.services import PublishingServices
from cogs.core.tables.table import Table
from data.background import BackgroundTasks
from engine.contract import Moment

log = logging.getLogger(__name__)

RETRY_MS, RETRIED_FOR_MS = 5_000, 60_000
"""How often and for how long a line is sent again whose answer was lost. Discord remembers its nonce for minutes."""

Words = Callable[[], str]
"""Returns the words of a line, in the language that is spoken: everybody in the channel reads them."""


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
        self._services = services
        self._clock = services.clock
        self._table = table
        self._cleanup = cleanup
        self._unanswered: dict[str, MentionLine] = {}  # by nonce

    async def is_quiet(self) -> bool:
        """Return True if nobody is notified on this server."""
        return (await self._services.settings.of(self._table.snapshot.row.guild)).mentions == "quiet"

    def resume(self, line: MentionLine) -> None:
        """Send a line again soon that may have been sent before a restart."""
        self._unanswered[line.nonce] = line
        self.due = self._clock.now()

    async def send(self, line: MentionLine) -> None:
        """Send a line, or learn which message it is if an earlier try has sent it. If nobody whom it mentions is wanted
        any more, it notifies nobody, and is deleted.
        """
        channel = self._services.channel(self._table)
        due = self._table.snapshot.earliest if line.of_turn else self._clock.now()
        try:
            async with self._table.unasked_call(due):
                notified = line.notified if line.wanted() else ()  # the turn may have passed while it waited
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
        if not line.wanted():
            self._cleanup.delete((message.id,))
        await line.sent(message.id)

    def wake(self, now: Moment) -> None:
        """Send again what has had no answer, if it is time to. Does not block."""
        if self.due is not None and self.due <= now:
            self.due = None
            self.tasks.spawn(self._send_again(), f"reminder-{self._table.id}")

    async def _send_again(self) -> None:
        async with self.lock:
            for nonce, line in tuple(self._unanswered.items()):
                if self._table.silent or self._clock.now() - line.began_at >= RETRIED_FOR_MS:
                    del self._unanswered[nonce]
                else:
                    await self.send(line)

    async def settle(self) -> None:
        """Return when every line has been sent, or has failed for now."""
        await self.tasks.settle()

    async def close(self) -> None:
        """Stop sending; the next start continues."""
        await self.tasks.close()
