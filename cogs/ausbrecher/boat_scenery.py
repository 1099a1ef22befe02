"""Drawing functions for the prisoners and boats of Ausbrecher AG: faces, letters, rings of those who would come, sails.

Each function draws one thing on a canvas, always the same for the same arguments.
"""

from collections.abc import Sequence
from random import Random
from typing import Literal

from cogs.ausbrecher.words import LETTERS
from cogs.core.drawing.canvas import Canvas, scaled_size
from cogs.core.drawing.people import draw_head
from cogs.core.drawing.theme import CHALK, INK, WIDTH, ink_on, mix
from cogs.core.drawing.theme import Colour as Paint
from engine.games.ausbrecher import Colour

PAINTS: dict[Colour, Paint] = {
    "red": (156, 4, 4),
    "orange": (236, 108, 24),
    "yellow": (252, 252, 96),
    "green": (16, 116, 96),
    "blue": (96, 152, 252),
    "violet": (108, 64, 144),
    "pink": (252, 184, 204),
}

BOAT = 172
"""The height of the harbour."""

SEA: Paint = (24, 56, 84)
SAIL: Paint = (244, 236, 212)
HULL: Paint = (124, 84, 56)
GOLD: Paint = (244, 196, 88)
_LETTERING = 116  # the width for the words on a hull
_MIDDLE, _RIM = 94, 116  # of a boat, from its upper left corner: the mast, and the upper edge of its hull

# ----------------------------------------------------------------------------------------------------------- prisoners


def draw_bust(
    canvas: Canvas, x: float, foot: float, radius: float, colour: Colour, mood: Literal["calm", "glad", "grim"] = "calm"
) -> None:
    """Draw a prisoner down to the chest, with its letter on it; about 3.7 radii high, 3 wide."""
    paint = PAINTS[colour]
    shoulder = foot - 1.8 * radius
    canvas.box(x - 1.42 * radius - 2, shoulder - 2, x + 1.42 * radius + 2, foot, INK, radius * 0.6)
    canvas.box(x - 1.42 * radius, shoulder, x + 1.42 * radius, foot - 1.5, paint, radius * 0.5)
    for aside in (-1.42, 1.04):
        for stripe in (0.3, 0.9, 1.5):
            top = shoulder + stripe * radius
            if top + 0.28 * radius < foot:
                canvas.box(x + aside * radius, top, x + (aside + 0.38) * radius, top + 0.28 * radius, INK)
    draw_head(canvas, x, foot - 2.5 * radius, radius, paint, mood)
    canvas.text(x, foot - 0.9 * radius, LETTERS[colour], radius * 1.62, ink_on(paint))


def draw_ghost(canvas: Canvas, x: float, y: float, radius: float, colour: Colour) -> None:
    """Draw the ring where a prisoner would come to, with its letter."""
    canvas.disc(x, y, radius + 2, INK)
    canvas.disc(x, y, radius, CHALK)
    canvas.disc(x, y, radius - 3.5, PAINTS[colour])
    canvas.text(x, y, LETTERS[colour], radius * 1.43, ink_on(PAINTS[colour]))


# --------------------------------------------------------------------------------------------------------------- boats


