"""The table message: one a table, edited in place, which always ends at the newest state.

A click on it is answered by the edited message itself, in one call. An old message, or one that has scrolled away, is
replaced silently by a new one; so is the last one when the game ends, so that all players see the end.
"""

import logging

import discord

from cogs.core.cluster.ownership import Superseded
from cogs.core.i18n.translation import _
from cogs.core.ops import discord_errors
from cogs.core.pages.page import RenderedPage
from cogs.core.publishing import message_links
from cogs.core.publishing.bot_message import BotMessage
from cogs.core.publishing.forms import NOT_SHOWN
from cogs.core.publishing.message_cleanup import MessageCleanup
from cogs.core.publishing.message_sync import GiveUp, Plan, Show, SyncedMessage, Wait
from cogs.core.publishing.responder import Responder
from cogs.core.publishing.services import PublishingServices
from cogs.core.tables import changes
from cogs.core.tables.table import Table
from data.store import StoreError
from engine.contract import Moment

log = logging.getLogger(__name__)

REFUSED_MS = (30_000, 3_600_000)
"""The first and longest wait before a call that Discord refused is repeated. No event says that a timeout is over or a
rule was changed, and each refusal counts against the bot.
"""

LAG_MS = 3_000
"""A message may take this long to reach a reader: a click that comes in within it was made on the version before."""

REPOST_AFTER_MS = 50 * 60_000
"""Discord allows few edits of messages older than an hour."""

REPOST_AFTER_MESSAGES = 15
"""This many messages of others below a table message push it off a phone's screen."""

REPOST_NO_SOONER_MS = 60_000


