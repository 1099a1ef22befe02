"""`/settings language`: in which language everybody on a server reads tables, posts and mentions."""

from collections.abc import Awaitable, Callable
from typing import Any

import discord
from discord import app_commands

from cogs.core.i18n.languages import Languages, own_name
from cogs.core.i18n.translation import _

LANGUAGE = "language"
"""The name of the setting in the store."""

Change = Callable[[discord.Interaction, str, str | None], Awaitable[None]]
"""Stores a setting, and shows all."""


def language_line(languages: Languages, code: str | None) -> str:
    """Return the line about it among all settings."""
    chosen = languages.find(code)
    if chosen is None:
        return _("**Language**: the server's own in Discord if I know it, otherwise English (`/settings language`).")
    return _("**Language**: {language} (`/settings language`).", language=own_name(chosen))


def language_command(
    languages: Languages, change: Change, changed: Callable[[int], None]
) -> app_commands.Command[Any, ..., None]:
    """Return the command. `changed` is called with the server."""
    offered = [app_commands.Choice(name=own_name(languages.of(code)), value=code) for code in languages.codes]

    @app_commands.command(
        name="language", description="Choose the language of everything others can read on this server."
    )
    @app_commands.describe(language="Leave it out to use the server's own language in Discord")
    @app_commands.choices(language=offered)
    async def language(interaction: discord.Interaction, language: str | None = None) -> None:
        await change(interaction, LANGUAGE, language)
        if interaction.guild_id is not None:
            changed(interaction.guild_id)

    return language
