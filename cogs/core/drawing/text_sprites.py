"""Words and seat marks as cached bitmaps, for pictures that are tables, such as score sheets. Words are set on areas of
one colour.
"""

from typing import Literal

from cogs.core.drawing.canvas import Canvas, text_width
from cogs.core.drawing.composition import Bitmap, Composition
from cogs.core.drawing.palette import Palette
from cogs.core.drawing.sprite_cache import drawn
from cogs.core.drawing.theme import SEAT_MARKS, Colour

Side = Literal["l", "m", "r"]
"""Which part of the words a place is: their left end, their middle or their right end."""


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
    """Set words on an area of one colour, centred on the height `y`.

    Raises ValueError for a sign that the font lacks.
    """
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
