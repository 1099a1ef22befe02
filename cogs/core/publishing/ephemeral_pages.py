"""Each player's page as an ephemeral message in the channel, which they alone see.

Only Discord knows whether such a message is still in sight: it vanishes when its reader reloads, and an edit that
succeeds proves nothing. So what must be read now comes as the answer to a press, and an edit only updates what is
there.
"""

import contextlib
import logging
from collections.abc import Hashable
from functools import partial

from cogs.core.i18n.translation import _, present, speaking
from cogs.core.ops import discord_errors
from cogs.core.pages.custom_ids import ComponentPress
from cogs.core.pages.page import Button, Page, Row, Text
from cogs.core.pages.player_page import PlayerPage
from cogs.core.publishing.achievement_news import AchievementNews
from cogs.core.publishing.attention import OPEN_MS, Attention
from cogs.core.publishing.interaction_message import TOKEN_LIFETIME_MS, InteractionMessage
from cogs.core.publishing.message_sync import GiveUp, Plan, Show, Wait
from cogs.core.publishing.notices import Notices
from cogs.core.publishing.player_page_host import REFUSED, Compose, PlayerPageHost, PrivateMessage
from cogs.core.publishing.responder import Responder
from cogs.core.publishing.services import PublishingServices
from cogs.core.tables.draft_store import TableDrafts
from cogs.core.tables.table import Table
from data.background import BackgroundTasks
from data.store import StoreError
from engine.contract import Moment

log = logging.getLogger(__name__)

RESTS_MS = 13 * 60_000
"""When a page on which nothing was pressed shows how to go on, while that is still possible."""

IDLE_MS = 10 * 60_000
"""A reader who has pressed nothing for this long is not looking."""

AGAIN_MS = 10_000
"""A person who presses again within this time may not have seen the line on their page: they may have dismissed it."""

CALM_MS = 3_000
"""How long an edit waits if its reader need not act on it."""

AT_ONCE = Moment(0)


def resting_page() -> Page:
    """Return the page that only shows how to go on."""
    go_on = Button(_("Go on"), "hand", style="primary")
    return Page((Text(_("This page stopped updating because you haven't used it for a while.")), Row((go_on,))))


