"""What handlers, commands and cogs use of the running tables: found, begun, ended, and followed by a rematch."""

import contextlib
import logging
from collections.abc import Callable, Coroutine, Iterable, Mapping, Sequence
from concurrent.futures import Executor
from typing import TYPE_CHECKING, Any, TypeVar

import discord

from cogs.core.cluster.ownership import Ownership
from cogs.core.inbound.request import TableRequest
from cogs.core.ops.database_status import DatabaseStatus
from cogs.core.ops.errors import UserError
from cogs.core.ops.heartbeat import Heartbeat
from cogs.core.ops.rest_errors import RestErrors
from cogs.core.ops.timers import Clock, Scheduler
from cogs.core.pages.game_ui import GameUI
from cogs.core.publishing.app_emoji import EmojiMarkup
from cogs.core.publishing.covers import Covers
from cogs.core.publishing.page_builder import PageBuilder
from cogs.core.publishing.rematch import where_found
from cogs.core.publishing.responder import responder_for
from cogs.core.publishing.services import PublishingServices
from cogs.core.publishing.shown_revisions import ShownRevisions
from cogs.core.publishing.table_messages import Publisher, TableMessages
from cogs.core.tables import absence, changes, lobby, moves
from cogs.core.tables.bot_workers import BotWorkers
from cogs.core.tables.bots import Bots
from cogs.core.tables.clocks import Clocks
from cogs.core.tables.component import PerTable
from cogs.core.tables.draft_store import DraftStore
from cogs.core.tables.settings import MAX_LISTED, Preferences, ServerSettings, limit_words
from cogs.core.tables.table import Table
from cogs.core.tables.table_registry import TableRegistry
from data.background import BackgroundTasks
from data.store import NO_SERVER, LimitReached, Limits, NewTable, SeatRow, Store, StoreError, TableChange, TableRow
from data.store.cluster_notices import Pressed
from engine.contract import AnyGame, BrokenRecord, Moment
from engine.lessons import Course
from engine.players import Explain, Level, Player

if TYPE_CHECKING:
    from cogs.core.ops.metrics import Metrics

log = logging.getLogger(__name__)

T = TypeVar("T")

ENDLESS = 10**9
"""A limit that nobody reaches."""

PRACTISED = (
    "You have {} practice games that are not over yet, and nobody may have more at once. `/play` in a direct message "
    "to me lists them: finish one, or end one with *More …*."
)


