"""Drawing functions for the tiles of Match Five: worn enamel number plates, piled up, marked, highlighted.

Each function draws one thing on a canvas, the same for the same arguments. Nothing here knows a view.
"""

from functools import lru_cache
from math import hypot
from random import Random
from typing import Literal

import msgspec

from cogs.core.drawing.canvas import Canvas, scaled_size, text_width
from cogs.core.drawing.theme import CHALK, INK, LAMP, ink_on, mix
from cogs.core.drawing.theme import Colour as Paint
from engine.games.match_five import FIVE, WILD, Colour, Tile, colour_of, number_of

MAT: Paint = (40, 64, 68)
PAINTS: dict[Colour, Paint] = {
    "red": (180, 0, 8),
    "blue": (76, 144, 252),
    "yellow": (252, 232, 76),
    "green": (52, 116, 96),
    "orange": (220, 116, 20),
}
GLOW: Paint = (172, 244, 232)
"""The highlight of places for the chosen tile: unlike any tile and unlike the lamp."""

_BLANK: Paint = (232, 228, 212)  # a Wild's plate
_STEEL: Paint = (124, 132, 148)
_RUST: Paint = (84, 52, 36)
_WORN = 48  # smaller plates show no wear, which saves bytes on a crowded board
_SMALL = 40  # smaller cells and plates show no letters, and no marks
_LEAST_NUMBER = 20  # smaller plates show no number

Look = Literal["plain", "new", "draft", "last"]
"""The look of a pile: plain, just laid on, with a drafted tile on it, or with the last drafted one."""

UNDER: Paint = mix(LAMP, INK, 0.68)
"""The highlight of tiles that scored below others: the lamp, dimmed."""

_LIGHTS: dict[Look, Paint] = {"new": LAMP, "draft": CHALK, "last": GLOW}


Link = Literal["", "covered", "seen"]
"""Whether a line that just scored continues there, and whether all its tiles are visible."""
Links = tuple[Link, Link, Link, Link]
"""Left, right, up, down."""
NO_LINKS: Links = ("", "", "", "")


class PlaceMark(msgspec.Struct, frozen=True, gc=False):
    """A place where a tile may go: the number of its button, and the points."""

    number: int
    points: int
    best: bool = False


class Pile(msgspec.Struct, frozen=True, gc=False):
    """The content of a cell: the tiles from the lowest, which of them count as Wilds, and its marks."""

    tiles: tuple[Tile, ...]
    wild: bool = False  # of the top one
    look: Look = "plain"
    locked: bool = False  # nothing may be laid beside the top one
    links: Links = NO_LINKS
    offer: PlaceMark | None = None  # a tile may be laid on top
    number: int = 0  # of the place of the top tile if it was drafted; 0 for none

    @property
    def height(self) -> int:
        """The number of tiles in the pile."""
        return len(self.tiles)


# --------------------------------------------------------------------------------------------------------------- plates


@lru_cache(maxsize=256)
def face_of(cell: int) -> int:
    """Return the size of the top plate of a pile in a cell of this size: a full pile must fit too."""
    return min(round(cell * 0.8), cell - (FIVE - 1) * rise_of(cell))


def rise_of(cell: int) -> int:
    """Return the offset of each tile of a pile from the one below."""
    return max(2, int(cell * 0.06))


@lru_cache(maxsize=1024)
def corner_of(cell: int, height: int, level: int) -> tuple[int, int]:
    """Return the upper left corner of a tile in its cell, in a pile of this height; levels count from 1."""
    edge, rise = (cell - face_of(cell)) // 2, rise_of(cell)
    return edge, edge + rise * (height - 1) // 2 - rise * (level - 1)


def draw_base(canvas: Canvas, cell: int, height: int, look: Look) -> None:
    """Draw the surroundings of a pile: its shadow, or the highlight of a new or drafted tile."""
    size, (left, top), foot = face_of(cell), corner_of(cell, height, height), corner_of(cell, height, 1)[1]
    if look == "plain":
        canvas.box(left - 1, top + 2, left + size + 3, foot + size + 3, INK, size * 0.17)
        return
    ring = max(3.0, cell * 0.05)
    _ring(canvas, left, top, left + size, foot + size, ring, _LIGHTS[look])