class EphemeralPage(PrivateMessage):
    """One person's page in the channel, edited by the token of their last press; `message` is None while it is closed.

    A line that was left for its reader is shown by the next edit, as the answer to the interaction that caused it.
    """

    told_by = "page"

    def __init__(
        self,
        services: PublishingServices,
        table: Table,
        user: int,
        compose: Compose,
        pages: "EphemeralPages",
        news: AchievementNews,
    ) -> None:
        super().__init__(services, table, user, "page", news)
        self.message: InteractionMessage | None = None
        self.look: ComponentPress | None = None
        self._compose = compose
        self._pages = pages
        self._channel: int | None = None
        self.still = False  # whether its page does not change with the game
        self._resting = False  # whether it only shows how to go on
        self._wanted = False  # whether the last mark was made while its reader was looking
        self._edited_at = AT_ONCE
        self._line = ""
        self._line_sent = ""  # the line on the page that is being sent
        self._asked: Responder | None = None
        self._left_at: Moment | None = None  # when a line was last left for its reader

    # Marking

    def mark(self) -> None:
        """Bring the page up to date if its reader may be looking. Does not block."""
        self.marked += 1
        self._want()
        self.look_soon()

    def _want(self) -> None:
        message = self.message
        self._wanted = message is not None and self.clock.now() - message.at < IDLE_MS

    def leave_line(self, responder: Responder, line: str, below: int) -> bool:
        """Show the asker a line on the page that they have open below a message. Return False, and do nothing, if the
        page may be out of their sight, since they have not used it for a while, or it is above or in another channel;
        or if they may not have seen a line that was left just before.
        """
        message, now = self.message, self.clock.now()
        if message is None or self.still or now - message.at >= OPEN_MS or not message.token_valid(now):
            return False
        if self.table.silent or self._channel != responder.interaction.channel_id or message.message < below:
            return False
        if self._line or (self._left_at is not None and now - self._left_at < AGAIN_MS):
            return False
        self._line, self._asked, self._left_at, self._edited_at = line, responder, now, AT_ONCE
        self.mark()
        return True

    def _notify_instead(self) -> None:
        """Answer the asker with the line alone if the page cannot show it."""
        line, asked, self._line, self._asked = self._line, self._asked, "", None
        if line and asked is not None:
            self._pages.notify_soon(asked, line)

    # The policy

    def plan(self, now: Moment) -> Plan:
        """Return what should become of the page."""
        message, table = self.message, self.table.snapshot
        if message is None:
            return Wait()
        if not message.token_valid(now):
            return GiveUp()
        if self.table.silent:
            return Wait(Moment(message.at + TOKEN_LIFETIME_MS))
        if now - message.at >= RESTS_MS:
            return Wait(Moment(message.at + TOKEN_LIFETIME_MS)) if self._resting else Show()
        rests_at = Moment(message.at + RESTS_MS)
        if not self.open or not self._wanted or (self.still and not self.crossed):
            return Wait(rests_at)
        seat = table.seat_of(self.user)
        calm = table.playing and (seat is None or not (table.hurried or seat in table.view(None).to_act))
        if self.steady is not None and self.steady.disabled:
            calm = False
        due = Moment(self._edited_at + CALM_MS) if calm else AT_ONCE
        return Show() if due <= now else Wait(min(due, rests_at))

    async def compose(self) -> PlayerPage:
        """Return the page, or how to go on if nothing was pressed on it for long."""
        message = self.message
        if message is None or self.clock.now() - message.at >= RESTS_MS:
            with await self._services.language_choice.for_reader(self.user):
                return PlayerPage(resting_page(), 0, rests=True)
        if self.crossed and self._last is not None and self._last[1].still:
            return self._last[1]  # an edit that was under way may have replaced it
        self._line_sent = self._line
        line = self._line or self.untold_line
        return await self._compose(self.table.snapshot, self.user, self.look, line, form=self.form)

    async def deliver(self, rendered: PlayerPage, *, new_message: bool) -> bool:
        """Edit the page by its token."""
        message = self.message
        if message is None:
            return True
        self._edited_at = self.clock.now()
        try:
            place, stamp = rendered.lesson or self.table.id, rendered.stamp + self.fresh
            await message.edit(self.client, rendered.page, place, stamp)
        except discord_errors.API_ERRORS:
            if self.message is message:
                raise
            return False  # meanwhile an answer has opened another page, and deleted this one
        return True

    def shown_key(self, rendered: PlayerPage) -> Hashable:
        """Return what tells this page from others: also the stamp of its controls."""
        return rendered.stamp, rendered.page.digest()

    def proved(self, rendered: PlayerPage) -> None:
        """Note what the page shows, and that it shows the line that was left."""
        super().proved(rendered)
        self._resting = rendered.rests
        if not rendered.rests:
            self.look, self.still = rendered.look, rendered.still  # the answer that showed it first may be lost
            if self._line_sent and self._line_sent == self._line:
                self._line, self._asked = "", None
        self._line_sent = ""

    def simplify(self, error: Exception) -> bool:
        """Show the page in a simpler form at once, if one may be taken."""
        self._edited_at = AT_ONCE
        return super().simplify(error)

    def refused(self, error: Exception) -> None:
        """Close a page that is gone."""
        self.give_up()

    def gave_up(self) -> None:
        """Close the page."""
        self._pages.let_go(self)
        self._notify_instead()

    def broke(self) -> None:
        """Wait for the next change, and answer with the line alone."""
        super().broke()
        self._notify_instead()

    # Answers

    async def take_over(self, responder: Responder, answer: InteractionMessage, found: PlayerPage) -> None:
        """Note that an answer shows a page: in the message that was pressed, or in a new one."""
        before, self.message, now = self.message, answer, self.clock.now()
        self._channel, self._resting = responder.interaction.channel_id, False
        self.still = found.still
        self.look, self._edited_at, self._line_sent = found.look, now, ""
        if self._line not in ("", found.line) and now - (self._left_at or 0) < AGAIN_MS:
            # This answer came before the edit that would show the line, or rules are read first.
            self._line = "\n".join(filter(None, (self._line, found.line)))
            if not found.still:
                self.marked += 1
                self._edited_at = AT_ONCE
        else:
            self._line, self._asked, self._left_at = "", None, None
        self._want()
        self._pages.opened(self, before)


