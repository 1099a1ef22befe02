"""The library's tree of commands, with the border before it and the one handler behind it."""

import asyncio
from typing import Any

import discord
from discord import app_commands
from discord.abc import Snowflake

from cogs.core.inbound.command_validation import check_command, check_completion
from cogs.core.inbound.error_handler import answer_command_error, answer_error
from cogs.core.publishing.app_emoji import EmojiMarkup
from cogs.core.publishing.responder import reply_to

LAST_BREATH_S = 2.0
"""Who is being served when the bot stops is answered yet, if that takes no longer."""


class CommandTree(app_commands.CommandTree[Any]):
    """Where every command and every completion comes in."""

    def __init__(self, client: Any) -> None:
        # Only what says so can be used by people who have installed us for themselves.
        super().__init__(client, allowed_installs=app_commands.AppInstallationType(guild=True))
        self.markup = EmojiMarkup()
        self._serving: set[asyncio.Task[Any]] = set()

    def serves(self) -> None:
        """Take note that the present task serves somebody, whatever they have used."""
        task = asyncio.current_task()
        assert task is not None
        self._serving.add(task)
        task.add_done_callback(self._serving.discard)

    async def served(self) -> None:
        """Return when all have been answered who are being served now, or that has taken too long."""
        if self._serving:
            await asyncio.wait({*self._serving}, timeout=LAST_BREATH_S)

    async def sync(self, *, guild: Snowflake | None = None) -> list[app_commands.AppCommand]:
        """Tell Discord our commands, and learn by which numbers texts can mention them."""
        found = await super().sync(guild=guild)
        self.markup.commands.learn(found)
        return found

    async def learn(self) -> None:
        """Learn by which numbers texts can mention our commands, which another process has told Discord."""
        self.markup.commands.learn(await self.fetch_commands())

    async def interaction_check(self, interaction: discord.Interaction, /) -> bool:
        """Let through whose options are what was declared; answer everybody else."""
        self.serves()
        reply = reply_to(interaction)
        completes = interaction.type is discord.InteractionType.autocomplete
        try:
            (check_completion if completes else check_command)(interaction)
        except Exception as error:
            if completes:
                await reply.suggest([])
            else:
                await answer_error(interaction, error)
                await reply.end()
            return False
        return True

    async def on_error(self, interaction: discord.Interaction, error: app_commands.AppCommandError, /) -> None:
        """Answer a command that failed."""
        if interaction.type is discord.InteractionType.autocomplete:
            await reply_to(interaction).suggest([])
        else:
            await answer_command_error(interaction, error)
            await reply_to(interaction).end()
