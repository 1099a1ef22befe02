"""Finds the tables that people mean."""

import logging
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

import discord

from cogs.core.i18n.translation import _
from cogs.core.inbound.access import find_readable
from cogs.core.inbound.request import TableRequest
from cogs.core.ops.errors import UserError
from cogs.core.ops.text_format import listed
from cogs.core.pages.game_catalog import GameCatalog
from cogs.core.publishing import message_links
from cogs.core.publishing.responder import responder_for
from cogs.core.publishing.table_messages import TableMessages
from cogs.core.tables import absence
from cogs.core.tables.component import PerTable
from cogs.core.tables.snapshot import TableSnapshot
from cogs.core.tables.table_registry import TableRegistry
from data.store import OpenTable, Store, TableRow
from data.store.cluster_notices import Pressed
from engine.contract import BrokenRecord, Seat

log = logging.getLogger(__name__)

Fits = Callable[[TableSnapshot, Seat], bool]
"""Whether a request may mean a table, out of several at which somebody plays."""


def awaited(table: TableSnapshot, seat: Seat) -> bool:
    """Fit tables at which the game waits for the person."""
    return seat in table.view(None).to_act


@dataclass(eq=False)
class TableFinder:
    """Finds tables with their messages, loading them if necessary."""

    games: GameCatalog
    store: Store
    registry: TableRegistry
    messages: PerTable[TableMessages]

    async def find(self, number: int) -> TableMessages | None:
        """Return the table with this number and its messages; None if there is none. Raises `BrokenRecord`."""
        table = await self.registry.find(number)
        return None if table is None else self.messages[table]

    async def readable(self, rows: Iterable[TableRow | OpenTable]) -> tuple[list[TableMessages], list[int]]:
        """Return those of these tables that exist, and the numbers of those whose record cannot be read."""
        found = list[TableMessages]()
        broken = list[int]()
        for row in rows:
            try:
                messages = await self.find(row.id)
            except BrokenRecord as error:
                log.warning("table %s cannot be read: %s", row.id, error)
                broken.append(row.id)
            else:
                found += () if messages is None else (messages,)
        return found, broken

    async def of_command(
        self, interaction: discord.Interaction, game: str, number: int | None, fits: Fits | None = awaited
    ) -> TableRequest:
        """Return a command as a request about the table that it means: the one named, or the only one of this user and
        game in this channel, or if there is none, on this server; or the only one of those that it `fits`. One that is
        named must be theirs or in a channel that they see. Raises `UserError`.
        """
        messages = await self._find_meant(interaction, game, number, fits)
        await self.visit(messages, interaction.user.id)
        return TableRequest(responder_for(interaction), messages)

    async def of_reader(self, interaction: discord.Interaction, game: str, number: int | None) -> TableRequest:
        """Return a command of anybody as a request about a table of a game that has begun: the one named, or their own,
        or the only one that is played in this channel. Raises `UserError`.
        """
        rows = [await find_readable(self.store, number, interaction)] if number is not None else []
        user, guild, channel = interaction.user.id, interaction.guild_id, interaction.channel_id
        if number is None:
            rows = await self._running(user, guild, channel, game)
            here = await self.store.tables.in_channel(channel or 0) if not rows else []
            rows = rows or [row for row in here if row.status == "playing"]
        rows = [row for row in rows if row.game == game]
        if len(rows) > 1:
            tables = _numbered(rows)
            raise UserError(_("Several games are in progress here: {tables}. Choose one with `table`.", tables=tables))
        messages = await self.find(rows[0].id) if rows else None
        if number is not None and messages is not None and messages.table.snapshot.in_lobby:
            raise UserError(_("The game hasn't started."))
        if messages is None or messages.table.snapshot.state is None:
            title = self.games[game].title
            raise UserError(_("No game of {game} is in progress here. Choose a table with `table`.", game=title))
        await self.visit(messages, user)
        return TableRequest(responder_for(interaction), messages)

    async def _find_meant(
        self, interaction: discord.Interaction, game: str, number: int | None, fits: Fits | None
    ) -> TableMessages:
        if number is not None:
            messages = await self.find(number)
            table = None if messages is None else messages.table.snapshot
            if messages is None or table is None or table.row.guild != interaction.guild_id or table.row.game != game:
                rows = await self._running(interaction.user.id, interaction.guild_id, None, game)
                missing = _("This server has no table {table} of this game.", table=number)
                yours = (
                    _("You're playing at {tables}.", tables=_numbered(rows)) if rows else _("`/tables` lists yours.")
                )
                raise UserError(f"{missing} {yours}")
            if table.seat_of(interaction.user.id) is None:
                await find_readable(self.store, number, interaction)
            return messages
        user = interaction.user.id
        rows = await self._running(user, interaction.guild_id, interaction.channel_id, game)
        rows = rows or await self._running(user, interaction.guild_id, None, game)
        if not rows:
            command = self.games[game].command
            raise UserError(
                _(
                    "You're not playing this game. `/{command} start` opens a table; `/tables` lists them.",
                    command=command,
                )
            )
        found = await self._fitting(user, rows, fits)
        if found is None:
            links = listed(message_links.link(row) for row in rows)
            raise UserError(_("You're playing at several tables: {tables}. Choose one with `table`.", tables=links))
        return found

    async def of_message(self, message: discord.Message, game: str, command: str, fits: Fits) -> TableMessages | None:
        """Return the table of a game that somebody means who plays in the channel where they wrote a message; None if
        they play at none. Raises `UserError`, with the command to use instead, if it may be more than one.
        """
        guild, user = None if message.guild is None else message.guild.id, message.author.id
        rows = await self._running(user, guild, message.channel.id, game)
        if not rows:
            return None
        messages = await self._fitting(user, rows, fits)
        if messages is None:
            tables = _numbered(rows)
            raise UserError(
                _(
                    "You're playing at {tables} here. Use `/{command}` and choose one with `table`.",
                    tables=tables,
                    command=command,
                )
            )
        await self.visit(messages, user)
        return messages

    async def _running(self, user: int, guild: int | None, channel: int | None, game: str) -> list[TableRow]:
        """Return the running tables of a game at which a user sits, on a server or in one channel."""
        rows = await self.store.tables.of(user, guild=guild, channel=channel)
        return [row for row in rows if row.game == game and row.status == "playing"]

    async def _fitting(self, user: int, rows: Sequence[TableRow], fits: Fits | None) -> TableMessages | None:
        """Return the only one of a user's running tables, or the only one that a request fits."""
        if len(rows) == 1:
            return await self.find(rows[0].id)
        if fits is None:
            return None
        fitting = []
        for messages in (await self.readable(rows))[0]:
            table, seat = messages.table.snapshot, messages.table.snapshot.seat_of(user)
            if seat is not None and table.playing and fits(table, seat):
                fitting.append(messages)
        return fitting[0] if len(fitting) == 1 else None

    async def visit(self, messages: TableMessages, user: int) -> None:
        """Note that a user asks for anything at a table: every way in to the table calls this once."""
        table = messages.table
        table.used = max(table.used, messages.attention.pressed(user))
        if table.elsewhere:
            table.tell_owner(Pressed(table.id, user))
        if user in table.snapshot.doubted:
            await absence.forgive(table, user)
            messages.forgiven(user)

    async def note_presence(self, number: int, user: int) -> None:
        """Note that a user pressed something on the message of a table that asks nothing of it, such as *Rules*."""
        table = self.registry.present.get(number)
        if table is not None and user in table.snapshot.doubted:
            await absence.forgive(table, user)
            self.messages[table].forgiven(user)


def _numbered(rows: Iterable[TableRow]) -> str:
    """Return tables by their numbers."""
    return listed(_("table {table}", table=row.id) for row in rows)
