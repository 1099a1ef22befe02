"""Nim's slash commands."""

import discord
from discord import app_commands

from cogs.core.inbound.command_options import WHICH_TABLE, OwnTable
from cogs.core.inbound.game_cog import GameCog
from tests.sixth.game import GAME, Take


class Nim(GameCog, group_name="nim", group_description="The game of three heaps."):
    """Commands of Nim."""

    game = GAME

    @app_commands.command(description="Take from a heap.")
    @app_commands.describe(heap="Which one, from 1", count="How many", table=WHICH_TABLE)
    async def take(
        self, interaction: discord.Interaction, heap: int, count: int, table: OwnTable | None = None
    ) -> None:
        """Take from a heap."""
        await self._act(interaction, table, Take(heap, count), f"You took {count}.")
