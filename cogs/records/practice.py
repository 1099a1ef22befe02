"""The practice games in a user's own history: they count nowhere, and nobody else sees them."""

import asyncio
import logging

from cogs.core.i18n.translation import _, ngettext
from cogs.core.ops.storage import Store
from cogs.core.pages.game_catalog import EDGE, GameCatalog
from cogs.core.pages.page import Block, Button, Page, Row, Text, page_buttons, page_within, pages_of
from cogs.records.leaderboard_pages import GAMES_PER_PAGE, practice_line
from engine.contract import BrokenRecord, Moment
from engine.results import FinishedGame, PlayerResult

log = logging.getLogger(__name__)

VERB = "practice-history"
"""The verb of the buttons of these pages."""


class PracticeHistory:
    """Builds the pages of practice games. Their results are not stored, but follow from their events."""

    def __init__(self, games: GameCatalog, store: Store) -> None:
        self._games = games
        self._store = store

    async def page(self, user: int, number: int) -> Page:
        """Return a page of a user's finished practice games, newest first."""
        total = await self._store.records.count_practice(user)
        number = page_within(number, pages_of(total, GAMES_PER_PAGE))
        rows = await self._store.records.practice_of(user, most=GAMES_PER_PAGE, skip=number * GAMES_PER_PAGE)
        found = await asyncio.gather(*(self._game(*row) for row in rows))
        lines = [practice_line(user, game, self._games[game.game].title) for game in found if game is not None]
        head = ngettext(
            "### Practice games\n-# {n} finished game, unrated. Only you see it.",
            "### Practice games\n-# {n} finished games, unrated, newest first. Only you see them.",
            total,
        )
        blocks: list[Block] = [Text(head), Text("\n".join(lines) or _("No finished practice games yet."))]
        turning = page_buttons(VERB, number, pages_of(total, GAMES_PER_PAGE), lambda page, slot: f"{page}.{slot}")
        ways = (Button(_("◀ Games on this server"), "history", f"{user}.0.back"),)
        return Page((*blocks, *([Row(turning)] if turning else ()), Row(ways)), EDGE)

    async def _game(self, table: int, key: str, at: Moment) -> FinishedGame | None:
        """Return a practice game with its result; None if this version does not know the game or cannot read it."""
        ui = self._games.get(key)
        if ui is None:
            return None
        bodies, seats = await asyncio.gather(self._store.games.events(table), self._store.seats.of(table))
        game = ui.game
        try:
            outcome = await asyncio.to_thread(lambda: game.outcome(game.fold(map(game.read_event, bodies))))
        except BrokenRecord as error:
            log.warning("table %s: its record cannot be read: %s", table, error)
            return None
        if outcome is None:
            return None
        sides = tuple(
            PlayerResult(row.seat, row.user, row.level, row.name, outcome.places[row.seat], outcome.scores[row.seat])
            for row in seats
        )
        return FinishedGame(table, table, key, None, at, sides)
