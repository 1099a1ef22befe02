"""The messages of one table: created, and notified of its changes."""

import logging
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from cogs.core.ops import discord_errors
from cogs.core.pages.achievements import Badge
from cogs.core.publishing import components_v2
from cogs.core.publishing.direct_messages import DirectMessages
from cogs.core.publishing.end_of_game import AchievementNews, RatingChange, Rematch
from cogs.core.publishing.ephemeral_pages import EphemeralPages
from cogs.core.publishing.mention_lines import LobbyMentions, MentionLines
from cogs.core.publishing.message_cleanup import MessageCleanup
from cogs.core.publishing.message_sync import SyncedMessage
from cogs.core.publishing.player_page_host import Attention, PrivateContext
from cogs.core.publishing.services import MessageTimers, PublishingServices
from cogs.core.publishing.table_message import TableMessage
from cogs.core.publishing.threads import ThreadHeader
from cogs.core.publishing.turn_reminder import TurnReminder
from cogs.core.tables.draft_store import TableDrafts
from cogs.core.tables.snapshot import TableSnapshot
from cogs.core.tables.table import Table
from data.store import Status
from engine.turns import Interlude

log = logging.getLogger(__name__)

SLOW_S = 3_600
"""At a table with a longer turn clock people look in now and then, and would miss an interlude of twenty seconds."""

POST_ASIDE_AGAIN_MS = 3_000
"""After this long the picture of a round's end is posted again if that failed."""


