"""A canvas for shapes and letters with smooth edges: they are drawn several times larger and averaged down. Lengths are
in pixels of the finished picture, x to the right and y down.
"""

import math
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from functools import lru_cache

from PIL import Image, ImageDraw, ImageFont

from cogs.core.drawing.accents import ABOVE, BELOW, taken_apart
from cogs.core.drawing.theme import INK, Colour, SeatMark, Shape

Point = tuple[float, float]

_MINUS = "−"  # the font has none
COMPUTER = "🤖"
"""The sign of a computer player, which is drawn as a head with an antenna."""

_SCALE = 4  # how many times larger than its picture a canvas is, each way


Note = Callable[[str, float, float], None]
"""Gets words that are drawn, their size, and how far they reach beyond the left or right edge of the picture."""

_note: ContextVar[Note | None] = ContextVar("note", default=None)


@contextmanager
def lettering_noted(note: Note) -> Iterator[None]:
    """Call `note` with all words that are drawn in this context. Cached bitmaps are not drawn again."""
    token = _note.set(note)
    try:
        yield
    finally:
        _note.reset(token)


def outline(shape: Shape, x: float, y: float, radius: float) -> list[Point]:
    """Return the corners of a seat's shape around (x, y). Shapes of one radius look about equally large."""
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
def _in_font(letter: str) -> bool:
    """Return True if the font has a letter; it draws others as a box."""
    font = _font(40)
    return letter in (" ", _MINUS, COMPUTER) or bytes(font.getmask(letter)) != bytes(font.getmask("\uffff"))


def has_glyph(letter: str) -> bool:
    """Return True if `Canvas.text` can draw a letter: as the font has it, or with a mark that we draw ourselves."""
    return all(map(_in_font, taken_apart(letter, _in_font).plain))


@lru_cache(maxsize=2_048)
def text_width(words: str, size: float) -> float:
    """Return how wide `Canvas.text` draws words at a size."""
    return _length(_font(round(size * _SCALE)), words) / _SCALE


def _length(font: ImageFont.FreeTypeFont, words: str) -> float:
    heads = words.count(COMPUTER) if COMPUTER in words else 0
    written = taken_apart(words.replace(COMPUTER, "") if heads else words, _in_font).plain
    return font.getlength(written.replace(_MINUS, "+")) + heads * _head(font)


def _head(font: ImageFont.FreeTypeFont) -> float:
    """Return how wide the sign of a computer player is: about as wide as a capital is high."""
    top, bottom = font.getbbox("H", anchor="ls")[1::2]
    return (bottom - top) * 1.1


@lru_cache(maxsize=64)
def _bar(font: ImageFont.FreeTypeFont) -> tuple[int, int, int, int]:
    """Return the box of a minus at the origin on the baseline: as long as a plus, as thick as a hyphen."""
    plus, (left, top) = font.getmask2("+", anchor="ls")
    hyphen, _ = font.getmask2("-", anchor="ls")
    inked = plus.getbbox()
    thick = hyphen.getbbox()[3] - hyphen.getbbox()[1]
    upper = top + (inked[1] + inked[3] - thick) // 2
    return left + inked[0], upper, left + inked[2] - 1, upper + thick - 1


@lru_cache(maxsize=1024)
def fitted_name(name: str, size: float, width: float) -> str:
    """Return a person's name as `Canvas.text` can draw it at this size and width, shortened if necessary; a number at
    its end stays, since it tells names apart. Signs such as emoji are left out if the font lacks them. The name is
    empty if it lacks a letter.
    """
    kept = "".join(sign for sign in name if sign.isalnum() or has_glyph(sign))
    words = " ".join(kept.split())
    if not all(map(has_glyph, words)):
        return ""
    if text_width(words, size) <= width:
        return words
    before, _, number = words.rpartition(" ")
    end = "…"
    if before and number.isdigit() and len(number) < 3:
        words, end = before, f"… {number}"
    while words and text_width(f"{words}{end}", size) > width:
        words = words[:-1].rstrip()
    return f"{words}{end}" if words else ""


def fitted_size(words: str, size: int, width: float) -> int:
    """Return the largest size, at most this one, at which words fit a width: words of other languages may be longer."""
    while size > 1 and text_width(words, size) > width:
        size -= 1
    return size


def scaled_size(words: str, size: float, width: float) -> float:
    """Return exactly the size, at most this one, at which words fill a width."""
    return min(size, size * width / max(1.0, text_width(words, size)))


