"""The Rope Wall's picture, its words and its text: what is on the wall can be seen, read and heard."""

from io import BytesIO

import msgspec
import pytest
from PIL import Image, ImageChops

from cogs.core.drawing import WIDTH
from cogs.rope_wall import picture
from engine.contract import Seat
from engine.games.rope_wall import GAME, Opening, RopeWallView
from engine.games.rope_wall.wall import round_won
from tests.engine.games.walls import A, B, state
from tests.engine.playouts import play

NAMES = ("Ann", "Ben")
MIDDLE = """
    . . . . .
    . A B . .
    A A B . .
    B . . . A
    A B . . .
"""


def view(wall: str = MIDDLE, **changes: object) -> RopeWallView:
    return msgspec.structs.replace(GAME.view(state(wall), None), **changes)


def pixels(shown: RopeWallView) -> Image.Image:
    return Image.open(BytesIO(picture.draw(shown))).convert("RGB")


def changed(one: RopeWallView, other: RopeWallView) -> tuple[int, int, int, int]:
    """The box of what differs between two pictures."""
    box = ImageChops.difference(pixels(one), pixels(other)).getbbox()
    assert box is not None, "nothing changed"
    return box


def test_the_picture_is_as_wide_as_it_should_be_small_and_always_the_same():
    for seed in range(3):
        for at in play(GAME, seed).states[::7]:
            shown = GAME.view(at, None)
            data = picture.draw(shown)
            assert data == picture.draw(shown)
            assert len(data) <= 60_000
            assert Image.open(BytesIO(data)).size == (WIDTH, picture.HEIGHT)


def test_a_knot_is_drawn_in_its_niche_and_knots_of_the_two_differ_without_colour():
    wall = [list(row) for row in GAME.view(state(), None).wall]
    empty = view(". . . . .\n" * 5)
    wall[2][3] = A
    a = msgspec.structs.replace(empty, wall=tuple(map(tuple, wall)))
    wall[2][3] = B
    b = msgspec.structs.replace(empty, wall=tuple(map(tuple, wall)))
    left, top, right, bottom = changed(empty, a)
    assert right - left <= 96 and bottom - top <= 96
    assert (left + right) // 2 in range(484, 508) and (top + bottom) // 2 in range(404, 428)  # column 4, floor 3
    grey_a, grey_b = pixels(a).convert("L"), pixels(b).convert("L")
    assert ImageChops.difference(grey_a, grey_b).getbbox() is not None
    outer = (left + 12, top + 12, left + 24, top + 24)  # inside a disc, outside a diamond
    assert ImageChops.difference(grey_a.crop(outer), grey_b.crop(outer)).getbbox() is not None


@pytest.mark.parametrize(
    ("change", "region"),
    [
        ({"turn": B}, (0, 40, WIDTH, 160)),
        ({"last_push": Opening(4, "left")}, (0, 170, 330, 380)),
        ({"barred": ((Opening(2, "right"),), ())}, (640, 470, WIDTH, 560)),
        ({"exits": (None, A, None, None, None)}, (220, 80, 380, 180)),
        ({"hands": (3, 9)}, (0, 40, WIDTH, 160)),
        ({"freed": (2, 1)}, (0, 110, WIDTH, 160)),
        ({"round": 4}, (250, 650, 550, picture.HEIGHT)),
        ({"full_turns_left": 7}, (100, 650, 700, picture.HEIGHT)),
        ({"pushes_left": 5}, (100, 650, 700, picture.HEIGHT)),
        ({"ropes": (((1, 1), (2, 1)),)}, (150, 440, 270, 660)),
    ],
    ids=lambda value: next(iter(value)) if isinstance(value, dict) else "",
)
def test_each_thing_that_matters_shows_in_its_place_and_nowhere_else(change: dict, region: tuple):
    left, top, right, bottom = changed(view(), view(**change))
    assert left >= region[0] and top >= region[1] and right <= region[2] and bottom <= region[3]


def test_the_wall_of_a_round_that_has_ended_stays_faintly_in_sight():
    shown = view(last_wall=view().wall)
    bright, faint = pixels(view()).convert("L"), pixels(shown).convert("L")
    x, y = 208, 608  # the knot of A on floor 1, column 1
    assert bright.getpixel((x - 22, y)) > faint.getpixel((x - 22, y)) + 40


def test_an_exit_that_may_be_chosen_is_lit():
    changed(view(), view(phase="choose", choices=((2,), (4,)), turn=A))


def test_the_words_tell_the_whole_position():
    words = picture.alt(
        view(
            last_push=Opening(4, "left"),
            ejected=Opening(1, "right"),
            barred=((Opening(1, "right"),), ()),
            exits=(None, B, None, None, None),
        ),
        NAMES,
    )
    for told in (
        "Ann (A) is to push",
        "floor 4: . A B . .",
        "floor 1: A B . . .",
        "Last push: L4",
        "fell out at R1",
        "Barred for Ann (A): R1",
        "2 (B)",
    ):
        assert told in words
    assert len(words) <= 1_024


def test_words_fit_whatever_people_are_called():
    for at in play(GAME, 3).states[::5]:
        assert 0 < len(picture.alt(GAME.view(at, None), ("x" * 32, "y" * 32))) <= 1_024


def test_the_text_is_narrow_enough_for_a_phone_and_shows_every_knot():
    shown = view(last_push=Opening(3, "right"), barred=((Opening(5, "left"),), ()))
    lines = picture.as_text(shown).splitlines()
    assert max(map(len, lines)) <= 34
    assert "L5 x [ . . . . . ]   R5" in lines
    assert "L3   [ A A B . . ] < R3" in lines
    assert "to move   A" in lines


def test_the_rules_have_pictures_with_words():
    lessons = list(picture.draw_rules())
    assert [name for name, _, _ in lessons] == ["push", "rope", "straight", "eject"]
    assert len({data for _, data, _ in lessons}) == 4
    assert all(len(data) <= 60_000 and 20 < len(words) <= 1_024 for _, data, words in lessons)


def test_what_the_rules_say_of_their_pictures_is_true():
    """The lessons are judged by the rules themselves."""
    lessons = {lesson.name: lesson for lesson in picture._LESSONS}
    for name, winner in (("rope", A), ("straight", None), ("push", None), ("eject", None)):
        rows = [row.split() for row in lessons[name].wall.split("/")]
        wall = tuple(tuple(None if k == "." else Seat("AB".index(k)) for k in row) for row in reversed(rows))
        won = round_won(wall, (None,) * 5, A, 3)
        assert (won.seat if won else None) == winner, name
