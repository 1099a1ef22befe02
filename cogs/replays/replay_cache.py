"""A cache of the finished games that were looked at last: moment by moment, with their chapters."""

import discord
import msgspec
from cachetools import LRUCache

from cogs.core.i18n.translation import _
from cogs.core.inbound.access import find_readable
from cogs.core.ops.errors import UserError
from cogs.core.ops.storage import Store
from cogs.core.pages.game_catalog import GameCatalog
from cogs.core.pages.game_ui import SeatedPlayer, TableContext
from cogs.core.publishing.drawing_threads import DrawingThreads
from cogs.core.publishing.finished_games import Replay, replay_of, require_finished, revealed_seed
from cogs.core.tables.leaving import Leaving
from cogs.core.tables.snapshot import final_places
from cogs.replays.chapters import Chapter, chapters
from engine.contract import BrokenRecord, Seat

MOST_CACHED = 4
"""The number of games kept in memory."""


class ReplayCache:
    """Loads and caches finished games for readers who may see them."""

    def __init__(self, games: GameCatalog, store: Store, leisure: DrawingThreads, leaving: Leaving) -> None:
        self.games = games
        self._store = store
        self._leisure = leisure
        self._replays = LRUCache[int, tuple[Replay, tuple[Chapter, ...]]](MOST_CACHED)
        leaving.caches.append(self._replays.clear)  # they hold the notepads of players

    async def get(self, interaction: discord.Interaction, table: int) -> tuple[Replay, tuple[Chapter, ...]]:
        """Return a finished game moment by moment, with its chapters. Raises `UserError`."""
        row = require_finished(await find_readable(self._store, table, interaction))
        present = self._replays.get(table)
        if present is None:
            store = self._store
            game = self.games.require(row.game).game
            decisions, events = await store.games.decisions(table), await store.games.events(table)
            try:
                options = game.read_options(row.options)
                found = await self._leisure.run(replay_of, game, row, options, decisions, events)
            except (BrokenRecord, msgspec.DecodeError):
                raise UserError(_("The record of table {table} can't be read any more.", table=table)) from None
            present = found, await self._leisure.run(chapters, game, found.states)
            self._replays[table] = present
        return present

    async def table_context(self, found: Replay) -> TableContext:
        """Return the seats of the game, read again because a player may have asked to be forgotten."""
        row = found.row
        seats = await self._store.seats.of(row.id)
        players = tuple(SeatedPlayer(Seat(one.seat), one.name, one.user, one.level, one.caretaker) for one in seats)
        places = final_places(seats, await self._store.games.results(row.id))
        seed = revealed_seed(row)
        return TableContext(
            row.id, players, found.options, commitment=row.commitment, seed=seed, still=True, places=places
        )
