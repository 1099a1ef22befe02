"""The drawing kit of every game's pictures: theme, seat marks, a supersampled canvas, cached layers, fast encoding.

A picture is made in two steps. What costs time (shapes, letters, smooth edges) is drawn once on a `Canvas`, several
times too large, and fitted to the scene's palette: that gives the fixed ground and opaque sprites of one byte a pixel,
which the games keep in `lru_cache`s of a stated size. What happens after every move is cheap: copy the ground, paste
sprites, `encode`. Everything cached is read only afterwards, so pictures may be drawn in several threads at once.
Lengths are in pixels of the finished picture, x to the right and y down. May import Pillow, the standard library and
`cogs.core.messages.page`.
"""

import math
import struct
import zlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from isal import isal_zlib
from PIL import Image, ImageDraw, ImageFont

from cogs.core.messages.page import ALT_LIMIT

Colour = tuple[int, int, int]
"""Red, green and blue, 0 to 255."""

Point = tuple[float, float]
Shape = Literal["disc", "diamond", "triangle", "square", "hexagon", "star"]

WIDTH = 800
"""The width that pictures are drawn at. Discord's phones show it at about half: no letter below 20 pixels."""

_SCALE = 4  # a canvas is so many times larger than its picture, each way; averaging it down smooths the edges
_QUICK = 1  # of isal: a quarter of zlib's time at level 3 for a twentieth more bytes (make bench pictures)
_CROWDED, _THOROUGH = 5, 6  # of zlib, where the quick way is known to be too little, or was
_LARGE = 59_500  # bytes, from which a picture is worth more of zlib's time: the budget is 60 KB

# The theme: dark, close to Discord's own dark greys, and a closed surface of its own on the light theme. Channels are
# multiples of four, because Pillow looks palettes up in steps of four: so flat colours come out exactly.
INK: Colour = (16, 18, 28)  # outlines, letters on bright grounds
NIGHT: Colour = (24, 28, 44)  # the deepest ground
SLATE: Colour = (44, 48, 68)  # panels
STONE: Colour = (72, 76, 100)  # the brightest ground that a seat's colour must stand out from
ASH: Colour = (160, 168, 188)  # what is out of use or of second rank
CHALK: Colour = (244, 244, 248)  # letters on dark grounds
LAMP: Colour = (252, 224, 132)  # light, and what was just won
ALARM: Colour = (252, 92, 84)  # barred, counting down


@dataclass(frozen=True)
class SeatMark:
    """How a seat is told apart: by letter, shape and colour, each of which is enough alone."""

    letter: str
    shape: Shape
    colour: Colour
    hue: str  # the colour's name, for texts


# After Okabe and Ito, "Color Universal Design" (2008), brightened for dark grounds. Any two are at least 18 CIELAB
# units apart for full colour vision, protanopia and deuteranopia; the tests compute it.
SEAT_MARKS: tuple[SeatMark, ...] = (
    SeatMark("A", "disc", (252, 164, 40), "orange"),
    SeatMark("B", "diamond", (108, 180, 252), "blue"),
    SeatMark("C", "triangle", (48, 208, 144), "green"),
    SeatMark("D", "square", (240, 128, 192), "pink"),
    SeatMark("E", "hexagon", (252, 240, 120), "yellow"),
    SeatMark("F", "star", (244, 244, 248), "white"),
)


def mix(one: Colour, other: Colour, share: float) -> Colour:
    """Return the colour that has gone `share` (0 to 1) of the way from `one` to `other`."""
    red, green, blue = (round(a + (b - a) * share) for a, b in zip(one, other, strict=True))
    return red, green, blue


