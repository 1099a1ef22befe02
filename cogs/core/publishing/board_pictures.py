"""The pictures of tables, each drawn once for all who look at the same state."""

import threading
from collections.abc import Mapping
from dataclasses import dataclass, field

from cachetools import LRUCache

from cogs.core.i18n.translation import Language, present
from cogs.core.pages.game_ui import GameUI, TableContext
from cogs.core.pages.page import Picture
from cogs.core.tables.snapshot import TableSnapshot
from engine.contract import View

KEPT = 64
"""How many tables' pictures are cached."""


@dataclass
class BoardPicture:
    """A table's picture at one state: drawn in the thread of the first page that needs it, while others wait for it."""

    ui: GameUI
    view: View
    info: TableContext
    _lock: threading.Lock = field(default_factory=threading.Lock, init=False)
    _drawn: tuple[Picture | None] | None = field(default=None, init=False)

    def picture(self) -> Picture | None:
        """Return the picture. Raises what drawing raises; then the next caller tries again. Not for the event loop."""
        with self._lock:
            if self._drawn is None:
                picture = self.ui.picture(self.view, self.info)
                if picture is not None:
                    hash(picture.data)  # worked out here, outside the loop
                self._drawn = (picture,)
            return self._drawn[0]


class BoardPictures:
    """The pictures of tables, cached by table and language."""

    def __init__(self, game_uis: Mapping[str, GameUI]) -> None:
        self._game_uis = game_uis
        self._kept = LRUCache[tuple[int, Language], BoardPicture](KEPT)

    def of(self, table: TableSnapshot, info: TableContext) -> BoardPicture:
        """Return the picture of a table in the present language, still to be drawn if nobody has needed it."""
        key = table.id, present()
        view, kept = table.view(None), self._kept.get(key)
        if kept is not None and kept.view is view and kept.info.seated_players == info.seated_players:
            return kept
        drawing = self._kept[key] = BoardPicture(self._game_uis[table.game.key], view, info)
        return drawing

    def clear(self) -> None:
        """Forget all pictures."""
        self._kept.clear()
