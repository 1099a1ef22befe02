"""A sixth game, Nim, that the bot does not know; one line in a list of games adds it.

It has a small version of every game's modules: `game` as in `engine/games/`, `players` as in `engine/players/`, `ui`
and `cog` as in `cogs/`, and its material.
"""

from pathlib import Path

from cogs.core.app.game_package import GamePackage
from tests.sixth.achievements import ACHIEVEMENTS
from tests.sixth.cog import Nim
from tests.sixth.players import BOTS
from tests.sixth.ui import NimUI

PACKAGE = GamePackage(BOTS, NimUI, Nim, Path(__file__).parent, achievements=ACHIEVEMENTS)
