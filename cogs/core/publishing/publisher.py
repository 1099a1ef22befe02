"""The messages of all loaded tables: kept up to date, and found by their table."""

from collections.abc import Callable

from cachetools import LRUCache

from cogs.core.i18n.translation import _, public_label
from cogs.core.publishing.end_of_game import RatingChange, rematch_of
from cogs.core.publishing.message_links import address, game_link
from cogs.core.publishing.services import MessageTimers, PublishingServices
from cogs.core.publishing.table_messages import TableMessages
from cogs.core.tables.component import PerTable, TableComponent
from cogs.core.tables.draft_store import DraftStore
from cogs.core.tables.table import Table
from cogs.core.tables.table_registry import TableRegistry
from engine.contract import Moment

RATED = 1_000
"""How many unloaded tables' rating changes are remembered, since the ends of their games still show them."""

SHOWN_FOR_MS = 60_000
"""A table that was loaded only to show it stays in memory for this long unless somebody uses it."""


class Publisher(TableComponent):
    """The messages of all loaded tables. `game_ended` is called with a table whose game has ended."""

    def __init__(
        self,
        services: PublishingServices,
        registry: TableRegistry,
        drafts: DraftStore,
        messages: PerTable[TableMessages],
    ) -> None:
        self._services = services
        self._drafts = drafts
        self._messages = messages
        self.game_ended: Callable[[Table], None] = lambda table: None
        self._rated = LRUCache[int, tuple[RatingChange, ...]](RATED)
        self.show_timer = registry.timer("display", self._show)
        self.timers = MessageTimers(
            messages=registry.timer("messages", self._wake),
            interlude=registry.timer("interlude", self._post_interlude),
            mention=registry.timer("mention", lambda table: self.of(table).reminder.remind(), calls_discord=True),
            nudge=registry.timer("nudge", lambda table: self.of(table).reminder.nudge(), calls_discord=True),
        )
        self._registry = registry

    async def _show(self, table: Table) -> None:
        """Show a table that was loaded for that alone; it is unloaded again soon unless somebody uses it."""
        self.of(table).show()
        self._registry.unload_timer.set_in(table.id, SHOWN_FOR_MS)

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

    def reader_language_changed(self, user: int) -> None:
        """Show a person's pages in their new language. Does not block."""
        for messages in self._messages.values():
            messages.pages.mark(user)
            messages.direct_messages.show_again(user)

    def notifications_chosen(self, user: int) -> None:
        """Try direct messages again for a person who accepted none so far, and has just chosen how to be notified. Does
        not block.
        """
        self._services.tasks.spawn(self._try_messages_again(user), f"direct-messages-of-{user}")

    async def _try_messages_again(self, user: int) -> None:
        for row in await self._services.store.tables.of(user):
            seats = await self._services.store.seats.of(row.id)
            if any(seat.user == user and seat.dm_closed for seat in seats):
                table = await self._registry.find(row.id)
                if table is not None:
                    await self.of(table).direct_messages.try_again(user)

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

    async def load(self, table: Table, *, new: bool) -> None:
        """Prepare the messages of a table that is being loaded."""
        messages = TableMessages(self._services, table, self._drafts.of(table), self.timers)
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
        """Bring the messages of a table up to date, and the end of the game before a rematch."""
        messages, before = self._messages[table], table.snapshot.row.rematch_of
        messages.changed(visible)
        if visible and table.snapshot.ended:
            self.game_ended(table)
        if visible and before is not None and messages.gathering_changed():
            self._services.tasks.spawn(self.show_rematch(before), f"rematch-of-{before}")

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
        messages, row = self.of(table), table.snapshot.row
        await messages.message.settle()
        before = None if row.rematch_of is None else await self._services.store.tables.get(row.rematch_of)

        def words() -> str:
            if before is not None:
                return _(
                    "your rematch closed because no game started in time; *{rematch}* at {where} asks everyone again",
                    rematch=public_label("Rematch"),
                    where=game_link(table.snapshot, address(before, before.message), before.id),
                )
            where = game_link(table.snapshot, messages.link())
            return _(
                "your table closed because no game started in time; *{reopen}* is below it · {where}",
                reopen=public_label("Open again"),
                where=where,
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
