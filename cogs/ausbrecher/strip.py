"""The strip on top of Ausbrecher AG's picture: whose turn it is, what they do, and the dice.

A die is put together of pieces, each of which serves in all of its places.
"""

from collections.abc import Iterator
from functools import lru_cache

from PIL import Image

from cogs.ausbrecher import scenery
from cogs.ausbrecher.scenery import DIE, HEAD, Die, die_at
from cogs.core.drawing.caching import drawn, joined
from cogs.core.drawing.canvas import Canvas, fitted_name, text_width
from cogs.core.drawing.sheets import Piece, Sprite
from cogs.core.drawing.sprites import Scene
from cogs.core.drawing.theme import CHALK, LAMP, WIDTH, mix
from cogs.core.drawing.theme import Colour as Paint
from cogs.core.ops.text_format import figure
from engine.games.ausbrecher import Colour

_FACE = 32  # half of the room of a die
_NUMBER = 24, 20  # half of the room of its number, each way; all of it is the die's own colour


def strip(scene: Scene, seat: int | None, name: str, words: str, dice: tuple[Die, ...]) -> Iterator[Sprite]:
    """Return whose turn it is, what they do, and the dice, the last of them at the right end."""
    x, room = 30, WIDTH - 60 - 72 * len(dice)
    if seat is not None:
        yield _emblem(scene, seat)
        x, room = 116, room - 90
    shown = fitted_name(name, 34, room)
    if shown:
        yield _words(scene, x, 40, shown, 34, LAMP, WIDTH)
        yield _words(scene, x, 82, words, 27, CHALK, WIDTH)
    else:
        yield _words(scene, x, 56, words, 34, CHALK, die_at(len(dice)) + 36)  # not up to the dice
    for place, die in enumerate(reversed(dice)):
        yield from _die_sprites(scene, place, die)
    if not dice:
        yield _moon(scene)


@drawn
def _emblem(scene: Scene, seat: int) -> Sprite:
    canvas = scene.canvas(14, 8, 94, 98)
    scenery.draw_emblem(canvas, seat)
    return Sprite(scene.sprite(canvas), 14, 8)


@drawn
def _words(scene: Scene, x: int, y: int, words: str, size: int, paint: Paint, end: int) -> Sprite:
    """Words on the strip, centred on the height `y`; nothing of them is seen from `end` on."""
    left, top, half = x - 4, y - round(size * 0.75), round(size * 0.7)
    width = min(round(text_width(words, size)) + 10, end - left)
    canvas = scene.canvas(left, top, width, y + half - top)
    canvas.text(x, y, words, size, paint, anchor="lm")
    return Sprite(scene.sprite(canvas), left, top)


@drawn
def _blank(scene: Scene, colour: Colour | None, done: bool) -> Piece:
    """A die without its number, for each of its places."""
    canvas = scene.canvas(die_at(0) - _FACE, DIE - _FACE, 2 * _FACE, 2 * _FACE)
    scenery.draw_blank(canvas, die_at(0), DIE, colour, done)
    return scene.cut(canvas)


@lru_cache(maxsize=16)
def _cover(words: str) -> Image.Image:
    """How much of each pixel a die's number covers."""
    canvas = Canvas(2 * _NUMBER[0], 2 * _NUMBER[1], (0, 0, 0))
    canvas.text(*_NUMBER, words, scenery.NUMBER, (255, 255, 255))
    return canvas.picture().convert("L")


@lru_cache(maxsize=64)
def _inked(scene: Scene, colour: Colour | None, done: bool) -> bytes:
    """What colour of the palette a pixel of a die has, by how much of it the number covers."""
    paint, ink = scenery.die_paints(colour, done)
    shades = Image.new("RGB", (256, 1))
    for level in range(256):
        shades.putpixel((level, 0), mix(paint, ink, level / 255))
    return scene.fitted(shades).tobytes()


@drawn
def _number(scene: Scene, colour: Colour | None, done: bool, words: str) -> Piece:
    return Piece(_cover(words).point(_inked(scene, colour, done)))


@drawn
def _below(scene: Scene, colour: Colour | None, done: bool, lost: bool) -> Piece:
    """What stands below a die."""
    canvas = scene.canvas(die_at(0) - _FACE - 4, DIE + _FACE, 2 * _FACE + 8, HEAD - 4 - DIE - _FACE)
    scenery.draw_below(canvas, die_at(0), DIE + 44, colour, done, lost)
    return scene.cut(canvas)


@joined
def _die_sprites(scene: Scene, place: int, die: Die) -> tuple[Sprite, ...]:
    colour, pips, done, back, lost = die
    x, words = die_at(place), figure(-pips if back else pips)
    return (
        Sprite(_blank(scene, colour, done), x - _FACE, DIE - _FACE),
        Sprite(_number(scene, colour, done, words), x - _NUMBER[0], DIE - _NUMBER[1]),
        Sprite(_below(scene, colour, done, lost), x - _FACE - 4, DIE + _FACE),
    )


@drawn
def _moon(scene: Scene) -> Sprite:
    canvas = scene.canvas(WIDTH - 100, 8, 70, 70)
    scenery.draw_moon(canvas)
    return Sprite(scene.sprite(canvas), WIDTH - 100, 8)
