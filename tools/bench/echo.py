"""A bare discord.py bot for comparison. Its command posts buttons: the first answers with text, every other one with
the buttons and a stored picture.

Run `python -m tools.bench.echo` with the token and addresses in the environment, like `bot.py`.
"""

import io
import os
from typing import Any

import discord
from discord import app_commands, ui

from cogs.core.ops.config import point_at

BUTTONS = 14
PICTURE = b"\x89PNG\r\n\x1a\n" + os.urandom(45_000)
"""As large as a table's picture; its content does not matter."""


class Echo(ui.DynamicItem[ui.Button[Any]], template=r"echo:(?P<number>\d+)"):
    """A button that answers without a game."""

    @classmethod
    async def from_custom_id(cls, interaction: discord.Interaction, item: ui.Item[Any], match: Any, /) -> "Echo":
        return cls(item)  # type: ignore[arg-type]  # the template matches buttons only

    async def callback(self, interaction: discord.Interaction) -> None:
        if self.item.custom_id == "echo:1":
            await interaction.response.send_message("echo", ephemeral=True)
        else:
            file = discord.File(io.BytesIO(PICTURE), "picture.png")
            await interaction.response.edit_message(view=buttons(), attachments=[file])


def buttons() -> ui.View:
    """Return as many buttons as a table message has."""
    view = ui.View(timeout=None)
    for number in range(1, BUTTONS + 1):
        view.add_item(ui.Button(label=f"Echo {number}", custom_id=f"echo:{number}"))
    view.stop()
    return view


class Bare(discord.AutoShardedClient):
    """The client."""

    def __init__(self) -> None:
        super().__init__(intents=discord.Intents(guilds=True), max_messages=None)
        self.tree = app_commands.CommandTree(self)
        self.add_dynamic_items(Echo)

        @self.tree.command(name="echo", description="A button that echoes.")
        async def echo(interaction: discord.Interaction) -> None:
            await interaction.response.send_message("press", view=buttons())

    async def setup_hook(self) -> None:
        await self.tree.sync()


if __name__ == "__main__":
    point_at(os.environ["DISCORD_API"], os.environ["DISCORD_GATEWAY"])
    Bare().run(os.environ["DISCORD_TOKEN"], log_handler=None)
