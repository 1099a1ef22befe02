"""The theme: colours and marks that everyone can tell apart."""

import math
from itertools import combinations

import pytest

from cogs.core.drawing.theme import (
    ALARM,
    ASH,
    CHALK,
    INK,
    LAMP,
    NIGHT,
    SEAT_MARKS,
    SLATE,
    STONE,
    Colour,
    ink_on,
    light,
    mix,
)
from tests.cogs.colour_vision import lab


def contrast(one: Colour, other: Colour) -> float:
    """Return the contrast ratio of WCAG 2, from 1 to 21."""
    low, high = sorted(light(colour) for colour in (one, other))
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("sight", ["full", "protanopia", "deuteranopia"])  # for tritanopia the shapes differ
def test_any_two_seats_differ_in_colour_for_everyone(sight: str):
    for one, other in combinations(SEAT_MARKS, 2):
        assert math.dist(lab(one.colour, sight), lab(other.colour, sight)) >= 18, f"{one.letter} and {other.letter}"


def test_seats_differ_in_letter_shape_and_colour():
    for sign in ("letter", "shape", "colour"):
        assert len({getattr(mark, sign) for mark in SEAT_MARKS}) == len(SEAT_MARKS)


@pytest.mark.parametrize("ground", [INK, NIGHT, SLATE, STONE])
def test_every_seats_colour_contrasts_with_every_ground(ground: Colour):
    for mark in SEAT_MARKS:
        assert contrast(mark.colour, ground) >= 3


def test_letters_can_be_read_on_their_grounds():
    pairs = [(CHALK, STONE), (CHALK, SLATE), (ASH, SLATE), (LAMP, STONE), (INK, LAMP), (ALARM, NIGHT)]
    assert all(contrast(ink, ground) >= 4.5 for ink, ground in [*pairs, *((INK, m.colour) for m in SEAT_MARKS)])


def test_a_mix_goes_from_one_colour_to_the_other():
    assert mix(INK, CHALK, 0) == INK
    assert mix(INK, CHALK, 1) == CHALK
    assert mix((0, 100, 200), (100, 200, 0), 0.5) == (50, 150, 100)


def test_letters_are_dark_or_pale_depending_on_which_is_readable():
    assert [ink_on(ground) for ground in (CHALK, LAMP, STONE, NIGHT)] == [INK, INK, CHALK, CHALK]
