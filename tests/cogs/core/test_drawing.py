"""The drawing kit: smooth, small, the same every time, and seats that anyone can tell apart."""

import math
from concurrent.futures import ThreadPoolExecutor
from io import BytesIO
from itertools import combinations

import pytest
from PIL import Image

from cogs.core.drawing import (
    CHALK,
    INK,
    LAMP,
    NIGHT,
    SEAT_MARKS,
    SLATE,
    STONE,
    Canvas,
    Colour,
    Scene,
    encode,
    mix,
    outline,
    text_width,
    told,
)

# Machado, Oliveira and Fernandes, "A Physiologically-based Model for Simulation of Color Vision Deficiency" (2009),
# severity 1.0, for linear RGB.
SIGHT = {
    "full": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "protanopia": ((0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216), (-0.003882, -0.048116, 1.051998)),
    "deuteranopia": ((0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413), (-0.011820, 0.042940, 0.968881)),
}


def linear(colour: Colour) -> list[float]:
    return [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in (channel / 255 for channel in colour)]


def lab(colour: Colour, sight: str) -> tuple[float, float, float]:
    """CIELAB (D65) of a colour as somebody sees it."""
    red, green, blue = (
        min(1.0, max(0.0, sum(m * c for m, c in zip(row, linear(colour), strict=True)))) for row in SIGHT[sight]
    )
    x = (0.4124 * red + 0.3576 * green + 0.1805 * blue) / 0.95047
    y = 0.2126 * red + 0.7152 * green + 0.0722 * blue
    z = (0.0193 * red + 0.1192 * green + 0.9505 * blue) / 1.08883
    fx, fy, fz = (t ** (1 / 3) if t > 216 / 24389 else (24389 / 27 * t + 16) / 116 for t in (x, y, z))
    return 116 * fy - 16, 500 * (fx - fy), 200 * (fy - fz)


def contrast(one: Colour, other: Colour) -> float:
    """The contrast ratio of WCAG 2."""
    light, dark = sorted(
        (
            sum(weight * c for weight, c in zip((0.2126, 0.7152, 0.0722), linear(colour), strict=True))
            for colour in (one, other)
        ),
        reverse=True,
    )
    return (light + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("sight", SIGHT)
def test_any_two_seats_differ_in_colour_for_every_eye(sight: str):
    for one, other in combinations(SEAT_MARKS, 2):
        assert math.dist(lab(one.colour, sight), lab(other.colour, sight)) >= 18, (one.hue, other.hue)


def test_seats_differ_in_letter_and_in_shape_too():
    assert len({mark.letter for mark in SEAT_MARKS}) == len({mark.shape for mark in SEAT_MARKS}) == 6
    outlines = [outline(mark.shape, 0, 0, 100) for mark in SEAT_MARKS]
    assert len({tuple(round(x) for point in corners for x in point) for corners in outlines}) == 6


def test_seats_and_letters_stand_out_from_every_ground():
    for ground in (NIGHT, SLATE, STONE):
        assert contrast(CHALK, ground) >= 4.5
        for mark in SEAT_MARKS:
            assert contrast(mark.colour, ground) >= 2.6, (mark.hue, ground)
    for mark in SEAT_MARKS:
        assert contrast(INK, mark.colour) >= 4.5  # the letter on the mark


def test_shapes_of_one_radius_are_about_equally_large():
    def area(corners: list[tuple[float, float]]) -> float:
        turned = [*corners[1:], corners[0]]
        return abs(sum(a * d - b * c for (a, b), (c, d) in zip(corners, turned, strict=True))) / 2

    sizes = [area(outline(mark.shape, 0, 0, 50)) for mark in SEAT_MARKS]
    assert max(sizes) < 1.65 * min(sizes)


def scene() -> Scene:
    ground = Canvas(200, 100, NIGHT)
    ground.box(0, 50, 200, 100, SLATE)
    sample = Canvas(100, 100, SLATE)
    sample.mark(SEAT_MARKS[0], 50, 50, 30)
    return Scene(ground.picture(), [sample.picture()], (LAMP,))


def test_a_sprite_is_drawn_where_it_belongs_and_leaves_the_ground_around_it_unchanged():
    here = scene()
    canvas = here.canvas(40, 20, 60, 60)
    canvas.disc(70, 50, 10, LAMP)
    sheet = here.sheet()
    before = sheet.convert("RGB")
    sheet.paste(here.sprite(canvas), (40, 20))
    after = sheet.convert("RGB")
    assert after.getpixel((70, 50)) == LAMP
    changed = [(x, y) for x in range(200) for y in range(100) if before.getpixel((x, y)) != after.getpixel((x, y))]
    assert changed and all(math.dist(point, (70, 50)) <= 12 for point in changed)


def test_flat_colours_come_out_exactly():
    sheet = scene().sheet().convert("RGB")
    assert sheet.getpixel((5, 5)) == NIGHT and sheet.getpixel((5, 95)) == SLATE


def test_the_same_sheet_gives_the_same_bytes_also_in_several_threads():
    here = scene()

    def draw(_: int) -> bytes:
        sheet = here.sheet()
        canvas = here.canvas(0, 0, 60, 60)
        canvas.text(30, 30, "A5", 20, CHALK)
        sheet.paste(here.sprite(canvas), (0, 0))
        return encode(sheet)

    with ThreadPoolExecutor(4) as threads:
        files = set(threads.map(draw, range(12)))
    assert len(files) == 1
    picture = Image.open(BytesIO(files.pop()))
    assert (picture.format, picture.size, picture.mode) == ("PNG", (200, 100), "P")


def test_a_sheet_is_a_copy():
    here = scene()
    here.sheet().paste(1, (0, 0, 200, 100))
    assert here.sheet().convert("RGB").getpixel((5, 5)) == NIGHT


def test_words_are_as_wide_as_measured_and_centred_on_their_capitals():
    canvas = Canvas(300, 60, NIGHT)
    canvas.text(150, 30, "HHHH", 30, CHALK, bold=False)
    box = canvas.picture().convert("L").point(lambda v: 255 if v > 140 else 0).getbbox()
    assert box is not None
    left, top, right, bottom = box
    assert abs((right - left) - text_width("HHHH", 30)) <= 6
    assert abs((top + bottom) / 2 - 30) <= 1 and abs((left + right) / 2 - 150) <= 2


def test_mixing_goes_from_one_colour_to_the_other():
    assert mix(INK, CHALK, 0) == INK and mix(INK, CHALK, 1) == CHALK


def test_told_keeps_whole_sentences_up_to_the_limit():
    assert told(["One.", "Two.", "Three."], 10) == "One. Two."
    assert told(["x" * 20, "y"], 10) == ""
