"""Warming up: what every picture is made of is drawn once after the start, so that nobody's first click waits for it.

Games that nobody sees are dealt and played for each screen, in a thread, while the bot connects. What drawing takes is
given back to the system: pictures are drawn several times too large and fitted, and the C library keeps that room for
itself afterwards, hundreds of megabytes of it, unless it is told. May import `engine` and its neighbours.
"""

import asyncio
import ctypes
import itertools
import logging
import sys
from collections.abc import Callable
from typing import Any

from cogs.core.drawing.unseen import kinds, moments
from cogs.core.messages.cockpit import cockpit_page, table_page
from cogs.core.screen import Screen, Sitter, TableInfo
from cogs.core.session.tables import Tables
from engine.contract import Seat

log = logging.getLogger(__name__)

MOVES = 4
"""So far that unseen game goes: knots, tiles and cards lie on the table by then."""


MAPPED, KEPT = 1 << 20, 4 << 20
"""Room for more bytes than the first is the system's again as soon as it is not in use, and more than the second is not
kept at the end of what the C library has. By itself it learns from pictures that are drawn large to keep 64 MiB for
each thread that draws, in pieces.
"""

_TRIM_THRESHOLD, _MMAP_THRESHOLD = -1, -3  # <malloc.h> of glibc


async def warm(tables: Tables) -> None:
    """Draw the first pictures of every game, one after the other. Takes seconds, none of them on the event loop."""
    keep_little()
    for screen in tables.screens.values():
        await asyncio.to_thread(draw, screen, tables.material(screen.game.key))
    await tables.covers.sheet()
    await asyncio.to_thread(give_back)
    log.info("the pictures are warm")


def draw(screen: Screen, material: Any) -> None:
    """Draw everything that a game's screen shows in its first moments, and at however many players the first of each
    kind of picture that comes later.
    """
    game = screen.game
    screen.rules()
    for seats in game.seats:
        sitters = tuple(Sitter(Seat(seat), f"Player {seat + 1}", seat + 1) for seat in range(seats))
        info = TableInfo(0, sitters, game.options())
        first = moments(game, material, seats, MOVES) if seats == game.seats[-1] else ()
        for state in itertools.chain(first, kinds(game, material, seats)):
            table_page(screen, game.view(state, None), info)
            for sitter in sitters[:2]:
                cockpit_page(screen, game.view(state, sitter.seat), info)


def keep_little() -> bool:
    """Let the C library keep little that is not in use. Say whether it could be told (glibc)."""
    tell = _of_glibc("mallopt")
    return tell is not None and all([tell(_MMAP_THRESHOLD, MAPPED), tell(_TRIM_THRESHOLD, KEPT)])


def give_back() -> None:
    """Give what is not in use back to the system, where its C library can (glibc). To be called in a thread: it takes a
    while, without the interpreter's lock."""
    trim = _of_glibc("malloc_trim")
    if trim is not None:
        trim(0)


def _of_glibc(name: str) -> Callable[..., object] | None:
    """Return a function of the C library by its name; None where there is none, as in musl."""
    return getattr(ctypes.CDLL(None), name, None) if sys.platform == "linux" else None
