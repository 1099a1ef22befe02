"""Stamps: shapes and text without a colour, whose grey is the coverage of each pixel.

Painted in a colour on a flat ground, at the picture's own size, they look as if drawn there. One stamp serves all
colours, grounds and scenes, and drawing it is the expensive part.
"""

from math import ceil

from PIL import Image

from cogs.core.drawing.canvas import Canvas, text_width
from cogs.core.drawing.composition import Bitmap
from cogs.core.drawing.sprites import drawn
from cogs.core.drawing.theme import Colour

NONE: Colour = (0, 0, 0)
"""The ground of a canvas on which a stamp is drawn."""

FULL: Colour = (255, 255, 255)
"""The colour in which it is drawn."""

_ANY = [0] + [255] * 255


def stamp_of(canvas: Canvas) -> Bitmap:
    """Return the drawing on a canvas, in `FULL` on `NONE`, as a stamp."""
    return Bitmap(canvas.picture().getchannel(0))


@drawn
def words_stamp(words: str, size: float) -> Bitmap:
    """Return text centred in a stamp, as `Canvas.text` sets it, with space for accents above and below."""
    canvas = Canvas(2 * ceil(text_width(words, size) / 2) + 6, 2 * ceil(size * 0.65) + 2, NONE)
    canvas.text(canvas.width / 2, canvas.height / 2, words, size, FULL)
    return stamp_of(canvas)


def covered(stamp: Bitmap) -> Image.Image:
    """Return a mask of the pixels that a stamp covers, even partly."""
    return stamp.image.point(_ANY, "1")
