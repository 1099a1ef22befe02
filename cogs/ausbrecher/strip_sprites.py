"""The sprites of the strip at the top of Ausbrecher AG's picture: whose turn it is, what they do, and the dice.

A die is composed of pieces that all of its places share.
"""

from collections.abc import Iterator
from functools import lru_cache

from PIL import Image

from cogs.ausbrecher import scenery
from cogs.ausbrecher.scenery import DIE, HEAD, Die, die_at
from cogs.ausbrecher.words import die_lettering
from cogs.core.drawing.canvas import Canvas, fitted_name, scaled_size, text_width
from cogs.core.drawing.composition import Bitmap, PlacedBitmap
from cogs.core.drawing.palette import Palette
from cogs.core.drawing.sprites import drawn
from cogs.core.drawing.theme import CHALK, LAMP, WIDTH, mix
from cogs.core.drawing.theme import Colour as Paint
from cogs.core.ops.text_format import figure
from engine.games.ausbrecher import Colour

_FACE = 32  # half the size of a die
_NUMBER = 24, 20  # half the size of its number, where the die has one colour


def strip_sprites(
    palette: Palette, seat: int | None, name: str, words: str, dice: tuple[Die, ...]
) -> Iterator[PlacedBitmap]:
    """Return whose turn it is, what they do, and the dice, the last of them at the right end."""
    x, available = 30, WIDTH - 60 - 72 * len(dice)
    if seat is not None:
        yield _emblem(palette, seat)
        x, available = 116, available - 90
    end = die_at(len(dice)) + 36  # up to the dice
    shown = fitted_name(name, 34, available)
    if shown:
        yield _words(palette, x, 40, shown, 34, LAMP, WIDTH)
        yield _words(palette, x, 82, words, scaled_size(words, 27, end - x), CHALK, WIDTH)
    else:
        yield _words(palette, x, 56, words, scaled_size(words, 34, end - x), CHALK, end)
    for place, die in enumerate(reversed(dice)):
        yield from _die_sprites(palette, place, die)
    if not dice:
        yield _moon(palette)


@drawn
def _emblem(palette: Palette, seat: int) -> PlacedBitmap:
    canvas = palette.canvas(14, 8, 94, 98)
    scenery.draw_emblem(canvas, seat)
    return PlacedBitmap(palette.bitmap(canvas), 14, 8)


@drawn
def _words(palette: Palette, x: int, y: int, words: str, size: float, paint: Paint, end: int) -> PlacedBitmap:
    """Text on the strip, centred on the height `y` and cut off at `end`."""
    left, top, half = x - 4, y - round(size * 0.75), round(size * 0.7)
    width = min(round(text_width(words, size)) + 10, end - left)
    canvas = palette.canvas(left, top, width, y + half - top)
    canvas.text(x, y, words, size, paint, anchor="lm")
    return PlacedBitmap(palette.bitmap(canvas), left, top)


@drawn
def _blank(palette: Palette, colour: Colour | None, done: bool) -> Bitmap:
    """A die without its number, for each of its places."""
    canvas = palette.canvas(die_at(0) - _FACE, DIE - _FACE, 2 * _FACE, 2 * _FACE)
    scenery.draw_blank(canvas, die_at(0), DIE, colour, done)
    return palette.cut(canvas)


@lru_cache(maxsize=16)
def _coverage(words: str) -> Image.Image:
    """Return the coverage of each pixel by a die's number."""
    canvas = Canvas(2 * _NUMBER[0], 2 * _NUMBER[1], (0, 0, 0))
    canvas.text(*_NUMBER, words, scenery.NUMBER, (255, 255, 255))
    return canvas.picture().convert("L")


@lru_cache(maxsize=64)
def _inked(palette: Palette, colour: Colour | None, done: bool) -> bytes:
    """Return the palette colours of a die's pixels by their coverage."""
    paint, ink = scenery.die_paints(colour, done)
    shades = Image.new("RGB", (256, 1))
    for level in range(256):
        shades.putpixel((level, 0), mix(paint, ink, level / 255))
    return palette.fitted(shades).tobytes()


@drawn
def _number(palette: Palette, colour: Colour | None, done: bool, words: str) -> Bitmap:
    return Bitmap(_coverage(words).point(_inked(palette, colour, done)))


@drawn
def _label(palette: Palette, label: str, done: bool) -> Bitmap:
    """The label below a die."""
    canvas = palette.canvas(die_at(0) - _FACE - 4, DIE + _FACE, 2 * _FACE + 8, HEAD - 4 - DIE - _FACE)
    scenery.draw_below(canvas, die_at(0), DIE + 44, label, done)
    return palette.cut(canvas)


def _die_sprites(palette: Palette, place: int, die: Die) -> tuple[PlacedBitmap, ...]:
    return _labelled_die(palette, place, die, die_lettering(die[0], lost=die[-1]))


@lru_cache(maxsize=4_096)
def _labelled_die(palette: Palette, place: int, die: Die, label: str) -> tuple[PlacedBitmap, ...]:
    colour, pips, done, back, _ = die
    x, words = die_at(place), figure(-pips if back else pips)
    return (
        PlacedBitmap(_blank(palette, colour, done), x - _FACE, DIE - _FACE),
        PlacedBitmap(_number(palette, colour, done, words), x - _NUMBER[0], DIE - _NUMBER[1]),
        PlacedBitmap(_label(palette, label, done), x - _FACE - 4, DIE + _FACE),
    )


@drawn
def _moon(palette: Palette) -> PlacedBitmap:
    canvas = palette.canvas(WIDTH - 100, 8, 70, 70)
    scenery.draw_moon(canvas)
    return PlacedBitmap(palette.bitmap(canvas), WIDTH - 100, 8)
