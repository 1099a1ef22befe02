"""Parts of finished pictures, for pages that have little space: rows cut out of one, or two beside each other."""

from io import BytesIO

from PIL import Image

from cogs.core.drawing.png import encode_image
from cogs.core.drawing.theme import INK

GAP = 16
"""Pixels between two pictures."""


def rows_of(png: bytes, *spans: tuple[int, int], width: int | None = None) -> bytes:
    """Return these spans of rows of a picture, in pixels from its top, below each other, or only the left `width`."""
    with Image.open(BytesIO(png)) as file:
        whole = file.convert("RGB").crop((0, 0, width or file.width, file.height))
    parts = Image.new("RGB", (whole.width, sum(bottom - top for top, bottom in spans)), INK)
    below = 0
    for top, bottom in spans:
        parts.paste(whole.crop((0, top, whole.width, bottom)), (0, below))
        below += bottom - top
    return encode_image(parts)


def side_by_side(left: bytes, right: bytes) -> bytes:
    """Return two pictures of the same height beside each other."""
    with Image.open(BytesIO(left)) as file:
        first = file.convert("RGB")
    with Image.open(BytesIO(right)) as file:
        second = file.convert("RGB")
    both = Image.new("RGB", (first.width + GAP + second.width, max(first.height, second.height)), INK)
    both.paste(first, (0, 0))
    both.paste(second, (first.width + GAP, 0))
    return encode_image(both)
