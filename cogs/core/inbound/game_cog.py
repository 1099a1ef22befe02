"""The base of every game's cog: a group of slash commands, each about one of the user's tables of the game."""

from typing import ClassVar

import discord
from discord import app_commands
from discord.ext import commands

from cogs.core.inbound.request import TableRequest
from cogs.core.inbound.service import Service
from cogs.core.inbound.start_command import add_start
from cogs.core.inbound.table_service import TableService
from cogs.core.ops.errors import UserError
from engine.contract import Action, AnyGame, Seat


@app_commands.guild_only()
class GameCog(commands.GroupCog):
    """The commands of one `game`. If no table is given, the table is meant at which the user plays. All methods raise
    `UserError` if there is no such table.
    """

    game: ClassVar[AnyGame]

    def __init__(self, tables: TableService, service: Service) -> None:
        self._tables = tables
        self._service = service
        super().__init__()
        add_start(self, service, tables.game_uis[self.game.key])

    async def _act(
        self, interaction: discord.Interaction, table: int | None, action: Action, done: str, *, final: bool = False
    ) -> None:
        """Do something at a table, and answer that it is `done`. A `final` action is never done at a guessed table."""
        await self._service.command(interaction, self.game.key, table, action, done, final=final)

    async def _at(self, interaction: discord.Interaction, table: int | None) -> TableRequest:
        """Return a command as a request about the table that it means."""
        return await self._tables.of_user(interaction, self.game.key, table)

    async def _show_hand(self, interaction: discord.Interaction, table: int | None) -> None:
        """Show the asker's own page."""
        request = await self._at(interaction, table)
        request.require_seat()
        await request.pages.resume(request.responder)

    async def _show_text(self, interaction: discord.Interaction, table: int | None) -> None:
        """Show the table as text."""
        await self._service.text_view(await self._at(interaction, table))

    async def _seated(self, interaction: discord.Interaction) -> tuple[TableRequest, Seat]:
        """Return a command under way as a request about the table that it means, and the asker's seat in its game."""
        number = getattr(interaction.namespace, "table", None)
        request = await self._at(interaction, number if isinstance(number, int) else None)
        seat = request.seat
        if seat is None or not request.snapshot.playing:
            raise UserError("You are not playing at that table.")
        return request, seat