def draw_marks(canvas: Canvas, cell: int, height: int, locked: bool) -> None:
    """Draw the marks on a pile's top plate: its height, the clamps of a full one, a lock."""
    size, (left, top) = face_of(cell), corner_of(cell, height, height)
    x, y, full = left + size / 2, top + size / 2, height == FIVE
    if full:
        _clamps(canvas, x, y, size)
    if cell < _SMALL:
        return
    if height > 1:
        _height(canvas, x + size * 0.41, y + size * 0.39, size, height, full)
    if locked:
        _lock(canvas, x - size * 0.32, y + size * 0.34, size * 0.14)


def _ring(canvas: Canvas, left: float, top: float, right: float, bottom: float, width: float, paint: Paint) -> None:
    """A frame of light around a pile."""
    radius = (right - left) * 0.2
    canvas.box(left - width - 1.5, top - width - 1.5, right + width + 1.5, bottom + width + 1.5, INK, radius + 1.5)
    canvas.box(left - width, top - width, right + width, bottom + width, paint, radius)


def draw_slab(canvas: Canvas, x: float, y: float, size: float, tile: Tile) -> None:
    """Draw a covered tile around (x, y): only its lower edge stays visible."""
    half = size / 2
    line = max(0.8, size * 0.022)
    canvas.box(x - half, y - half, x + half, y + half, INK, size * 0.15)
    paint = _BLANK if tile == WILD else PAINTS[colour_of(tile)]
    canvas.box(x - half + line, y - half, x + half - line, y + half - line, mix(paint, INK, 0.06), size * 0.14)


def draw_plate(canvas: Canvas, x: float, y: float, size: float, tile: Tile, *, wild: bool = False) -> None:
    """Draw a tile around (x, y): a worn enamel plate with its number and its colour's letter; a Wild has a W."""
    _edge(canvas, x, y, size)
    draw_enamel(canvas, x, y, size, tile, wild=wild)
    draw_letters(canvas, x, y, size, tile, wild=wild)


def _edge(canvas: Canvas, x: float, y: float, size: float) -> None:
    """Draw the dark edge of a tile around (x, y), and the base of its enamel."""
    half = size / 2
    canvas.box(x - half, y - half, x + half, y + half, INK, size * 0.15)


def draw_enamel(canvas: Canvas, x: float, y: float, size: float, tile: Tile, *, wild: bool = False) -> None:
    """Draw the enamel that all tiles of a colour share, well inside the edge."""
    half, line = size / 2, max(1.4, size * 0.032)
    paint = _paint(tile)
    canvas.box(x - half + line, y - half + line, x + half - line, y + half - line, mix(paint, INK, 0.28), size * 0.13)
    bevel = line + max(1.0, size * 0.03)
    canvas.box(x - half + line, y - half + line, x + half - line, y + half - bevel, mix(paint, CHALK, 0.4), size * 0.12)
    canvas.box(x - half + bevel, y - half + bevel, x + half - bevel, y + half - bevel, paint, size * 0.11)
    if wild:
        inner = bevel + size * 0.025
        canvas.box(x - half + inner, y - half + inner, x + half - inner, y + half - inner, _BLANK, size * 0.1)
        inner += max(1.6, size * 0.05)
        canvas.box(x - half + inner, y - half + inner, x + half - inner, y + half - inner, paint, size * 0.08)
    if size >= _WORN:
        _gleam(canvas, x, y, size * 0.43, mix(paint, CHALK, 0.16))


def draw_letters(canvas: Canvas, x: float, y: float, size: float, tile: Tile, *, wild: bool = False) -> None:
    """Draw the details of one tile on its enamel: chips, its number and its letter."""
    ink = ink_on(_paint(tile))
    if size >= _WORN:
        _chips(canvas, x, y, size, tile)
    if tile == WILD:
        canvas.text(x, y, "W", size * 0.6, ink)
        return
    if size < _SMALL:
        if size >= _LEAST_NUMBER:
            canvas.text(x, y, str(number_of(tile)), size * 0.95, ink)
        return
    if wild:
        canvas.text(x, y + size * 0.14, str(number_of(tile)), size * 0.56, ink)
        canvas.text(x - size * 0.25, y - size * 0.23, tile[0].upper(), size * 0.36, ink)
        canvas.text(x + size * 0.2, y - size * 0.23, "W", size * 0.36, ink)
        return
    canvas.text(x + size * 0.05, y + size * 0.05, str(number_of(tile)), size * 0.74, ink)
    canvas.text(x - size * 0.3, y - size * 0.27, tile[0].upper(), size * 0.36, ink)


def _paint(tile: Tile) -> Paint:
    """Return the colour of a tile."""
    return _BLANK if tile == WILD else PAINTS[colour_of(tile)]


