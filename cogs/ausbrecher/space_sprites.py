"""The sprites on the spaces of Ausbrecher AG's corridor: stacks, those who would come, and steps.

A stack is composed of layers and of single steps that every other space shares, since spaces differ only by number.
"""

import math
from collections.abc import Sequence
from functools import lru_cache

from cogs.ausbrecher.boat_scenery import PAINTS, draw_bust, draw_ghost
from cogs.ausbrecher.scenery import BOX, SPACE, Way, draw_arrow, space_at
from cogs.ausbrecher.words import LETTERS
from cogs.core.drawing.canvas import Canvas
from cogs.core.drawing.composition import Bitmap, PlacedBitmap
from cogs.core.drawing.palette import Palette
from cogs.core.drawing.people import SKIN
from cogs.core.drawing.sprites import drawn
from cogs.core.drawing.theme import INK, ink_on
from engine.games.ausbrecher import COLOURS, Colour

Step = tuple[Colour, Way]
"""The prisoner who stepped, and the direction."""

MOST_STEPS = 3
"""The most steps shown on a space."""

_ARROW, _RING = 16, 17  # half the size of an arrow, and of a ring
_MIDDLE = 70  # of a stack
_LAYER = 18  # the height of a layer of covered prisoners


# --------------------------------------------------------------------------------------------------------------- stacks


@lru_cache(maxsize=4_096)
def stack_sprites(palette: Palette, number: int, crew: tuple[Colour, ...]) -> tuple[PlacedBitmap, ...]:
    """Return the stack on a space, from below: covered prisoners lie below the top one, which alone can move."""
    like = _lookalike(number)
    right, down = _offset(number, like)
    made = []
    for place, layer in enumerate(_layers(crew)):
        left, top, _, _ = _layer_box(like, len(crew) - 1, place)
        made.append(PlacedBitmap(_layer(palette, like, len(crew) - 1, place, layer), left + right, top + down))
    return tuple(made)


@drawn
def _layer(palette: Palette, number: int, covered: int, place: int, crew: tuple[Colour, ...]) -> Bitmap:
    """A layer of a stack with this number covered. Only the edge of what is below it shows, which is always the
    same.
    """
    left, top, right, bottom = _layer_box(number, covered, place)
    canvas = palette.canvas(left, top, right - left, bottom - top)
    if place:
        _draw_layer(canvas, number, covered, place - 1, _layers(COLOURS[: covered + 1])[place - 1])
    _draw_layer(canvas, number, covered, place, crew)
    return palette.cut(canvas)


def _layers(crew: tuple[Colour, ...]) -> list[tuple[Colour, ...]]:
    """Return a stack layer by layer: covered prisoners in one or two rows, and the top one by itself."""
    covered = len(crew) - 1
    across = _fitting_across(covered)
    rows = [crew[first : min(first + across, covered)] for first in range(0, covered, across)]
    return [*rows, crew[-1:]] if crew else []


