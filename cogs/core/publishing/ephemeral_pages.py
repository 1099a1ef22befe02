"""Each player's page as an ephemeral message in the channel, which they alone see.

Only Discord knows whether such a message is still in sight: it vanishes when its reader reloads, and an edit that
succeeds proves nothing. So what must be read now comes as the answer to a press, and an edit only updates what is
there.
"""

import contextlib
import logging
from dataclasses import dataclass

from cogs.core.i18n.translation import _, present, speaking
from cogs.core.ops import discord_errors
from cogs.core.pages.custom_ids import ComponentPress
from cogs.core.pages.page import Button, Page, Row, Text
from cogs.core.pages.player_page import REFUSED, PageKind, PlayerPage, go_on_button
from cogs.core.publishing.interaction_message import TOKEN_LIFETIME_MS, InteractionMessage
from cogs.core.publishing.message_sync import GiveUp, Plan, Show, Wait
from cogs.core.publishing.player_page_host import OPEN_MS, PlayerPageHost, PrivateContext, PrivateMessage
from cogs.core.publishing.responder import Responder
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

READ_MS = 4_000
"""How long a notice is shown at least, however fast the game goes on."""

AT_MOST_MS = 13 * 60_000
"""How long it is shown at most: after that its token could no longer delete it."""


def resting_page() -> Page:
    """Return the page that only shows how to go on."""
    words = Text(_("This page stopped updating because you haven't used it for a while."))
    return Page((words, Row((go_on_button(),))))


class EphemeralPage(PrivateMessage):
    """One person's page in the channel, edited by the token of their last press; `message` is None while it is closed.

    A line that was left for its reader is shown by the next edit, as the answer to the interaction that caused it.
    """

    told_by = "page"

    def __init__(self, context: PrivateContext, user: int, pages: "EphemeralPages") -> None:
        super().__init__(context, user, "page")
        self.message: InteractionMessage | None = None
        self.look: ComponentPress | None = None
        self._pages = pages
        self._channel: int | None = None
        self.still = False  # whether its page does not change with the game
        self._resting = False  # whether it only shows how to go on
        self._marked_at = AT_ONCE
        self._edited_at = AT_ONCE
        self._line = ""
        self._line_sent = ""  # the line on the page that is being sent
        self._asked: Responder | None = None
        self._left_at: Moment | None = None  # when a line was last left for its reader

    # Marking

    def mark(self) -> None:
        """Bring the page up to date if its reader may be looking. Does not block."""
        self.marked += 1
        self._marked_at = self.clock.now()
        self.look_soon()

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
        looks = self._marked_at - message.at < IDLE_MS  # its reader did when it was marked
        if not (self.open and looks) or (self.still and not self.crossed):
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
            with await self._services.language_choice.for_reader(self.user, None):
                return PlayerPage(resting_page(), 0, rests=True)
        if (shown := self.perhaps_shown) is not None and shown.still:
            return shown  # an edit that was under way may have replaced it
        self._line_sent = self._line
        line = self._line or self.untold_line
        return await self._services.player_page(
            self.table.snapshot, self.user, self.look, line, form=self.form, kind=PageKind.BESIDE
        )

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
        self._pages.opened(self, before)


@dataclass
class Notice:
    """A private sentence in a message of its own. `over`: the game has gone on since."""

    message: InteractionMessage
    shown_at: Moment
    over: bool = False

    @property
    def delete_at(self) -> Moment:
        """When it should be deleted, as far as that is known."""
        return Moment(self.shown_at + READ_MS if self.over else self.message.at + AT_MOST_MS)


class Notices:
    """The notices at one table, one a person: `shown`, by user. The caller deletes what is returned.

    One goes as soon as its reader has a page or another one in its place, and when the game goes on, but not before it
    can be read.
    """

    def __init__(self) -> None:
        self.shown: dict[int, Notice] = {}

    @property
    def due(self) -> Moment | None:
        """When the next one should be deleted."""
        return min((notice.delete_at for notice in self.shown.values()), default=None)

    def add(self, user: int, message: InteractionMessage, now: Moment) -> InteractionMessage | None:
        """Add a notice that was just sent to a person. Return the one that it replaces."""
        before = self.shown.pop(user, None)
        self.shown[user] = Notice(message, now)
        return None if before is None else before.message

    def replace(self, user: int, message: int) -> InteractionMessage | None:
        """Remove a person's notice, since they have a page in this message. Return it, unless it was that message."""
        before = self.shown.pop(user, None)
        return None if before is None or before.message.message == message else before.message

    def game_went_on(self) -> None:
        """Delete every notice as soon as it can have been read."""
        for notice in self.shown.values():
            notice.over = True

    def pop_due(self, now: Moment) -> list[InteractionMessage]:
        """Remove and return those whose time is over."""
        over = [user for user, notice in self.shown.items() if notice.delete_at <= now]
        return [self.shown.pop(user).message for user in over]

    def pop_all(self) -> list[InteractionMessage]:
        """Remove and return all of them."""
        gone = [notice.message for notice in self.shown.values()]
        self.shown.clear()
        return gone


class EphemeralPages(PlayerPageHost[EphemeralPage]):
    """The pages of one table in the channel, and the private notices of people there."""

    def __init__(self, context: PrivateContext) -> None:
        super().__init__(context)
        self._clock = context.services.clock
        self._notices = Notices()
        self._tasks = BackgroundTasks()

    def _new_message(self, user: int) -> EphemeralPage:
        return EphemeralPage(self._context, user, self)

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
        """Bring the pages up to date. Notices go once the game has `visibly` gone on. Does not block."""
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

        async def notify() -> None:
            try:
                language = await self._services.language_choice.of_user(responder.user)
            except StoreError as error:
                self._services.database_status.failed(error)
                language = present()
            with speaking(language):
                await self._notify(responder, line)

        self._tasks.spawn(notify(), f"line-{self._table.id}")

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
            if (before := self._notices.add(user, message, self._clock.now())) is not None:
                self._delete_soon(before)
            self.wake(self._clock.now())

    # Opened and closed

    def opened(self, page: EphemeralPage, before: InteractionMessage | None) -> None:
        """Note that a person has a page, in the place of another one or of a notice."""
        assert page.message is not None
        self._context.attention.pages[page.user] = not page.still
        if before is not None and before.message != page.message.message:
            self._delete_soon(before)
        if (notice := self._notices.replace(page.user, page.message.message)) is not None:
            self._delete_soon(notice)

    def let_go(self, page: EphemeralPage) -> None:
        """Note that a page can no longer be edited."""
        page.message = None
        self._context.attention.pages.pop(page.user, None)
        if not page.presses:
            self._messages.pop(page.user, None)

    # Notices

    @property
    def due(self) -> Moment | None:
        """When a notice should be deleted."""
        return self._notices.due

    def wake(self, now: Moment) -> None:
        """Delete the notices whose time is over. Does not block."""
        for message in self._notices.pop_due(now):
            self._delete_soon(message)
        if self.due is not None:
            self._services.schedule(self._table, self.due)

    def unload(self) -> None:
        """Forget the pages, whose controls load the table again, and delete the notices. Does not block."""
        self._messages.clear()
        for message in self._notices.pop_all():
            self._delete_soon(message)

    def _delete_soon(self, message: InteractionMessage) -> None:
        if message.token_valid(self._clock.now()):
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