def outline(shape: Shape, x: float, y: float, radius: float) -> list[Point]:
    """Return the corners of a seat's shape around (x, y). All shapes of one radius look about equally large."""
    match shape:
        case "disc":
            return _ring(x, y, radius * 0.95, 48, 0)
        case "diamond":
            return _ring(x, y, radius * 1.12, 4, 0)
        case "triangle":
            return _ring(x, y + radius * 0.22, radius * 1.22, 3, -90)
        case "square":
            return _ring(x, y, radius * 1.2, 4, 45)
        case "hexagon":
            return _ring(x, y, radius * 1.04, 6, 0)
        case "star":
            tips = _ring(x, y + radius * 0.06, radius * 1.2, 5, -90)
            notches = _ring(x, y + radius * 0.06, radius * 0.62, 5, -54)
            return [point for pair in zip(tips, notches, strict=True) for point in pair]


def _ring(x: float, y: float, radius: float, corners: int, first: float) -> list[Point]:
    turns = [math.radians(first + 360 * i / corners) for i in range(corners)]
    return [(x + radius * math.cos(turn), y + radius * math.sin(turn)) for turn in turns]


@lru_cache(maxsize=64)
def _font(size: int) -> ImageFont.FreeTypeFont:
    font = ImageFont.load_default(size)
    assert isinstance(font, ImageFont.FreeTypeFont)  # Pillow's bundled Aileron; a bitmap only if it lacks FreeType
    return font


@lru_cache(maxsize=512)
def has_glyph(letter: str) -> bool:
    """Say whether the font can draw a letter; what it lacks would come out as a box."""
    font = _font(40)
    return letter == " " or bytes(font.getmask(letter)) != bytes(font.getmask("\uffff"))


def text_width(words: str, size: float) -> float:
    """Return how wide `Canvas.text` sets these words at that size."""
    return _font(round(size * _SCALE)).getlength(words) / _SCALE


@lru_cache(maxsize=1024)
def fitted_name(name: str, size: float, room: float) -> str:
    """Return what of a person's name `Canvas.text` can set at that size in that room, shortened if need be.

    Signs that are no letters (emoji) are left out where the font lacks them. It is empty where the font lacks a letter:
    the seat's mark stands alone then.
    """
    kept = "".join(sign for sign in name if sign.isalnum() or has_glyph(sign))
    words = " ".join(kept.split())
    if not all(map(has_glyph, words)):
        return ""
    if text_width(words, size) <= room:
        return words
    while words and text_width(f"{words}…", size) > room:
        words = words[:-1].rstrip()
    return f"{words}…" if words else ""


