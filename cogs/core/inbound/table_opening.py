"""Opening tables: by a start command, with or without an invitation, and as a rematch."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field

import discord
import msgspec

from cogs.core.inbound.request import Handler, Request, TableHandler, TableRequest
from cogs.core.inbound.table_finder import TableFinder
from cogs.core.ops.errors import UserError
from cogs.core.ops.timers import snowflake_time
from cogs.core.pages.game_catalog import GameCatalog
from cogs.core.pages.game_ui import marked
from cogs.core.pages.page import Page, Text
from cogs.core.publishing import threads
from cogs.core.publishing.player_page_host import REFUSED, TAKEN
from cogs.core.publishing.rematch import where_found
from cogs.core.publishing.responder import responder_for
from cogs.core.publishing.table_messages import Publisher, TableMessages
from cogs.core.tables import lobby, moves
from cogs.core.tables.options import dump_options
from cogs.core.tables.settings import MAX_LISTED, ServerSettings, limit_words
from cogs.core.tables.snapshot import TableSnapshot
from cogs.core.tables.table import Table
from data.background import BackgroundTasks
from data.store import NO_SERVER, LimitReached, Limits, NewTable, SeatRow, Store, StoreError
from engine.contract import Moment, Options
from engine.players import Level

ENDLESS = 10**9
"""A limit that nobody reaches."""

PRACTISED = (
    "You have {} practice games that are not over yet, and nobody may have more at once. `/play` in a direct message "
    "to me lists them: finish one, or end one with *More …*."
)

NEEDED = {
    "view_channel": "View Channel",
    "send_messages": "Send Messages",
    "attach_files": "Attach Files",
}
"""The permissions that the bot needs in a channel to hold a table there."""


@dataclass(eq=False)
class TableOpener:
    """Opens tables in channels, and keeps to the limits of how many may be open."""

    games: GameCatalog
    store: Store
    settings: ServerSettings
    finder: TableFinder
    tasks: BackgroundTasks

    async def open(self, new: NewTable, seats: Sequence[SeatRow]) -> TableMessages:
        """Open a table with these people, numbered in this order. Raises `UserError` if as many are open as the
        server's settings allow, and `StoreError`.
        """
        try:
            return await self.finder.open(new, seats, await self._limits(new.guild))
        except LimitReached as reached:
            raise await self._limit_error(new.guild, reached) from reached

    async def _check_limits(self, new: NewTable, seats: Sequence[SeatRow]) -> None:
        """Raise `UserError` if as many tables are open by now as the server's settings allow."""
        try:
            await self.store.tables.check_limits(new, seats, await self._limits(new.guild))
        except LimitReached as reached:
            raise await self._limit_error(new.guild, reached) from reached

    async def _limits(self, guild: int) -> Limits:
        limits = (await self.settings.of(guild)).limits
        if guild == NO_SERVER:
            return Limits(limits.person, channel=ENDLESS, server=ENDLESS)  # nobody's practice is in anybody's way
        return limits

    async def _limit_error(self, guild: int, reached: LimitReached) -> UserError:
        """Return what somebody is told who may open no more tables."""
        if guild == NO_SERVER:
            return UserError(PRACTISED.format(reached.most))
        rows = [await self.store.tables.get(number) for number in reached.tables[:MAX_LISTED]]
        named = [
            f"{await where_found(self.store, row)} ({self.games[row.game].game.title})"
            for row in rows
            if row is not None and row.game in self.games
        ]
        return UserError(limit_words(reached, named))

    async def open_table(
        self,
        interaction: discord.Interaction,
        game: str,
        options: Options,
        bots: Sequence[Level],
        invited: discord.abc.User | None,
    ) -> None:
        """Open a table as the answer to a slash command.

        It begins at once if nobody else is wanted and enough sit there.
        """
        messages, line = await self._open(interaction, game, options, bots, invited)
        if line:
            messages.message.release()
            await self.finder.visit(messages, interaction.user.id)
            await messages.pages.answer(responder_for(interaction), line=line)
            await messages.message.settle()
        else:
            await messages.message.open_through(responder_for(interaction))
        if invited is not None:
            self.tasks.spawn(invite(messages), f"invite-{messages.table.id}")

    async def open_privately(self, request: Request, game: str, bots: Sequence[Level]) -> None:
        """Open a table as the answer to a control on a private page, which then says where the table is. The opener's
        own page follows below, unless it would only repeat the table; if the table has a thread of its own, it replaces
        the page that was pressed.

        With computers, the game begins at once if enough players sit there.
        """
        ui, responder = self.games[game], request.responder
        messages, line = await self._open(request.interaction, game, ui.game.options(), bots, None)
        messages.message.release()
        await self.finder.visit(messages, request.user.id)
        if messages.table.snapshot.row.channel != request.interaction.channel_id:
            await messages.pages.answer(responder, line=line)
            return
        needed = (
            ui.game.has_hidden_info or messages.table.snapshot.in_lobby
        )  # else the table has all that there is to see and to press
        where = f"Table {messages.table.id} stands below{', and below it your own page' if needed else ''}."
        said = "\n".join(filter(None, (f"### {ui.game.title}", where, line)))
        await responder.show(Page((Text(said),), ui.colour))
        await messages.message.settle()  # what comes later is further down
        if needed:
            await messages.pages.answer_in_new_message(responder)

    async def _open(
        self,
        interaction: discord.Interaction,
        game: str,
        options: Options,
        bots: Sequence[Level],
        invited: discord.abc.User | None,
    ) -> tuple[TableMessages, str]:
        """Return the new table, and a line for its opener about where it is; mostly empty."""
        await self.check_channel(interaction)
        ui = self.games[game]
        if invited is not None and invited.bot:
            raise UserError("Bots do not play. Choose a computer player with the option `computer`.")
        if invited is not None and invited.id == interaction.user.id:
            raise UserError("You cannot invite yourself. Leave `invite` empty, and others can join.")
        seats = lobby.initial_seats(interaction.user.id, interaction.user.display_name, bots)
        if len(seats) + (invited is not None) > ui.game.player_counts[-1]:
            raise UserError(f"{ui.game.title} has room for {ui.game.player_counts[-1]} players; you asked for more.")
        assert interaction.guild_id is not None and interaction.channel_id is not None
        at = snowflake_time(interaction.id)
        settings = await self.settings.of(interaction.guild_id)
        by_command = interaction.type is discord.InteractionType.application_command
        enough = len(seats) == ui.game.player_counts[-1] if by_command else len(seats) in ui.game.player_counts
        alone = bool(bots) and invited is None and enough
        options = settings.with_defaults(ui.game, options, interaction.namespace)
        clock = game in settings.clocks or getattr(interaction.namespace, "clock", None) is not None
        new = NewTable(
            game=game,
            guild=interaction.guild_id,
            channel=interaction.channel_id,
            opener=interaction.user.id,
            options=dump_options(options, clock=clock),
            created_at=at,
            due=Moment(at + lobby.CLOSES_AFTER_MS),
            invited=None if invited is None else invited.id,
            parent=getattr(interaction.channel, "parent_id", None),
        )
        thread, line = None, ""
        if settings.threads:
            await self._check_limits(new, seats)  # before anything of it is posted in the channel
            try:
                thread = await threads.create(interaction, ui)
            except threads.NoThread as refused:
                line = f"{REFUSED} Your table stands in the channel itself. {refused}"
        messages = await self._open_in(thread, new, seats)
        messages.message.hold()
        if thread is not None:
            line = f"{TAKEN} Your table has a thread of its own: <#{thread.id}>"
            name = f"{ui.game.title} · table {messages.table.id}"
            self.tasks.spawn(threads.rename(thread, name), f"thread-{thread.id}")
        messages.table.announce(visible=False)  # the table exists, even if its start or the answer fails
        try:
            if alone:
                await begin(self.games, messages.table, at)
        except StoreError:
            messages.message.release()
            raise
        return messages, line

    async def _open_in(self, thread: discord.Thread | None, new: NewTable, seats: Sequence[SeatRow]) -> TableMessages:
        """Open a table in the thread that was created for it, if any; the thread is deleted if the table is refused.
        Raises `UserError` or `StoreError`.
        """
        if thread is None:
            return await self.open(new, seats)
        try:
            there = msgspec.structs.replace(new, channel=thread.id, parent=new.channel)
            return await self.open(there, seats)
        except Exception:
            self.tasks.spawn(threads.discard(thread), f"thread-{thread.id}")
            raise

    async def check_channel(self, interaction: discord.Interaction) -> None:
        """Raise `UserError` if no table may be opened in the channel of an interaction."""
        if interaction.guild_id is None or interaction.channel_id is None:
            raise UserError("Tables stand in a server's channels. Use this command there.")
        allowed = interaction.app_permissions
        needed = dict(NEEDED)
        if isinstance(interaction.channel, discord.Thread):
            needed["send_messages_in_threads"] = "Send Messages in Threads"
            del needed["send_messages"]
        missing = [name for permission, name in needed.items() if not getattr(allowed, permission)]
        if missing:
            raise UserError(
                f"I cannot hold a table here: in this channel I lack the permission{'s' if len(missing) > 1 else ''} "
                f"{', '.join(missing)}. Ask someone who manages the server to allow it."
            )
        settings = await self.settings.of(interaction.guild_id)
        if not settings.allows(interaction.channel_id, getattr(interaction.channel, "parent_id", None)):
            where = ", ".join(f"<#{channel}>" for channel in settings.channels)
            raise UserError(f"On this server tables stand in {where}. Use the command there.")


