"""The drawing kit: marks that everyone can tell apart, grounds that stay as they were, pictures that repeat exactly."""

import math
from concurrent.futures import ThreadPoolExecutor
from io import BytesIO
from itertools import combinations

import pytest
from PIL import Image, ImageChops

from cogs.core import drawing
from cogs.core.drawing import (
    ALARM,
    ASH,
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
    Sprite,
    encode,
    fitted_name,
    mix,
    outline,
    text_width,
    told,
)

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


def surface(shape: drawing.Shape) -> float:
    corners = outline(shape, 0, 0, 10)
    return abs(sum(x * b - a * y for (x, y), (a, b) in zip(corners, [*corners[1:], corners[0]], strict=True))) / 2


# ------------------------------------------------------------------------------------------------------ theme and marks


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


def test_shapes_of_one_radius_look_about_equally_large():
    sizes = [surface(mark.shape) for mark in SEAT_MARKS]
    assert max(sizes) < 1.5 * min(sizes)


def test_a_mix_goes_from_one_colour_to_the_other():
    assert mix(INK, CHALK, 0) == INK
    assert mix(INK, CHALK, 1) == CHALK
    assert mix((0, 100, 200), (100, 200, 0), 0.5) == (50, 150, 100)


# --------------------------------------------------------------------------------------------------------------- canvas


def speckled(width: int, height: int) -> Image.Image:
    ground = Image.new("RGB", (width, height))
    ground.putdata([((7 * i) % 256, (13 * i) % 256, (29 * i) % 256) for i in range(width * height)])
    return ground


def test_where_nothing_is_drawn_the_ground_comes_back_as_it_was():
    ground = speckled(40, 30)
    canvas = Canvas(40, 30, ground)
    canvas.box(10, 10, 20, 20, LAMP)
    changed = ImageChops.difference(canvas.picture(), ground).getbbox()
    assert changed == (10, 10, 20, 20)


def test_a_piece_of_a_picture_is_drawn_where_it_belongs():
    def strokes(canvas: Canvas) -> Image.Image:
        canvas.disc(50, 40, 12, LAMP)
        canvas.line([(30, 60), (70, 20)], 5, ALARM)
        canvas.area([(40, 30), (60, 30), (50, 50)], CHALK, 120)
        canvas.text(50, 40, "R5", 20, INK, halo=CHALK)
        return canvas.picture()

    whole = strokes(Canvas(100, 80, NIGHT))
    piece = strokes(Canvas(40, 30, NIGHT, left=32, top=25))
    assert ImageChops.difference(piece, whole.crop((32, 25, 72, 55))).getbbox() is None


def test_boxes_side_by_side_neither_overlap_nor_leave_a_gap():
    canvas = Canvas(30, 10, INK)
    canvas.box(0, 0, 15, 10, CHALK, alpha=100)
    canvas.box(15, 0, 30, 10, CHALK, alpha=100)
    assert len(canvas.picture().getcolors() or []) == 1


def test_what_is_opaque_covers_and_what_is_not_is_mixed_with_what_lies_there():
    canvas = Canvas(30, 10, NIGHT)
    canvas.box(0, 0, 10, 10, CHALK)
    canvas.box(10, 0, 20, 10, CHALK, alpha=51)
    picture = canvas.picture()
    assert [picture.getpixel((x, 5)) for x in (5, 15, 25)] == [CHALK, mix(NIGHT, CHALK, 0.2), NIGHT]


def test_capitals_are_centred_where_they_are_set():
    canvas = Canvas(100, 60, INK)
    canvas.text(50, 30, "H", 30, CHALK)
    left, top, right, bottom = canvas.picture().getbbox() or (0, 0, 0, 0)
    box = ImageChops.difference(canvas.picture(), Image.new("RGB", (100, 60), INK)).getbbox()
    assert box is not None
    left, top, right, bottom = box
    assert abs((left + right) / 2 - 50) <= 1.5
    assert abs((top + bottom) / 2 - 30) <= 1


def test_words_are_as_wide_as_they_are_said_to_be():
    canvas = Canvas(400, 60, INK)
    canvas.text(200, 30, "WHICH WAY OUT", 30, CHALK, bold=False)
    box = ImageChops.difference(canvas.picture(), Image.new("RGB", (400, 60), INK)).getbbox()
    assert box is not None
    assert box[2] - box[0] == pytest.approx(drawing.text_width("WHICH WAY OUT", 30), abs=5)


def test_every_mark_looks_different_in_shades_of_grey():
    greys = []
    for mark in SEAT_MARKS:
        canvas = Canvas(40, 40, NIGHT)
        canvas.mark(mark, 20, 20, 15)
        greys.append(canvas.picture().convert("L"))
    for one, other in combinations(greys, 2):
        unlike = sum(ImageChops.difference(one, other).histogram()[40:])
        assert unlike > 60  # of 1,600 pixels


# ----------------------------------------------------------------------------------------------------- scenes, encoding


def night_scene() -> Scene:
    ground = Canvas(120, 80, NIGHT)
    for step in range(10):
        ground.box(0, 8 * step, 120, 8 * step + 8, mix(NIGHT, STONE, step / 10))
    sample = Canvas(60, 40, NIGHT)
    sample.mark(SEAT_MARKS[0], 20, 20, 14)
    return Scene(ground.picture(), [sample.picture()], (LAMP, ALARM))


def opened(data: bytes) -> Image.Image:
    return Image.open(BytesIO(data))


