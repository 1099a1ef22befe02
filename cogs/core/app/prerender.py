"""Warming up: what every picture is made of is drawn once after the start, so that nobody's first click waits for it.

Games that nobody sees are dealt and played for each screen, in a thread, while the bot connects.
"""

import asyncio
import itertools
import logging
from typing import Any

from cogs.core.inbound.table_service import TableService
from cogs.core.pages.game_ui import GameUI, SeatedPlayer, TableContext
from cogs.core.pages.player_page import seat_page, table_page
from cogs.core.pages.sample_games import kinds, moments
from engine.contract import Seat

log = logging.getLogger(__name__)

MOVES = 4
"""So far that unseen game goes: knots, tiles and cards lie on the table by then."""


async def warm(tables: TableService) -> None:
    """Draw the first pictures of every game, one after the other. Takes seconds, none of them on the event loop."""
    for screen in tables.screens.values():
        await asyncio.to_thread(draw, screen, tables.material(screen.game.key))
    await tables.covers.sheet()
    log.info("the pictures are warm")


def draw(screen: GameUI, material: Any) -> None:
    """Draw everything that a game's screen shows in its first moments, and at however many players the first of each
    kind of picture that comes later.
    """
    game = screen.game
    screen.rules()
    for seats in game.player_counts:
        sitters = tuple(SeatedPlayer(Seat(seat), f"Player {seat + 1}", seat + 1) for seat in range(seats))
        info = TableContext(0, sitters, game.options())
        first = moments(game, material, seats, MOVES) if seats == game.player_counts[-1] else ()
        for state in itertools.chain(first, kinds(game, material, seats)):
            table_page(screen, game.view(state, None), info)
            for sitter in sitters[:2]:
                seat_page(screen, game.view(state, sitter.seat), info)
