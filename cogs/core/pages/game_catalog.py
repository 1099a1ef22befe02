"""The games of the bot, and what each comes with."""

from collections.abc import Mapping
from typing import Any

from cogs.core.i18n.translation import _
from cogs.core.ops.errors import UserError
from cogs.core.ops.text_format import cut, listed
from cogs.core.pages.achievements import Achievements
from cogs.core.pages.game_ui import GameUI
from engine.lessons import Course

EDGE = 0xE8A33D
"""The colour of the edge of pages about all games."""


LONGEST_NAME = 40
"""How much is repeated of a name that no game has."""


class GameCatalog(dict[str, GameUI]):
    """The UIs of the games by their keys, in the order in which people see them, and what this version ships for each:
    `materials`, and `courses` and `achievements` of those that have some.
    """

    def __init__(
        self,
        uis: Mapping[str, GameUI],
        materials: Mapping[str, Any],
        courses: Mapping[str, Course],
        achievements: Mapping[str, Achievements],
    ) -> None:
        super().__init__(uis)
        self.materials = materials
        self.courses = courses
        self.achievements = achievements

    @property
    def titles(self) -> dict[str, str]:
        """The games' titles in the present language, by key."""
        return {key: ui.title for key, ui in self.items()}

    def key_of(self, name: str) -> str:
        """Return the key of a game that somebody named by its key or its title, also the English one. Raises
        `UserError` for a name that no game has.
        """
        wanted = name.strip().casefold()
        for key, ui in self.items():
            if wanted in (key, ui.title.casefold(), ui.game.title.casefold()):
                return key
        named, games = cut(name, LONGEST_NAME), listed(self.titles.values())
        raise UserError(_("There's no game called “{name}”. Choose from {games}.", name=named, games=games))

    def named(self, name: str) -> GameUI:
        """Return the UI of a game that somebody named by its key or its title. Raises `UserError`."""
        return self[self.key_of(name)]

    def require(self, key: str) -> GameUI:
        """Return the UI of a game. Raises `UserError` for one that is not played here."""
        ui = self.get(key)
        if ui is None:
            raise UserError(_("The game {key} isn't available here any more.", key=repr(key)))
        return ui