class TableMessage(SyncedMessage[RenderedPage]):
    """The table message of one table. `chatter` counts the messages of others below it."""

    RETRY_MS = (2_000, 60_000)

    def __init__(self, services: PublishingServices, table: Table, cleanup: MessageCleanup) -> None:
        super().__init__(services, table, "message")
        row = table.snapshot.row
        self.chatter = 0
        self._shown_revisions = services.shown_revisions
        self._cleanup = cleanup
        # The number here is the truth; the one on disk may be older while the disk is full.
        self._message = BotMessage(services, table, row.message)
        self._posted_at = row.message_at
        self._stored = True  # whether the number on disk is the present one
        self._end_posted = row.status == "over" and not self.behind
        self._repost = False
        self._posted_for: int | None = None  # the version of the game for which a deleted message was posted again
        self._went_on = False  # whether the table has visibly changed since it was last looked at
        self._held = False  # whether a new table's first message waits for the answer to the person who opened it
        self._same_look = row.revision, row.revision  # the first and the last revision that look as the table does now
        self._owed = False  # whether somebody who has pressed waits for the next edit
        self._answering = False  # whether an answer to a click on it is under way

    # What it is

    @property
    def number(self) -> int | None:
        """The id of the message; None before there is one."""
        return self._message.number

    @property
    def urgent(self) -> bool:
        """Whether somebody waits for it, or must act within seconds."""
        return super().urgent or self._owed or self.number is None

    def link(self) -> str | None:
        """Return the address of the message; None before there is one."""
        return message_links.address(self.table.snapshot.row, self.number)

    @property
    def behind(self) -> bool:
        """Whether the message is not known to show the newest state."""
        return self._shown_revisions.behind(self.table.snapshot.row)

    @property
    def failing(self) -> bool:
        """Whether it must be tried again."""
        return self.trouble is not None or not self._stored

    # What happens to it

    def table_changed(self) -> None:
        """Bring it up to date after a change that everybody sees. Does not block."""
        revision = self.table.snapshot.row.revision
        self._went_on, self._same_look = True, (revision, revision)
        self.mark()

    def keep_look(self) -> None:
        """Note that the table looks the same at its newest revision, which is shown if the one before was."""
        row = self.table.snapshot.row
        self._same_look = self._same_look[0], row.revision
        if self._shown_revisions.of(row) >= self._same_look[0]:
            self._shown_revisions.note(row.id, row.revision)

    def mark_stale(self) -> None:
        """Send the page once more, since somebody saw an old state, unless the newest one was shown only just now."""
        just_shown = self.shown_at is not None and self.clock.now() - self.shown_at <= LAG_MS
        if not self._answering and (self.behind or not just_shown):
            self.invalidate()

    def count_chatter(self) -> None:
        """Count a message that somebody else wrote below it: in the end it scrolls away."""
        self.chatter += 1

    def repost(self) -> None:
        """Post the message once more at the end of the channel. Does not block."""
        self._repost = True
        self.invalidate()

    def was_deleted(self) -> None:
        """Post the message again that somebody has deleted, once in each state of the game: another bot may delete all
        that is posted in a channel. Does not block.
        """
        version = self.table.snapshot.version
        if self._posted_for != version:
            self._posted_for = version
            self.repost()

    def retry(self) -> None:
        """Try again what failed, and show what was not shown. Does not block."""
        if self.behind:
            self.marked += 1
        self.show_in_full()
        self._retry_at = None
        self.look_soon()

    def hold(self) -> None:
        """Send nothing of a new table before `open_through` or `release`."""
        self._held = True

    def release(self) -> None:
        """Post the message of a new table in its channel. Does not block."""
        self._held = False
        self.invalidate()

    def _start(self) -> None:
        super()._start()
        if not self.presses and self._task is None:
            self._went_on = False

    # The policy

    def plan(self, now: Moment) -> Plan:
        """Return what should become of the message."""
        table, status = self.table.snapshot, self.table.snapshot.row.status
        if self.table.silent or table.blocked:
            return Wait()  # a blocked table is shown when its pause ends
        if table.practice or (status == "closed" and self.number is None):
            return GiveUp() if self.open or self.behind else Wait()  # only the player sees it, on their own page
        hidden = table.row.rematch_of is not None and table.in_lobby and self.number is None and not self._repost
        if self._held or hidden:  # the end of the game before shows a hidden rematch
            return Wait()
        new_message = self._replace_at_next(now)
        reposted = self._repost and status != "closed"  # a closed table is never posted again
        wanted = self.open or reposted or not self._stored or self.number is None
        moves = new_message and (self._went_on or table.ended)  # a private press does not move it
        return Show(new_message) if wanted or moves else Wait()

    def _replace_at_next(self, now: Moment) -> bool:
        """Return True if the next page should come in a new message."""
        status = self.table.snapshot.row.status
        if status == "closed":
            return False
        if self._repost or self.number is None or self._posted_at is None:
            return True
        if status == "over":
            return not self._end_posted
        age = now - self._posted_at
        return age > REPOST_AFTER_MS or (self.chatter >= REPOST_AFTER_MESSAGES and age > REPOST_NO_SOONER_MS)

    async def compose(self) -> RenderedPage:
        """Return the page that everybody sees. Raises `StoreError` while it cannot be stored which message it is."""
        if not self._stored:
            await self._store()
        return await self._services.table_page(self.table.snapshot, self.form)

    def proved(self, rendered: RenderedPage) -> None:
        """Note that the message certainly shows a page."""
        first, last = self._same_look
        shown = rendered.revision
        self._shown_revisions.note(self.table.id, max(shown, last) if shown >= first else shown)

    def gave_up(self) -> None:
        """Note that nothing can show the table any more."""
        self._repost = False
        self._shown_revisions.note(self.table.id, self.table.snapshot.row.revision)

    # Sending

    async def deliver(self, rendered: RenderedPage, *, new_message: bool) -> bool:
        """Edit the message, or post a new one."""
        waits, self._owed = self._owed or self.number is None, False  # somebody who has opened the table, or pressed
        due = self.clock.now() if waits else self.table.snapshot.earliest
        try:
            if new_message or self.number is None:
                return await self._post(rendered, due)
            return await self._edit(rendered, due)
        except Superseded:
            self._owed |= waits
            raise

    async def _edit(self, rendered: RenderedPage, due: Moment | None) -> bool:
        try:
            if await self._message.edit(self._services.channel(self.table), rendered, due):
                return True
        except discord.HTTPException as error:
            if error.code != discord_errors.OLD_MESSAGE_EDITS:
                raise
            self._repost = True
            return False
        if self.table.snapshot.ended and (self.table.snapshot.row.status == "closed" or not self.behind):
            self.give_up()  # a game that was shown to its end, or closed, is not posted again
        else:
            self._shown_revisions.note(self.table.id, 0)
            self._repost = True
        return False

    async def _post(self, rendered: RenderedPage, due: Moment | None) -> bool:
        table, over = self.table.snapshot, self.table.snapshot.row.status == "over"
        ends = over and not self._end_posted
        called = tuple(seat.user for seat in table.seats if seat.user is not None) if ends else ()
        quiet = not called or (await self._services.settings.of(table.row.guild)).mentions == "quiet"
        channel, mentioned = self._services.channel(self.table), () if quiet else called
        posted, certain = await self._message.post(channel, rendered, due=due, silent=quiet, mentioned=mentioned)
        self._end_posted = over
        await self._take_over(posted.id)
        return certain

    async def _take_over(self, message: int) -> None:
        """Make a message the present one; the one before it is deleted."""
        before, self._message.number = self.number, message
        self._posted_at = self.clock.now()
        self.chatter = 0
        self._repost = self._stored = self._went_on = False
        self._certainly_shown = None
        try:
            await self._store()
        except StoreError as error:
            self._services.database_status.failed(error)
        if before is not None and before != message:
            self._replaced(before)

    def _replaced(self, message: int) -> None:
        """Delete an old message; if that is not allowed, it says where the table goes on. Does not block."""
        self._cleanup.note(message, showed_table=True)
        self._cleanup.delete((message,))

    async def _store(self) -> None:
        """Store which message it is. Raises `StoreError`."""
        assert self.number is not None and self._posted_at is not None
        await self.table.act(changes.replace_message, self.number, self._posted_at)
        self._stored = True

    # Failures

    def refused(self, error: Exception) -> None:
        """Try again, ever more rarely; if the channel is gone, so is the table."""
        code, row = discord_errors.code_of(error), self.table.snapshot.row
        if code in discord_errors.PLACE_GONE and row.status in ("over", "closed"):
            self.give_up()
        elif code in discord_errors.PLACE_GONE:
            self.retry_later(*self.RETRY_MS)
            self._services.place_gone(row.channel)
        else:
            self.retry_later(*REFUSED_MS)

    # Answering

    async def answer(self, responder: Responder) -> None:
        """Show the newest state as the answer to a click on a table message: one call, unless drawing is slow."""
        pressed, table, message = responder.pressed_message, self.table.snapshot, self._message
        if pressed == message.number and self.shown == self.marked and not self.crossed and self._certainly_shown:
            await responder.defer()  # it shows everything: an edit would only tell others of the press
            return
        self.marked += 1
        with self.answering():
            if message.number is None and pressed is not None:
                await self._take_over(pressed)  # it was posted, and the answer to that call was lost
            if pressed != message.number:
                await responder.send_private(message_links.further_down(table.row, message.number))
                if pressed is not None and message.number is not None:
                    self._replaced(pressed)
                return
            if self._answering or (table.ended and self._replace_at_next(self.clock.now())):
                await responder.defer()
                self._owed = True
                return

            async def by_answer(rendered: RenderedPage) -> bool:
                answer = await responder.update(rendered.page, self.table.id, rendered.stamp)
                message.answer = answer or message.answer
                return answer is not None

            self._answering = True
            try:
                await self.answer_with(lambda: self._services.table_page(self.table.snapshot, self.form), by_answer)
            except discord.HTTPException as error:
                log.warning("%s could not answer a press: %s", self.name, error)
                await responder.send_private(_(NOT_SHOWN))  # the message follows by another call
            finally:
                self._answering = False

    async def open_through(self, responder: Responder) -> None:
        """Post the table message as the answer to a slash command, or to the channel if that fails."""

        async def by_opening(rendered: RenderedPage) -> bool:
            answer = await responder.post(rendered.page, self.table.id, rendered.stamp)
            if answer is not None:
                self._message.answer = answer
                await self._take_over(answer.message)
            return answer is not None

        self._held = False
        with self.answering():
            self.marked += 1
            try:
                number, rendered = self.marked, await self.compose()
                await self.prove(by_opening(rendered), number, rendered)
            except discord_errors.API_ERRORS as error:
                log.warning("table %s: its opening could not be answered: %s", self.table.id, error)
        if self.number is not None:
            return
        # The answer came too late to be for all, or never arrived: the table gets a message of its own.
        await self.settle()
        link = self.link()
        await responder.send_private(
            _("Your table is here: {link}", link=link) if link else _("Your table will appear in this channel.")
        )
