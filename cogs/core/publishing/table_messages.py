"""The messages of one table, and of all tables: created, and notified of changes."""

import logging
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import Any

from cachetools import LRUCache

from cogs.core.i18n.translation import _
from cogs.core.ops import discord_errors
from cogs.core.publishing import absence_pages, components_v2
from cogs.core.publishing.attention import Attention
from cogs.core.publishing.direct_messages import DirectMessages
from cogs.core.publishing.ephemeral_pages import EphemeralPages
from cogs.core.publishing.lobby_mentions import LobbyMentions
from cogs.core.publishing.mention_lines import MentionLines
from cogs.core.publishing.message_cleanup import MessageCleanup
from cogs.core.publishing.message_sync import SyncedMessage
from cogs.core.publishing.page_builder import PageBuilder
from cogs.core.publishing.rating_changes import RatingChange
from cogs.core.publishing.rematch import Rematch, rematch_of
from cogs.core.publishing.services import MessageTimers, PublishingServices
from cogs.core.publishing.table_message import TableMessage
from cogs.core.publishing.thread_header import ThreadHeader
from cogs.core.publishing.turn_reminder import TurnReminder
from cogs.core.tables.component import PerTable, TableComponent
from cogs.core.tables.draft_store import DraftStore, TableDrafts
from cogs.core.tables.table import Table
from cogs.core.tables.table_registry import TableRegistry
from data.store import Status
from engine.contract import Moment
from engine.turns import Interlude

log = logging.getLogger(__name__)

RATED = 1_000
"""How many unloaded tables' rating changes are remembered, since the ends of their games still show them."""

SHOWN_FOR_MS = 60_000
"""A table that was loaded only to show it stays in memory for this long unless somebody uses it."""

SLOW_S = 3_600
"""At a table with a longer turn clock people look in now and then, and would miss an interlude of twenty seconds."""

POST_ASIDE_AGAIN_MS = 3_000
"""After this long the picture of a round's end is posted again if that failed."""


class TableMessages:
    """Everything that shows one table: its message, private pages, direct messages, reminder and thread header.

    `rematch` and `ratings` are shown at the end of its game, once they are known.
    """

    def __init__(
        self,
        services: PublishingServices,
        table: Table,
        page_builder: PageBuilder,
        drafts: TableDrafts,
        timers: MessageTimers,
    ) -> None:
        self.table = table
        self.ui = services.game_uis[table.game.key]
        self.cleanup = MessageCleanup(services, table)
        self.message = TableMessage(services, table, self.cleanup)
        self.attention = Attention(services.clock)
        beside = partial(page_builder.player_page, from_table=True)
        self.pages = EphemeralPages(services, table, page_builder.player_page, beside, drafts, self.attention)
        self.direct_messages = DirectMessages(
            services,
            table,
            page_builder.direct_message,
            page_builder.resting_message,
            drafts,
            self.attention,
            self.cleanup,
        )
        self.lines = MentionLines(services, table, self.cleanup)
        self.lobby_mentions = LobbyMentions(services, table, self.cleanup, self.lines)
        self.reminder = TurnReminder(
            services, table, self.cleanup, self.attention, self.direct_messages, self.lines, self.message.link, timers
        )
        self.header = ThreadHeader(services, self.ui, table)
        self.rematch: Rematch | None = None
        self.ratings: tuple[RatingChange, ...] = ()
        self._services, self._tasks = services, services.tasks
        self._clock = services.clock
        self._timers = timers
        self._posted_interlude = self.interlude()  # the last interlude, whose picture a slow table has posted
        self._warned = table.snapshot.lapsed  # who has been warned, since they missed a turn
        self._turn_passed = False  # whether a turn has passed whose mentions were not deleted
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
        if snapshot.hurried and snapshot.earliest is not None:
            table.ownership.calls.hurry(snapshot.row.channel, snapshot.earliest)
        if table.game.has_hidden_info or snapshot.practice or self._told_status != snapshot.row.status:
            self._told_status = snapshot.row.status
            self.direct_messages.changed()
        if snapshot.lapsed != self._warned:
            self._warn(snapshot.lapsed - self._warned)
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
            self.message.went_on, self.message.same_look = True, (snapshot.row.revision, snapshot.row.revision)
            self.message.mark()

    def _mentions_over(self) -> bool:
        """Note who is wanted now. Return True if what mentioned people before should be deleted."""
        return self.lobby_mentions.changed() if self.table.snapshot.in_lobby else self.reminder.turn_passed()

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

    def _warn(self, users: Iterable[int | None]) -> None:
        """Warn people who have missed a turn by a new direct message with their page, which says what a second one
        costs. Does not block.
        """
        self._warned = self.table.snapshot.lapsed
        for user in users:
            if user is not None:
                self._tasks.spawn(self._send_warning(user), f"warning-{self.table.id}")

    def forgiven(self, user: int) -> None:
        """Note that somebody who had missed a turn is there again: the next one they miss is another first one."""
        self._warned -= {user}

    async def _send_warning(self, user: int) -> None:
        if await self._services.preferences.of(user) != "nothing":
            self.direct_messages.renew(user)

    # The timer

    def schedule(self) -> None:
        """Set the timer to when one of the messages should be looked at again."""
        moments = [self.pages.due, self.cleanup.due, self.lines.due, *(message.due for message in self._synced())]
        due = min((moment for moment in moments if moment is not None), default=None)
        self._timers.messages.set(self.table.id, due)

    def wake(self) -> None:
        """Look at the messages for which it is time. Does not block."""
        now = self._clock.now()
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
            self._tasks.spawn(self._post_interlude(pause), f"aside-{self.table.id}")

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
        for part in (self.message, self.direct_messages, self.pages, self.lines, self.cleanup, self.header):
            await part.settle()

    async def close(self) -> None:
        """Stop everything that is under way."""
        for part in (self.message, self.direct_messages, self.pages, self.lines, self.cleanup, self.header):
            await part.close()