def test_flat_colours_come_out_exactly():
    scene = night_scene()
    canvas = scene.canvas(20, 20, 40, 40)
    for number, colour in enumerate((LAMP, ALARM, INK, CHALK)):
        canvas.box(20 + 10 * number, 20, 30 + 10 * number, 60, colour)
    sheet = scene.sheet()
    Sprite(scene.sprite(canvas), 20, 20).paste(sheet)
    shown = opened(encode(sheet)).convert("RGB")
    assert [shown.getpixel((25 + 10 * number, 40)) for number in range(4)] == [LAMP, ALARM, INK, CHALK]


def test_an_untouched_sprite_leaves_no_trace_on_the_ground():
    scene = night_scene()
    sheet = scene.sheet()
    Sprite(scene.sprite(scene.canvas(13, 17, 50, 40)), 13, 17).paste(sheet)
    assert encode(sheet) == encode(scene.sheet())


def test_a_sheet_is_a_copy_and_the_ground_stays_clean():
    scene = night_scene()
    before = encode(scene.sheet())
    canvas = scene.canvas(0, 0, 30, 30)
    canvas.mark(SEAT_MARKS[1], 15, 15, 12)
    sheet = scene.sheet()
    sheet.paste(scene.sprite(canvas), (0, 0))
    assert encode(sheet) != before
    assert encode(scene.sheet()) == before


def test_pictures_are_png_of_one_byte_a_pixel():
    picture = opened(encode(night_scene().sheet()))
    assert (picture.format, picture.mode, picture.size) == ("PNG", "P", (120, 80))


def test_the_same_scene_made_anew_gives_the_same_bytes_in_every_thread():
    def made(_: int) -> bytes:
        scene = night_scene()
        canvas = scene.canvas(40, 20, 40, 40)
        canvas.mark(SEAT_MARKS[0], 60, 40, 15)
        sheet = scene.sheet()
        sheet.paste(scene.sprite(canvas), (40, 20))
        return encode(sheet)

    with ThreadPoolExecutor(4) as pool:
        assert len(set(pool.map(made, range(12)))) == 1


# ---------------------------------------------------------------------------------------------------------------- words


def test_what_is_told_ends_with_the_last_sentence_that_fits():
    assert told(["One.", "Two.", "Three."], 9) == "One. Two."
    assert told(["One.", "Two.", "Three."], 8) == "One."
    assert told(["One.", "This is too long.", "Two."], 12) == "One."
    assert told(["One.", "Two."]) == "One. Two."


@pytest.mark.parametrize("letter", "AZaz09 ·+-")
def test_letters_digits_and_common_signs_can_be_drawn(letter: str):
    assert drawing.has_glyph(letter)


@pytest.mark.parametrize("sign", "−★⏮漢")
def test_a_sign_that_the_font_lacks_is_refused_instead_of_drawn_as_a_box(sign: str):
    with pytest.raises(ValueError, match="cannot draw"):
        Canvas(40, 40, NIGHT).text(20, 20, f"A{sign}", 20, CHALK)


@pytest.mark.parametrize(
    ("name", "shown"),
    [("Ann", "Ann"), ("Ann 🎉", "Ann"), ("Wu 🚔 Li", "Wu Li"), ("Анна", ""), ("Ann Ли", ""), ("🎉", "")],
)
def test_a_name_is_set_without_emoji_and_not_at_all_where_a_letter_is_missing(name: str, shown: str):
    assert fitted_name(name, 24, 200) == shown


@pytest.mark.parametrize("room", [40, 60, 120, 400])
def test_a_long_name_is_shortened_to_its_room(room: int):
    shown = fitted_name("Bartholomew the Third", 24, room)
    assert text_width(shown, 24) <= room
    assert shown == "Bartholomew the Third" or shown.endswith("…")
    longer = "Bartholomew the Third"[: len(shown)]
    assert shown == "Bartholomew the Third" or text_width(f"{longer}…", 24) > room - 12


def test_a_mark_beside_a_name_has_no_letter():
    bare, lettered = Canvas(60, 60, NIGHT), Canvas(60, 60, NIGHT)
    bare.mark(SEAT_MARKS[0], 30, 30, 20, letter=False)
    lettered.mark(SEAT_MARKS[0], 30, 30, 20)
    changed = ImageChops.difference(bare.picture(), lettered.picture()).getbbox()
    assert changed is not None and changed[2] - changed[0] < 30
    assert bare.picture().getpixel((30, 30)) == SEAT_MARKS[0].colour


def test_what_was_not_drawn_on_the_ground_fits_into_the_scene_too():
    scene = night_scene()
    sheet = scene.sheet()
    Sprite(scene.fitted(Image.new("RGB", (8, 8), LAMP)), 4, 4).paste(sheet)
    assert sheet.convert("RGB").getpixel((6, 6)) == LAMP


def test_a_crowded_sheet_is_made_smaller_at_once_and_shows_the_same():
    canvas = Canvas(300, 300, NIGHT)
    for number in range(120):
        canvas.text(20 + 29 * (number % 10), 20 + 24 * (number // 10), str(number), 15, CHALK)
    scene = Scene(canvas.picture())
    plain, crowded = encode(scene.sheet()), encode(scene.sheet(), crowded=True)
    assert len(crowded) < len(plain)
    shown = [Image.open(BytesIO(data)).convert("RGB") for data in (plain, crowded)]
    assert ImageChops.difference(*shown).getbbox() is None


def test_a_palette_may_have_fewer_colours():
    canvas = Canvas(200, 60, NIGHT)
    for number in range(200):
        canvas.box(number, 0, number + 1, 60, (number, 255 - number, 128))
    few = Scene(canvas.picture(), colours=16).sheet().convert("RGB").getcolors(1 << 16)
    many = Scene(canvas.picture()).sheet().convert("RGB").getcolors(1 << 16)
    assert few is not None and many is not None and len(few) <= 16 < len(many)
