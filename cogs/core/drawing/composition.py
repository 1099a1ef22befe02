"""A picture as a list of bitmaps in their places; `png` composes and packs only the bands that have changed."""

import itertools
import struct
from collections.abc import Iterable
from functools import lru_cache
from itertools import pairwise

from PIL import Image

BAND = 64
"""Rows of a band by default. Lower bands are reused more often, but each has a cost of its own."""

Box = tuple[int, int, int, int]
"""Left, upper, right and lower edge."""

_numbers = itertools.count(1)
_name = struct.Struct("<qhhhh").pack  # of a fixed length, so that names in a row are unambiguous


class Bitmap:
    """A drawn image of one byte a pixel, pasted through a mask if it has one. Neither may be changed.

    Its unique `number` and its place identify what is seen there. Its mode is L, since Pillow's palettes would take
    more memory than the pixels of a small one; its colours are those of the `Palette` that it was drawn for.
    """

    __slots__ = ("height", "image", "mask", "number", "width")

    def __init__(self, image: Image.Image, mask: Image.Image | None = None) -> None:
        if image.mode == "P":
            image = Image.frombytes("L", image.size, image.tobytes())
        self.image, self.mask = image, mask
        self.width, self.height = image.size
        self.number = next(_numbers)


class PlacedBitmap:
    """A bitmap, or an area of one colour, in its place on a composition; `name` identifies which and where."""

    __slots__ = ("box", "mask", "name", "paint")

    def __init__(self, bitmap: Bitmap, left: int, top: int) -> None:
        """Place a bitmap by its upper left corner."""
        self.paint: Image.Image | int = bitmap.image
        self.mask = bitmap.mask
        right, bottom = left + bitmap.width, top + bitmap.height
        self.box: Box = (left, top, right, bottom)
        self.name = _name(bitmap.number, left, top, right, bottom)

    @classmethod
    def area(cls, index: int, box: Box) -> "PlacedBitmap":
        """Return an area of the colour with this number in the palette."""
        made = cls.__new__(cls)
        made.paint, made.mask, made.box, made.name = index, None, box, _name(-1 - index, *box)
        return made


def band_edges(height: int, at: Iterable[int] = ()) -> tuple[int, ...]:
    """Return the rows at which the bands of a composition begin, and its height: at the rows given, or evenly."""
    inner = sorted({row for row in at if 0 < row < height}) or range(BAND, height, BAND)
    return 0, *inner, height


@lru_cache(maxsize=64)
def _band_of_rows(edges: tuple[int, ...]) -> tuple[int, ...]:
    """Return the number of the band that each row is in."""
    return tuple(band for band, (top, bottom) in enumerate(pairwise(edges)) for _ in range(top, bottom))


class Composition:
    """Bitmaps `placed` on a ground, each over those before it. `edges` are the rows at which bands begin, and the
    height; `palette` is red, green and blue of each colour.
    """

    def __init__(self, ground: Bitmap | int, width: int, edges: tuple[int, ...], palette: bytes) -> None:
        """Start with a ground of exactly this size, or of one colour."""
        self.width, self.height = width, edges[-1]
        self.palette, self.edges = palette, edges
        self.placed: list[PlacedBitmap] = []
        self._ground = ground

    def paste(self, bitmap: Bitmap, at: tuple[int, int]) -> None:
        """Place a bitmap by its upper left corner."""
        self.placed.append(PlacedBitmap(bitmap, *at))

    def fill(self, index: int, box: Box) -> None:
        """Fill an area with the colour of this number in the palette."""
        self.placed.append(PlacedBitmap.area(index, box))

    def bands(self) -> list[bytes]:
        """Return a name of what each band shows, from the top: bands of the same name look alike."""
        ground, edges = self._ground, self.edges
        number = -1 - ground if isinstance(ground, int) else ground.number
        named = [[_name(number, 0, top, self.width, bottom)] for top, bottom in pairwise(edges)]
        height, band_of = self.height, _band_of_rows(edges)
        for one in self.placed:
            _, top, _, bottom = one.box
            if top < height and bottom > 0:
                last = band_of[min(bottom, height) - 1]
                for band in range(band_of[max(top, 0)], last + 1):
                    named[band].append(one.name)
        return [b"".join(names) for names in named]

    def rows(self, top: int, bottom: int) -> bytes:
        """Return the pixels from row `top` to row `bottom` as PNG has them: each row follows a filter type, here 0."""
        image = self.pixels((-1, top, self.width, bottom))
        image.paste(0, (0, 0, 1, bottom - top))
        return image.tobytes()

    def image(self) -> Image.Image:
        """Return the whole composition as an image (mode P)."""
        image = self.pixels((0, 0, self.width, self.height))
        image.putpalette(self.palette)
        return image

    def pixels(self, box: Box) -> Image.Image:
        """Return the part of the composition in a box as an image of the colours' numbers (mode L)."""
        left, top, right, bottom = box
        size = right - left, bottom - top
        if isinstance(self._ground, int):
            image = Image.new("L", size, self._ground)
        else:
            image = Image.new("L", size)
            image.paste(self._ground.image, (-left, -top))
        for one in self.placed:
            x, y, far, foot = one.box
            if y < bottom and foot > top and x < right and far > left:
                image.paste(one.paint, (x - left, y - top, far - left, foot - top), one.mask)
        return image

    def changed_box(self, before: "Composition") -> Box | None:
        """Return a box outside which this looks like a composition `before` of the same size; None if all of it does.

        It is around what only one of them has, or the whole if they differ in the ground or in the order of the rest.
        """
        names, others = {one.name for one in self.placed}, {one.name for one in before.placed}
        shared = [one.name for one in self.placed if one.name in others]
        if self._ground != before._ground or shared != [one.name for one in before.placed if one.name in names]:
            return 0, 0, self.width, self.height
        changed = [one.box for one in self.placed if one.name not in others]
        changed += [one.box for one in before.placed if one.name not in names]
        if not changed:
            return None
        lefts, tops, rights, feet = zip(*changed, strict=True)
        left, top = max(0, min(lefts)), max(0, min(tops))
        right, foot = min(self.width, max(rights)), min(self.height, max(feet))
        return (left, top, right, foot) if left < right and top < foot else None
