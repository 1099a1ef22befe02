"""The private pages of a table's players in one of two places: the channel, or their direct messages with the bot."""

import asyncio
import contextlib
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import ClassVar, Generic, TypeVar

from cogs.core.i18n.translation import _
from cogs.core.ops.timers import Clock
from cogs.core.pages.custom_ids import ComponentPress
from cogs.core.pages.page import Page
from cogs.core.pages.player_page import REFUSED, PageKind, PlayerPage
from cogs.core.publishing.end_of_game import AchievementNews
from cogs.core.publishing.forms import Form, private_sentence, without_pictures
from cogs.core.publishing.interaction_message import InteractionMessage
from cogs.core.publishing.message_cleanup import MessageCleanup
from cogs.core.publishing.message_sync import SyncedMessage
from cogs.core.publishing.responder import Responder
from cogs.core.publishing.services import PublishingServices
from cogs.core.tables.draft_store import TableDrafts
from cogs.core.tables.table import Table
from data.store.progress import ToldBy
from engine.contract import Moment

LIVELY_MS = 60_000
"""A person who has pressed something at the table within this time is looking."""

OPEN_MS = 180_000
"""A person who has a page open counts as looking for this long: it shows them that it is their move."""


class Attention:
    """Who has pressed something at one table, and who has their page open there."""

    def __init__(self, clock: Clock) -> None:
        self.pages: dict[int, bool] = {}  # the users who have a page in the channel, and whether it shows the game
        self._clock = clock
        self._pressed: dict[int, Moment] = {}

    def pressed(self, user: int) -> Moment:
        """Note that a person has just asked for something at the table, and return when."""
        now = self._pressed[user] = self._clock.now()
        return now

    def lively_until(self, user: int) -> Moment | None:
        """Return until when a person counts as looking who has pressed something lately; None if they do not."""
        return self._within(user, LIVELY_MS)

    def watching_until(self, user: int) -> Moment | None:
        """Return until when a person needs no mention, since they have pressed something lately, or a while ago but
        have the game open; None if they need one.
        """
        return self._within(user, OPEN_MS if self.pages.get(user) else LIVELY_MS)

    def _within(self, user: int, time_ms: int) -> Moment | None:
        pressed = self._pressed.get(user)
        if pressed is None or self._clock.now() - pressed >= time_ms:
            return None
        return Moment(pressed + time_ms)


@dataclass(frozen=True)
class PrivateContext:
    """What the private pages of one table share."""

    services: PublishingServices
    table: Table
    drafts: TableDrafts
    attention: Attention
    cleanup: MessageCleanup
    news: AchievementNews


class PrivateMessage(SyncedMessage[PlayerPage]):
    """The message that shows one person their page. `fresh` is added to the stamps of its selects (see `FRESH`)."""

    fresh = 0

    told_by: ClassVar[ToldBy]
    """What it is for those who are told by it what they have achieved."""

    def __init__(self, context: PrivateContext, user: int, name: str) -> None:
        super().__init__(context.services, context.table, name)
        self.user = user
        self._context = context

    def proved(self, rendered: PlayerPage) -> None:
        """Note that it certainly shows a page, and what that tells."""
        if rendered.tells:
            self._context.news.note_told(self.user, self.told_by)

    @property
    def untold_line(self) -> str:
        """The line of an answer that an older page may have replaced."""
        return "" if self.perhaps_shown is None else self.perhaps_shown.line

    def broke(self) -> None:
        """Wait for the next change: a page that cannot be made now is not made by trying again."""
        self.wait_for_change()

    @abstractmethod
    async def take_over(self, responder: Responder, answer: InteractionMessage, found: PlayerPage) -> None:
        """Note that an answer to its reader shows a page in this message."""


M = TypeVar("M", bound=PrivateMessage)