class Publisher(TableComponent):
    """The messages of all loaded tables. `game_ended` is called with a table whose game has ended."""

    def __init__(
        self,
        services: PublishingServices,
        registry: TableRegistry,
        page_builder: PageBuilder,
        drafts: DraftStore,
        messages: PerTable[TableMessages],
    ) -> None:
        self._services = services
        self._page_builder = page_builder
        self._drafts = drafts
        self._messages = messages
        self.game_ended: Callable[[Table], None] = lambda table: None
        self._rated = LRUCache[int, tuple[RatingChange, ...]](RATED)
        self.show_timer = registry.timer("display", self._show)
        self.timers = MessageTimers(
            messages=registry.timer("messages", self._wake),
            interlude=registry.timer("interlude", self._post_interlude),
            mention=registry.timer("mention", self._mention, calls_discord=True),
            nudge=registry.timer("nudge", self._nudge, calls_discord=True),
        )
        self._registry = registry

    async def _show(self, table: Table) -> None:
        """Show a table that was loaded for that alone; it is unloaded again soon unless somebody uses it."""
        self.of(table).show()
        self._registry.unload_timer.set_in(table.id, SHOWN_FOR_MS)

    async def _nudge(self, table: Table) -> None:
        due, messages = table.snapshot.turn_due, self.of(table)
        if due is None:
            return
        when = f"<t:{due // 1_000}:R>"

        def words() -> str:
            turn, warning = _("your turn – time runs out {when}", when=when), absence_pages.warning(table.snapshot)
            return f"{turn}. {warning}" if warning else turn

        await messages.reminder.nudge(words)

    async def _mention(self, table: Table) -> None:
        await self.of(table).reminder.remind()

    async def _wake(self, table: Table) -> None:
        self.of(table).wake()

    async def _post_interlude(self, table: Table) -> None:
        self.of(table).post_interlude()

    def schedule(self, table: Table, due: Moment) -> None:
        """Look at a table's messages at a moment, or before, unless it was unloaded or another process serves it."""
        messages, timer = self._messages.find(table.id), self.timers.messages
        if messages is not None and messages.table is table and not table.elsewhere:
            present = timer.due(table.id)
            timer.set(table.id, due if present is None else min(due, present))

    def look_at_all(self) -> None:
        """Look at the messages of all loaded tables, since Discord's API is down or back. Does not block."""
        if self._services.api.retry_at is None:
            for messages in self._messages.values():
                if not messages.table.elsewhere:
                    messages.look_at_all()

    def language_changed(self, guild: int) -> None:
        """Show the tables of a server in its new language. Does not block."""
        for messages in self._messages.values():
            if messages.table.snapshot.row.guild == guild and not messages.table.silent:
                messages.message.mark()
                messages.header.mark()

    def in_trouble(self, guild: int | None = None, channel: int | None = None) -> list[int]:
        """Return the loaded tables (of a server, in a channel) whose message could not be brought up to date."""
        rows = [
            messages.table.snapshot.row for messages in self._messages.values() if messages.message.trouble is not None
        ]
        return [row.id for row in rows if guild in (None, row.guild) and channel in (None, row.channel)]

    def of(self, table: Table) -> TableMessages:
        """Return the messages of a loaded table."""
        return self._messages[table]

    def all(self) -> tuple[TableMessages, ...]:
        """Return the messages of all loaded tables."""
        return tuple(self._messages.values())

    def find(self, table: int) -> TableMessages | None:
        """Return the messages of the table with this number, if it is loaded."""
        return self._messages.find(table)

    async def load(self, table: Table, *, new: bool) -> None:
        """Prepare the messages of a table that is being loaded."""
        messages = TableMessages(self._services, table, self._page_builder, self._drafts.of(table), self.timers)
        if not new:
            await messages.cleanup.read()
            if table.snapshot.playing:
                await messages.reminder.read()
        if table.snapshot.row.status == "over":
            messages.rematch = await rematch_of(self._services.store, table.id, table.snapshot.seats)
            messages.ratings = await self._remembered_ratings(table)
        self._messages[table] = messages

    async def _remembered_ratings(self, table: Table) -> tuple[RatingChange, ...]:
        """Return the rating changes that were shown before the table was unloaded, without people who have since asked
        to be hidden.
        """
        rated = self._rated.get(table.id) or ()
        hidden = await self._services.store.records.hidden() if rated else frozenset()
        return tuple(one for one in rated if table.snapshot.seats[one.seat].user not in hidden)

    def loaded(self, table: Table) -> None:
        """Bring the messages of a loaded table up to date."""
        self.of(table).loaded()

    def changed(self, table: Table, visible: bool) -> None:
        """Bring the messages of a table up to date, and the end of the game before a rematch that was closed."""
        self._messages[table].changed(visible)
        row = table.snapshot.row
        if visible and table.snapshot.ended:
            self.game_ended(table)
            if row.status == "closed" and row.rematch_of is not None:
                self._services.tasks.spawn(self.show_rematch(row.rematch_of), f"rematch-of-{row.rematch_of}")

    async def show_rematch(self, game: int) -> None:
        """Show the rematch of a game at its end, or offer one again."""
        table = await self._registry.find(game)
        if table is None:
            return
        messages = self.of(table)
        messages.rematch = await rematch_of(self._services.store, table.id, table.snapshot.seats)
        messages.message.invalidate()

    def lobby_closed(self, table: Table) -> None:
        """Tell the host that the clock has closed their lobby, once its message shows that. Does not block."""
        if table.snapshot.row.message is not None:
            self._services.tasks.spawn(self._tell_host(table), f"tell-host-{table.id}")

    async def _tell_host(self, table: Table) -> None:
        messages = self.of(table)
        await messages.message.settle()

        def words() -> str:
            where = _("[{game}, table {table}]({link})", game=table.game.title, table=table.id, link=messages.link())
            return _(
                "your table closed because no game started in time; *Open again* is below it · {where}", where=where
            )

        await messages.lobby_mentions.tell_host(words)

    def busy(self, table: Table) -> bool:
        """Return True while anything is being sent, or somebody has a page open."""
        return self.of(table).busy

    async def settle(self, table: Table) -> None:
        """Return when every message that is wanted has been sent."""
        await self.of(table).settle()

    async def prepare_to_unload(self, table: Table) -> None:
        """Send what is wanted, and store what is known to be shown. Raises `StoreError`."""
        await self.of(table).settle()
        await self._services.shown_revisions.write()

    def unload(self, table: Table) -> None:
        """Forget a table's messages; its private notices are deleted, since nobody updates them any more."""
        messages = self._messages.remove(table)
        assert messages is not None
        messages.pages.unload()
        if messages.ratings:
            self._rated[table.id] = messages.ratings
        if self._messages.find(table.id) is None:
            self._services.shown_revisions.forget(table.id)
            messages.schedule()  # what failed is tried again, and the table loaded for it

    async def close(self, table: Table) -> None:
        """Stop everything that is under way."""
        if (messages := self._messages.remove(table)) is not None:
            await messages.close()
            if self._messages.find(table.id) is None:
                self._services.shown_revisions.forget(table.id)
