"""The table message: one a table, edited in place, always ending at the newest state.

A click on it is answered by the edited message itself, in one call. Everything else (timers, computer players, slash
commands) marks the board as changed; one worker a table then draws the newest state, and the states between are
skipped. A message that has grown old or scrolled away is posted anew, silently. Faults of the network are tried again
later; nothing here ever holds a table's lock. May import discord, `engine.contract` and its neighbours.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

import aiohttp
import discord

from cogs.core import wire
from cogs.core.codes import OLD_MESSAGE_EDITS, UNKNOWN_MESSAGE
from cogs.core.live import LiveTable
from cogs.core.page import Page, Text
from cogs.core.router.reply import reply_to
from cogs.core.timers import Clock, Scheduler
from data.store import TableChange
from engine.contract import Moment

log = logging.getLogger(__name__)

REPOST_AFTER_MS = 50 * 60_000
"""Discord allows few edits of messages older than an hour."""

REPOST_AFTER_MESSAGES = 15
"""So many messages of others below it push a table message off a phone's screen."""

REPOST_NO_SOONER_MS = 60_000


@dataclass(frozen=True)
class Sheet:
    """A page with the stamp that its controls carry."""

    page: Page
    stamp: int


class Board:
    """The table message of one table."""

    def __init__(
        self,
        client: discord.Client,
        table: LiveTable,
        compose: Callable[[LiveTable], Awaitable[Sheet]],
        clock: Clock,
        scheduler: Scheduler,
    ) -> None:
        self._client = client
        self._table = table
        self._compose = compose
        self._clock = clock
        self._scheduler = scheduler
        self._wanted = 0
        self._shown = 0
        self._answered = 0  # how often an interaction's own answer has shown a state
        self._answering = asyncio.Lock()
        self._worker: asyncio.Task[None] | None = None
        self._failures = 0
        self._move_down = False
        self.chatter = 0
        self.trouble: str | None = None

    # What others call

    @property
    def message(self) -> int | None:
        """The id of the present table message."""
        return self._table.row.message

    def link(self) -> str | None:
        """Return the address of the table message."""
        row = self._table.row
        return None if row.message is None else f"https://discord.com/channels/{row.guild}/{row.channel}/{row.message}"

    def changed(self) -> None:
        """Say that there is something new to show. Returns at once."""
        self._wanted += 1
        self._kick()

    def move_down(self) -> None:
        """Post the table message anew at the end of the channel."""
        self._move_down = True
        self.changed()

    def retry(self) -> None:
        """Try again what failed."""
        self._kick()

    async def settle(self) -> None:
        """Return when everything that is wanted is shown, or has failed for now."""
        while self._worker is not None and not self._worker.done():
            await asyncio.wait({self._worker})

    async def close(self) -> None:
        """Stop the worker."""
        if self._worker is not None:
            self._worker.cancel()
            await asyncio.gather(self._worker, return_exceptions=True)

    async def answer(self, interaction: discord.Interaction) -> None:
        """Show the newest state as the answer to a click on a table message: one call, unless drawing is slow."""
        self._wanted += 1
        pressed = interaction.message.id if interaction.message is not None else None
        reply = reply_to(interaction)
        if pressed != self.message:
            await reply.update(self._moved(), self._table.id, 0)
            self._kick()
            return
        if self._answering.locked():
            await reply.hold()
            self._kick()
            return
        try:
            async with self._answering:
                goal = self._wanted
                sheet = await self._compose(self._table)
                if await reply.update(sheet.page, self._table.id, sheet.stamp):
                    self._shown = max(self._shown, goal)
                    self._answered += 1
        finally:
            self._kick()

    async def open_through(self, interaction: discord.Interaction) -> None:
        """Post the table message as the answer to a slash command."""
        self._wanted += 1
        goal = self._wanted
        sheet = await self._compose(self._table)
        reply = reply_to(interaction)
        posted = await reply.post(sheet.page, self._table.id, sheet.stamp)
        if posted is not None:
            await self._posted(posted)
            self._shown = max(self._shown, goal)
            return
        # The answer came too late to be for all, or never arrived: the table gets a message of its own.
        self._kick()
        await self.settle()
        link = self.link()
        await reply.say(f"Your table stands here: {link}" if link else "Your table follows in this channel.")

    # Sending

    def _moved(self) -> Page:
        link = self.link()
        where = f"[further down]({link})" if link else "further down"
        return Page((Text(f"-# Table {self._table.id} goes on {where}."),))

    def _due_for_repost(self) -> bool:
        posted = self._table.row.message_at
        if self._move_down or posted is None:
            return True
        age = self._clock.now() - posted
        return age > REPOST_AFTER_MS or (self.chatter >= REPOST_AFTER_MESSAGES and age > REPOST_NO_SOONER_MS)

    def _kick(self) -> None:
        if self._worker is None or self._worker.done():
            self._worker = asyncio.create_task(self._work(), name=f"board-{self._table.id}")

    async def _work(self) -> None:
        while self._shown < self._wanted or self._due_for_repost():
            goal, answered = self._wanted, self._answered
            try:
                sheet = await self._compose(self._table)
                await self._publish(sheet)
            except (discord.HTTPException, aiohttp.ClientError, OSError) as error:
                if not self._survives(error):
                    return
            except Exception:
                log.exception("table %s: its message could not be drawn", self._table.id)
                self._later()
                return
            else:
                self._failures = 0
                self.trouble = None
                self._shown = max(self._shown, goal)
                if self._answered != answered:
                    # A click was answered while our edit was under way: whichever came last, the newest must stand.
                    self._wanted += 1

    def _survives(self, error: Exception) -> bool:
        """Say whether to go on at once after a failed call; otherwise the reason is kept and a retry is set."""
        code = getattr(error, "code", 0)
        if code in (UNKNOWN_MESSAGE, OLD_MESSAGE_EDITS) and not self._move_down:
            self._move_down = True
            return True
        self.trouble = str(error)
        log.warning("table %s: its message could not be updated: %s", self._table.id, error)
        refused = isinstance(error, discord.HTTPException) and 400 <= error.status < 500 and error.status != 429
        if refused:
            # Not allowed, or the channel is gone: asking again would only count against us. The next move tries anew.
            self._move_down = False
            self._shown = self._wanted
        else:
            self._later()
        return False

    def _later(self) -> None:
        self._failures += 1
        wait_ms = min(60_000, 1_000 * 2**self._failures)
        self._scheduler.set(self._table.id, "board", self._clock.now() + wait_ms)

    async def _publish(self, sheet: Sheet) -> None:
        row = self._table.row
        channel = self._client.get_partial_messageable(row.channel, guild_id=row.guild)
        view = wire.layout(sheet.page, self._table.id, sheet.stamp)
        if row.message is not None and not self._due_for_repost():
            message = channel.get_partial_message(row.message)
            await message.edit(view=view, attachments=wire.files(sheet.page))
            return
        posted = await channel.send(
            view=view,
            files=wire.files(sheet.page),
            silent=True,
            nonce=f"{self._table.id}.{self._table.version}.{self._failures}",
        )
        await self._posted(posted.id)
        if row.message is not None:
            await self._retire(channel, row.message)

    async def _posted(self, message: int) -> None:
        self.chatter = 0
        self._move_down = False
        await self._table.change(TableChange(message=message, message_at=Moment(self._clock.now())))

    async def _retire(self, channel: discord.PartialMessageable, message: int) -> None:
        """Take the controls off the old message."""
        try:
            await channel.get_partial_message(message).edit(
                view=wire.layout(self._moved(), self._table.id, 0), attachments=[]
            )
        except discord.HTTPException as error:
            if error.code not in (UNKNOWN_MESSAGE, OLD_MESSAGE_EDITS):
                log.warning("table %s: its old message keeps its controls: %s", self._table.id, error)
