"""The pictures of tables: each state is drawn once for all who look at it, and the animated end of a game once, too."""

import logging
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from cachetools import LRUCache

from cogs.core.i18n.translation import Language, present
from cogs.core.pages.game_ui import GameUI, SeatedPlayer, TableContext
from cogs.core.pages.page import Picture
from cogs.core.publishing.drawing_threads import DrawingThreads
from cogs.core.tables.snapshot import TableSnapshot
from data.background import BackgroundTasks
from engine.contract import View

log = logging.getLogger(__name__)

BOARDS, FINALES = 64, 32
"""How many tables' pictures and animations, of up to 300 KB each, are cached."""


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
                self._drawn = (_hashed(self.ui.picture(self.view, self.info)),)
            return self._drawn[0]


@dataclass(frozen=True, eq=False)
class _Finale:
    """An animated end, None if there is none or before it is drawn, and the players whose names it shows."""

    players: tuple[SeatedPlayer, ...]
    picture: Picture | None = None


class TablePictures:
    """The pictures of all tables, cached by table and language. Animations are drawn in threads for `leisure`, since no
    message waits for one.
    """

    def __init__(self, game_uis: Mapping[str, GameUI], leisure: DrawingThreads, tasks: BackgroundTasks) -> None:
        self._game_uis = game_uis
        self._leisure = leisure
        self._tasks = tasks
        self._boards = LRUCache[tuple[int, Language], BoardPicture](BOARDS)
        self._finales = LRUCache[tuple[int, Language], _Finale](FINALES)

    def board(self, table: TableSnapshot, info: TableContext) -> BoardPicture:
        """Return the picture of a table in the present language, still to be drawn if nobody has needed it."""
        key, view = (table.id, present()), table.view(None)
        board = self._boards.get(key)
        if board is None or board.view is not view or board.info.seated_players != info.seated_players:
            board = self._boards[key] = BoardPicture(self._game_uis[table.game.key], view, info)
        return board

    def finale(self, table: TableSnapshot, drawn: Callable[[], None]) -> Picture | None:
        """Return the animated end of a game in the present language. If it is not drawn yet, return None, and call
        `drawn` once it is, if there is one. Does not block.
        """
        key = table.id, present()
        finale = self._finales.get(key)
        if finale is None or finale.players != table.seated_players:  # names change if somebody is forgotten
            finale = self._finales[key] = _Finale(table.seated_players)
            self._tasks.spawn(self._draw_finale(key, finale, table, drawn), f"finale-{table.id}")
        return finale.picture

    async def _draw_finale(
        self, key: tuple[int, Language], begun: _Finale, table: TableSnapshot, drawn: Callable[[], None]
    ) -> None:
        try:
            picture = await self._leisure.run(_draw_finale, self._game_uis[table.game.key], table)
        except Exception:
            log.exception("table %s: its end could not be animated", table.id)
            return
        if picture is not None and self._finales.get(key, begun) is begun:
            self._finales[key] = _Finale(begun.players, picture)
            drawn()

    def clear(self) -> None:
        """Forget all pictures."""
        self._boards.clear()
        self._finales.clear()


def _draw_finale(ui: GameUI, table: TableSnapshot) -> Picture | None:
    return _hashed(ui.finale(table.view(None), table.info()))


def _hashed(picture: Picture | None) -> Picture | None:
    """Return a picture whose hash is worked out here, outside the event loop."""
    if picture is not None:
        hash(picture.data)
    return picture
