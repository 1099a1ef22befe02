"""Draws the parts of all pictures once after the start, so that nobody's first click waits for it. Sample games are
played for each UI, in a thread, while the bot connects.
"""

import asyncio
import itertools
import logging
from typing import Any

from cogs.core.inbound.table_service import TableService
from cogs.core.pages.game_ui import GameUI, SeatedPlayer, TableContext
from cogs.core.pages.player_page import seat_page, table_page
from cogs.core.pages.sample_games import first_states, states_by_kind
from engine.contract import Seat

log = logging.getLogger(__name__)

MOVES = 4
"""How many moves a sample game has: knots, tiles and cards are on the table by then."""


async def prerender(tables: TableService) -> None:
    """Draw the first pictures of every game, one after the other. Takes seconds, none of them on the event loop."""
    for ui in tables.game_uis.values():
        await asyncio.to_thread(prerender_game, ui, tables.material(ui.game.key))
    await tables.covers.sheet()
    log.info("the pictures are warm")


def prerender_game(ui: GameUI, material: Any) -> None:
    """Draw everything that a game's UI shows in its first moments, and for each number of players the first picture of
    each later kind.
    """
    game = ui.game
    ui.rules()
    for seats in game.player_counts:
        players = tuple(SeatedPlayer(Seat(seat), f"Player {seat + 1}", seat + 1) for seat in range(seats))
        info = TableContext(0, players, game.options())
        first = first_states(game, material, seats, MOVES) if seats == game.player_counts[-1] else ()
        for state in itertools.chain(first, states_by_kind(game, material, seats)):
            table_page(ui, game.view(state, None), info)
            for player in players[:2]:
                seat_page(ui, game.view(state, player.seat), info)
