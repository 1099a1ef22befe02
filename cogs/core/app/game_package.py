"""A game as the bot hosts it."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from cogs.core.inbound.game_cog import GameCog
from cogs.core.pages.achievements import Achievements
from cogs.core.pages.game_catalog import GameCatalog
from cogs.core.pages.game_ui import GamePuzzle, GameUI
from data.lessons import written
from data.material import FOLDER
from engine.contract import AnyGame
from engine.players import Bots


@dataclass(frozen=True)
class GamePackage:
    """All that the bot needs of a game. Its material, `<key>.toml`, is in `folder`, by default `data`."""

    bots: Bots
    ui: Callable[[], GameUI]
    cog: type[GameCog]
    folder: Path | None = None
    puzzle: GamePuzzle | None = None
    achievements: Achievements | None = None

    @property
    def game(self) -> AnyGame:
        """The rules."""
        return self.bots.game


def load_catalog(packages: Sequence[GamePackage]) -> GameCatalog:
    """Return the games with their material and lessons. Raises `MaterialError`."""
    texts = {package.game.key: written(package.game, package.folder or FOLDER) for package in packages}
    return GameCatalog(
        {package.game.key: package.ui() for package in packages},
        {key: material for key, (material, _) in texts.items()},
        {key: course for key, (_, course) in texts.items() if course is not None},
        {package.game.key: package.achievements for package in packages if package.achievements is not None},
    )
