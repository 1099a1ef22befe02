"""Opening tables: by a start command, with or without an invitation, and as a rematch."""

import asyncio
from collections.abc import Sequence

import discord
import msgspec

from cogs.core.inbound import threads
from cogs.core.inbound.request import Handler, Request, TableHandler, TableRequest
from cogs.core.inbound.table_service import TableService
from cogs.core.ops.errors import UserError
from cogs.core.ops.timers import snowflake_time
from cogs.core.pages.game_ui import marked
from cogs.core.pages.page import Page, Text
from cogs.core.publishing.player_page_host import REFUSED, TAKEN
from cogs.core.publishing.responder import responder_for
from cogs.core.publishing.table_messages import TableMessages
from cogs.core.tables import lobby
from cogs.core.tables.options import dump_options
from cogs.core.tables.snapshot import TableSnapshot
from data.store import NewTable, SeatRow, StoreError
from engine.contract import Moment, Options
from engine.players import Level

NEEDED = {
    "view_channel": "View Channel",
    "send_messages": "Send Messages",
    "attach_files": "Attach Files",
}
"""The permissions that the bot needs in a channel to hold a table there."""


class TableOpener:
    """Opens tables."""

    def __init__(self, tables: TableService) -> None:
        self._tables = tables
        self._rematch_lock = asyncio.Lock()

    def handlers(self) -> tuple[Handler, ...]:
        """Return the handlers."""
        return (TableHandler("rematch", self._rematch), TableHandler("rematch-open", self._let_others_join))

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
            await self._tables.visit(messages, interaction.user.id)
            await messages.pages.answer(responder_for(interaction), line=line)
            await messages.message.settle()
        else:
            await messages.message.open_through(responder_for(interaction))
        if invited is not None:
            self._tables.spawn(invite(messages), f"invite-{messages.table.id}")

    async def open_privately(self, request: Request, game: str, bots: Sequence[Level]) -> None:
        """Open a table as the answer to a control on a private page, which then says where the table is. The opener's
        own page follows below, unless it would only repeat the table; if the table has a thread of its own, it replaces
        the page that was pressed.

        With computers, the game begins at once if enough players sit there.
        """
        ui, responder = self._tables.game_uis[game], request.responder
        messages, line = await self._open(request.interaction, game, ui.game.options(), bots, None)
        messages.message.release()
        await self._tables.visit(messages, request.user.id)
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
        await self._check_channel(interaction)
        ui = self._tables.game_uis[game]
        if invited is not None and invited.bot:
            raise UserError("Bots do not play. Choose a computer player with the option `computer`.")
        if invited is not None and invited.id == interaction.user.id:
            raise UserError("You cannot invite yourself. Leave `invite` empty, and others can join.")
        seats = lobby.initial_seats(interaction.user.id, interaction.user.display_name, bots)
        if len(seats) + (invited is not None) > ui.game.player_counts[-1]:
            raise UserError(f"{ui.game.title} has room for {ui.game.player_counts[-1]} players; you asked for more.")
        assert interaction.guild_id is not None and interaction.channel_id is not None
        settings = await self._tables.settings.of(interaction.guild_id)
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
            created_at=self._tables.clock.now(),
            due=Moment(self._tables.clock.now() + lobby.CLOSES_AFTER_MS),
            invited=None if invited is None else invited.id,
            parent=getattr(interaction.channel, "parent_id", None),
        )
        thread, line = None, ""
        if settings.threads:
            await self._tables.check_limits(new, seats)  # before anything of it is posted in the channel
            try:
                thread = await threads.create(interaction, ui)
            except threads.NoThread as refused:
                line = f"{REFUSED} Your table stands in the channel itself. {refused}"
        messages = await self._open_in(thread, new, seats)
        messages.message.hold()
        if thread is not None:
            line = f"{TAKEN} Your table has a thread of its own: <#{thread.id}>"
            name = f"{ui.game.title} · table {messages.table.id}"
            self._tables.spawn(threads.rename(thread, name), f"thread-{thread.id}")
        messages.table.announce(visible=False)  # the table exists, even if its start or the answer fails
        try:
            if alone:
                await self._tables.begin(messages.table, snowflake_time(interaction.id))
        except StoreError:
            messages.message.release()
            raise
        return messages, line

    async def _open_in(self, thread: discord.Thread | None, new: NewTable, seats: Sequence[SeatRow]) -> TableMessages:
        """Open a table in the thread that was created for it, if any; the thread is deleted if the table is refused.
        Raises `UserError` or `StoreError`.
        """
        if thread is None:
            return await self._tables.open(new, seats)
        try:
            there = msgspec.structs.replace(new, channel=thread.id, parent=new.channel)
            return await self._tables.open(there, seats)
        except Exception:
            self._tables.spawn(threads.discard(thread), f"thread-{thread.id}")
            raise

    async def _check_channel(self, interaction: discord.Interaction) -> None:
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
        settings = await self._tables.settings.of(interaction.guild_id)
        if not settings.allows(interaction.channel_id, getattr(interaction.channel, "parent_id", None)):
            where = ", ".join(f"<#{channel}>" for channel in settings.channels)
            raise UserError(f"On this server tables stand in {where}. Use the command there.")

    async def _rematch(self, request: TableRequest) -> None:
        table, user = request.table, request.user
        if table.snapshot.row.status != "over":
            raise UserError("This game is not over yet.")
        request.require_seat()
        if table.snapshot.practice:
            raise UserError("*Play again* begins another practice game.")
        await self._check_channel(request.interaction)
        async with self._rematch_lock:  # two who press at once mean the same rematch
            following = await self._open_rematch_of(table.id)
            if following is None:
                following = await self._new_rematch(table.snapshot, user)
            elif following.table.snapshot.seat_of(user.id) is not None:
                raise UserError(
                    "You are in already; the rematch begins when all who played have pressed. *Let others join* "
                    "opens its table, where you can also leave."
                )
            else:
                await following.table.act(lobby.join, user.id, user.display_name, request.at)
            await self._tables.begin_rematch(following, request.at)
        await self._tables.publisher.show_rematch(table.id)
        responder, rematch = request.responder, following.table
        await request.messages.message.answer(responder)
        if rematch.snapshot.playing and rematch.snapshot.alone and rematch.game.has_hidden_info and responder.on_table:
            await following.message.settle()  # what comes later is further down
            await following.pages.answer_in_new_message(responder)

    async def _let_others_join(self, request: TableRequest) -> None:
        request.require_seat()
        following = await self._open_rematch_of(request.table.id)
        if following is None or following.table.snapshot.seat_of(request.user.id) is None:
            raise UserError("You are in no rematch that others could join. Press *Rematch* first.")
        if following.message.number is None:
            following.message.repost()
            await following.message.settle()
        await self._tables.publisher.show_rematch(request.table.id)
        await request.messages.message.answer(request.responder)

    async def _open_rematch_of(self, table: int) -> TableMessages | None:
        """Return the rematch that gathers, if one does. Raises `UserError` if it has begun."""
        row = await self._tables.store.tables.rematch_of(table)
        following = None if row is None else await self._tables.find(row.id)
        if following is None or following.table.snapshot.in_lobby:
            return following
        if following.table.snapshot.playing:
            link = following.message.link()
            where = f"[table {following.table.id}]({link})" if link else f"table {following.table.id}"
            raise UserError(f"The rematch has already begun: {where}.")
        return None

    async def _new_rematch(self, table: TableSnapshot, user: discord.abc.User) -> TableMessages:
        row, now = table.row, self._tables.clock.now()
        levels = [seat.level for seat in table.seats if seat.level is not None]
        return await self._tables.open(
            NewTable(
                game=row.game,
                guild=row.guild,
                channel=row.channel,
                opener=user.id,
                options=row.options,
                created_at=now,
                due=Moment(now + lobby.CLOSES_AFTER_MS),
                rematch_of=row.id,
                parent=row.parent,
            ),
            lobby.initial_seats(user.id, user.display_name, levels),
        )


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
