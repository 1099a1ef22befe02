"""Test that everyone can tell the pieces and marks of each game apart, with any colour vision."""

from collections.abc import Callable, Iterator
from itertools import combinations, product
from typing import Any

import pytest
from PIL import Image

from cogs.ausbrecher.boat_scenery import draw_bust, draw_ghost
from cogs.break_out.cards import SMALL, draw_card
from cogs.core.drawing.canvas import Canvas
from cogs.core.drawing.theme import INK, SEAT_MARKS, SLATE, Colour
from cogs.match_five.layout import LEAST_CELL
from cogs.match_five.tile_scenery import MAT, draw_plate, face_of
from cogs.prison_break.corridor import NICHE as STRIP
from cogs.registry import GAMES
from cogs.rope_wall.scenery import NICHE, Grid, draw_knot
from engine.games.ausbrecher import COLOURS
from engine.games.break_out import NATURAL, Card
from engine.games.match_five import TILES
from tests.cogs.colour_vision import SIGHTS, distinguishable_share

APART = 20
"""The colour difference (CIEDE2000) that is easy to see, even on a small piece."""

SHARE = 0.1
"""The share of a piece's pixels that must differ that much."""

Pieces = dict[str, Image.Image]
"""Pictures of equal size by what they show. Any two must be distinguishable."""


def _drawn(size: tuple[int, int], ground: Colour, draw: Callable[..., None], *where: Any, **how: Any) -> Image.Image:
    canvas = Canvas(*size, ground)
    draw(canvas, *where, **how)
    return canvas.picture()


def _knots() -> Iterator[Pieces]:
    radius = Grid(5, 5).radius
    half = round(radius) + 4
    for look in ("plain", "new", "lit"):
        yield {
            f"{look} knot of {seat}": _drawn((2 * half, 2 * half), NICHE, draw_knot, half, half, radius, seat, look)
            for seat in range(2)
        }


def _tiles() -> Iterator[Pieces]:
    side = face_of(LEAST_CELL)
    for wild, number in product((False, True), "12345"):
        yield {
            tile: _drawn((side, side), MAT, draw_plate, side / 2, side / 2, side, tile, wild=wild)
            for tile in TILES
            if tile.endswith(number)
        }


def _prisoners() -> Iterator[Pieces]:
    yield {f"prisoner {colour}": _drawn((42, 62), SLATE, draw_bust, 21, 60, 14, colour) for colour in COLOURS}
    yield {f"where {colour} arrives": _drawn((34, 34), SLATE, draw_ghost, 17, 17, 15, colour) for colour in COLOURS}


def _cards() -> Iterator[Pieces]:
    for number in "1234567":
        yield {
            face: _drawn(SMALL, INK, draw_card, 0, 0, SMALL, Card(face)) for face in NATURAL if face.endswith(number)
        }


def _marks() -> Iterator[Pieces]:
    yield {mark.letter: _drawn((28, 28), STRIP, Canvas.mark, mark, 14, 14, 13, letter=False) for mark in SEAT_MARKS[:4]}


PIECES: dict[str, Callable[[], Iterator[Pieces]]] = {
    "rope_wall": _knots,
    "match_five": _tiles,
    "ausbrecher": _prisoners,
    "break_out": _cards,
    "prison_break": _marks,
}


def test_the_pieces_of_every_game_are_listed():
    assert set(PIECES) == {package.game.key for package in GAMES}


@pytest.mark.parametrize("sight", SIGHTS)
@pytest.mark.parametrize("game", PIECES)
def test_any_two_pieces_can_be_distinguished_with_any_colour_vision(game: str, sight: str):
    alike = [
        f"{one} and {other}: {share:.0%}"
        for pieces in PIECES[game]()
        for one, other in combinations(pieces, 2)
        if (share := distinguishable_share(pieces[one], pieces[other], sight, APART)) < SHARE
    ]
    assert not alike, f"{len(alike)} pairs look too much alike: {alike[:20]}"