class Canvas:
    """A surface on which everything is drawn `_SCALE` times too large, so that `picture` comes out with smooth edges.

    Areas, discs and boxes may be given an `alpha` (0 to 255), with which their colour is laid over what is there. One
    thread draws on it.
    """

    def __init__(
        self, width: int, height: int, ground: Colour | Image.Image, *, left: float = 0, top: float = 0
    ) -> None:
        """Begin with a flat ground, or with a picture of exactly this size.

        The canvas shows what lies right of `left` and below `top`: a piece of a picture is drawn where it belongs.
        """
        self.width, self.height = width, height
        self._left, self._top = left, top
        size = (width * _SCALE, height * _SCALE)
        if isinstance(ground, Image.Image):
            # Averaging undoes this enlargement exactly: where nothing is drawn, the ground comes back unchanged.
            self._image = ground.resize(size, Image.Resampling.NEAREST)
        else:
            self._image = Image.new("RGB", size, ground)
        self._pen = ImageDraw.Draw(self._image)
        self._glass = ImageDraw.Draw(self._image, "RGBA")

    def _brush(self, alpha: int) -> ImageDraw.ImageDraw:
        """Return what draws in that strength: what is opaque need not be mixed with what is there, pixel by pixel."""
        return self._pen if alpha == 255 else self._glass

    def _at(self, x: float, y: float) -> Point:
        return (x - self._left) * _SCALE, (y - self._top) * _SCALE

    def area(self, points: Sequence[Point], fill: Colour, alpha: int = 255) -> None:
        """Fill a polygon."""
        self._brush(alpha).polygon([self._at(x, y) for x, y in points], (*fill, alpha))

    def disc(self, x: float, y: float, radius: float, fill: Colour, alpha: int = 255) -> None:
        """Fill a circle around (x, y)."""
        edges = (*self._at(x - radius, y - radius), *self._at(x + radius, y + radius))
        self._brush(alpha).ellipse(edges, (*fill, alpha))

    def box(
        self, left: float, top: float, right: float, bottom: float, fill: Colour, radius: float = 0, alpha: int = 255
    ) -> None:
        """Fill a rectangle with rounded corners."""
        # Pillow counts the last pixel in; without the 1 two neighbours would overlap.
        x, y = self._at(right, bottom)
        self._brush(alpha).rounded_rectangle((*self._at(left, top), x - 1, y - 1), radius * _SCALE, (*fill, alpha))

    def line(self, points: Sequence[Point], width: float, fill: Colour, *, caps: bool = True) -> None:
        """Draw a line through the points, with round joints and, unless told otherwise, round ends."""
        large = [self._at(x, y) for x, y in points]
        self._pen.line(large, fill, round(width * _SCALE), joint="curve")
        if caps:
            for x, y in (points[0], points[-1]):
                self.disc(x, y, width / 2, fill)

    def text(
        self,
        x: float,
        y: float,
        words: str,
        size: float,
        fill: Colour,
        *,
        anchor: str = "mm",
        bold: bool = True,
        halo: Colour | None = None,
    ) -> None:
        """Set words at (x, y). `anchor` is Pillow's: l, m, r and a, m, s, d; "mm" centres the capitals exactly.

        The font has Latin letters, digits and common signs; names that people chose pass `fitted_name` first. Raises
        ValueError for a sign that it lacks.
        """
        if not all(map(has_glyph, words)):
            raise ValueError(f"the font cannot draw {words!r}")
        font = _font(round(size * _SCALE))
        weight = size * _SCALE * 0.032 if bold else 0.0
        at = list(self._at(x, y))
        if anchor[1] == "m":  # Pillow centres between ascender and descender; the eye centres the capitals
            top, bottom = font.getbbox("H", anchor="ls")[1::2]
            at[1] -= (top + bottom) / 2
            anchor = anchor[0] + "s"
        place = (at[0], at[1])
        if halo is not None:
            self._pen.text(place, words, halo, font, anchor, stroke_width=weight + size * _SCALE * 0.11)
        self._pen.text(place, words, fill, font, anchor, stroke_width=weight)

    def mark(self, mark: SeatMark, x: float, y: float, radius: float, *, letter: bool = True) -> None:
        """Draw a seat's mark: its shape in its colour, with its letter unless a name stands beside it."""
        self.area(outline(mark.shape, x, y, radius + 3), INK)
        self.area(outline(mark.shape, x, y, radius), mark.colour)
        if not letter:
            return
        lower = {"triangle": 0.34, "star": 0.1}.get(mark.shape, 0.0)
        self.text(x, y + lower * radius, mark.letter, radius * (0.95 if lower else 1.15), INK)

    def picture(self) -> Image.Image:
        """Return what was drawn, at its proper size, mode RGB."""
        return self._image.reduce(_SCALE)