def _fitting_across(covered: int) -> int:
    """Return how many covered prisoners fit beside each other."""
    return 1 if covered < 2 else -(-covered // 2)


def _layer_foot(number: int, covered: int, place: int) -> float:
    """Return the y of a layer's lower edge."""
    return space_at(number)[1] + SPACE - (4.5 if covered > 1 else 6.0) - _LAYER * place  # the tallest just fits


def _layer_box(number: int, covered: int, place: int) -> tuple[int, int, int, int]:
    """Return the box of a layer."""
    middle, foot = space_at(number)[0] + _MIDDLE, _layer_foot(number, covered, place)
    rows = -(-covered // _fitting_across(covered))
    half, high = (42, _LAYER) if place < rows else (24, 54) if covered else (31, 73)
    return middle - half, math.floor(foot - high), middle + half, math.ceil(foot)


def _draw_layer(canvas: Canvas, number: int, covered: int, place: int, crew: Sequence[Colour]) -> None:
    middle, foot = float(space_at(number)[0] + _MIDDLE), _layer_foot(number, covered, place)
    across = _fitting_across(covered)
    if place < -(-covered // across):
        _draw_covered(canvas, middle, foot, crew, across)
    else:
        draw_bust(canvas, middle, foot, 14 if covered else 19, crew[0])


def _draw_covered(canvas: Canvas, x: float, foot: float, crew: Sequence[Colour], across: int) -> None:
    """A row of covered prisoners, from left to right, with space for `across` of them."""
    width = 62.0 if across == 1 else 80 / across
    for column, colour in enumerate(crew):
        left = x - width * across / 2 + column * width
        top = foot - _LAYER
        canvas.box(left, top, left + width, top + 18, INK, 7)
        canvas.box(left + 1.5, top + 1.5, left + width - 1.5, top + 16.5, PAINTS[colour], 6)
        if width > 50:
            canvas.disc(left + 9, top + 9, 8.5, INK)
            canvas.disc(left + 9, top + 9, 7, SKIN)
            for eye in (6.5, 11):
                canvas.disc(left + eye, top + 9, 1.2, INK)
        canvas.text(left + width / 2 + (7 if width > 50 else 0), top + 9, LETTERS[colour], 20, ink_on(PAINTS[colour]))


# ------------------------------------------------------------------------------------------------------ steps and rings


def draw_step(canvas: Canvas, number: int, place: int, many: int, step: Step) -> None:
    """Draw a step that left a space, one of several."""
    colour, where = step
    draw_arrow(canvas, *_step_at(number, place, many), where, PAINTS[colour])


@lru_cache(maxsize=4_096)
def step_sprites(palette: Palette, number: int, shown: tuple[Step, ...]) -> tuple[PlacedBitmap, ...]:
    """Return the steps that left a space."""
    like, many = _lookalike(number), len(shown)
    middles = (_step_at(number, place, many) for place in range(many))
    return tuple(
        PlacedBitmap(_step(palette, like, step), x - _ARROW, y - _ARROW)
        for (x, y), step in zip(middles, shown, strict=True)
    )


@drawn
def _step(palette: Palette, number: int, step: Step) -> Bitmap:
    x, y = _step_at(number, 0, 1)
    canvas = palette.canvas(x - _ARROW, y - _ARROW, 2 * _ARROW, 2 * _ARROW)
    draw_step(canvas, number, 0, 1, step)
    return palette.cut(canvas)


def _step_at(number: int, place: int, many: int) -> tuple[int, int]:
    x, y = space_at(number)
    return x + 17 + 16 * (place % 2), y + 50 + (15 if many < MOST_STEPS else 13) * place


def draw_arrival(canvas: Canvas, number: int, place: int, colour: Colour) -> None:
    """Draw a prisoner who would come to a space."""
    draw_ghost(canvas, *_arrival_at(number, place), 14, colour)


@lru_cache(maxsize=4_096)
def arrival_sprite(palette: Palette, number: int, place: int, colour: Colour) -> PlacedBitmap:
    """Return a prisoner who would come to a space."""
    x, y = _arrival_at(number, place)
    return PlacedBitmap(_ring(palette, _lookalike(number), colour), x - _RING, y - _RING)


@drawn
def _ring(palette: Palette, number: int, colour: Colour) -> Bitmap:
    x, y = _arrival_at(number, 0)
    canvas = palette.canvas(x - _RING, y - _RING, 2 * _RING, 2 * _RING)
    draw_arrival(canvas, number, 0, colour)
    return palette.cut(canvas)


def _arrival_at(number: int, place: int) -> tuple[int, int]:
    x, y = space_at(number)
    return x + BOX - 18 - 14 * (place // 2), y + 26 + 40 * (place % 2)


# ------------------------------------------------------------------------------------------------------------ positions


def _lookalike(number: int) -> int:
    """Return the first or the second space, depending on which this one looks like."""
    return 2 - number % 2


def _offset(number: int, like: int) -> tuple[int, int]:
    """Return the offset of this space from another."""
    (x, y), (u, v) = space_at(number), space_at(like)
    return x - u, y - v
