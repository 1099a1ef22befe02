"""The animated ends of games, drawn in the background: no message waits for one."""

import logging
from collections.abc import Callable, Mapping
from typing import NamedTuple

from cachetools import LRUCache

from cogs.core.i18n.translation import Language, present
from cogs.core.pages.game_ui import GameUI, SeatedPlayer
from cogs.core.pages.page import Picture
from cogs.core.publishing.drawing_threads import DrawingThreads
from cogs.core.tables.snapshot import TableSnapshot
from data.background import BackgroundTasks

log = logging.getLogger(__name__)

KEPT = 32
"""How many animations, of up to 300 KB each, are cached for later edits of the same messages."""


class _Finale(NamedTuple):
    """A picture, None if there is none, and the players whose names it shows."""

    players: tuple[SeatedPlayer, ...]
    picture: Picture | None


class Finales:
    """The animated end of each table's game, drawn once for each language and the names of its players, which change
    if one of them is forgotten.
    """

    def __init__(self, game_uis: Mapping[str, GameUI], leisure: DrawingThreads, tasks: BackgroundTasks) -> None:
        self._game_uis = game_uis
        self._leisure = leisure
        self._tasks = tasks
        self._drawn = LRUCache[tuple[int, Language], _Finale](KEPT)
        self._begun = set[tuple[int, Language]]()

    def of(self, table: TableSnapshot, drawn: Callable[[], None]) -> Picture | None:
        """Return the animated end of a game in the present language. If it is not drawn yet, return None, and call
        `drawn` once it is, if there is one. Does not block.
        """
        key = table.id, present()
        found = self._drawn.get(key)
        if found is not None and found.players == table.seated_players:
            return found.picture
        if key not in self._begun:
            self._begun.add(key)
            self._tasks.spawn(self._draw(key, table, drawn), f"finale-{table.id}")
        return None

    async def _draw(self, key: tuple[int, Language], table: TableSnapshot, drawn: Callable[[], None]) -> None:
        try:
            finale = await self._leisure.run(_drawn, self._game_uis[table.game.key], table)
        except Exception:
            log.exception("table %s: its end could not be animated", table.id)
            finale = None
        finally:
            self._begun.discard(key)
        self._drawn[key] = _Finale(table.seated_players, finale)
        if finale is not None:
            drawn()


def _drawn(ui: GameUI, table: TableSnapshot) -> Picture | None:
    finale = ui.finale(table.view(None), table.info())
    if finale is not None:
        hash(finale.data)  # worked out here, outside the loop
    return finale