class PlayerPageHost(ABC, Generic[M]):
    """The private pages of one table in one place, a message for each person.

    A press is answered by the page as it is then, with a line for its reader if there is one. The control that led to a
    page is remembered, so that the page can be brought up to date, and so are drafts, which can be finished in either
    place.
    """

    def __init__(self, context: PrivateContext) -> None:
        self._context = context
        self._services, self._table = context.services, context.table
        self._messages: dict[int, M] = {}  # by user

    # Overridden for each place

    @abstractmethod
    def _new_message(self, user: int) -> M:
        """Return the message for a user who had none."""

    @abstractmethod
    def look_of(self, user: int) -> ComponentPress | None:
        """Return the control that led to the page that a person sees; None if it is the game itself."""

    # Answering a press

    def message_of(self, user: int) -> M:
        """Return the message of a person."""
        message = self._messages.get(user)
        if message is None:
            message = self._messages[user] = self._new_message(user)
        return message

    def mark(self, user: int) -> None:
        """Bring a person's page up to date, if they have one. Does not block."""
        if (message := self._messages.get(user)) is not None:
            message.mark()

    def answering(self, user: int) -> contextlib.AbstractContextManager[None]:
        """Leave a person's message alone while one of their presses is answered."""
        return self.message_of(user).answering()

    async def answer(
        self,
        responder: Responder,
        look: ComponentPress | None = None,
        line: str = "",
        shown: Page | None = None,
        *,
        new_message: bool = False,
    ) -> None:
        """Answer a press or a command with the asker's page as it is now, perhaps in a new message at the end of the
        channel. A direct message is answered by that message.
        """
        kind = PageKind.ANSWER
        if responder.in_direct_messages:
            if responder.pressed_message is None or self._table.snapshot.seat_of(responder.user) is None:
                await responder.send_private(line or _("You no longer have a seat at that table."))
                return
            # If another process serves the table, that one does not know this press's token.
            kind = PageKind.RESTING if self._table.elsewhere else PageKind.MESSAGE
        message = self.message_of(responder.user)
        self._context.news.pressed(responder.user)
        await message.answer_with(
            lambda: self._services.player_page(
                self._table.snapshot, responder.user, look, line, shown, message.form, kind
            ),
            partial(self._by_answer, responder, message, new_message),
        )

    async def show(self, responder: Responder, found: PlayerPage) -> None:
        """Answer with a page instead of the asker's own."""
        message = self.message_of(responder.user)

        async def simpler() -> PlayerPage:
            page = private_sentence(found.line) if message.form is Form.SENTENCE else without_pictures(found.page)
            return found.with_page(page)

        await message.answer_with(simpler, partial(self._by_answer, responder, message, False), found)

    async def resume(self, responder: Responder, *, discard_draft: bool = False) -> None:
        """Answer with the asker's page and their draft, or discard the draft."""
        await self.answer(responder, None if discard_draft else self._context.drafts.of(responder.user))

    async def refuse(self, responder: Responder, sentence: str) -> None:
        """Explain to the asker on their page why nothing was done; their draft stays."""
        look = self.look_of(responder.user) or self._context.drafts.of(responder.user)
        await self.answer(responder, look, f"{REFUSED} {sentence}")

    async def _by_answer(self, responder: Responder, message: M, new_message: bool, found: PlayerPage) -> bool:
        place = found.lesson or self._table.id
        message.fresh = responder.fresh or message.fresh
        stamp = found.stamp + message.fresh
        page = responder.markup.page(found.page) if found.still else found.page
        answer = await responder.show_marked_up(page, place, stamp, new_message=new_message)
        if answer is None:
            return False
        if not found.still:
            await self._context.drafts.note_page(responder.user, found.look)
        await message.take_over(responder, answer, found)
        return True

    # The messages

    def synced(self) -> Sequence[M]:
        """Return all messages."""
        return tuple(self._messages.values())

    async def settle(self) -> None:
        """Return when every message is up to date, or has to wait."""
        while any(message.busy for message in self.synced()):
            await asyncio.gather(*(message.settle() for message in self.synced()))

    async def close(self) -> None:
        """Stop bringing them up to date."""
        await asyncio.gather(*(message.close() for message in self.synced()))
