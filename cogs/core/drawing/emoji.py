"""Pieces of the games as pictures of the size of an emoji."""

from io import BytesIO

from PIL import Image

from cogs.core.drawing.canvas import Canvas
from cogs.core.drawing.sheets import Piece

SIZE = 128
"""Pixels each way: what Discord keeps."""


def centred(piece: Piece, colours: bytes) -> bytes:
    """Return a piece, cut out by its mask, as an emoji: in the middle of a square that is clear around it. `colours`
    are the palette of its scene.
    """
    image = piece.image.copy()
    image.putpalette(colours)
    return framed(image.convert("RGB"), piece.mask)


def rounded(canvas: Canvas, radius: float) -> bytes:
    """Return what is drawn on a square canvas as an emoji, with round corners."""
    shape = Canvas(canvas.width, canvas.height, (0, 0, 0))
    shape.box(0, 0, canvas.width, canvas.height, (255, 255, 255), radius)
    return framed(canvas.picture(), shape.picture().convert("L"))


def framed(image: Image.Image, mask: Image.Image | None) -> bytes:
    """Return a picture of mode RGB as an emoji, as much of it as a mask shows (all without one), in the middle of a
    square that is clear around it.
    """
    square = Image.new("RGBA", (SIZE, SIZE), (0, 0, 0, 0))
    square.paste(image, ((SIZE - image.width) // 2, (SIZE - image.height) // 2), mask)
    file = BytesIO()
    square.save(file, "PNG", optimize=True)
    return file.getvalue()
