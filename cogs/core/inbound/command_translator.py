"""Translates what Discord shows of commands: descriptions and choices. Their names stay English, so that they can be
clicked everywhere.
"""

import discord
from discord import app_commands
from discord.app_commands import TranslationContextLocation as Location
from discord.app_commands.translator import TranslationContextTypes

from cogs.core.i18n.languages import Languages
from cogs.core.i18n.translation import ENGLISH

NAMES = {Location.command_name, Location.group_name, Location.parameter_name}

MOST = 100
"""The most characters that Discord takes in a description or a choice."""


class CommandTranslator(app_commands.Translator):
    """Translates by the catalogues. What they lack, or what has no space, stays English."""

    def __init__(self, languages: Languages) -> None:
        self.languages = languages
        found = {locale: languages.of(locale.value) for locale in discord.Locale}
        # discord.py asks for every text in every locale: that few are translated must be known at once.
        self._spoken = {locale: language for locale, language in found.items() if language is not ENGLISH}

    async def translate(
        self,
        string: app_commands.locale_str,
        locale: discord.Locale,
        context: TranslationContextTypes,
    ) -> str | None:
        """Return a description or choice in a language; None if it stays as it is."""
        language = self._spoken.get(locale)
        if language is None or context.location in NAMES or self._names_a_language(context):
            return None
        translated = language.sentence(string.message)
        return None if translated == string.message or len(translated) > MOST else translated

    def _names_a_language(self, context: TranslationContextTypes) -> bool:
        """Return True for a choice that is a language: each calls itself by its own name everywhere."""
        return context.location is Location.choice_name and context.data.value in self.languages.codes
