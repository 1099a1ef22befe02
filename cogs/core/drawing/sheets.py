"""A sheet: what a picture is put together from, noted down piece by piece, before a pixel of it is touched.

A picture after a move is mostly the one before it. A sheet knows by the names of its pieces what lies in each of its
bands, so `encoding` puts together only those that nobody has packed yet.
"""

import itertools
import struct
from collections.abc import Iterable
from functools import lru_cache
from itertools import pairwise
from typing import Any

from PIL import Image

from cogs.core.drawing import surfaces

BAND = 64
"""Rows of a sheet that are packed, and known again, as one. Lower ones are known again more often, but each costs
something by itself, so that twice as many take as long (make bench pictures).
"""

Box = tuple[int, int, int, int]
"""Left, upper, right and lower edge."""

_numbers = itertools.count(1)
_name = struct.Struct("<qhhhh").pack  # of one length: names in a row are read in one way only


class Piece:
    """A drawn piece of one byte a pixel, pasted through a mask if it has one. Never change either.

    No two pieces have the same `number`, however alike: where it lies, everybody knows what is seen there. Its palette
    is its scene's: Pillow's own would take several times the room of a small piece (of mode L there is none).
    """

    __slots__ = ("height", "image", "mask", "number", "opacity", "pixels", "width")

    def __init__(self, image: Image.Image, mask: Image.Image | None = None) -> None:
        if image.mode == "P":
            image = Image.frombytes("L", image.size, image.tobytes())
        self.image, self.mask = image, mask
        self.pixels, self.opacity = image.im, None if mask is None else mask.im
        self.width, self.height = image.size
        self.number = next(_numbers)


class Sprite:
    """A piece, or an area of one colour, in its place on a sheet; its `name` tells which and where."""

    __slots__ = ("box", "mask", "name", "paint")

    def __init__(self, piece: Piece, left: int, top: int) -> None:
        """Say where the piece's upper left corner belongs."""
        self.paint: Any = piece.pixels  # of a type of Pillow's own
        self.mask = piece.opacity
        right, bottom = left + piece.width, top + piece.height
        self.box: Box = (left, top, right, bottom)
        self.name = _name(piece.number, left, top, right, bottom)

    @classmethod
    def area(cls, index: int, box: Box) -> "Sprite":
        """Return an area of the colour of this number in the palette."""
        made = cls.__new__(cls)
        made.paint, made.mask, made.box, made.name = index, None, box, _name(-1 - index, *box)
        return made

    def paste(self, sheet: "Sheet") -> None:
        """Lay it on a sheet of the scene that it was drawn for."""
        sheet.lying.append(self)


def cuts(height: int, at: Iterable[int] = ()) -> tuple[int, ...]:
    """Return where the bands of a sheet of this height begin, and the height: at these rows, or evenly."""
    inner = sorted({row for row in at if 0 < row < height}) or range(BAND, height, BAND)
    return 0, *inner, height


@lru_cache(maxsize=64)
def _bands_of(edges: tuple[int, ...]) -> tuple[int, ...]:
    """Return of each row, in which band it is."""
    return tuple(band for band, (top, bottom) in enumerate(pairwise(edges)) for _ in range(top, bottom))


class Sheet:
    """Pieces `lying` on a ground, each over those before it. `palette`: red, green and blue of each colour; `edges`:
    where each band begins, and the height.
    """

    def __init__(self, ground: Piece | int, width: int, edges: tuple[int, ...], palette: bytes) -> None:
        """Begin with a ground of just this size, or of one colour."""
        self.width, self.height = width, edges[-1]
        self.palette, self.edges = palette, edges
        self.lying: list[Sprite] = []
        self._ground = ground

    def paste(self, piece: Piece, at: tuple[int, int]) -> None:
        """Lay a piece there, by its upper left corner."""
        self.lying.append(Sprite(piece, *at))

    def fill(self, index: int, box: Box) -> None:
        """Fill an area with the colour of this number in the palette."""
        self.lying.append(Sprite.area(index, box))

    def bands(self) -> list[bytes]:
        """Return a name of what is seen in each band, from above: bands of the same name look alike."""
        ground, edges = self._ground, self.edges
        number = -1 - ground if isinstance(ground, int) else ground.number
        named = [[_name(number, 0, top, self.width, bottom)] for top, bottom in pairwise(edges)]
        height, band_of = self.height, _bands_of(edges)
        for sprite in self.lying:
            _, top, _, bottom = sprite.box
            if top >= height or bottom <= 0:
                continue
            first = band_of[top] if top > 0 else 0
            last = band_of[bottom - 1] if bottom < height else len(named) - 1
            named[first].append(sprite.name)
            while first < last:
                first += 1
                named[first].append(sprite.name)
        return [b"".join(names) for names in named]

    def rows(self, top: int, bottom: int) -> memoryview:
        """Return the pixels from a row to another one as PNG wants its rows: each after a byte that says that it is
        not filtered. They are there until this thread asks for other rows, of whatever sheet.
        """
        ground, line, height = self._ground, self.width + 1, bottom - top
        rows = surfaces.rows(line * height)
        # What is pasted on this picture is written into `rows`: asking it for its bytes costs more than all the rest.
        strip = Image.frombuffer("L", (line, height), rows, "raw", "L", 0, 1)  # type: ignore[arg-type]  # it takes any
        paste = strip.im.paste  # `Image.paste` takes three times as long to come to it, and there are a hundred pieces
        if isinstance(ground, Piece):
            paste(ground.pixels, (1, -top, 1 + ground.width, ground.height - top))
        else:
            paste(ground, (1, 0, line, height))
        for sprite in self.lying:
            left, upper, right, lower = sprite.box
            if upper < bottom and lower > top:
                box = (left + 1, upper - top, right + 1, lower - top)
                if sprite.mask is None:
                    paste(sprite.paint, box)
                else:
                    paste(sprite.paint, box, sprite.mask)
        paste(0, (0, 0, 1, height))
        return rows

    def image(self) -> Image.Image:
        """Return the whole sheet as a picture of its own."""
        rows = self.rows(0, self.height)
        image = Image.frombytes("P", (self.width + 1, self.height), rows).crop((1, 0, self.width + 1, self.height))
        image.putpalette(self.palette)
        return image
