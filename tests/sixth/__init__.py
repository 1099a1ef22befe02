"""A sixth game, Nim, that the house does not know: it stands here whole, and one line makes it be played.

Two people take from heaps, one to three from one heap in a turn; whoever takes the last wins. It has the rooms of every
game in miniature: `rules/` as in `engine/games/`, `players` as in `engine/players/`, `screen` and `cog` as in `cogs/`,
and its material.
"""

from pathlib import Path

from cogs.registry import GamePackage
from tests.sixth.cog import Nim
from tests.sixth.game import GAME
from tests.sixth.players import PLAYERS
from tests.sixth.screen import NimScreen

NIM = GamePackage(GAME, PLAYERS, NimScreen, Nim, Path(__file__).parent)