class Scene:
    """A fixed ground and the palette in which it and every sprite on it are drawn.

    Pixels of one byte are what makes pictures fast: pasting copies bytes, and a PNG of them takes a fifth of the time
    and a third of the room of one in full colour.
    """

    def __init__(
        self,
        ground: Image.Image,
        samples: Iterable[Image.Image] = (),
        flat: Iterable[Colour] = (),
        colours: int = 256,
    ) -> None:
        """Choose the palette for the ground (mode RGB) and for `samples`, pictures that show what sprites will need.

        The colours of `flat` are in the palette as they are. Crowded pictures stay small with fewer `colours`: their
        smooth edges are what takes room.
        """
        self._true = ground
        kept = list(dict.fromkeys((INK, NIGHT, SLATE, CHALK, *flat)))
        self._palette = _palette([ground, *samples], kept, colours)
        self._ground = self.fitted(ground)

    def canvas(self, left: int, top: int, width: int, height: int) -> Canvas:
        """Return a canvas for a sprite that will lie there: it shows that piece of the ground."""
        piece = self._true.crop((left, top, left + width, top + height))
        return Canvas(width, height, piece, left=left, top=top)

    def sprite(self, canvas: Canvas) -> Image.Image:
        """Return what was drawn as a sprite to paste on a `sheet` of this scene. Never change it."""
        return self.fitted(canvas.picture())

    def sheet(self) -> Image.Image:
        """Return a fresh copy of the ground: paste sprites on it, then `encode` it."""
        return self._ground.copy()

    def fitted(self, picture: Image.Image) -> Image.Image:
        """Return a picture (mode RGB) as a sprite of this scene, for one that was not drawn on its ground."""
        fitted = picture.quantize(palette=self._palette, dither=Image.Dither.NONE)
        fitted.load()  # settles Pillow's lazy state, so that threads only read
        return fitted


def _palette(samples: Sequence[Image.Image], kept: Sequence[Colour], colours: int) -> Image.Image:
    """Return an image of mode P with so many colours: those kept, the rest from a median cut through the samples."""
    width = max(sample.width for sample in samples)
    strip = Image.new("RGB", (width, sum(sample.height for sample in samples)), samples[0].getpixel((0, 0)))
    top = 0
    for sample in samples:
        strip.paste(sample, (0, top))
        top += sample.height
    cut = strip.quantize(colours - len(kept), Image.Quantize.MEDIANCUT, kmeans=1, dither=Image.Dither.NONE)
    channels = [channel for colour in kept for channel in colour] + (cut.getpalette() or [])
    palette = Image.new("P", (1, 1))
    palette.putpalette(channels[:768])
    return palette


@dataclass(frozen=True)
class Sprite:
    """A drawn piece of one byte a pixel, and where its upper left corner belongs."""

    image: Image.Image
    left: int
    top: int

    def paste(self, sheet: Image.Image) -> None:
        """Paste it on a sheet of the scene that it was drawn for."""
        sheet.paste(self.image, (self.left, self.top))


def encode(sheet: Image.Image, *, crowded: bool = False) -> bytes:
    """Return a sheet as PNG. The same sheet gives the same bytes.

    For a `crowded` one, which the quick way would leave too large, zlib is given its time at once.
    """
    rows = _rows(sheet)
    data = _png(sheet, zlib.compress(rows, _CROWDED) if crowded else isal_zlib.compress(rows, _QUICK))
    return data if len(data) <= _LARGE else _png(sheet, zlib.compress(rows, _THOROUGH))


def _rows(sheet: Image.Image) -> bytes:
    """Return the rows of a sheet as PNG wants them, each after a byte that says it is not filtered."""
    padded = Image.new("P", (sheet.width + 1, sheet.height), 0)
    padded.paste(sheet, (1, 0))
    return padded.tobytes()


def _png(sheet: Image.Image, packed: bytes) -> bytes:
    """Return the packed rows of a sheet of one byte a pixel as a file.

    See the PNG specification (W3C, third edition), sections 5 and 11.
    """
    header = struct.pack(">IIBBBBB", sheet.width, sheet.height, 8, 3, 0, 0, 0)  # 8 bits, by palette
    palette = bytes(sheet.getpalette("RGB") or ())
    parts = ((b"IHDR", header), (b"PLTE", palette), (b"IDAT", packed), (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(_chunk(kind, body) for kind, body in parts)


def _chunk(kind: bytes, body: bytes) -> bytes:
    return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(body, zlib.crc32(kind)))


def told(sentences: Iterable[str], limit: int = ALT_LIMIT) -> str:
    """Return the sentences, joined by spaces, up to the last that fits into `limit` characters: put the chief first."""
    text = ""
    for sentence in sentences:
        longer = f"{text} {sentence}".strip()
        if len(longer) > limit:
            break
        text = longer
    return text
