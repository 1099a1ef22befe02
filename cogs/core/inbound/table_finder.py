"""Finds the tables that people mean, and opens new ones."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import discord

from cogs.core.inbound.request import TableRequest
from cogs.core.ops.errors import UserError
from cogs.core.pages.game_catalog import GameCatalog
from cogs.core.publishing.responder import responder_for
from cogs.core.publishing.table_messages import Publisher, TableMessages
from cogs.core.tables import absence
from cogs.core.tables.table import Table
from cogs.core.tables.table_registry import TableRegistry
from data.store import Limits, NewTable, SeatRow, TableRow
from data.store.cluster_notices import Pressed


@dataclass(eq=False)
class TableFinder:
    """Finds tables with their messages, loading them if necessary, and opens them."""

    games: GameCatalog
    registry: TableRegistry
    publisher: Publisher

    async def find(self, number: int) -> TableMessages | None:
        """Return the table with this number and its messages; None if there is none. Raises `BrokenRecord`."""
        table = await self.registry.find(number)
        return None if table is None else self.publisher.of(table)

    async def readable(self, rows: Iterable[TableRow]) -> tuple[list[TableMessages], list[int]]:
        """Return those of these tables that exist, and the numbers of those whose record cannot be read."""
        found, broken = await self.registry.readable(rows)
        return [self.publisher.of(table) for table in found], broken

    async def open(self, new: NewTable, seats: Sequence[SeatRow], limits: Limits) -> TableMessages:
        """Open a table with these people, numbered in this order. Raises `LimitReached` or another `StoreError`."""
        return self.publisher.of(await self.registry.open(new, seats, limits))

    async def of_command(
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
            raise UserError(
                "You are not playing this game in this channel. Open a table with "
                f"`/{self.games[game].command} start`, or see `/tables`."
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

    async def of_message(self, message: discord.Message, game: str) -> TableMessages | None:
        """Return the table of a game at which somebody plays in the channel where they wrote a message; None if there
        is none, or more than one.
        """
        guild = None if message.guild is None else message.guild.id
        rows = await self.registry.of_user(message.author.id, guild, message.channel.id, game)
        messages = await self.find(rows[0].id) if len(rows) == 1 else None
        if messages is not None:
            await self.visit(messages, message.author.id)
        return messages

    async def visit(self, messages: TableMessages, user: int) -> None:
        """Note that a user asks for anything at a table: every way in to the table calls this once."""
        table = messages.table
        table.used = max(table.used, messages.attention.pressed(user))
        if table.elsewhere:
            table.tell_owner(Pressed(table.id, user))
        if user in table.snapshot.lapsed:
            await absence.forgive(table, user)
