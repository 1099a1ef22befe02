"""Parts of the games as emoji."""

from io import BytesIO

from PIL import Image

from cogs.core.drawing.canvas import Canvas
from cogs.core.drawing.composition import Bitmap
from cogs.core.drawing.palette import Palette

SIZE = 128
"""Pixels each way, as Discord stores them."""


def centred(bitmap: Bitmap, palette: Palette) -> bytes:
    """Return a bitmap, cut out by its mask, as an emoji: in the middle of a transparent square."""
    return framed(palette.with_colours(bitmap.image).convert("RGB"), bitmap.mask)


def rounded(canvas: Canvas, radius: float) -> bytes:
    """Return what is drawn on a square canvas as an emoji with round corners."""
    shape = Canvas(canvas.width, canvas.height, (0, 0, 0))
    shape.box(0, 0, canvas.width, canvas.height, (255, 255, 255), radius)
    return framed(canvas.picture(), shape.picture().convert("L"))


def framed(image: Image.Image, mask: Image.Image | None) -> bytes:
    """Return what a mask shows of a picture (mode RGB), or all of it, in the middle of a transparent square."""
    square = Image.new("RGBA", (SIZE, SIZE), (0, 0, 0, 0))
    square.paste(image, ((SIZE - image.width) // 2, (SIZE - image.height) // 2), mask)
    file = BytesIO()
    square.save(file, "PNG", optimize=True)
    return file.getvalue()
