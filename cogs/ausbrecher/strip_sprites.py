"""The sprites of the strip at the top of Ausbrecher AG's picture: whose turn it is, what they do, and the dice."""

from collections.abc import Iterator

from cogs.ausbrecher import scenery
from cogs.ausbrecher.scenery import DIE, HEAD, Die, die_at
from cogs.ausbrecher.words import die_lettering
from cogs.core.drawing.canvas import fitted_name, scaled_size, text_width
from cogs.core.drawing.composition import Bitmap, PlacedBitmap
from cogs.core.drawing.palette import Palette
from cogs.core.drawing.sprites import drawn
from cogs.core.drawing.theme import CHALK, LAMP, WIDTH
from cogs.core.drawing.theme import Colour as Paint

_HALF, _TOP = 36, 12  # half the width of a die with its label, and its upper edge


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
        yield _die_sprite(palette, place, die)
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
def _die(palette: Palette, die: Die, label: str) -> Bitmap:
    """A die with its label, for each of its places."""
    canvas = palette.canvas(die_at(0) - _HALF, _TOP, 2 * _HALF, HEAD - 4 - _TOP)
    scenery.draw_die(canvas, die_at(0), DIE, die, label)
    return palette.cut(canvas)


def _die_sprite(palette: Palette, place: int, die: Die) -> PlacedBitmap:
    label = die_lettering(die[0], lost=die[-1])
    return PlacedBitmap(_die(palette, die, label), die_at(place) - _HALF, _TOP)


@drawn
def _moon(palette: Palette) -> PlacedBitmap:
    canvas = palette.canvas(WIDTH - 100, 8, 70, 70)
    scenery.draw_moon(canvas)
    return PlacedBitmap(palette.bitmap(canvas), WIDTH - 100, 8)
