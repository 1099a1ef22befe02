"""Bitmaps that are drawn once: the cache for those of all games, and words, seat marks and emoji."""

import threading
from collections.abc import Callable
from functools import partial
from io import BytesIO
from typing import Any, Literal, TypeVar, TypeVarTuple

from cachetools import LRUCache, cached
from cachetools.keys import hashkey
from PIL import Image

from cogs.core.drawing.canvas import Canvas, text_width
from cogs.core.drawing.composition import Bitmap, Composition, PlacedBitmap
from cogs.core.drawing.palette import Palette
from cogs.core.drawing.theme import SEAT_MARKS, Colour

MAX_BYTES = 64 << 20
"""Bytes of all cached bitmaps."""

OVERHEAD = 1_400
"""Bytes that a bitmap takes beside its pixels: Pillow's objects, ours, and the arguments that it is cached by."""

_Drawn = TypeVar("_Drawn", bound=Bitmap | PlacedBitmap)
_Args = TypeVarTuple("_Args")


def byte_size(drawn: Bitmap | PlacedBitmap) -> int:
    """Return how many bytes a bitmap takes in memory."""
    left, top, right, bottom = drawn.box if isinstance(drawn, PlacedBitmap) else (0, 0, drawn.width, drawn.height)
    return OVERHEAD + (right - left) * (bottom - top) * (1 if drawn.mask is None else 2)


bitmaps = LRUCache[Any, Bitmap | PlacedBitmap](MAX_BYTES, getsizeof=byte_size)
"""All cached bitmaps, by function and arguments."""

_lock = threading.Lock()


def drawn(draw: Callable[[*_Args], _Drawn]) -> Callable[[*_Args], _Drawn]:
    """Cache what a function draws, by its arguments. Safe in several threads."""
    return cached(bitmaps, key=partial(hashkey, draw), lock=_lock)(draw)


# Words and seat marks, for pictures that are tables

Side = Literal["l", "m", "r"]
"""Which part of the words is at a place: their left end, middle or right end."""


@drawn
def _words(palette: Palette, words: str, size: float, ink: Colour, ground: Colour) -> Bitmap:
    canvas = Canvas(max(1, round(text_width(words, size) + 6)), round(size * 1.4), ground)
    canvas.text(canvas.width / 2, canvas.height / 2, words, size, ink)
    return palette.bitmap(canvas)


def set_words(
    composition: Composition,
    palette: Palette,
    x: float,
    y: float,
    words: str,
    size: float,
    ink: Colour,
    ground: Colour,
    side: Side = "m",
) -> None:
    """Set words on an area of one colour, centred on the height `y`. Raises ValueError as `Canvas.text`."""
    if not words:
        return
    bitmap = _words(palette, words, size, ink, ground)
    left = {"l": x - 3, "m": x - bitmap.width / 2, "r": x - bitmap.width + 3}[side]
    composition.paste(bitmap, (round(left), round(y - bitmap.height / 2)))


@drawn
def mark_bitmap(palette: Palette, seat: int, ground: Colour) -> Bitmap:
    """Return a seat's mark, 34 pixels square, to be shown before a name on an area of one colour."""
    canvas = Canvas(34, 34, ground)
    canvas.mark(SEAT_MARKS[seat], 17, 17, 13, letter=False)
    return palette.bitmap(canvas)


# Emoji

EMOJI_SIZE = 128
"""Pixels each way, as Discord stores them."""


def centred(bitmap: Bitmap, palette: Palette) -> bytes:
    """Return a bitmap, cut out by its mask, as an emoji."""
    return framed(palette.with_colours(bitmap.image).convert("RGB"), bitmap.mask)


def rounded(canvas: Canvas, radius: float) -> bytes:
    """Return what is drawn on a square canvas as an emoji with round corners."""
    shape = Canvas(canvas.width, canvas.height, (0, 0, 0))
    shape.box(0, 0, canvas.width, canvas.height, (255, 255, 255), radius)
    return framed(canvas.picture(), shape.picture().convert("L"))


def framed(image: Image.Image, mask: Image.Image | None) -> bytes:
    """Return what a mask shows of a picture (mode RGB), or all of it, in the middle of a transparent square."""
    square = Image.new("RGBA", (EMOJI_SIZE, EMOJI_SIZE), (0, 0, 0, 0))
    square.paste(image, ((EMOJI_SIZE - image.width) // 2, (EMOJI_SIZE - image.height) // 2), mask)
    file = BytesIO()
    square.save(file, "PNG", optimize=True)
    return file.getvalue()
