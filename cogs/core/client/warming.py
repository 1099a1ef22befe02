"""Warming up: what every picture is made of is drawn once after the start, so that nobody's first click waits for it.

A game that nobody sees is dealt and moved on a little for each screen, in a thread, while the bot connects. What
drawing them took is given back to the system: pictures are drawn several times too large and fitted, and the C library
keeps that room for itself afterwards, a hundred megabytes of it, unless it is told. May import `engine` and its
neighbours.
"""

import asyncio
import ctypes
import logging
import sys
from typing import Any

from cogs.core.drawing.unseen import moments
from cogs.core.messages.cockpit import cockpit_page, table_page
from cogs.core.screen import Screen, Sitter, TableInfo
from cogs.core.session.tables import Tables
from engine.contract import Seat

log = logging.getLogger(__name__)

MOVES = 4
"""So far that unseen game goes: knots, tiles and cards lie on the table by then."""


async def warm(tables: Tables) -> None:
    """Draw the first pictures of every game, one after the other. Takes seconds, none of them on the event loop."""
    for screen in tables.screens.values():
        await asyncio.to_thread(draw, screen, tables.material(screen.game.key))
    await tables.covers.sheet()
    await asyncio.to_thread(give_back)
    log.info("the pictures are warm")


def draw(screen: Screen, material: Any) -> None:
    """Draw everything that a game's screen shows in its first moments."""
    game = screen.game
    sitters = tuple(Sitter(Seat(seat), f"Player {seat + 1}", seat + 1) for seat in range(game.seats[-1]))
    info = TableInfo(0, sitters, game.options())
    screen.rules()
    for state in moments(game, material, game.seats[-1], MOVES):
        table_page(screen, game.view(state, None), info)
        for sitter in sitters[:2]:
            cockpit_page(screen, game.view(state, sitter.seat), info)


def give_back() -> None:
    """Give what is not in use back to the system, where its C library can (glibc). To be called in a thread: it takes a
    while, without the interpreter's lock."""
    if sys.platform != "linux":
        return
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None)  # musl has none
    if trim is not None:
        trim(0)
