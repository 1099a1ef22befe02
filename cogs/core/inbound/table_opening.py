"""Opening tables: by a start command, with or without an invitation, and as a rematch."""

import asyncio
from collections.abc import Sequence

import discord
import msgspec

from cogs.core.inbound import threads
from cogs.core.inbound.handlers import Handler, TableHandler
from cogs.core.inbound.player_actions import seat_at
from cogs.core.inbound.table_service import TableService
from cogs.core.ops.errors import UserError
from cogs.core.pages.custom_ids import ComponentPress
from cogs.core.pages.game_ui import marked
from cogs.core.pages.page import Page, Text
from cogs.core.publishing.player_page_host import REFUSED, TAKEN
from cogs.core.publishing.responder import reply_to
from cogs.core.publishing.table_messages import TableMessages
from cogs.core.tables import lobby
from cogs.core.tables.options import written
from data.store import NewTable, SeatRow, StoreError
from engine.contract import Moment, Options
from engine.players import Level

NEEDED = {
    "view_channel": "View Channel",
    "send_messages": "Send Messages",
    "attach_files": "Attach Files",
}
"""What the bot must be allowed to do in a channel to hold a table there."""


class TableOpener:
    """Opens tables."""

    def __init__(self, tables: TableService) -> None:
        self._tables = tables
        self._rematching = asyncio.Lock()

    def verbs(self) -> tuple[Handler, ...]:
        """Return the verbs that are served here."""
        return (TableHandler("rematch", self._again), TableHandler("rematch-open", self._let_others_join))

    async def open_table(
        self,
        interaction: discord.Interaction,
        game: str,
        options: Options,
        computers: Sequence[Level],
        invited: discord.abc.User | None,
    ) -> None:
        """Open a table as the answer to a slash command.

        It begins at once if nobody else is wanted and enough sit there.
        """
        session, line = await self._opened(interaction, game, options, computers, invited)
        if line:
            session.message.release()
            await self._tables.visit(session, interaction.user.id)
            await session.cockpits(interaction).answer(interaction, line=line)
            await session.message.settle()
        else:
            await session.message.open_through(interaction)
        if invited is not None:
            self._tables.spawn(invite(session), f"invite-{session.table.id}")

    async def open_privately(self, interaction: discord.Interaction, game: str, computers: Sequence[Level]) -> None:
        """Open a table as the answer to a control on somebody's private page, which says where the table is then: their
        own page at it follows below, unless it would show a second time what the table shows. Where the table has a
        thread of its own, their page is the one that was pressed.

        With computers it begins at once, if enough sit there then.
        """
        screen = self._tables.screens[game]
        session, line = await self._opened(interaction, game, screen.game.options(), computers, None)
        session.message.release()
        await self._tables.visit(session, interaction.user.id)
        if session.table.snapshot.row.channel != interaction.channel_id:
            await session.pages.answer(interaction, line=line)
            return
        needed = (
            screen.game.has_hidden_info or session.table.snapshot.in_lobby
        )  # else the table has all that there is to see and to press
        where = f"Table {session.table.id} stands below{', and below it your own page' if needed else ''}."
        said = "\n".join(filter(None, (f"### {screen.game.title}", where, line)))
        await reply_to(interaction).show(Page((Text(said),), screen.colour))
        await session.message.settle()  # what comes later stands further down
        if needed:
            await session.pages.answer_anew(interaction)

    async def _opened(
        self,
        interaction: discord.Interaction,
        game: str,
        options: Options,
        computers: Sequence[Level],
        invited: discord.abc.User | None,
    ) -> tuple[TableMessages, str]:
        """Return the new table, and what only its opener is told of where it stands; mostly nothing."""
        await self._check_channel(interaction)
        screen = self._tables.screens[game]
        if invited is not None and invited.bot:
            raise UserError("Bots do not play. Choose a computer player with the option `computer`.")
        if invited is not None and invited.id == interaction.user.id:
            raise UserError("You cannot invite yourself. Leave `invite` empty, and others can join.")
        seats = lobby.first_seat(interaction.user.id, interaction.user.display_name, computers)
        if len(seats) + (invited is not None) > screen.game.player_counts[-1]:
            raise UserError(
                f"{screen.game.title} has room for {screen.game.player_counts[-1]} players; you asked for more."
            )
        assert interaction.guild_id is not None and interaction.channel_id is not None
        settings = await self._tables.settings.of(interaction.guild_id)
        by_command = interaction.type is discord.InteractionType.application_command
        enough = len(seats) == screen.game.player_counts[-1] if by_command else len(seats) in screen.game.player_counts
        alone = bool(computers) and invited is None and enough
        options = settings.usual(screen.game, options, interaction.namespace)
        clock = game in settings.clocks or getattr(interaction.namespace, "clock", None) is not None
        new = NewTable(
            game=game,
            guild=interaction.guild_id,
            channel=interaction.channel_id,
            opener=interaction.user.id,
            options=written(options, clock=clock),
            created_at=self._tables.clock.now(),
            due=Moment(self._tables.clock.now() + lobby.CLOSES_AFTER_MS),
            invited=None if invited is None else invited.id,
            parent=getattr(interaction.channel, "parent_id", None),
        )
        thread, line = None, ""
        if settings.threads:
            await self._tables.check_limits(new, seats)  # before anything of it stands in the channel
            try:
                thread = await threads.begun(interaction, screen)
            except threads.NoThread as refused:
                line = f"{REFUSED} Your table stands in the channel itself. {refused}"
        session = await self._open_in(thread, new, seats)
        session.message.hold()
        if thread is not None:
            line = f"{TAKEN} Your table has a thread of its own: <#{thread.id}>"
            name = f"{screen.game.title} · table {session.table.id}"
            self._tables.spawn(threads.called(thread, name), f"thread-{thread.id}")
        session.table.announce(visible=False)  # the table exists, whatever becomes of its beginning and of the answer
        try:
            if alone:
                await self._tables.begin(session.table)
        except StoreError:
            session.message.release()
            raise
        return session, line

    async def _open_in(self, thread: discord.Thread | None, new: NewTable, seats: Sequence[SeatRow]) -> TableMessages:
        """Open a table where it is to stand: in the thread that was begun for it, if one was, which goes again if the
        table is refused. Raises `UserError` or `StoreError`.
        """
        if thread is None:
            return await self._tables.open(new, seats)
        try:
            there = msgspec.structs.replace(new, channel=thread.id, parent=new.channel)
            return await self._tables.open(there, seats)
        except Exception:
            self._tables.spawn(threads.taken_back(thread), f"thread-{thread.id}")
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

    async def _again(self, interaction: discord.Interaction, session: TableMessages, control: ComponentPress) -> None:
        table, user = session.table, interaction.user
        if table.snapshot.row.status != "over":
            raise UserError("This game is not over yet.")
        seat_at(session, user.id)
        if table.snapshot.practice:
            raise UserError("*Play again* begins another practice game.")
        await self._check_channel(interaction)
        async with self._rematching:  # two who press at once mean the same rematch
            following = await self._following(session)
            if following is None:
                following = await self._open_rematch(session, user)
            elif following.table.snapshot.seat_of(user.id) is not None:
                raise UserError(
                    "You are in already; the rematch begins when all who played have pressed. *Let others join* "
                    "opens its table, where you can also leave."
                )
            else:
                await following.table.act(lobby.join, user.id, user.display_name, self._tables.clock.now())
            await self._tables.begin_rematch(following)
        await self._tables.tell_of_rematch(table.id)
        reply, begun = reply_to(interaction), following.table
        await session.message.answer(reply)
        if begun.snapshot.playing and begun.snapshot.alone and begun.game.has_hidden_info and reply.on_table:
            await following.message.settle()  # what comes later stands further down
            await following.pages.answer_anew(interaction)

    async def _let_others_join(
        self, interaction: discord.Interaction, session: TableMessages, control: ComponentPress
    ) -> None:
        seat_at(session, interaction.user.id)
        following = await self._following(session)
        if following is None or following.table.snapshot.seat_of(interaction.user.id) is None:
            raise UserError("You are in no rematch that others could join. Press *Rematch* first.")
        if following.message.number is None:
            following.message.repost()
            await following.message.settle()
        await self._tables.tell_of_rematch(session.table.id)
        await session.message.answer(reply_to(interaction))

    async def _following(self, session: TableMessages) -> TableMessages | None:
        """Return the rematch that gathers, if one does. Raises `UserError` if it has begun."""
        row = await self._tables.store.tables.rematch_of(session.table.id)
        following = None if row is None else await self._tables.find(row.id)
        if following is None or following.table.snapshot.in_lobby:
            return following
        if following.table.snapshot.playing:
            link = following.message.link()
            where = f"[table {following.table.id}]({link})" if link else f"table {following.table.id}"
            raise UserError(f"The rematch has already begun: {where}.")
        return None

    async def _open_rematch(self, session: TableMessages, user: discord.abc.User) -> TableMessages:
        row, now = session.table.snapshot.row, self._tables.clock.now()
        levels = [seat.level for seat in session.table.snapshot.seats if seat.level is not None]
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
            lobby.first_seat(user.id, user.display_name, levels),
        )


async def invite(session: TableMessages) -> None:
    """Mention whoever is invited to a table. Raises what a call raises that fails."""
    table = session.table
    if table.snapshot.row.invited is None or not table.snapshot.in_lobby:
        return
    opener = next(
        (marked(seat.seat, seat.name) for seat in table.snapshot.seats if seat.user == table.snapshot.row.opener),
        "Somebody",
    )
    where = f"[table {table.id}]({session.message.link()})"
    words = f"{opener} invites you to {table.game.title} · {where}, where you can join or decline"
    await session.reminder.invite(table.snapshot.row.invited, words)
