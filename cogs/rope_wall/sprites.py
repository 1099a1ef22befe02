"""The Rope Wall's background and sprites. `scenery` draws them, and `picture` decides which a view needs."""

from functools import lru_cache
from typing import NamedTuple

from cogs.core.drawing.canvas import Canvas
from cogs.core.drawing.composition import Bitmap, PlacedBitmap
from cogs.core.drawing.palette import Palette
from cogs.core.drawing.sprites import drawn
from cogs.core.drawing.theme import WIDTH
from cogs.rope_wall import scenery
from cogs.rope_wall.scenery import FOOT, HEIGHT, LAMP_ROOM, LAMP_ROOM_FOOT, TOWER, Grid, Hatch, Look, Sign
from engine.contract import Seat
from engine.games.rope_wall import Opening, Side

Size = tuple[int, int]
"""Floors and columns, the key of every cache."""


@lru_cache(maxsize=4)
def background(size: Size) -> tuple[Palette, Grid]:
    """Return the background of a wall of this size, its palette, and its grid."""
    grid = Grid(*size)
    canvas = Canvas(WIDTH, HEIGHT, scenery.NICHE)
    scenery.draw_ground(canvas, grid)
    ground = canvas.picture()
    sample = Canvas(WIDTH, 400, ground.crop((0, 0, WIDTH, 400)))
    scenery.draw_sample(sample, grid)
    floors = range(grid.top, FOOT, grid.cell)
    return Palette(ground, [sample.picture()], scenery.flat_colours(), bands=(LAMP_ROOM, *floors, FOOT + 8)), grid


class Knot(NamedTuple):
    """A knot as it is shown, with the strands to its left, right, upper and lower neighbours."""

    seat: Seat
    look: Look
    strands: tuple[Look | None, Look | None, Look | None, Look | None]
    letter: bool = False


@drawn
def knot_sprite(size: Size, knot: Knot) -> Bitmap:
    """Return a cell with this knot. All cells look alike, so it fits everywhere."""
    palette, grid = background(size)
    x, y = grid.centre(1, 1)
    half = grid.cell // 2
    canvas = palette.canvas(x - half, y - half, grid.cell, grid.cell)
    for (dx, dy), look in zip(((-half, 0), (half, 0), (0, -half), (0, half)), knot.strands, strict=True):
        if look is not None:
            scenery.draw_strand(canvas, (x, y), (x + dx, y + dy), knot.seat, look)
    scenery.draw_knot(canvas, x, y, grid.radius, knot.seat, knot.look, letter=knot.letter)
    return palette.bitmap(canvas)


@drawn
def chevron_sprite(size: Size, column: int, side: Side, strand: Seat | None, look: Look) -> Bitmap:
    """Return the chevron on the border right of a column (0: the wall's left edge), with the strand under it."""
    palette, grid = background(size)
    x, y = grid.left + grid.cell * column, grid.centre(1, 1)[1]
    canvas = palette.canvas(x - 10, y - 20, 20, 40)
    if strand is not None:
        scenery.draw_strand(canvas, (x - 10, y), (x + 10, y), strand, look)
    scenery.draw_chevron(canvas, x, y, side)
    return palette.bitmap(canvas)


@drawn
def sign_sprite(size: Size, opening: Opening, look: Sign, fell: Seat | None, letter: bool) -> PlacedBitmap:
    """Return an opening's sign, and the knot that has just fallen out there."""
    palette, grid = background(size)
    x, y = grid.opening(opening)
    left = x - (58 if opening.side == "left" else 86)
    canvas = palette.canvas(left, y - 27, 144, 54)
    scenery.draw_sign(canvas, grid, opening, look, fell, letter=letter)
    return PlacedBitmap(palette.bitmap(canvas), left, y - 27)


@drawn
def exit_sprite(size: Size, column: int, look: Hatch | Seat, rope: Seat | None, letter: bool) -> PlacedBitmap:
    """Return an exit's hatch, or the prisoner on it, and the end of a rope of this seat."""
    palette, grid = background(size)
    x = grid.centre(1, column)[0]
    left, top = x - 40, grid.top - 82
    canvas = palette.canvas(left, top, 80, 82)
    if rope is not None:
        scenery.draw_strand(canvas, (x, grid.top - 12), (x, grid.top), rope, "lit")
    if isinstance(look, int):
        scenery.draw_prisoner(canvas, grid, column, look, letter=letter)
    else:
        scenery.draw_hatch(canvas, grid, column, look)
    return PlacedBitmap(palette.bitmap(canvas), left, top)


@drawn
def lamp_room_sprite(size: Size, seat: int, lit: bool, hand: int, freed: int, goal: int, letter: bool) -> PlacedBitmap:
    """Return a tower's lamp room, with the knots in hand and the stars."""
    palette, left = background(size)[0], 14 if seat == 0 else WIDTH - TOWER + 14
    canvas = palette.canvas(left, LAMP_ROOM, TOWER - 28, LAMP_ROOM_FOOT + 2 - LAMP_ROOM)
    scenery.draw_lamp_room(canvas, seat, lit, hand, freed, goal, letter=letter)
    return PlacedBitmap(palette.bitmap(canvas), left, LAMP_ROOM)


@drawn
def name_sprite(size: Size, seat: int, name: str) -> PlacedBitmap:
    """Return a player's name on their tower."""
    palette, _ = background(size)
    left = 20 if seat == 0 else WIDTH - TOWER + 20
    canvas = palette.canvas(left, 20, TOWER - 40, 32)
    scenery.draw_name(canvas, seat, name)
    return PlacedBitmap(palette.bitmap(canvas), left, 20)


@drawn
def beam_sprite(size: Size, seat: int) -> PlacedBitmap:
    """Return the searchlight of a tower."""
    palette, _ = background(size)
    left = TOWER - 16 if seat == 0 else TOWER
    canvas = palette.canvas(left, 0, WIDTH - 2 * TOWER + 16, 88)
    scenery.draw_beam(canvas, seat)
    return PlacedBitmap(palette.bitmap(canvas), left, 0)


@drawn
def foot_sprite(size: Size, words: str, alarm: bool) -> Bitmap:
    """Return the text of the line below the wall."""
    canvas = scenery.foot_canvas(scenery.foot_width(words))
    scenery.draw_foot(canvas, words, alarm)
    return background(size)[0].bitmap(canvas)


@drawn
def foot_player_sprite(size: Size, seat: Seat, name: str) -> Bitmap:
    """Return the player whom that line concerns."""
    canvas = scenery.foot_canvas(scenery.foot_player_width(name))
    scenery.draw_foot_player(canvas, seat, name)
    return background(size)[0].bitmap(canvas)