def draw_sea(canvas: Canvas, top: int, bottom: int) -> None:
    """Draw the water with the light of the moon on it."""
    canvas.box(0, top, WIDTH, bottom, SEA)
    dice = Random(1992)
    for _ in range((bottom - top) // 6):
        x, y = dice.randrange(WIDTH), dice.randrange(top + 12, bottom - 6)
        points = [(x - 18, y), (x - 9, y - 5), (x, y), (x + 9, y - 5), (x + 18, y)]
        canvas.line(points, 2.5, mix(SEA, CHALK, dice.choice((0.12, 0.2))))


def draw_boat(
    canvas: Canvas, left: float, top: float, number: int, hold: int, crew: Sequence[Colour], words: str
) -> None:
    """Draw a boat with the prisoners aboard, and these words on its hull."""
    _draw_rig(canvas, left, top, number, len(crew) >= hold)
    _draw_benches(canvas, left, top, hold, len(crew))
    for place, colour in enumerate(crew):
        _draw_passenger(canvas, left, top, hold, place, colour)
    _draw_hull(canvas, left, top, words)


def _draw_rig(canvas: Canvas, left: float, top: float, number: int, full: bool) -> None:
    """Draw a boat's mast, flag and sail. The sail is set once the boat is full, and furled before."""
    middle, rim = left + _MIDDLE, top + _RIM
    canvas.box(middle - 3, top + 12, middle + 3, rim, INK)
    canvas.box(middle - 1.5, top + 13, middle + 1.5, rim, HULL)
    if full:
        canvas.area([(middle - 6, top + 18), (middle - 78, top + 100), (middle - 6, top + 106)], INK)
        canvas.area([(middle - 9, top + 28), (middle - 71, top + 97), (middle - 9, top + 102)], SAIL)
        canvas.area([(middle + 6, top + 30), (middle + 62, top + 100), (middle + 6, top + 106)], INK)
        canvas.area([(middle + 9, top + 40), (middle + 55, top + 97), (middle + 9, top + 102)], mix(SAIL, INK, 0.1))
        for wake in range(3):
            y = rim + 18 + 13 * wake
            canvas.line([(left - 2, y), (left + 12 + 6 * wake, y)], 3, mix(SEA, CHALK, 0.5))
    else:
        canvas.line([(middle - 40, top + 45), (middle + 40, top + 45)], 13, INK)
        canvas.line([(middle - 40, top + 45), (middle + 40, top + 45)], 9, SAIL)
        for tie in (-24, 0, 24):
            canvas.box(middle + tie - 1.5, top + 40, middle + tie + 1.5, top + 50, HULL)
    canvas.area([(middle, top + 11), (middle + 54, top + 15), (middle + 54, top + 34), (middle, top + 39)], INK)
    canvas.area(
        [(middle + 2, top + 14), (middle + 51, top + 17), (middle + 51, top + 32), (middle + 2, top + 36)], GOLD
    )
    canvas.text(middle + 26, top + 25, f"+{number}", 21, INK)


def seat_at(hold: int, place: int) -> float:
    """Return the middle of a place aboard, from a boat's left edge."""
    return _MIDDLE + _step(hold) * (place - (hold - 1) / 2)


def ghost_at(hold: int, place: int) -> tuple[int, int]:
    """Return the position of the ring for a place, from a boat's upper left corner. Without space it is beside
    the last one.
    """
    return round(seat_at(hold, min(place, hold - 1))) + 14 * max(0, place - hold + 1), _RIM - 30


def _step(hold: int) -> float:
    return 64 if hold <= 2 else 150 / hold


def _draw_benches(canvas: Canvas, left: float, top: float, hold: int, aboard: int) -> None:
    """Draw the benches of the free places."""
    rim = top + _RIM
    for place in range(aboard, hold):
        x = left + seat_at(hold, place)
        canvas.box(x - 22, rim - 12, x + 22, rim - 4, INK, 3)
        canvas.box(x - 20, rim - 10, x + 20, rim - 5, mix(HULL, CHALK, 0.3), 2)


def _draw_passenger(canvas: Canvas, left: float, top: float, hold: int, place: int, colour: Colour) -> None:
    """Draw the prisoner in a place aboard; the hull is drawn over their lower end."""
    radius = 17.0 if hold <= 2 else min(17.0, _step(hold) * 0.32)
    draw_bust(canvas, left + seat_at(hold, place), top + _RIM - 1, radius, colour, "glad")


def _draw_hull(canvas: Canvas, left: float, top: float, words: str) -> None:
    """Draw a boat's hull with these words."""
    middle, rim = left + _MIDDLE, top + _RIM
    canvas.area([(left + 3, rim - 2), (left + 185, rim - 2), (left + 160, rim + 48), (left + 28, rim + 48)], INK)
    canvas.area([(left + 8, rim + 1), (left + 180, rim + 1), (left + 157, rim + 45), (left + 31, rim + 45)], HULL)
    canvas.box(left + 8, rim + 1, left + 180, rim + 7, mix(HULL, CHALK, 0.25))
    canvas.text(middle, rim + 26, words, scaled_size(words, 25, _LETTERING), CHALK)
    canvas.line([(left + 14, rim + 50), (left + 50, rim + 46), (left + 94, rim + 50)], 3, mix(SEA, CHALK, 0.4))
    canvas.line([(left + 94, rim + 50), (left + 138, rim + 46), (left + 174, rim + 50)], 3, mix(SEA, CHALK, 0.4))
