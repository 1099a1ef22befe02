"""The dice of Ausbrecher AG as emoji, which mark prisoners on buttons."""

from collections.abc import Mapping
from functools import cache

from cogs.ausbrecher.boat_scenery import PAINTS
from cogs.ausbrecher.words import LETTERS, face_name
from cogs.core.drawing.canvas import Canvas
from cogs.core.drawing.sprites import rounded
from cogs.core.drawing.theme import CHALK, INK, ink_on
from engine.games.ausbrecher import COLOURS, Colour

SIDE = 112
"""The width and height of a die in pixels, with a margin like Discord's own emoji."""

_EDGE = 7
_ROUND = 25


@cache
def faces() -> Mapping[str, bytes]:
    """Return every die as an emoji, by its name: with the letter of its prisoner, the white one with a W."""
    return {face_name(colour): rounded(_die(colour), _ROUND) for colour in (*COLOURS, None)}


def _die(colour: Colour | None) -> Canvas:
    canvas = Canvas(SIDE, SIDE, INK)
    paint = CHALK if colour is None else PAINTS[colour]
    canvas.box(_EDGE, _EDGE, SIDE - _EDGE, SIDE - _EDGE, paint, _ROUND - _EDGE)
    canvas.text(SIDE / 2, SIDE / 2, "W" if colour is None else LETTERS[colour], 82, ink_on(paint))
    return canvas