ROUND = 0.17
"""The corner radius of a tile as an emoji, as a fraction of its side."""


def draw_face(canvas: Canvas, tile: Tile) -> None:
    """Draw a tile as an emoji that fills the canvas: its number and its letter as large as possible, without wear."""
    side, edge = canvas.width, canvas.width * 0.035
    paint = _BLANK if tile == WILD else PAINTS[colour_of(tile)]
    ink = ink_on(paint)
    canvas.box(edge, edge, side - edge, side - edge, paint, side * ROUND - edge)
    if tile == WILD:
        canvas.text(side / 2, side / 2, "W", side * 0.86, ink)
        return
    canvas.text(side * 0.665, side * 0.565, str(number_of(tile)), side, ink)
    canvas.text(side * 0.205, side * 0.245, tile[0].upper(), side * 0.43, ink)


def _gleam(canvas: Canvas, x: float, y: float, half: float, paint: Paint) -> None:
    """A gleam across the enamel."""
    near, far = half * 0.1, half * 0.62
    canvas.area([(x + near, y - half), (x + far, y - half), (x - half, y + far), (x - half, y + near)], paint)


def _chips(canvas: Canvas, x: float, y: float, size: float, tile: Tile) -> None:
    """Chips at the enamel's edge where the iron shows."""
    half, dice = size * 0.43, Random(f"wear {tile}")
    for _ in range(3):
        along, side = dice.uniform(-0.7, 0.7) * half, dice.choice((-1, 1))
        px, py = (x + along, y + side * half) if dice.random() < 0.5 else (x + side * half, y + along)
        canvas.disc(px, py, size * dice.uniform(0.018, 0.034), _RUST)


def _clamps(canvas: Canvas, x: float, y: float, size: float) -> None:
    """Steel corners that mark a full stack."""
    half, arm, thick = size / 2, size * 0.26, max(2.4, size * 0.075)
    for sx in (-1, 1):
        for sy in (-1, 1):
            cx, cy = x + sx * half, y + sy * half
            for wide, high in ((arm, thick), (thick, arm)):
                xs, ys = sorted((cx, cx - sx * wide)), sorted((cy, cy - sy * high))
                canvas.box(xs[0] - 1, ys[0] - 1, xs[1] + 1, ys[1] + 1, INK, 2)
            for wide, high in ((arm, thick), (thick, arm)):
                xs, ys = sorted((cx, cx - sx * wide)), sorted((cy, cy - sy * high))
                canvas.box(xs[0], ys[0], xs[1], ys[1], mix(_STEEL, CHALK, 0.35), 1.5)


def _height(canvas: Canvas, x: float, y: float, size: float, height: int, full: bool) -> None:
    radius = max(9.8, size * 0.19)
    canvas.disc(x, y, radius, INK)
    if full:
        canvas.disc(x, y, radius - 1.6, LAMP)
    canvas.text(x, y, str(height), radius * 1.9, INK if full else CHALK)


def _lock(canvas: Canvas, x: float, y: float, size: float) -> None:
    """A padlock: nothing may be laid beside this tile at its level."""
    size = max(size, 5.5)
    canvas.disc(x, y - size * 0.6, size * 0.86, INK)
    canvas.disc(x, y - size * 0.6, size * 0.58, LAMP)
    canvas.disc(x, y - size * 0.6, size * 0.26, INK)
    canvas.box(x - size * 1.08, y - size * 0.6, x + size * 1.08, y + size * 1.05, INK, size * 0.3)
    canvas.box(x - size * 0.8, y - size * 0.32, x + size * 0.8, y + size * 0.78, LAMP, size * 0.2)


def draw_links(canvas: Canvas, cell: int, links: Links) -> None:
    """Draw the highlight of lines that just scored, out to the neighbours in them."""
    half, wide = cell / 2, cell * 0.15
    bars = (
        (0.0, half - wide, half, half + wide),
        (half, half - wide, cell, half + wide),
        (half - wide, 0.0, half + wide, half),
        (half - wide, half, half + wide, cell),
    )
    for link, bar in zip(links, bars, strict=True):
        if link:
            canvas.box(*bar, mix(MAT, LAMP, 0.9) if link == "seen" else UNDER)


def tray_middle(tray: float, size: float) -> float:
    """Return the distance of a tile's middle from the upper edge of the tray."""
    return tray - 30 - size / 2