@dataclass(eq=False)
class Rematches:
    """Serves rematches: tables that gather the people of a finished game, and begin once all of them sit there."""

    games: GameCatalog
    store: Store
    publisher: Publisher
    finder: TableFinder
    opener: TableOpener
    tasks: BackgroundTasks
    _lock: asyncio.Lock = field(default_factory=asyncio.Lock, init=False)

    def handlers(self) -> tuple[Handler, ...]:
        """Return the handlers."""
        return TableHandler("rematch", self._rematch), TableHandler("rematch-open", self._let_others_join)

    async def begin_if_complete(self, messages: TableMessages, at: Moment) -> None:
        """Begin a rematch if all people who played before sit there."""
        table, now = messages.table, messages.table.snapshot
        if now.row.rematch_of is None or not now.in_lobby:
            return
        before = await self.store.seats.of(now.row.rematch_of)
        wanted = {row.user for row in before if row.user is not None}
        if not wanted <= {row.user for row in now.seats} or len(now.seats) not in table.game.player_counts:
            return
        await table.act(lobby.sit_as_before, before)
        await begin(self.games, table, at)
        self.tasks.spawn(self._call(messages), f"rematch-{table.id}")

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

    async def _rematch(self, request: TableRequest) -> None:
        table, user = request.table, request.user
        if table.snapshot.row.status != "over":
            raise UserError("This game is not over yet.")
        request.require_seat()
        if table.snapshot.practice:
            raise UserError("*Play again* begins another practice game.")
        await self.opener.check_channel(request.interaction)
        async with self._lock:  # two who press at once mean the same rematch
            following = await self._gathering(table.id)
            if following is None:
                following = await self._open(table.snapshot, request)
            elif following.table.snapshot.seat_of(user.id) is not None:
                raise UserError(
                    "You are in already; the rematch begins when all who played have pressed. *Let others join* "
                    "opens its table, where you can also leave."
                )
            else:
                await following.table.act(lobby.join, user.id, user.display_name, request.at)
            await self.begin_if_complete(following, request.at)
        await self.publisher.show_rematch(table.id)
        responder, rematch = request.responder, following.table
        await request.messages.message.answer(responder)
        if rematch.snapshot.playing and rematch.snapshot.alone and rematch.game.has_hidden_info and responder.on_table:
            await following.message.settle()  # what comes later is further down
            await following.pages.answer_in_new_message(responder)

    async def _let_others_join(self, request: TableRequest) -> None:
        request.require_seat()
        following = await self._gathering(request.table.id)
        if following is None or following.table.snapshot.seat_of(request.user.id) is None:
            raise UserError("You are in no rematch that others could join. Press *Rematch* first.")
        if following.message.number is None:
            following.message.repost()
            await following.message.settle()
        await self.publisher.show_rematch(request.table.id)
        await request.messages.message.answer(request.responder)

    async def _gathering(self, table: int) -> TableMessages | None:
        """Return the rematch that gathers, if one does. Raises `UserError` if it has begun."""
        row = await self.store.tables.rematch_of(table)
        following = None if row is None else await self.finder.find(row.id)
        if following is None or following.table.snapshot.in_lobby:
            return following
        if following.table.snapshot.playing:
            link = following.message.link()
            where = f"[table {following.table.id}]({link})" if link else f"table {following.table.id}"
            raise UserError(f"The rematch has already begun: {where}.")
        return None

    async def _open(self, table: TableSnapshot, request: TableRequest) -> TableMessages:
        row = table.row
        levels = [seat.level for seat in table.seats if seat.level is not None]
        new = NewTable(
            game=row.game,
            guild=row.guild,
            channel=row.channel,
            opener=request.user.id,
            options=row.options,
            created_at=request.at,
            due=Moment(request.at + lobby.CLOSES_AFTER_MS),
            rematch_of=row.id,
            parent=row.parent,
        )
        return await self.opener.open(new, lobby.initial_seats(request.user.id, request.user.display_name, levels))


async def begin(games: GameCatalog, table: Table, at: Moment) -> None:
    """Begin the game with those who sit at a table. Raises `UserError`."""
    await table.act(moves.begin, games.material(table.game.key), at)


async def invite(messages: TableMessages) -> None:
    """Mention the invited person."""
    table = messages.table
    if table.snapshot.row.invited is None or not table.snapshot.in_lobby:
        return
    opener = next(
        (marked(seat.seat, seat.name) for seat in table.snapshot.seats if seat.user == table.snapshot.row.opener),
        "Somebody",
    )
    where = f"[table {table.id}]({messages.message.link()})"
    words = f"{opener} invites you to {table.game.title} · {where}, where you can join or decline"
    await messages.reminder.invite(table.snapshot.row.invited, words)
