"""Opening tables: by a start command, with or without an invitation, and as a rematch."""

from collections.abc import Sequence
from dataclasses import dataclass

import discord
import msgspec

from cogs.core.i18n.translation import _, ngettext
from cogs.core.inbound.request import Request
from cogs.core.inbound.table_finder import TableFinder
from cogs.core.ops.errors import UserError
from cogs.core.ops.text_format import listed
from cogs.core.ops.timers import snowflake_time
from cogs.core.pages import display_names, permissions
from cogs.core.pages.display_names import game_title
from cogs.core.pages.game_catalog import GameCatalog
from cogs.core.pages.game_ui import marked
from cogs.core.pages.page import Page, Text
from cogs.core.pages.player_page import REFUSED, TAKEN
from cogs.core.publishing import threads
from cogs.core.publishing.message_links import table_link, where_found
from cogs.core.publishing.responder import responder_for
from cogs.core.publishing.table_messages import TableMessages
from cogs.core.tables import lobby, moves
from cogs.core.tables.language_choice import LanguageChoice
from cogs.core.tables.options import dump_options
from cogs.core.tables.settings import MAX_LISTED, ServerSettings, Settings, limit_words
from cogs.core.tables.snapshot import TableSnapshot
from cogs.core.tables.table import Table
from cogs.core.tables.table_registry import TableRegistry
from data.background import BackgroundTasks
from data.store import NO_SERVER, LimitReached, Limits, NewTable, SeatRow, Store, StoreError, user_list
from engine.contract import AnyGame, Moment, Options
from engine.players import Level

ENDLESS = 10**9
"""A limit that nobody reaches."""


