"""A game as the bot hosts it."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from cogs.core.app.client import MakeCog
from cogs.core.pages.game_ui import GamePuzzle, GameUI
from engine.contract import AnyGame
from engine.players import Bots


@dataclass(frozen=True)
class GamePackage:
    """All that the bot needs of a game. Its material, `<key>.toml`, is in `folder`, by default `data`."""

    bots: Bots
    ui: Callable[[], GameUI]
    cog: MakeCog
    folder: Path | None = None
    puzzle: GamePuzzle | None = None

    @property
    def game(self) -> AnyGame:
        """The rules."""
        return self.bots.game
