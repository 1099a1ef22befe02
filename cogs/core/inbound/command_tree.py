"""The library's tree of commands, with the border before it and the one handler behind it."""

import asyncio
from typing import Any

import discord
from cachetools import LRUCache
from discord import app_commands

from cogs.core.cluster.cluster_client import ClusterClient
from cogs.core.inbound.command_validation import check_command, check_completion
from cogs.core.inbound.error_handler import ErrorHandler
from cogs.core.pages.game_catalog import GameCatalog
from cogs.core.publishing.app_emoji import EmojiMarkup
from cogs.core.publishing.responder import PendingAnswers, Responder, responder_for
from cogs.core.tables.language_choice import LanguageChoice
from data.store import Store

STOP_WAIT_S = 2.0
"""How long answers under way may take when the bot stops."""


RECEIVED = 10_000
"""How many interactions are remembered: those of more minutes than Discord may take to deliver one again."""


def received_interactions() -> LRUCache[int, bool]:
    """Return a memory of what has come in, by id."""
    return LRUCache[int, bool](RECEIVED)


class CommandClient(ClusterClient):
    """The client, as far as commands and the completions of their options need it."""

    games: GameCatalog
    store: Store
    errors: ErrorHandler
    markup: EmojiMarkup
    answers: PendingAnswers
    received: LRUCache[int, bool]  # the last interactions, by id
    language_choice: LanguageChoice


def client_of(interaction: discord.Interaction) -> CommandClient:
    """Return the client that an interaction came in by."""
    assert isinstance(interaction.client, CommandClient)
    return interaction.client


class CommandTree(app_commands.CommandTree[CommandClient]):
    """Receives every command and completion."""

    def __init__(self, client: CommandClient) -> None:
        # Only commands that say so can be used by people who installed the bot for themselves.
        super().__init__(client, allowed_installs=app_commands.AppInstallationType(guild=True))
        self._serving: set[asyncio.Task[Any]] = set()

    def track_task(self) -> None:
        """Note that the present task answers somebody."""
        task = asyncio.current_task()
        assert task is not None
        self._serving.add(task)
        task.add_done_callback(self._serving.discard)

    async def wait_until_answered(self) -> None:
        """Wait until the interactions being served are answered, or that takes too long."""
        if self._serving:
            await asyncio.wait({*self._serving}, timeout=STOP_WAIT_S)

    async def receive(self, interaction: discord.Interaction) -> Responder | None:
        """Return what answers an interaction, and speak the language of its author from now on; it sets the clock, too.
        None for one that Discord delivers again, as after a resumed session: it is answered by its first delivery.
        """
        client = self.client
        self.track_task()
        if interaction.id in client.received:
            return None
        client.received[interaction.id] = True
        responder = Responder(interaction, client.markup, client.answers)
        client.clock.received(responder.at)
        await client.language_choice.speak_to(responder.user, str(interaction.locale), interaction.guild_id)
        return responder

    async def interaction_check(self, interaction: discord.Interaction, /) -> bool:
        """Return True if the options are as declared; answer the command otherwise."""
        responder = await self.receive(interaction)
        if responder is None:
            return False
        completes = interaction.type is discord.InteractionType.autocomplete
        try:
            (check_completion if completes else check_command)(interaction)
        except Exception as error:
            await self.client.errors.refuse(responder, error)
            return False
        return True

    async def on_error(self, interaction: discord.Interaction, error: app_commands.AppCommandError, /) -> None:
        """Answer a command that failed."""
        await self.client.errors.refuse(responder_for(interaction), error)