@dataclass(eq=False)
class TableOpener:
    """Opens tables in channels, and keeps to the limits of how many may be open."""

    games: GameCatalog
    store: Store
    settings: ServerSettings
    registry: TableRegistry
    finder: TableFinder
    tasks: BackgroundTasks
    language_choice: LanguageChoice

    async def open(self, new: NewTable, seats: Sequence[SeatRow]) -> TableMessages:
        """Open a table with these people, numbered in this order. Raises `UserError` if as many are open as the
        server's settings allow, and `StoreError`.
        """
        try:
            return self.finder.messages[await self.registry.open(new, seats, await self._limits(new.guild))]
        except LimitReached as reached:
            raise await self._limit_error(new.guild, reached) from reached

    async def _check_limits(self, new: NewTable, seats: Sequence[SeatRow]) -> None:
        """Raise `UserError` if as many tables are open by now as the server's settings allow."""
        try:
            await self.store.tables.check_limits(new, seats, await self._limits(new.guild))
        except LimitReached as reached:
            raise await self._limit_error(new.guild, reached) from reached

    async def check_limits(self, table: TableSnapshot) -> None:
        """Raise `UserError` if a closed table cannot be opened again, since as many are open as the settings allow."""
        row = table.row
        new = NewTable(row.game, row.guild, row.channel, row.opener, row.options, row.created_at, parent=row.parent)
        await self._check_limits(new, table.seats)

    async def _limits(self, guild: int) -> Limits:
        limits = (await self.settings.of(guild)).limits
        if guild == NO_SERVER:
            return Limits(limits.person, channel=ENDLESS, server=ENDLESS)  # nobody's practice is in anybody's way
        return limits

    async def _limit_error(self, guild: int, reached: LimitReached) -> UserError:
        """Return what somebody is told who may open no more tables."""
        if guild == NO_SERVER:
            return UserError(
                ngettext(
                    "You already have {n} unfinished practice game, which is the limit. "
                    "Send me `/play` in a DM to finish it, or end it with *{more}*.",
                    "You already have {n} unfinished practice games, which is the limit. "
                    "Send me `/play` in a DM to finish one, or end one with *{more}*.",
                    reached.most,
                    more=_("More …"),
                )
            )
        rows = [await self.store.tables.get(number) for number in reached.tables[:MAX_LISTED]]
        named = [
            f"{await where_found(self.store, row)} ({self.games[row.game].title})"
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
            by = interaction.user.display_name
            self.tasks.spawn(invite(messages, invited.id, by), f"invite-{messages.table.id}")

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
        needed = ui.game.has_hidden_info or messages.table.snapshot.in_lobby  # else the table shows everything
        number = messages.table.id
        where = (
            _("Table {table} is below, with your private view under it.", table=number)
            if needed
            else _("Table {table} is below.", table=number)
        )
        said = "\n".join(filter(None, (f"### {ui.title}", where, line)))
        await responder.show(Page((Text(said),), ui.colour))
        await messages.message.settle()  # what comes later is further down
        if needed:
            await messages.pages.answer(responder, new_message=True)

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
        seats = _seats(interaction.user, ui.game, bots, invited)
        settings = await self.settings.of(interaction.guild_id or NO_SERVER)
        new = _new_table(interaction, ui.game, options, invited, settings)
        thread, line = await self._make_thread(interaction, new, seats) if settings.threads else (None, "")
        messages = await self._open_in(thread, new, seats)
        messages.message.hold()
        if thread is not None:
            own = _("Your table has its own thread: {thread}", thread=f"<#{thread.id}>")
            line = f"{TAKEN} {own}"
            with await self.language_choice.for_all(new.guild):
                name = _("{game} · table {table}", game=ui.title, table=messages.table.id)
            self.tasks.spawn(thread.edit(name=name), f"thread-{thread.id}")
        messages.table.announce()  # the table exists, even if its start or the answer fails
        by_command = interaction.type is discord.InteractionType.application_command
        counts = ui.game.player_counts
        if bots and invited is None and (len(seats) == counts[-1] or (not by_command and len(seats) in counts)):
            try:
                await begin(self.games, messages.table, new.created_at)
            except StoreError:
                messages.message.release()
                raise
        return messages, line

    async def _make_thread(
        self, interaction: discord.Interaction, new: NewTable, seats: Sequence[SeatRow]
    ) -> tuple[discord.Thread | None, str]:
        """Create the thread of a new table; if Discord refuses it, return a line that says so. Raises `UserError`."""
        await self._check_limits(new, seats)  # before anything of it is posted in the channel
        ui = self.games[new.game]
        with await self.language_choice.for_all(new.guild):
            opening = _("**{game}** · a table is opening.", game=ui.title)
        try:
            return await threads.create(interaction, ui, opening), ""
        except threads.NoThread as refused:
            in_channel = _("Your table is in the channel itself.")
            return None, f"{REFUSED} {in_channel} {refused}"

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
            raise UserError(_("Tables can only be opened in a server's channels. Use this command there."))
        if missing := permissions.missing(interaction.app_permissions, permissions.to_post(interaction.channel)):
            raise UserError(
                ngettext(
                    "I can't host a table here without the permission {permissions}. Ask a server manager for it.",
                    "I can't host a table here without the permissions {permissions}. Ask a server manager for them.",
                    len(missing),
                    permissions=listed(missing),
                )
            )
        settings = await self.settings.of(interaction.guild_id)
        if not settings.allows(interaction.channel_id, getattr(interaction.channel, "parent_id", None)):
            raise UserError(_not_here(settings, interaction.guild))


def _seats(
    opener: discord.abc.User, game: AnyGame, bots: Sequence[Level], invited: discord.abc.User | None
) -> Sequence[SeatRow]:
    """Return the seats of a new table. Raises `UserError` for too many players, or somebody who can't be invited."""
    if invited is not None and invited.bot:
        raise UserError(_("Bots can't play. Add a computer with the option `computer`."))
    if invited is not None and invited.id == opener.id:
        raise UserError(_("You can't invite yourself. Leave `invite` empty so that others can join."))
    seats, most = lobby.initial_seats(opener.id, opener.display_name, bots), game.player_counts[-1]
    if len(seats) + (invited is not None) > most:
        title = game_title(game)
        raise UserError(_("{game} takes at most {n} players. Choose fewer computers.", game=title, n=most))
    return seats


def _new_table(
    interaction: discord.Interaction,
    game: AnyGame,
    options: Options,
    invited: discord.abc.User | None,
    settings: Settings,
) -> NewTable:
    """Return a table that somebody wants in this channel, with the server's defaults for options they did not give."""
    assert interaction.guild_id is not None and interaction.channel_id is not None
    at, given = snowflake_time(interaction.id), interaction.namespace
    options = settings.with_defaults(game, options, given)
    clock = game.key in settings.clocks or getattr(given, "clock", None) is not None
    return NewTable(
        game=game.key,
        guild=interaction.guild_id,
        channel=interaction.channel_id,
        opener=interaction.user.id,
        options=dump_options(options, clock=clock),
        created_at=at,
        due=lobby.closes_at(options, at),
        invited="" if invited is None else user_list([invited.id]),
        parent=getattr(interaction.channel, "parent_id", None),
    )


def _not_here(settings: Settings, guild: discord.Guild | None) -> str:
    """Return why no table may be opened in a channel that the server's settings leave out."""
    if settings.channel_mode == "except":
        return _("New tables aren't allowed in this channel. Use another one.")
    present = [one for one in settings.channels if guild is None or guild.get_channel_or_thread(one) is not None]
    if not present:  # none is listed, or all were deleted
        return _("This server allows no new tables right now. Ask a server manager.")
    where = listed(f"<#{channel}>" for channel in present)
    return _("New tables are only allowed in {channels}. Use the command there.", channels=where)


async def begin(games: GameCatalog, table: Table, at: Moment) -> None:
    """Begin the game with those who sit at a table. Raises `UserError`."""
    await table.act(moves.begin, games.materials[table.game.key], at)


async def invite(messages: TableMessages, whom: int, by: str) -> None:
    """Mention a person whom somebody of this name has invited."""
    table = messages.table.snapshot
    seat = next((seat for seat in table.seats if seat.user == table.row.opener and seat.name == by), None)
    name = display_names.bold(by) if seat is None else marked(seat.seat, seat.name)

    def words() -> str:
        where = table_link(table.id, messages.link())
        game = messages.ui.title
        return _("{name} invites you to {game} · join or decline at {where}", name=name, game=game, where=where)

    await messages.lobby_mentions.call_guest(whom, words)


async def call_host(messages: TableMessages) -> None:
    """Mention the host whom a player asks to replace."""
    row = messages.table.snapshot.row
    if row.heir is None or row.heir_due is None:
        return
    heir, when = f"<@{row.heir}>", f"<t:{row.heir_due // 1_000}:R>"

    def words() -> str:
        where = table_link(row.id, messages.link())
        return _(
            "are you there? {heir} becomes the host of {where} {when} unless you press something there",
            heir=heir,
            where=where,
            when=when,
        )

    await messages.lobby_mentions.call_host(words)
