"""`/language`: in which language a person reads what only they can see."""

from typing import Any

import discord
from discord import app_commands
from discord.ext import commands

from cogs.core.i18n.languages import own_name
from cogs.core.i18n.translation import _, speak
from cogs.core.inbound.command_options import anywhere
from cogs.core.publishing.responder import responder_for
from cogs.core.tables.language_choice import LanguageChoice

AS_DISCORD = "discord"
"""The choice of a person who wants the language of their Discord."""


class LanguageCommands(commands.Cog):
    """Adds the command, if there is a choice."""

    def __init__(self, tree: app_commands.CommandTree[Any], language_choice: LanguageChoice) -> None:
        if language_choice.languages.several:
            tree.add_command(_language_command(language_choice))


def _language_command(choice: LanguageChoice) -> app_commands.Command[Any, ..., None]:
    languages = choice.languages
    offered = [app_commands.Choice(name="Same as Discord", value=AS_DISCORD)]
    offered += [app_commands.Choice(name=own_name(languages.of(code)), value=code) for code in languages.codes]

    @app_commands.command(name="language", description="Choose the language of everything that only you can see.")
    @app_commands.describe(language="What others can read is in the server's language")
    @app_commands.choices(language=offered)
    @anywhere
    async def language(interaction: discord.Interaction, language: str) -> None:
        chosen = await choice.choose(interaction.user.id, None if language == AS_DISCORD else language)
        speak(chosen)
        await responder_for(interaction).send_private(_("I'll speak {language} to you.", language=own_name(chosen)))

    return language