class EphemeralPages(PlayerPageHost[EphemeralPage]):
    """The pages of one table in the channel, and the private notices of people there."""

    def __init__(
        self,
        services: PublishingServices,
        table: Table,
        compose: Compose,
        compose_beside: Compose,
        drafts: TableDrafts,
        attention: Attention,
        news: AchievementNews,
    ) -> None:
        """`compose_beside` composes the page that is shown beside the table message."""
        super().__init__(services, table, compose, drafts, news)
        self._compose_beside = compose_beside
        self._attention = attention
        self._notices = Notices()
        self._tasks = BackgroundTasks()

    def _new_message(self, user: int) -> EphemeralPage:
        return EphemeralPage(self._services, self._table, user, self._compose_beside, self, self._news)

    def answering(self, user: int) -> contextlib.AbstractContextManager[None]:
        """Leave a person's page to the answer while their press is served."""
        page = self._messages.get(user)
        return contextlib.nullcontext() if page is None else page.answering()

    @property
    def open(self) -> tuple[int, ...]:
        """The users who have a page here that can still be edited."""
        return tuple(user for user, page in self._messages.items() if page.message is not None)

    def look_of(self, user: int) -> ComponentPress | None:
        """Return the control that led to the page that a person sees; None if it is the game itself."""
        page = self._messages.get(user)
        return None if page is None or page.message is None else page.look

    def leave_line(self, responder: Responder, line: str, below: int) -> bool:
        """Show the asker a line on their page, if they have it in sight; see `EphemeralPage.leave_line`."""
        page = self._messages.get(responder.user)
        return page is not None and page.leave_line(responder, line, below)

    def changed(self, visible: bool = True) -> None:
        """Bring the pages up to date. Sentences go once the game has `visibly` gone on. Does not block."""
        for page in self._messages.values():
            page.mark()
        if visible and self._notices.shown:
            self._notices.game_went_on()
            self.wake(self._clock.now())

    # Answers

    async def refuse(self, responder: Responder, sentence: str) -> None:
        """Explain to the asker why nothing was done: on the page that they pressed, else by the sentence alone with a
        button for their page, since a whole page would be in the way of the table.
        """
        table = self._table.snapshot
        if responder.on_private_page or table.practice or table.state is None:
            await super().refuse(responder, sentence)
        else:
            await self._notify(responder, f"{REFUSED} {sentence}")

    def notify_soon(self, responder: Responder, line: str) -> None:
        """Send the asker a line as a notice of its own. Does not block."""
        self._tasks.spawn(self._notify_later(responder, line), f"line-{self._table.id}")

    async def _notify_later(self, responder: Responder, line: str) -> None:
        try:
            language = await self._services.language_choice.of_user(responder.user)
        except StoreError as error:
            self._services.database_status.failed(error)
            language = present()
        with speaking(language):
            await self._notify(responder, line)

    async def _notify(self, responder: Responder, line: str) -> None:
        """Send the asker a line as a notice of its own, until they have a page in its place or the game goes on."""
        table, user = self._table, responder.user
        seated = table.snapshot.playing and table.snapshot.seat_of(user) is not None
        ways = (Row((Button(_("Play"), "hand", style="primary"),)),) if seated else ()
        stamp = 0 if table.snapshot.state is None else table.snapshot.view(None).ui_version
        message = await responder.show(Page((Text(line), *ways)), table.id, stamp)
        page = self._messages.get(user)
        present = None if page is None or page.message is None else page.message.message
        if message is not None and present != message.message:  # else *Play* was faster
            self._delete_soon(self._notices.add(user, message, self._clock.now()))
            self.wake(self._clock.now())

    async def answer_in_new_message(self, responder: Responder) -> None:
        """Show the asker's page in a new message at the end of the channel."""
        page = self.message_of(responder.user)
        self._news.pressed(responder.user)
        with page.answering():
            number = page.marked
            compose = partial(self._compose, self._table.snapshot, responder.user)
            await self.show(responder, await compose(form=page.form), number, new_message=True, compose=compose)

    # Opened and closed

    def opened(self, page: EphemeralPage, before: InteractionMessage | None) -> None:
        """Note that a person has a page, in the place of another one or of a sentence."""
        assert page.message is not None
        self._attention.has_page.add(page.user)
        (set.discard if page.still else set.add)(self._attention.has_game_page, page.user)
        if before is not None and before.message != page.message.message:
            self._delete_soon(before)
        self._delete_soon(self._notices.replace(page.user, page.message.message))

    def let_go(self, page: EphemeralPage) -> None:
        """Note that a page can no longer be edited."""
        page.message = None
        self._attention.has_page.discard(page.user)
        self._attention.has_game_page.discard(page.user)
        if not page.presses:
            self._messages.pop(page.user, None)

    # Sentences

    @property
    def due(self) -> Moment | None:
        """When a sentence should be deleted."""
        return self._notices.due

    def wake(self, now: Moment) -> None:
        """Delete the sentences whose time is over. Does not block."""
        self._delete_soon(*self._notices.pop_due(now))
        if self.due is not None:
            self._services.schedule(self._table, self.due)

    def unload(self) -> None:
        """Forget the pages, whose controls load the table again, and delete the sentences. Does not block."""
        self._messages.clear()
        self._delete_soon(*self._notices.pop_all())

    def _delete_soon(self, *messages: InteractionMessage | None) -> None:
        for message in messages:
            if message is not None and message.token_valid(self._clock.now()):
                self._tasks.spawn(self._delete(message), f"old-page-{self._table.id}")

    async def _delete(self, message: InteractionMessage) -> None:
        try:
            with self._table.guard():
                await message.delete(self._services.client)
        except discord_errors.API_ERRORS as error:
            log.info("table %s: an old page could not be deleted: %s", self._table.id, error)

    async def settle(self) -> None:
        """Return when every page is up to date, or has to wait, and old ones are deleted."""
        await super().settle()
        await self._tasks.settle()

    async def close(self) -> None:
        """Stop bringing them up to date."""
        await super().close()
        await self._tasks.close()