class TableMessages:
    """Everything that shows one table: its message, private pages, direct messages, reminder and thread header.

    `rematch` and `ratings` are shown at the end of its game, once they are known. Each user is told the `news` of what
    they have achieved in it once, in private.
    """

    def __init__(self, services: PublishingServices, table: Table, drafts: TableDrafts, timers: MessageTimers) -> None:
        self.table = table
        self.ui = services.game_uis[table.game.key]
        self.cleanup = MessageCleanup(services, table)
        self.message = TableMessage(services, table, self.cleanup)
        self.attention = Attention(services.clock)
        self.news = AchievementNews(services, table.id)
        context = PrivateContext(services, table, drafts, self.attention, self.cleanup, self.news)
        self.pages = EphemeralPages(context)
        self.direct_messages = DirectMessages(context)
        self.lines = MentionLines(services, table, self.cleanup)
        self.lobby_mentions = LobbyMentions(self.lines)
        self.reminder = TurnReminder(self.lines, self.attention, self.direct_messages, self.message.link, timers)
        self.header = ThreadHeader(services, self.ui, table)
        self._parts = (self.message, self.direct_messages, self.pages, self.lines, self.cleanup, self.header)
        self.rematch: Rematch | None = None
        self.ratings: tuple[RatingChange, ...] = ()
        self._services = services
        self._timers = timers
        self._posted_interlude = self.interlude()  # the last interlude, whose picture a slow table has posted
        self._warned = table.snapshot.lapsed  # who has been warned, since they missed a turn
        self._turn_passed = False  # whether a turn has passed whose mentions were not deleted
        self._gathered = _gathered(table.snapshot)  # what the end of the game before shows, if this is a rematch
        self._told_status: Status | None = None  # the last status shown by direct messages of a game without secrets

    def link(self) -> str | None:
        """Return the address of the table message; None before there is one."""
        return self.message.link()

    # Keeping them up to date

    def loaded(self) -> None:
        """Bring up to date what may not be, after the table was loaded. Does not block.

        What everybody sees is left as it is if it shows the table, since somebody may have loaded it by an act that
        nobody else may notice: old messages are deleted after the next visible change.
        """
        if self.table.silent:
            return
        if self.message.behind:
            self.show()
        else:
            self.header.table_changed(shown=True)
            self._turn_passed = self._mentions_over()
            self.changed(visible=False)
            self.message.look_soon()
        self.schedule()

    def show(self) -> None:
        """Bring what everybody sees up to date, and try again what failed. Does not block."""
        self.changed(visible=True, again=True)

    def changed(self, visible: bool, *, again: bool = False) -> None:
        """Bring the private pages up to date, and if the change is `visible` what everybody sees. Does not block.

        Nothing public follows from what only one person sees, not even another try: it would show that they did it.
        `again`: nothing has changed, and only what is not shown is tried again.
        """
        table, snapshot = self.table, self.table.snapshot
        if table.silent:
            return
        if visible and snapshot.hurried and snapshot.earliest is not None:
            table.ownership.calls.hurry(snapshot.row.channel, snapshot.earliest)
        if table.game.has_hidden_info or snapshot.practice or self._told_status != snapshot.row.status:
            self._told_status = snapshot.row.status
            self.direct_messages.changed(visible=visible or snapshot.practice)
        if newly := snapshot.lapsed - self._warned:
            self._services.tasks.spawn(self._warn(newly), f"warning-{table.id}")
        self._warned = snapshot.lapsed
        self.pages.changed(visible)
        if not visible:
            self.message.keep_look()
            return
        if snapshot.options.clock > SLOW_S:
            self.post_interlude()
        self.header.table_changed()
        passed = self._mentions_over() or self._turn_passed or snapshot.ended
        self._turn_passed = False
        if self.cleanup.pending:
            self.cleanup.delete(self.cleanup.pending if passed else ())
        if again:
            self.message.retry()
        else:
            self.message.table_changed()

    def _mentions_over(self) -> bool:
        """Note who is wanted now. Return True if what mentioned people before should be deleted."""
        return self.lobby_mentions.changed() if self.table.snapshot.in_lobby else self.reminder.turn_passed()

    def picture_drawn(self) -> None:
        """Show a picture that was not drawn in time, the cover or the animated end of the game, where everybody reads
        it: in practice on the player's page. Does not block.
        """
        if self.table.snapshot.practice:
            self.direct_messages.changed()
        else:
            self.message.mark()

    def tell_achieved(self, achieved: Mapping[int, tuple[Badge, ...]]) -> None:
        """Tell users what they have achieved: on their open page in the channel, or else in their direct message. Does
        not block.
        """
        self.news.bring(achieved, {user: "page" for user in achieved if user in self.pages.open})
        for user in achieved:
            self.pages.mark(user)
            self.direct_messages.mark(user)

    @property
    def hidden_rematch_of(self) -> int | None:
        """The table before, if this is a rematch that only those who played there see so far."""
        row = self.table.snapshot.row
        return row.rematch_of if row.status == "lobby" and self.message.number is None else None

    def gathering_changed(self) -> bool:
        """Return True, once, if the end of the game before a rematch shows something else of it now: who has joined,
        whether it has begun, or that it was closed.
        """
        before, self._gathered = self._gathered, _gathered(self.table.snapshot)
        return before != self._gathered and self.table.snapshot.row.status != "over"

    async def open_rematch(self) -> None:
        """Post the table of a rematch that is open to everybody now; the channel of its thread offers it, too."""
        if self.message.number is not None:
            return
        self.message.repost()
        await self.message.settle()
        self.header.mark()
        try:
            offer = await self.header.post_offer()
        except discord_errors.API_ERRORS as error:
            log.warning("table %s: its channel could not offer it: %s", self.table.id, error)
        else:
            if offer is not None:
                await self.cleanup.add(offer, self.table.snapshot.row.parent)

    async def _warn(self, users: Iterable[int | None]) -> None:
        """Warn people who have missed a turn by a new direct message with their page, which says what a second one
        costs.
        """
        for user in users:
            if user is not None and await self._services.preferences.of(user) != "nothing":
                self.direct_messages.renew(user)

    def forgiven(self, user: int) -> None:
        """Note that somebody who had missed a turn is there again: the next one they miss is another first one."""
        self._warned -= {user}

    # The timer

    def schedule(self) -> None:
        """Set the timer to when one of the messages should be looked at again."""
        moments = [self.pages.due, self.cleanup.due, self.lines.due, *(message.due for message in self._synced())]
        due = min((moment for moment in moments if moment is not None), default=None)
        self._timers.messages.set(self.table.id, due)

    def wake(self) -> None:
        """Look at the messages for which it is time. Does not block."""
        now = self._services.clock.now()
        for message in self._synced():
            message.wake(now)
        self.pages.wake(now)
        self.cleanup.wake(now)
        self.lines.wake(now)
        self.schedule()

    def look_at_all(self) -> None:
        """Look at every message, since calls need not wait any more. Does not block."""
        for message in self._synced():
            message.retry_soon()
        self.schedule()

    def _synced(self) -> Iterator[SyncedMessage[Any]]:
        yield self.message
        yield self.header
        yield from self.pages.synced()
        yield from self.direct_messages.synced()

    # Interludes

    def post_interlude(self) -> None:
        """Post the picture of a round's end as a message of its own, at a table where people look in now and then."""
        pause = self.interlude()
        if pause is not None and (self._posted_interlude is None or self._posted_interlude.until != pause.until):
            self._posted_interlude = pause
            self._services.tasks.spawn(self._post_interlude(pause), f"aside-{self.table.id}")

    async def _post_interlude(self, pause: Interlude) -> None:
        rendered = await self._services.table_page(self.table.snapshot, self.message.form)
        view = components_v2.Layout(rendered.page.without_controls(), self.table.id, rendered.stamp)
        channel = self._services.channel(self.table)
        try:
            async with self.table.unasked_call():
                await channel.send(view=view, files=view.files, silent=True, nonce=f"{self.table.id}.p{pause.until}")
        except discord_errors.API_ERRORS as error:
            log.warning("table %s: the end of its round could not be posted: %s", self.table.id, error)
            if discord_errors.is_transient(error) and self._posted_interlude is pause:
                self._posted_interlude = None
                self._timers.interlude.set_in(self.table.id, POST_ASIDE_AGAIN_MS)

    def interlude(self) -> Interlude | None:
        """Return the pause in which the game is, if it is in one."""
        table = self.table.snapshot
        return getattr(table.view(None), "interlude", None) if table.playing else None

    @property
    def busy(self) -> bool:
        """Whether anything is being sent, or somebody has a page open while the game goes on."""
        open_pages = bool(self.pages.open) and not self.table.snapshot.ended
        fails = self.message.failing or self.header.due is not None or self.cleanup.due is not None
        return fails or open_pages or any(message.busy for message in self._synced())

    async def settle(self) -> None:
        """Return when all messages that are wanted have been sent."""
        for part in self._parts:
            await part.settle()

    async def close(self) -> None:
        """Stop everything that is under way."""
        for part in self._parts:
            await part.close()


def _gathered(table: TableSnapshot) -> object:
    """Return what the end of the game before a rematch shows of it."""
    return table.row.status, frozenset(row.user for row in table.seats)
