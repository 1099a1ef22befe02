"""Which commands are offered where: to members of servers with the bot, and to users who installed it."""

from __future__ import annotations

import discord
import pytest
from discord import app_commands

from sandbox import Refused

from .conftest import Bot, Scene


class Taken(Bot):
    """Add a command for servers, one for every place and installation, and one without a declaration."""

    def __init__(self) -> None:
        super().__init__()
        self.owners: list[tuple[bool, bool]] = []

        @self.tree.command(name="table", description="On servers.")
        @app_commands.allowed_installs(guilds=True, users=False)
        @app_commands.guild_only()
        async def table(interaction: discord.Interaction) -> None:
            await self._answer(interaction)

        @self.tree.command(name="learn", description="Anywhere.")
        @app_commands.allowed_installs(guilds=True, users=True)
        @app_commands.allowed_contexts(guilds=True, dms=True, private_channels=True)
        async def learn(interaction: discord.Interaction) -> None:
            await self._answer(interaction)

        @self.tree.command(name="usual", description="As the application is configured.")
        async def usual(interaction: discord.Interaction) -> None:
            await self._answer(interaction)

    async def _answer(self, interaction: discord.Interaction) -> None:
        self.owners.append((interaction.is_guild_integration(), interaction.is_user_integration()))
        await interaction.response.send_message("Here.", ephemeral=True)


async def test_people_who_install_the_bot_can_use_its_user_commands_anywhere(scene: Scene) -> None:
    bot = Taken()
    await scene.start(bot)
    elsewhere = scene.sandbox.add_guild("Elsewhere", with_bot=False)
    hall = scene.sandbox.add_channel(elsewhere, "hall")
    dora = scene.sandbox.add_person("Dora", elsewhere)
    assert dora.commands(hall) == [] and dora.commands(dora.dm) == []
    with pytest.raises(Refused):
        await dora.command(hall, "learn")
    dora.install()
    assert set(dora.commands(hall)) == set(dora.commands(dora.dm)) == {"learn", "usual"}
    for channel in (hall, dora.dm):
        assert (await dora.command(channel, "learn")).text == "Here."
    assert bot.owners == [(False, True), (False, True)]
    assert set(scene.ann.commands(scene.yard)) == {"table", "learn", "usual"}
    await scene.ann.command(scene.yard, "table")
    assert bot.owners[-1] == (True, False)


async def test_the_bot_cannot_write_where_it_is_only_brought_along(scene: Scene) -> None:
    hall = scene.sandbox.add_channel(scene.sandbox.add_guild("Elsewhere", with_bot=False), "hall")
    bot = Taken()
    await scene.start(bot)
    with pytest.raises(discord.Forbidden):
        await bot.get_partial_messageable(int(hall.id)).send("hello")
