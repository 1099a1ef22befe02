"""The reminder: a short message that mentions the players whose turn it is, deleted when the turn passes.

No method holds a table's lock or is awaited before a click is acknowledged.
"""

import asyncio
import logging
from collections.abc import Sequence

import discord

from cogs.core.ops import discord_errors
from cogs.core.publishing.attention import Attention
from cogs.core.publishing.direct_messages import DirectMessages
from cogs.core.publishing.message_cleanup import MessageCleanup
from cogs.core.publishing.services import PublishingServices
from cogs.core.tables.table import Table

log = logging.getLogger(__name__)

MENTION_AFTER_MS = 8_000
"""A player who moves sooner needs no mention, so a quick exchange of moves adds no clutter."""

NUDGE_AT_MOST_MS = 60_000
"""At most this long before the turn's clock runs out, the players to move are reminded once more."""

NUDGE_FROM_MS = 30_000
"""Turn clocks shorter than this have no nudge."""


class TurnReminder:
    """The short line that mentions who is to move.

    Edits do not notify, so this is a message of its own; it goes when the turn passes.
    """

    def __init__(
        self,
        services: PublishingServices,
        table: Table,
        cleanup: MessageCleanup,
        attention: Attention,
        direct_messages: DirectMessages,
    ) -> None:
        self._client = services.client
        self._clock = services.clock
        self._scheduler = services.scheduler
        self._settings = services.settings
        self._preferences = services.preferences
        self._table = table
        self._cleanup = cleanup
        self._attention = attention
        self._direct_messages = direct_messages
        self._for: tuple[tuple[int, ...], int] | None = None
        self._lock = asyncio.Lock()

    def awaited(self) -> tuple[int, ...]:
        """Return the users that the game waits for; computer players need no mention."""
        table = self._table.snapshot
        if not table.playing:
            return ()
        return tuple(
            row.user
            for seat in table.view(None).to_act
            if (row := table.seats[seat]).user is not None and not row.caretaker
        )

    def turn_passed(self) -> bool:
        """Note whose turn it is now, and until when. Return True if mentions in the channel should be deleted."""
        users, table, now = self.awaited(), self._table.snapshot, self._clock.now()
        clock_ms, nudge = table.options.clock * 1_000, None
        if users and table.turn_due is not None and clock_ms >= NUDGE_FROM_MS:
            nudge = table.turn_due - min(NUDGE_AT_MOST_MS, clock_ms // 3)
        self._scheduler.set(table.id, "nudge", nudge if nudge is not None and nudge > now else None)
        stamp = table.view(None).ui_version if table.playing else -1
        if self._for == (users, stamp):
            return False
        gathering = self._for is None and table.in_lobby  # an invitation was sent before a restart
        self._for = (users, stamp)
        self._scheduler.set(table.id, "mention", now + MENTION_AFTER_MS if users else None)
        return not gathering

    async def invite(self, user: int, words: str) -> None:
        """Mention somebody who is wanted in the lobby; the line goes when they come, or when nobody gathers any more.

        Raises what a call raises that fails.
        """
        async with self._lock:
            await self._send(f"<@{user}> {words}", [user], quiet=False)
            if not self._table.snapshot.in_lobby:
                await self._cleanup.delete_all()

    async def call(self, users: Sequence[int], link: str | None, words: str) -> None:
        """Mention people once who are wanted at a game that has just begun, instead of those who are to move there; the
        line goes when the turn passes. Raises what a call raises that fails.
        """
        if link is None or not users or not self._table.snapshot.playing:
            return
        self._scheduler.set(self._table.id, "mention", None)
        quiet = (await self._settings.of(self._table.snapshot.row.guild)).mentions == "quiet"
        async with self._lock:
            await self._send(self._line(users, words, link), users, quiet)

    async def remind(self, link: str | None, words: str) -> None:
        """Remind the players to move that it is their turn; those who are looking are reminded a little later."""
        lively = {user: at for user in self.awaited() if (at := self._attention.watching_until(user)) is not None}
        self._scheduler.set(self._table.id, "mention", min(lively.values(), default=None))
        await self.post(link, words, without=tuple(lively))

    async def post(self, link: str | None, words: str, without: Sequence[int] = ()) -> None:
        """Remind the players to move, each in the way that they have chosen. Mentions share one message, which replaces
        the one before; on a quiet server it does not notify. Nobody else is mentioned.
        """
        awaited = [user for user in self.awaited() if user not in without]
        if not awaited or link is None or self._table.silent:
            return
        ways = {user: await self._preferences.of(user) for user in awaited}
        for user in awaited:
            if ways[user] == "message":
                self._direct_messages.renew(user)
        if not self._table.snapshot.unhurried:
            await self._mention(link, words, [user for user in awaited if ways[user] == "mention"])

    async def _mention(self, link: str, words: str, users: Sequence[int]) -> None:
        if not users:
            return
        async with self._lock:
            await self._cleanup.delete_all()
            quiet = (await self._settings.of(self._table.snapshot.row.guild)).mentions == "quiet"
            try:
                async with self._table.unasked_call(self._table.snapshot.earliest):
                    await self._send(self._line(users, words, link), users, quiet)
            except discord_errors.API_ERRORS as error:
                log.warning("table %s: nobody could be mentioned: %s", self._table.id, error)
                return
            if not set(users) <= set(self.awaited()):
                await self._cleanup.delete_all()

    def _line(self, users: Sequence[int], words: str, link: str) -> str:
        """Return the text of a mention: who, why, and where, since several tables may share a channel."""
        names = " ".join(f"<@{user}>" for user in users)
        return f"{names} {words} · [{self._table.game.title}, table {self._table.id}]({link})"

    async def _send(self, line: str, users: Sequence[int], quiet: bool) -> None:
        channel = self._client.get_partial_messageable(
            self._table.snapshot.row.channel, guild_id=self._table.snapshot.row.guild
        )
        mentioned = [] if quiet else [discord.Object(user) for user in users]
        message = await channel.send(line, allowed_mentions=discord.AllowedMentions(users=mentioned), silent=quiet)
        await self._cleanup.add(message.id)
