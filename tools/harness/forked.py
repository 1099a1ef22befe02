"""Imported by the process that bots of tests are forked from: reads once what each of them would read at its start."""

from functools import cache

from cogs.core.app.game_package import load_catalog
from cogs.core.i18n import languages
from cogs.registry import GAMES

languages.read_catalogue = cache(languages.read_catalogue)
languages.Languages.load()
load_catalog(GAMES)