class TableService:
    """All tables of the bot."""

    def __init__(
        self,
        client: discord.Client,
        markup: EmojiMarkup,
        store: Store,
        ownership: Ownership,
        clock: Clock,
        bot_workers: BotWorkers,
        game_uis: Mapping[str, GameUI],
        materials: Mapping[str, Any],
        players: Mapping[str, Mapping[Level, Player]],
        reasons: Mapping[str, Explain],
        courses: Mapping[str, Course],
        metrics: "Metrics | None",
    ) -> None:
        self.courses = courses  # by game: what there is to learn, in the order in which people see the games
        self.client = client
        self.markup = markup
        self.store = store
        self.ownership = ownership
        self.clock = clock
        self.game_uis = dict(game_uis)
        self.settings = ServerSettings(store, ownership, self.game_uis)
        self.preferences = Preferences(store, ownership)
        self.metrics = metrics
        self.rest_errors = RestErrors(clock, metrics)
        self.database_status = DatabaseStatus(clock)
        self.scheduler = Scheduler(clock, self.database_status.report)
        self.heartbeat = Heartbeat(store, clock, self.scheduler, self.database_status)
        self.shown_revisions = ShownRevisions(store)
        self.heartbeat.jobs.append(self.shown_revisions.write)
        self.forgetting: list[Callable[[], None]] = []  # called to drop what a cog keeps in memory of people
        self.bot_workers = bot_workers
        self._materials = dict(materials)
        self.covers = Covers(self.game_uis, self._materials)
        self._tasks = BackgroundTasks(self.database_status.report)

        self.registry = TableRegistry(store, ownership, clock, self.scheduler, self.game_uis)
        self.drafts = DraftStore(self.game_uis, self.registry, self.database_status)
        self.bots = Bots(players, reasons, bot_workers, clock, self.registry)
        messages = PerTable[TableMessages]()
        self.page_builder = PageBuilder(
            client, markup, self.game_uis, messages.find, self.bots.known_hint, self.covers, clock
        )
        services = PublishingServices(
            client,
            store,
            clock,
            self.game_uis,
            self.settings,
            self.preferences,
            self.rest_errors,
            self.database_status,
            self.shown_revisions,
            self._tasks,
            self.page_builder.table_page,
            self._place_gone,
            lambda table, due: self.publisher.schedule(table, due),
        )
        self.publisher = Publisher(services, self.registry, self.page_builder, self.drafts, messages)
        self.clocks = Clocks(clock, self.registry, self.drafts)
        self.registry.components = [self.clocks, self.bots, self.drafts, self.publisher]

    # Starting and stopping

    async def start(self) -> None:
        """Begin to serve timers. The tables of a server go on when it is heard that the bot is there."""
        await self.heartbeat.start()
        self.scheduler.start()

    async def stop(self) -> None:
        """Stop every clock and task. Nothing is lost: what was acknowledged is on disk."""
        await self.scheduler.close()
        await self._tasks.close()
        await self.registry.close()
        await self.bot_workers.close()
        self.page_builder.close()
        try:
            await self.heartbeat.beat()
        except StoreError as error:
            self.database_status.failed(error)

    async def settle(self) -> None:
        """Return when every message that is wanted has been sent, and nobody is thinking."""
        while True:
            await self._tasks.settle()
            await self.registry.settle()
            if not self._tasks.running:
                return

    def spawn(self, work: Coroutine[Any, Any, Any], name: str) -> None:
        """Run this in the background; an error is logged."""
        self._tasks.spawn(work, name)

    async def draw(self, work: Callable[..., T], *args: Any) -> T:
        """Run what draws a page outside the event loop. What takes longer is done `at_leisure`."""
        return await self.page_builder.draw(work, *args)

    async def at_leisure(self, work: Callable[..., T], *args: Any) -> T:
        """Run outside the event loop what takes longer than a page, such as a film: one after the other, so that no
        page waits for it.
        """
        return await self.page_builder.at_leisure(work, *args)

    def background_worker(self) -> contextlib.AbstractAsyncContextManager[Executor]:
        """Return a place to compute outside the event loop what no table waits for: one at a time."""
        return self.bot_workers.background_worker()

    # Finding tables

    async def find(self, number: int) -> TableMessages | None:
        """Return the table with this number and its messages; None if there is none. Raises `BrokenRecord`."""
        table = await self.registry.find(number)
        return None if table is None else self.publisher.of(table)

    async def readable(self, rows: Iterable[TableRow]) -> tuple[list[TableMessages], list[int]]:
        """Return those of these tables that exist, and the numbers of those whose record cannot be read."""
        found, broken = await self.registry.readable(rows)
        return [self.publisher.of(table) for table in found], broken

    async def of_user(
        self, interaction: discord.Interaction, game: str, number: int | None, *, guess: bool = True
    ) -> TableRequest:
        """Return a command as a request about the table that it means: the one named, or the only one of this user and
        game in this channel, or (to `guess`) the only one of those at which the user is awaited. Raises `UserError`.
        """
        messages = self.publisher.of(await self._find_meant(interaction, game, number, guess))
        await self.visit(messages, interaction.user.id)
        return TableRequest(responder_for(interaction), messages)

    async def _find_meant(self, interaction: discord.Interaction, game: str, number: int | None, guess: bool) -> Table:
        if number is not None:
            table = await self.registry.find(number)
            if table is None or table.snapshot.row.guild != interaction.guild_id or table.game.key != game:
                raise UserError(f"There is no table {number} of this game on this server. /tables lists yours.")
            return table
        user = interaction.user.id
        rows = await self.registry.of_user(user, interaction.guild_id, interaction.channel_id, game)
        if not rows:
            command = self.game_uis[game].command
            raise UserError(
                "You are not playing this game in this channel. Open a table with "
                f"`/{command} start`, or see `/tables`."
            )
        if len(rows) > 1:
            found, _ = await self.registry.readable(rows)
            present = [table.snapshot for table in found]
            mine = [one for one in present if one.playing and one.seat_of(user) in one.view(None).to_act]
            if guess and len(mine) == 1:
                return next(table for table in found if table.id == mine[0].id)
            names = ", ".join(str(row.id) for row in rows)
            raise UserError(f"You play at several tables here ({names}). Say which one with the option `table`.")
        only = await self.registry.find(rows[0].id)
        assert only is not None
        return only

    async def visit(self, messages: TableMessages, user: int) -> None:
        """Note that a user asks for anything at a table: every way in to the table calls this once."""
        table = messages.table
        table.used = max(table.used, messages.attention.pressed(user))
        if table.elsewhere:
            table.tell_owner(Pressed(table.id, user))
        if user in table.snapshot.lapsed:
            await absence.forgive(table, user)

    def material(self, game: str) -> Any:
        """Return what this version ships for a game."""
        return self._materials[game]

    def played(self, game: str) -> AnyGame:
        """Return the game with this key. Raises `UserError` for one that is not played here."""
        ui = self.game_uis.get(game)
        if ui is None:
            raise UserError(f"The game {game!r} is not played here any more.")
        return ui.game

    # Opening tables

    async def open(self, new: NewTable, seats: Sequence[SeatRow]) -> TableMessages:
        """Open a table with these people, numbered in this order. Raises `UserError` if as many are open as the
        server's settings allow, and `StoreError`.
        """
        try:
            table = await self.registry.open(new, seats, await self._limits(new.guild))
        except LimitReached as reached:
            raise await self._refusal(new.guild, reached) from reached
        return self.publisher.of(table)

    async def check_limits(self, new: NewTable, seats: Sequence[SeatRow]) -> None:
        """Raise `UserError` if as many tables are open by now as the server's settings allow."""
        try:
            await self.store.tables.check_limits(new, seats, await self._limits(new.guild))
        except LimitReached as reached:
            raise await self._refusal(new.guild, reached) from reached

    async def _limits(self, guild: int) -> Limits:
        limits = (await self.settings.of(guild)).limits
        if guild == NO_SERVER:
            return Limits(limits.person, channel=ENDLESS, server=ENDLESS)  # nobody's practice is in anybody's way
        return limits

    async def _refusal(self, guild: int, reached: LimitReached) -> UserError:
        """Return what somebody is told who may open no more tables."""
        if guild == NO_SERVER:
            return UserError(PRACTISED.format(reached.most))
        rows = [await self.store.tables.get(number) for number in reached.tables[:MAX_LISTED]]
        named = [
            f"{await where_found(self.store, row)} ({self.game_uis[row.game].game.title})"
            for row in rows
            if row is not None and row.game in self.game_uis
        ]
        return UserError(limit_words(reached, named))

    # What happens at a table

    async def begin(self, table: Table, at: Moment) -> None:
        """Begin the game with those who sit there. Raises `UserError`."""
        await table.act(moves.begin, self._materials[table.game.key], at)

    async def end(self, number: int, reason: str) -> bool:
        """End a table without a result, also one that can no longer be read. Return False if it was not open."""
        try:
            table = await self.registry.find(number)
        except BrokenRecord:
            log.exception("table %s cannot be read, and is closed", number)
            await self.store.tables.update(number, TableChange(status="closed", ended_at=self.clock.now(), due=None))
            self.scheduler.clear(number)
            return True
        return table is not None and await table.act(changes.close, reason, self.clock.now())

    async def repair(self, messages: TableMessages) -> None:
        """Read a table again from its events, ask its computer players again, and repost its message."""
        self.bots.of(messages.table).forget()
        await messages.table.reload()
        messages.message.repost()

    async def begin_rematch(self, messages: TableMessages, at: Moment) -> bool:
        """Begin a rematch if all people who played before sit there. Return whether it has begun."""
        table, now = messages.table, messages.table.snapshot
        if now.row.rematch_of is None or not now.in_lobby:
            return False
        before = await self.store.seats.of(now.row.rematch_of)
        wanted = {row.user for row in before if row.user is not None}
        if not wanted <= {row.user for row in now.seats} or len(now.seats) not in table.game.player_counts:
            return False
        await table.act(lobby.sit_as_before, before)
        await self.begin(table, at)
        self.spawn(self._call(messages), f"rematch-{table.id}")
        return True

    async def _call(self, messages: TableMessages) -> None:
        """Show a rematch that has begun, mention its players once, and link to it from the game before. A person who
        plays alone has just pressed, and is not mentioned.
        """
        messages.message.invalidate()
        await messages.message.settle()
        table = messages.table.snapshot
        if table.row.rematch_of is not None:
            await self.publisher.show_rematch(table.row.rematch_of)
        if not table.alone:
            await messages.reminder.call("the rematch begins")

    async def close_in_channel(self, channel: int) -> None:
        """Close the tables of a channel that was deleted: nobody can play them any more."""
        for row in await self.store.tables.in_channel(channel):
            messages = await self.find(row.id)
            if messages is not None:
                await messages.table.act(changes.close, "Its channel was deleted.", self.clock.now())
                messages.message.give_up()

    def _place_gone(self, channel: int) -> None:
        self.spawn(self.close_in_channel(channel), f"close-tables-of-{channel}")

    def forget_in_memory(self, user: int | None = None) -> None:
        """Drop what is in memory of a user (None: of everybody), apart from the tables of this process."""
        self.preferences.forget(user)
        self.registry.forget_remote()
        for drop in self.forgetting:
            drop()

    def count_chatter(self, channel: int) -> None:
        """Count a message that somebody else posted in a channel: table messages scroll away."""
        for table in self.registry.present.in_channel(channel):
            self.publisher.of(table).message.count_chatter()