def draw_tray_slot(canvas: Canvas, x: float, top: float, tray: float, size: float) -> None:
    """Draw the place of a tile in the tray: its shadow and its edge."""
    y = top + tray_middle(tray, size)
    canvas.box(x - size / 2, y - size / 2 + 5, x + size / 2 + 5, y + size / 2 + 6, INK, size * 0.16, 110)
    _edge(canvas, x, y, size)


# ------------------------------------------------------------------------------------------------------- offers, badges


def pad_colour(best: bool) -> Paint:
    """Return the ground of a highlighted cell."""
    return GLOW if best else mix(MAT, GLOW, 0.26)


def draw_pad(canvas: Canvas, cell: int, best: bool) -> None:
    """Draw a highlighted cell."""
    edge, thick = cell * 0.045, max(2.0, cell * 0.045)
    canvas.box(edge, edge, cell - edge, cell - edge, GLOW, cell * 0.16)
    edge += thick
    canvas.box(edge, edge, cell - edge, cell - edge, pad_colour(best), cell * 0.13)


def draw_tag(canvas: Canvas, words: str, size: float, best: bool) -> None:
    """Draw points in the middle of a canvas, smaller if they would not fit."""
    size = scaled_size(words, size, canvas.width - 2)
    canvas.text(canvas.width / 2, canvas.height / 2, words, size, INK if best else CHALK)


def draw_disc(canvas: Canvas, number: int, here: bool = False) -> None:
    """Draw the number of a place in a ring, as on its button. It is lit for the place `here` of the tile that
    may be moved.
    """
    middle = canvas.width / 2
    canvas.disc(middle, middle, middle - 0.5, INK)
    canvas.disc(middle, middle, middle - max(2.0, middle * 0.1), GLOW if here else CHALK)
    canvas.text(middle, middle, str(number), canvas.width * 0.8, INK)


def draw_pointer(canvas: Canvas, number: int, dx: int, dy: int) -> None:
    """Draw the number of a place beyond the edge of the picture, with an arrow in the direction (dx, dy), where 1 is
    right or down.
    """
    middle, far = canvas.width / 2, hypot(dx, dy)
    across, down, radius = dx / far, dy / far, canvas.width * 0.31
    for reach, half, paint in ((0.5, 0.86, INK), (0.45, 0.72, GLOW)):
        tip, base, wide = canvas.width * reach, radius * 0.5, radius * half
        canvas.area(
            [
                (middle + across * tip, middle + down * tip),
                (middle + across * base - down * wide, middle + down * base + across * wide),
                (middle + across * base + down * wide, middle + down * base - across * wide),
            ],
            paint,
        )
    canvas.disc(middle, middle, radius, INK)
    canvas.disc(middle, middle, radius - 2, CHALK)
    canvas.text(middle, middle, str(number), radius * 1.6, INK)


def note_size(words: str, size: float) -> tuple[int, int]:
    """Return the size of a note with the points of a tile on top of another."""
    return round(text_width(words, size) + size * 0.5), round(size * 1.16)


def draw_note(canvas: Canvas, words: str, size: float, best: bool) -> None:
    """Draw points on a note as large as the canvas."""
    wide, high = canvas.width, canvas.height
    canvas.box(0, 0, wide, high, INK, high * 0.3)
    if best:
        canvas.box(1.5, 1.5, wide - 1.5, high - 1.5, GLOW, high * 0.26)
    canvas.text(wide / 2, high / 2, words, size, INK if best else CHALK)


@lru_cache(maxsize=1024)
def badge_size(words: str, size: float, covered: bool = False) -> tuple[int, int]:
    """Return the size of a badge with a line's points."""
    return round(text_width(words, size) + size * (1.3 if covered else 0.7)), round(size * 1.3)


def draw_badge(canvas: Canvas, words: str, size: float, left: float, top: float, covered: bool = False) -> None:
    """Draw a badge with its upper left corner there; dark, and pointing down, if other tiles cover the line."""
    width, height = badge_size(words, size, covered)
    ground, ink = (UNDER, CHALK) if covered else (LAMP, INK)
    middle, arrow = top + height / 2, size * 0.6 if covered else 0.0
    canvas.box(left, top, left + width, top + height, INK, height / 2)
    canvas.box(left + 2, top + 2, left + width - 2, top + height - 2, ground, height / 2 - 2)
    if covered:
        x, half = left + size * 0.62, size * 0.2
        canvas.area([(x - half, middle - half * 0.6), (x + half, middle - half * 0.6), (x, middle + half)], ink)
    canvas.text(left + (width + arrow) / 2, middle, words, size, ink)
