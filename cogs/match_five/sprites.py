"""The sprites of Match Five's pictures, each drawn once.

A pile is composed of its base, the edges of covered tiles, its top plate and its marks. Many piles share each of them,
so hardly anything is drawn after a move. Cached images are read-only.
"""

from collections.abc import Iterator, Mapping
from functools import cache, lru_cache

from PIL import Image, ImageChops

from cogs.core.drawing.canvas import Canvas, text_width
from cogs.core.drawing.composition import BAND, Bitmap, PlacedBitmap
from cogs.core.drawing.palette import Palette
from cogs.core.drawing.sprites import drawn, rounded
from cogs.core.drawing.theme import CHALK, INK, WIDTH, Colour
from cogs.match_five import scenery, tile_scenery
from cogs.match_five.layout import HEIGHT, SLATE_AREA
from cogs.match_five.scenery import RIM, SIDE, STRIP, TRAY, Area
from cogs.match_five.tile_scenery import MAT, Links, Look, Pile, PlaceMark, corner_of, face_of, pad_colour
from cogs.match_five.words import face_name
from engine.games.match_five import TILES, WILD, Tile

_KEY: Colour = (255, 0, 255)  # the key colour behind sprites with dark outlines: no sprite has a similar colour
_TINTED = [0] * 12 + [255] * 244  # the share of the key colour in a pixel at the outline
_INSIDE = [255] * 110 + [0] * 146
_VISIBLE = [0] * 3 + [255] * 253  # visible differences


@lru_cache(maxsize=1)
def palette() -> Palette:
    """Return the bench with the mat, and below it the tray for a hand."""
    canvas = Canvas(WIDTH, HEIGHT + TRAY, INK)
    mat = Area(RIM, STRIP, WIDTH - RIM - SIDE, HEIGHT - STRIP - RIM)
    scenery.draw_bench(canvas, STRIP, HEIGHT, mat)
    scenery.draw_slate(canvas, SLATE_AREA)
    scenery.draw_tray(canvas, HEIGHT)
    sample = Canvas(WIDTH, 380, MAT)
    scenery.draw_sample(sample)
    bands = (STRIP, *range(STRIP + BAND, HEIGHT, BAND))
    return Palette(canvas.picture(), [sample.picture()], scenery.flat_colours(), 128, bands)


def cut(canvas: Canvas, ground: Colour = MAT) -> Bitmap:
    """Cut out what differs from the even ground that it was drawn on, with soft edges."""
    image = canvas.picture()
    red, green, blue = ImageChops.difference(image, Image.new("RGB", image.size, ground)).split()
    mask = ImageChops.lighter(ImageChops.lighter(red, green), blue).point(_VISIBLE, "1")
    return Bitmap(palette().fitted(image), mask)


def _keyed(canvas: Canvas) -> Bitmap:
    """Cut out what was drawn on the key colour, with a hard dark outline, for a sprite that may lie on bright ones."""
    image = canvas.picture()
    red, green, blue = image.split()
    tint = ImageChops.darker(ImageChops.subtract(red, green), ImageChops.subtract(blue, green))
    image.paste(INK, None, tint.point(_TINTED, "1"))
    return Bitmap(palette().fitted(image), tint.point(_INSIDE, "1"))


@drawn
def crosses(cell: int, many: int) -> Bitmap:
    """Return a row of the crosses on the mat."""
    canvas = Canvas(cell * (many - 1) + 2 * scenery.CROSS, 2 * scenery.CROSS, MAT)
    scenery.draw_crosses(canvas, cell, many)
    return cut(canvas)


@drawn
def numeral(words: str) -> Bitmap:
    """Return the name of a column or a row."""
    size = 23 if len(words) < 3 else 20
    canvas = Canvas(round(text_width(words, size)) + 4, 26, MAT)
    scenery.draw_numeral(canvas, canvas.width / 2, 13, words, size)
    return cut(canvas)


@drawn
def badge(words: str, size: int, covered: bool) -> Bitmap:
    """Return the badge with a line's points."""
    canvas = Canvas(*tile_scenery.badge_size(words, size, covered), _KEY)
    tile_scenery.draw_badge(canvas, words, size, 0, 0, covered)
    return _keyed(canvas)


@drawn
def name(words: str, turn: bool) -> Bitmap:
    """Return a name for a seat's sign, as high as its mark."""
    canvas = Canvas(round(text_width(words, scenery.NAME_SIZE)) + 3, 2 * scenery.NAME_MIDDLE, scenery.sign_ground(turn))
    canvas.text(1, scenery.NAME_MIDDLE, words, scenery.NAME_SIZE, CHALK, anchor="lm")
    return palette().bitmap(canvas)


@drawn
def number(words: str, size: int, ink: Colour, ground: Colour) -> Bitmap:
    """Return a number for a flat ground, which begins in the second column."""
    canvas = Canvas(round(text_width(words, size)) + 4, size + size % 2 + 2, ground)
    canvas.text(1, canvas.height / 2, words, size, ink, anchor="lm")
    return cut(canvas, ground)


# --------------------------------------------------------------------------------------------------------------- piles


@drawn
def _links(cell: int, links: Links) -> Bitmap:
    canvas = Canvas(cell, cell, MAT)
    tile_scenery.draw_links(canvas, cell, links)
    return cut(canvas)


@drawn
def _base(cell: int, height: int, look: Look) -> Bitmap:
    canvas = Canvas(cell, cell, _KEY)
    tile_scenery.draw_base(canvas, cell, height, look)
    return _keyed(canvas)


@drawn
def _slab(size: int, colour: str) -> Bitmap:
    canvas = Canvas(size, size, _KEY)
    tile_scenery.draw_slab(canvas, size / 2, size / 2, size, colour if colour == WILD else f"{colour}1")
    return _keyed(canvas)


