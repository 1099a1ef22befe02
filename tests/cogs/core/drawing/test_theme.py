"""The theme: colours and marks that everyone can tell apart."""

import math
from itertools import combinations

import pytest

from cogs.core.drawing.theme import ALARM, ASH, CHALK, INK, LAMP, NIGHT, SEAT_MARKS, SLATE, STONE, Colour, mix

# How a colour looks to whom: matrices on linear red, green and blue. Source: Machado, Oliveira and Fernandes, "A
# Physiologically-based Model for Simulation of Color Vision Deficiency" (2009), severity 1.0.
SIGHTS = {
    "full": ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)),
    "protanopia": (
        (0.152286, 1.052583, -0.204868),
        (0.114503, 0.786281, 0.099216),
        (-0.003882, -0.048116, 1.051998),
    ),
    "deuteranopia": (
        (0.367322, 0.860646, -0.227968),
        (0.280085, 0.672501, 0.047413),
        (-0.011820, 0.042940, 0.968881),
    ),
}
XYZ = ((0.4124564, 0.3575761, 0.1804375), (0.2126729, 0.7151522, 0.0721750), (0.0193339, 0.1191920, 0.9503041))
WHITE = (0.95047, 1.0, 1.08883)  # D65


def linear(colour: Colour) -> tuple[float, ...]:
    return tuple(c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in (part / 255 for part in colour))


def times(matrix: tuple[tuple[float, ...], ...], vector: tuple[float, ...]) -> tuple[float, ...]:
    return tuple(sum(a * b for a, b in zip(row, vector, strict=True)) for row in matrix)


def lab(colour: Colour, sight: str) -> tuple[float, float, float]:
    """The colour in CIELAB as it is seen."""
    seen = tuple(min(1.0, max(0.0, part)) for part in times(SIGHTS[sight], linear(colour)))
    ratios = (part / white for part, white in zip(times(XYZ, seen), WHITE, strict=True))
    x, y, z = (t ** (1 / 3) if t > 216 / 24389 else (24389 / 27 * t + 16) / 116 for t in ratios)
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


def contrast(one: Colour, other: Colour) -> float:
    """The contrast ratio of WCAG 2, from 1 to 21."""
    dark, light = sorted(times(XYZ, linear(colour))[1] for colour in (one, other))
    return (light + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("sight", SIGHTS)
def test_any_two_seats_differ_in_colour_for_everyone(sight: str):
    for one, other in combinations(SEAT_MARKS, 2):
        assert math.dist(lab(one.colour, sight), lab(other.colour, sight)) >= 18, f"{one.hue} and {other.hue}"


def test_seats_differ_in_letter_shape_and_hue_too():
    for sign in ("letter", "shape", "colour", "hue"):
        assert len({getattr(mark, sign) for mark in SEAT_MARKS}) == len(SEAT_MARKS)


@pytest.mark.parametrize("ground", [INK, NIGHT, SLATE, STONE])
def test_every_seat_stands_out_from_every_ground(ground: Colour):
    for mark in SEAT_MARKS:
        assert contrast(mark.colour, ground) >= 3


def test_letters_can_be_read_on_their_grounds():
    pairs = [(CHALK, STONE), (CHALK, SLATE), (ASH, SLATE), (LAMP, STONE), (INK, LAMP), (ALARM, NIGHT)]
    assert all(contrast(ink, ground) >= 4.5 for ink, ground in [*pairs, *((INK, m.colour) for m in SEAT_MARKS)])


def test_a_mix_goes_from_one_colour_to_the_other():
    assert mix(INK, CHALK, 0) == INK
    assert mix(INK, CHALK, 1) == CHALK
    assert mix((0, 100, 200), (100, 200, 0), 0.5) == (50, 150, 100)
