"""The shipped lessons, and errors in lessons."""

import shutil
from pathlib import Path

import pytest

from data.lessons import load_lesson
from data.material import FOLDER, MaterialError, load_material
from engine.games import GAMES
from engine.games.rope_wall import GAME
from engine.lessons import Course


def loaded(key: str, folder: Path = FOLDER) -> Course | None:
    return load_lesson(GAMES[key], load_material(GAMES[key]), folder)


@pytest.mark.parametrize("key", GAMES)
def test_every_game_has_a_lesson_of_six_to_ten_steps_that_can_be_played(key: str):
    course = loaded(key)
    assert course is not None and 6 <= len(course) <= 10


@pytest.mark.parametrize("key", GAMES)
def test_the_pieces_of_a_game_are_all_there_in_every_position_of_its_lesson(key: str):
    course = loaded(key)
    assert course is not None and course.game.piece_counts is not None
    whole = course.game.piece_counts(course.position(0).state)
    for number in range(len(course)):
        assert course.game.piece_counts(course.position(number).state) == whole


def test_no_lesson_is_shipped_for_a_game_that_does_not_exist():
    assert {path.stem for path in (FOLDER / "lessons").glob("*.toml")} == set(GAMES)


def test_a_game_may_have_no_lesson(tmp_path: Path):
    assert loaded("rope_wall", tmp_path) is None


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (('others = ["Vera"]', "others = Vera"), "lessons/rope_wall.toml"),
        (('others = ["Vera"]', 'others = ["Vera", "Otto"]'), "is for 2 players, not 3"),
        (("scene = { rolls = [0] }", "scene = { rolls = [1] }"), "step 1: not-your-turn"),
        (("**Push a knot into floor 2", "x" * 601 + "**Push a knot into floor 2"), "step 1: it says"),
        (('well = "Your knot went in', f'well = "{"x" * 301}Your knot went in'), "step 1: a remark is longer"),
        (('do = "push", floor = 2, side = "left" }]', 'do = "push", floor = 9, side = "left" }]'), "step 1: no-such"),
    ],
)
def test_a_wrong_lesson_is_reported_with_its_file_and_step(tmp_path: Path, change: tuple[str, str], words: str):
    (tmp_path / "lessons").mkdir()
    shipped = (FOLDER / "lessons" / "rope_wall.toml").read_text(encoding="utf-8")
    assert change[0] in shipped
    shutil.copy(FOLDER / "rope_wall.toml", tmp_path)
    (tmp_path / "lessons" / "rope_wall.toml").write_text(shipped.replace(*change, 1), encoding="utf-8")
    with pytest.raises(MaterialError) as refused:
        load_lesson(GAME, load_material(GAME), tmp_path)
    assert "rope_wall.toml" in str(refused.value) and words in str(refused.value)
