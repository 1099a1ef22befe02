"""The canvas: everything is drawn in its place, and characters that the font lacks are not drawn as boxes."""

import unicodedata
from itertools import combinations

import pytest
from PIL import Image, ImageChops

from cogs.core.drawing.canvas import Canvas, fitted_name, fitted_size, has_glyph, outline, text_width
from cogs.core.drawing.theme import ALARM, CHALK, INK, LAMP, NIGHT, SEAT_MARKS, Shape, mix


def surface(shape: Shape) -> float:
    corners = outline(shape, 0, 0, 10)
    return abs(sum(x * b - a * y for (x, y), (a, b) in zip(corners, [*corners[1:], corners[0]], strict=True))) / 2


def test_shapes_of_one_radius_look_about_equally_large():
    sizes = [surface(mark.shape) for mark in SEAT_MARKS]
    assert max(sizes) < 1.5 * min(sizes)


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
    assert box[2] - box[0] == pytest.approx(text_width("WHICH WAY OUT", 30), abs=5)


def test_every_mark_looks_different_in_shades_of_grey():
    greys = []
    for mark in SEAT_MARKS:
        canvas = Canvas(40, 40, NIGHT)
        canvas.mark(mark, 20, 20, 15)
        greys.append(canvas.picture().convert("L"))
    for one, other in combinations(greys, 2):
        unlike = sum(ImageChops.difference(one, other).histogram()[40:])
        assert unlike > 60  # of 1,600 pixels


@pytest.mark.parametrize("letter", "AZaz09 ·+-")
def test_letters_digits_and_common_signs_can_be_drawn(letter: str):
    assert has_glyph(letter)


@pytest.mark.parametrize("sign", "×★⏮漢")
def test_a_sign_that_the_font_lacks_is_refused_instead_of_drawn_as_a_box(sign: str):
    with pytest.raises(ValueError, match="cannot draw"):
        Canvas(40, 40, NIGHT).text(20, 20, f"A{sign}", 20, CHALK)


def inked(words: str, anchor: str) -> tuple[int, int, int, int]:
    canvas = Canvas(200, 80, NIGHT)
    canvas.text(100, 40, words, 40, CHALK, anchor=anchor)
    box = ImageChops.difference(canvas.picture(), Canvas(200, 80, NIGHT).picture()).getbbox()
    assert box is not None
    return box


@pytest.mark.parametrize("anchor", ["lm", "mm", "rm", "ls"])
def test_a_minus_which_the_font_lacks_is_a_plus_without_its_upright(anchor: str):
    assert text_width("−5", 40) == text_width("+5", 40)
    for words in ("−", "−5", "5−3"):
        ours, plus = inked(words, anchor), inked(words.replace("−", "+"), anchor)
        assert all(abs(edge - other) <= 1 for edge, other in zip(ours[::2], plus[::2], strict=True)), words
    left, top, right, bottom = inked("−", anchor)
    _, highest, _, lowest = inked("+", anchor)
    assert bottom - top < (right - left) / 3 and abs((top + bottom) - (highest + lowest)) <= 2


@pytest.mark.parametrize(
    ("name", "shown"),
    [("Ann", "Ann"), ("Ann 🎉", "Ann"), ("Wu 🚔 Li", "Wu Li"), ("Анна", ""), ("Ann Ли", ""), ("🎉", "")],
)
def test_a_name_is_set_without_emoji_and_not_at_all_where_a_letter_is_missing(name: str, shown: str):
    assert fitted_name(name, 24, 200) == shown


def test_words_that_fit_keep_their_size_and_longer_ones_get_the_largest_that_fits():
    assert fitted_size("POINTS", 20, text_width("POINTS", 20)) == 20
    size = fitted_size("A VERY LONG HEADING", 20, 120)
    assert text_width("A VERY LONG HEADING", size) <= 120 < text_width("A VERY LONG HEADING", size + 1)


@pytest.mark.parametrize("room", [40, 60, 120, 400])
def test_a_long_name_is_shortened_to_its_room(room: int):
    shown = fitted_name("Bartholomew the Third", 24, room)
    assert text_width(shown, 24) <= room
    assert shown == "Bartholomew the Third" or shown.endswith("…")
    longer = "Bartholomew the Third"[: len(shown)]
    assert shown == "Bartholomew the Third" or text_width(f"{longer}…", 24) > room - 12


def test_shortened_names_that_differ_by_their_number_still_differ():
    shown = [fitted_name(f"🤖 Novice {number}", 24, 110) for number in (2, 3, 12)]
    assert [name.rpartition(" ")[2] for name in shown] == ["2", "3", "12"]
    assert all("…" in name and text_width(name, 24) <= 110 for name in shown)


def test_a_mark_beside_a_name_has_no_letter():
    bare, lettered = Canvas(60, 60, NIGHT), Canvas(60, 60, NIGHT)
    bare.mark(SEAT_MARKS[0], 30, 30, 20, letter=False)
    lettered.mark(SEAT_MARKS[0], 30, 30, 20)
    changed = ImageChops.difference(bare.picture(), lettered.picture()).getbbox()
    assert changed is not None and changed[2] - changed[0] < 30
    assert bare.picture().getpixel((30, 30)) == SEAT_MARKS[0].colour


@pytest.mark.parametrize("letter", "ÄÖÜäöüéèêëàâçîïôùûñãõíóúčšžřęąłőőåÅøßœ¿«»⟦⟧")
def test_letters_with_accents_can_be_drawn_and_look_unlike_those_without(letter: str):
    assert has_glyph(letter)
    plain = unicodedata.normalize("NFD", letter)[0]
    if plain != letter:
        assert text_width(letter, 40) == text_width(plain, 40)
        pictures = []
        for words in (letter, plain):
            canvas = Canvas(60, 80, NIGHT)
            canvas.text(30, 40, words, 40, CHALK)
            pictures.append(canvas.picture())
        assert ImageChops.difference(*pictures).getbbox() is not None


@pytest.mark.parametrize("space", ["\u00a0", "\u2009", "\u202f"])
def test_spaces_that_languages_write_before_signs_are_drawn_as_usual_ones(space: str):
    assert has_glyph(space) and text_width(f"5{space}%", 40) == text_width("5 %", 40)


@pytest.mark.parametrize("name", ["Jürgen", "Zoë", "José Çelik", "Łukasz"])
def test_a_name_with_accents_is_drawn_whole(name: str):
    assert fitted_name(name, 20, 400) == name
