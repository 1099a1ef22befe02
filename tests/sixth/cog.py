"""Nim's slash commands. May import `cogs.core`, `engine`, the rules and the screen."""

import discord
from discord import app_commands
from discord.ext import commands

from cogs.core.router.commands import WHICH_TABLE, own_of
from cogs.core.router.service import Service
from cogs.core.router.starting import add_start
from cogs.core.session.tables import Tables
from tests.sixth.rules import GAME
from tests.sixth.rules.pieces import Take

Number = app_commands.Transform[int, own_of(GAME.key)]


@app_commands.guild_only()
class Nim(commands.GroupCog, group_name="nim", group_description="The game of three heaps."):
    """Commands of Nim."""

    def __init__(self, tables: Tables, service: Service) -> None:
        self._service = service
        super().__init__()
        add_start(self, service, tables.screens[GAME.key])

    @app_commands.command(description="Take from a heap.")
    @app_commands.describe(heap="Which one, from 1", count="How many", table=WHICH_TABLE)
    async def take(self, interaction: discord.Interaction, heap: int, count: int, table: Number | None = None) -> None:
        """Take from a heap."""
        await self._service.command(interaction, GAME.key, table, Take(heap, count), f"You took {count}.")