class Canvas:
    """An image to draw on, by one thread. `alpha` (0 to 255) is the opacity of an area, disc or box."""

    def __init__(
        self, width: int, height: int, ground: Colour | Image.Image, *, left: float = 0, top: float = 0
    ) -> None:
        """Start with one colour, or a picture of this size; one with a palette is kept as `ground`. The canvas shows
        what is right of `left` and below `top`.
        """
        self.width, self.height = width, height
        self._left, self._top = left, top
        self.ground = ground if isinstance(ground, Image.Image) and ground.mode == "P" else None
        size = width * _SCALE, height * _SCALE
        if isinstance(ground, Image.Image):
            # Averaging undoes this exactly: where nothing is drawn, the ground is unchanged.
            self._image = ground.convert("RGB").resize(size, Image.Resampling.NEAREST)
        else:
            self._image = Image.new("RGB", size, ground)
        self._pen = ImageDraw.Draw(self._image)
        self._glass = ImageDraw.Draw(self._image, "RGBA")

    def _brush(self, alpha: int) -> ImageDraw.ImageDraw:
        """Return what draws with this opacity. Opaque colours need not be mixed with what is there."""
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
        # Pillow includes the last pixel; without the 1 two neighbours would overlap.
        x, y = self._at(right, bottom)
        self._brush(alpha).rounded_rectangle((*self._at(left, top), x - 1, y - 1), radius * _SCALE, (*fill, alpha))

    def line(self, points: Sequence[Point], width: float, fill: Colour, *, caps: bool = True) -> None:
        """Draw a line through the points, with round joints and, with `caps`, round ends."""
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
        """Draw words at (x, y). `anchor`: l, m or r, and m for the middle of the capitals or s for their foot. Raises
        ValueError for a sign that the font lacks; use `fitted_name` for names that people chose.
        """
        if not all(map(has_glyph, words)):
            raise ValueError(f"the font cannot draw {words!r}")
        if (note := _note.get()) is not None:
            width = text_width(words, size)
            from_left = x - self._left - width * {"l": 0.0, "m": 0.5, "r": 1.0}[anchor[0]]
            note(words, size, max(0.0, -from_left, from_left + width - self.width))
        font = _font(round(size * _SCALE))
        weight = size * _SCALE * 0.032 if bold else 0.0
        left, foot = self._at(x, y)
        if anchor[1] == "m":  # Pillow centres between ascender and descender; the eye centres the capitals
            top, bottom = font.getbbox("H", anchor="ls")[1::2]
            foot -= (top + bottom) / 2
        place = left, foot
        if halo is not None:
            self._set(place, words, halo, font, anchor[0], weight + size * _SCALE * 0.11)
        self._set(place, words, fill, font, anchor[0], weight)

    def _set(
        self, place: Point, words: str, fill: Colour, font: ImageFont.FreeTypeFont, side: str, weight: float
    ) -> None:
        """Draw words with their foot at a place, in pixels of the canvas."""
        if COMPUTER in words:
            x, foot = place
            x -= _length(font, words) * {"l": 0.0, "m": 0.5, "r": 1.0}[side]
            for number, part in enumerate(words.split(COMPUTER)):
                if number:
                    self._computer((x, foot), _head(font), fill, weight)
                    x += _head(font)
                if part:
                    self._set((x, foot), part, fill, font, "l", weight)
                    x += _length(font, part)
            return
        if _MINUS not in words:
            self._letters(place, words, fill, font, side, weight)
            return
        x, foot = place
        x -= _length(font, words) * {"l": 0.0, "m": 0.5, "r": 1.0}[side]
        left, upper, right, lower = _bar(font)
        for number, part in enumerate(words.split(_MINUS)):
            if number:
                bar = x + left - weight, foot + upper - weight, x + right + weight, foot + lower + weight
                self._pen.rectangle(bar, fill)
                x += font.getlength("+")
            self._letters((x, foot), part, fill, font, "l", weight)
            x += _length(font, part)

    def _letters(
        self, place: Point, words: str, fill: Colour, font: ImageFont.FreeTypeFont, side: str, weight: float
    ) -> None:
        """Draw words without special signs. Letters that the font lacks get their marks."""
        plain, marks = taken_apart(words, _in_font)
        self._pen.text(place, plain, fill, font, f"{side}s", stroke_width=weight)
        if not marks:
            return
        left = place[0] - font.getlength(plain) * {"l": 0.0, "m": 0.5, "r": 1.0}[side]
        thick = font.size * 0.07 + 2 * weight
        for number, mark in marks:
            start, _, end, _ = font.getbbox(plain[number], anchor="ls")
            x = left + font.getlength(plain[:number]) + (start + end) / 2
            upper, lower = font.getbbox(plain[number], anchor="ls")[1::2]
            y = place[1] + (upper - weight if mark in ABOVE else lower + weight)
            for stroke in ABOVE.get(mark) or BELOW[mark]:
                points = [(x + right * font.size, y + down * font.size) for right, down in stroke]
                if len(points) > 1:
                    self._pen.line(points, fill, round(thick), joint="curve")
                for end_x, end_y in {points[0], points[-1]}:
                    radius = thick * (0.5 if len(points) > 1 else 0.75)
                    self._pen.ellipse((end_x - radius, end_y - radius, end_x + radius, end_y + radius), fill)

    def _computer(self, place: Point, width: float, fill: Colour, weight: float) -> None:
        """Draw the sign of a computer player: the outline of a head with eyes, a mouth and an antenna."""
        left, foot = place
        high, pen = width / 1.1, width * 0.1 + weight
        box = left + width * 0.08, foot - high * 0.74, left + width * 0.92, foot
        self._pen.rounded_rectangle(box, width * 0.2, outline=fill, width=round(pen))
        middle = left + width / 2
        self._pen.rectangle((middle - pen / 2, foot - high, middle + pen / 2, foot - high * 0.74), fill)
        for aside in (-0.2, 0.2):
            x, y, radius = middle + aside * width, foot - high * 0.44, width * 0.07 + weight / 2
            self._pen.ellipse((x - radius, y - radius, x + radius, y + radius), fill)
        mouth = middle - width * 0.18, foot - high * 0.26 - pen * 0.3, middle + width * 0.18, foot - high * 0.26
        self._pen.rectangle(mouth, fill)

    def mark(self, mark: SeatMark, x: float, y: float, radius: float, *, letter: bool = True) -> None:
        """Draw a seat's mark: its shape in its colour, with its letter unless a name is shown beside it."""
        self.area(outline(mark.shape, x, y, radius + 3), INK)
        self.area(outline(mark.shape, x, y, radius), mark.colour)
        if not letter:
            return
        lower = {"triangle": 0.34, "star": 0.1}.get(mark.shape, 0.0)
        self.text(x, y + lower * radius, mark.letter, radius * (0.95 if lower else 1.15), INK)

    def picture(self) -> Image.Image:
        """Return what was drawn, at its proper size, mode RGB."""
        return self._image.reduce(_SCALE)
