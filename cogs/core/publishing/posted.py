"""The message by which everybody sees a table: which one it is, how it is changed, and when another takes its place.

It is edited in place, by the token of its last answer as long as that lives. One that has grown old or scrolled away is
posted anew, silently, and the old one goes; the end of a game is posted anew so that all who played see it.
"""

import logging
from collections.abc import Awaitable, Callable

import discord

from cogs.core.ops.database_status import DatabaseStatus
from cogs.core.ops.timers import Clock
from cogs.core.pages.page import Page, RenderedPage, Text
from cogs.core.publishing import components_v2, message_links
from cogs.core.publishing.idempotent_post import Succession
from cogs.core.publishing.interaction_message import Landed
from cogs.core.publishing.message_cleanup import Leftovers
from cogs.core.publishing.responder import Reply, reply_to
from cogs.core.tables import changes
from cogs.core.tables.table import Table
from data.store import StoreError

log = logging.getLogger(__name__)

REPOST_AFTER_MS = 50 * 60_000
"""Discord allows few edits of messages older than an hour."""

REPOST_AFTER_MESSAGES = 15
"""So many messages of others below it push a table message off a phone's screen."""

REPOST_NO_SOONER_MS = 60_000


class Posted:
    """The present message of one table. `quiet` says whether a server wants no phone to tell; `ended`, whether the end
    of the game has been posted already. `chatter` counts the messages of others below it; `kept` says whether it is on
    disk which one it is.
    """

    def __init__(
        self,
        client: discord.Client,
        clock: Clock,
        health: DatabaseStatus,
        quiet: Callable[[int], Awaitable[bool]],
        table: Table,
        leftovers: Leftovers,
        *,
        ended: bool,
    ) -> None:
        self._client = client
        self._clock = clock
        self._health = health
        self._quiet = quiet
        self._table = table
        self._leftovers = leftovers
        # None before the first. This is the truth; what is on disk may be older while it is full.
        self.number = table.snapshot.row.message
        self._at = table.snapshot.row.message_at
        self.kept = True
        self._ended = ended
        self._to_move_down = False
        self.chatter = 0
        self._landed: Landed | None = None  # the message by the token of the last answer that it gave
        self._succession = Succession(table.id, f"{table.id}.{table.snapshot.row.created_at}")

    # Which one it is

    def link(self) -> str | None:
        """Return its address."""
        return message_links.address(self._table.snapshot.row, self.number)

    def further_down(self) -> str:
        """Return what an old message says of the present one."""
        link = self.link()
        return f"-# Table {self._table.id} goes on " + (f"[further down]({link})." if link else "further down.")

    async def take_over(self, message: int) -> None:
        """Let a message be the present one; the one before it goes."""
        before, self.number = self.number, message
        self._at = self._clock.now()
        self.chatter = 0
        self._to_move_down = self.kept = False
        try:
            await self.keep()
        except StoreError as error:
            self._health.failed(error)
        if before is not None and before != message:
            self.let_go(before)

    def let_go(self, message: int) -> None:
        """Delete a message that is not the present one; where that is not allowed, let it say where the table goes on.
        Returns at once.
        """
        self._leftovers.remove_soon(message, Page((Text(self.further_down()),)))

    async def keep(self) -> None:
        """Keep on disk which one it is. Raises `StoreError`."""
        assert self.number is not None and self._at is not None
        await self._table.act(changes.replace_message, self.number, self._at)
        self.kept = True

    # When another takes its place

    def move_down(self) -> None:
        """Let the next one be posted at the end of the channel."""
        self._to_move_down = True

    @property
    def moving_down(self) -> bool:
        """Whether it has been asked for that the next one is posted anew."""
        return self._to_move_down

    @property
    def ends(self) -> bool:
        """Whether the game is over and no message has shown its end: that is posted anew, so that all see it."""
        return self._table.snapshot.row.status == "over" and not self._ended

    @property
    def due_anew(self) -> bool:
        """Whether the next one is to be posted anew."""
        status = self._table.snapshot.row.status
        if status == "closed":
            return False
        if self._to_move_down or self.number is None or self._at is None:
            return True
        if status == "over":
            return not self._ended
        age = self._clock.now() - self._at
        return age > REPOST_AFTER_MS or (self.chatter >= REPOST_AFTER_MESSAGES and age > REPOST_NO_SOONER_MS)

    # How it is changed: each returns the number of the message that certainly shows the page, None where none does

    async def answer(self, reply: Reply, rendered: RenderedPage) -> int | None:
        """Answer a press on it with a page."""
        landed = await reply.update(rendered.page, self._table.id, rendered.stamp)
        if landed is None:
            return None
        self._landed = landed
        return landed.message

    async def post_through(self, interaction: discord.Interaction, rendered: RenderedPage) -> int | None:
        """Answer a command with a page: that is the present message then."""
        landed = await reply_to(interaction).post(rendered.page, self._table.id, rendered.stamp)
        if landed is None:
            return None
        self._landed = landed
        await self.take_over(landed.message)
        return landed.message

    async def publish(self, rendered: RenderedPage) -> int | None:
        """Edit it, or post it anew where that is due. Raises what a call raises that fails."""
        if self.number is None or self.due_anew:
            return await self._post(rendered)
        if not await self._edited_by_token(rendered):
            view = components_v2.Layout(rendered.page, self._table.id, rendered.stamp)
            present = self._channel().get_partial_message(self.number)
            await present.edit(view=view, attachments=view.files)
        return self.number

    async def post_aside(self, rendered: RenderedPage) -> None:
        """Post a page as a message of its own, without controls. Raises what a call raises that fails."""
        page, row = rendered.page.without_controls(), self._table.snapshot.row
        view = components_v2.Layout(page, row.id, rendered.stamp)
        nonce = f"{row.id}.{self._table.snapshot.version}"
        await self._channel().send(view=view, files=view.files, silent=True, nonce=nonce)

    def _channel(self) -> discord.PartialMessageable:
        row = self._table.snapshot.row
        return self._client.get_partial_messageable(row.channel, guild_id=row.guild)

    async def _edited_by_token(self, rendered: RenderedPage) -> bool:
        """Edit it by the token of its last answer: that is not counted in the bot's 50 calls a second. Return False
        where there is none that lives.
        """
        landed = self._landed
        if landed is None or landed.message != self.number:
            return False
        if await landed.edited(self._client, self._clock.now(), rendered.page, self._table.id, rendered.stamp):
            return True
        self._landed = None
        return False

    async def _post(self, rendered: RenderedPage) -> int | None:
        row = self._table.snapshot.row
        called = tuple(seat.user for seat in self._table.snapshot.seats if seat.user is not None) if self.ends else ()
        quiet = not called or await self._quiet(row.guild)
        posted, certain = await self._succession.post(
            self._channel(), self.number, rendered.page, rendered.stamp, silent=quiet, called=() if quiet else called
        )
        self._ended = row.status == "over"
        await self.take_over(posted.id)
        return posted.id if certain else None
