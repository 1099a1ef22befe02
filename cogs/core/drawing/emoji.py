"""Pieces of the games as pictures of the size of an emoji. May import Pillow and the standard library."""

from io import BytesIO

from PIL import Image

SIZE = 128
"""Pixels each way: what Discord keeps."""


def centred(image: Image.Image, mask: Image.Image) -> bytes:
    """Return a picture, cut out by its mask, as an emoji: in the middle of a square that is clear around it."""
    square = Image.new("RGBA", (SIZE, SIZE), (0, 0, 0, 0))
    square.paste(image.convert("RGB"), ((SIZE - image.width) // 2, (SIZE - image.height) // 2), mask)
    file = BytesIO()
    square.save(file, "PNG", optimize=True)
    return file.getvalue()