@drawn
def _plate(size: int, tile: Tile, wild: bool) -> Bitmap:
    canvas = Canvas(size, size, _KEY)
    tile_scenery.draw_plate(canvas, size / 2, size / 2, size, tile, wild=wild)
    return _keyed(canvas)


@drawn
def enamel(size: int, tile: Tile) -> Bitmap:
    """Return a tile of a hand, to lie on its edge; if its width is odd, it begins half a pixel from the left."""
    canvas = Canvas(size + size % 2, size, INK)
    tile_scenery.draw_enamel(canvas, canvas.width / 2, size / 2, size, tile)
    tile_scenery.draw_letters(canvas, canvas.width / 2, size / 2, size, tile)
    return cut(canvas, INK)


@drawn
def _marks(cell: int, height: int, locked: bool) -> Bitmap:
    canvas = Canvas(cell, cell, _KEY)
    tile_scenery.draw_marks(canvas, cell, height, locked)
    return _keyed(canvas)


@drawn
def _pad(cell: int, best: bool) -> Bitmap:
    canvas = Canvas(cell, cell, MAT)
    tile_scenery.draw_pad(canvas, cell, best)
    return cut(canvas)


@drawn
def _disc(size: int, number: int, here: bool) -> Bitmap:
    canvas = Canvas(size, size, _KEY)
    tile_scenery.draw_disc(canvas, number, here)
    return _keyed(canvas)


@drawn
def _note(words: str, size: int, best: bool) -> Bitmap:
    canvas = Canvas(*tile_scenery.note_size(words, size), _KEY)
    tile_scenery.draw_note(canvas, words, size, best)
    return _keyed(canvas)


@drawn
def _tag(words: str, size: int, width: int, best: bool) -> Bitmap:
    ground = pad_colour(best)
    canvas = Canvas(width, round(size * 1.1), ground)
    tile_scenery.draw_tag(canvas, words, size, best)
    return cut(canvas, ground)


Placed = tuple[Bitmap, tuple[int, int]]
"""A sprite and its upper left corner in the cell."""


def pile(cell: int, shown: Pile) -> tuple[Placed, ...]:
    """Return the content of a cell, from below."""
    return tuple(_lying(cell, shown) if shown.offer is None else _offered(cell, shown, shown.offer))


@lru_cache(maxsize=4_096)
def laid(cell: int, shown: Pile, left: int, top: int) -> tuple[PlacedBitmap, ...]:
    """Return the same for a cell whose upper left corner is there. After a move most cells are unchanged."""
    return tuple(PlacedBitmap(piece, left + x, top + y) for piece, (x, y) in pile(cell, shown))


def _lying(cell: int, shown: Pile) -> Iterator[Placed]:
    if any(shown.links):
        yield _links(cell, shown.links), (0, 0)
    yield _base(cell, shown.height, shown.look), (0, 0)
    yield from _stacked(cell, shown, locked=shown.locked)
    if shown.number:
        yield _numbered(cell, shown.number, here=True)


def _stacked(cell: int, shown: Pile, *, locked: bool) -> Iterator[Placed]:
    """The edges of covered tiles, the top plate, and its marks."""
    size, height = face_of(cell), shown.height
    for level, tile in enumerate(shown.tiles[:-1], start=1):
        yield _slab(size, tile[0]), corner_of(cell, height, level)
    yield _plate(size, shown.tiles[-1], shown.wild), corner_of(cell, height, height)
    if height > 1 or locked:
        yield _marks(cell, height, locked), (0, 0)


def _numbered(cell: int, number: int, *, here: bool = False) -> Placed:
    """The number of a place, in the corner of its pile; `here`: the tile that may be moved."""
    disc = _disc(max(DISC, round(cell * 0.38)), number, here)
    return disc, (cell - disc.width, 0)


DISC = 26
"""The least width of a place's number."""


def _offered(cell: int, shown: Pile, offer: PlaceMark) -> Iterator[Placed]:
    """A highlighted cell: its pile, the number of the place's button, and the points. Without a pile the number and the
    points have the whole cell.
    """
    yield _pad(cell, offer.best or bool(shown.tiles)), (0, 0)
    if shown.tiles:
        yield from _stacked(cell, shown, locked=False)
        note = _note(f"+{offer.points}", round(cell * 0.3), offer.best)
        yield note, (0, cell - note.height)
        yield _numbered(cell, offer.number)
        return
    points = _tag(f"+{offer.points}", round(cell * 0.36), round(cell * 0.84), offer.best)
    yield _centred(points, cell * 0.5, cell * 0.77)
    yield _centred(_disc(round(cell * 0.54), offer.number, False), cell * 0.5, cell * 0.36)


@drawn
def pointer(number: int, dx: int, dy: int) -> Bitmap:
    """Return the number of a place that the picture does not show, with an arrow towards it."""
    canvas = Canvas(POINTER, POINTER, _KEY)
    tile_scenery.draw_pointer(canvas, number, dx, dy)
    return _keyed(canvas)


POINTER = 56
"""The width of a pointer."""


def _centred(piece: Bitmap, x: float, y: float) -> Placed:
    return piece, (round(x - piece.width / 2), round(y - piece.height / 2))


FACE = 118
"""The width of a tile as an emoji in pixels. Discord shows it about 20 pixels wide."""


@cache
def faces() -> Mapping[str, bytes]:
    """Return every tile as an emoji, by its name."""
    return {face_name(tile): rounded(_face(tile), FACE * tile_scenery.ROUND) for tile in (*TILES, WILD)}


def _face(tile: Tile) -> Canvas:
    canvas = Canvas(FACE, FACE, INK)
    tile_scenery.draw_face(canvas, tile)
    return canvas
