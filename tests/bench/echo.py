"""A bare discord.py bot for comparison: one command that posts a button, and a button that answers at once.

`python -m tests.bench.echo` with the token and addresses in the environment, like `bot.py`.
"""

import os
from typing import Any

import discord
from discord import app_commands, ui

import bot


class Echo(ui.DynamicItem[ui.Button[Any]], template=r"echo:(?P<number>\d+)"):
    """A button that answers with its number, privately."""

    @classmethod
    async def from_custom_id(cls, interaction: discord.Interaction, item: ui.Item[Any], match: Any, /) -> "Echo":
        return cls(item)  # type: ignore[arg-type]  # the template matches buttons only

    async def callback(self, interaction: discord.Interaction) -> None:
        await interaction.response.send_message("echo", ephemeral=True)


class Bare(discord.AutoShardedClient):
    """The client, as bare as it goes."""

    def __init__(self) -> None:
        super().__init__(intents=discord.Intents(guilds=True), max_messages=None)
        self.tree = app_commands.CommandTree(self)
        self.add_dynamic_items(Echo)

        @self.tree.command(name="echo", description="A button that echoes.")
        async def echo(interaction: discord.Interaction) -> None:
            view = ui.View(timeout=None)
            view.add_item(ui.Button(label="Echo", custom_id="echo:1"))
            view.stop()
            await interaction.response.send_message("press", view=view)

    async def setup_hook(self) -> None:
        await self.tree.sync()


if __name__ == "__main__":
    bot.point_at(os.environ["DISCORD_API"], os.environ["DISCORD_GATEWAY"])
    Bare().run(os.environ["DISCORD_TOKEN"], log_handler=None)
