"""Stamps: shapes and letters without a colour, whose grey says how much of each pixel they cover.

Laid in a colour on a flat ground, at the picture's own size, they look as if they were drawn there, and one stamp
serves all colours, grounds and scenes: drawing it is what takes time.
"""

from math import ceil

from PIL import Image

from cogs.core.drawing.canvas import Canvas, text_width
from cogs.core.drawing.composition import Bitmap
from cogs.core.drawing.sprite_cache import drawn
from cogs.core.drawing.theme import Colour

NONE: Colour = (0, 0, 0)
"""The ground of a canvas on which a stamp is drawn."""

FULL: Colour = (255, 255, 255)
"""What is drawn on it."""

_ANY = [0] + [255] * 255


def stamp_of(canvas: Canvas) -> Bitmap:
    """Return as a stamp what was drawn on a canvas in `FULL` on `NONE`."""
    return Bitmap(canvas.picture().getchannel(0))


@drawn
def words_stamp(words: str, size: float) -> Bitmap:
    """Return words in the middle of a stamp, as `Canvas.text` sets them, with room for accents above and below."""
    canvas = Canvas(2 * ceil(text_width(words, size) / 2) + 6, 2 * ceil(size * 0.65) + 2, NONE)
    canvas.text(canvas.width / 2, canvas.height / 2, words, size, FULL)
    return stamp_of(canvas)


def covered(stamp: Bitmap) -> Image.Image:
    """Return as a mask what a stamp covers, be it in part."""
    return stamp.image.point(_ANY, "1")
