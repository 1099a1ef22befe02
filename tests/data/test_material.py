"""The material of the games: the shipped files are valid, and errors name file and field."""

from pathlib import Path

import pytest

from data.material import FOLDER, MaterialError, load_material
from engine.games import GAMES
from engine.games.rope_wall import GAME


@pytest.mark.parametrize("key", GAMES)
def test_every_shipped_file_is_what_its_game_takes(key: str):
    assert isinstance(load_material(GAMES[key]), GAMES[key].material)


def test_no_file_is_shipped_for_a_game_that_does_not_exist():
    assert {path.stem for path in FOLDER.glob("*.toml")} == set(GAMES)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (("floors = 5", "floors = 50"), "floors"),
        (("floors = 5", 'floors = "five"'), "floors"),
        (("floors = 5", ""), "floors is wrong: it is missing"),
        (("floors = 5", "floors = 5\nflors = 5"), "flors is wrong: there is no such field"),
        (("floors = 5", "floors = = 5"), "not valid TOML"),
        (("knots = 13", "knots = 5"), "rope needs"),
    ],
)
def test_wrong_material_is_reported_with_its_file_and_field(tmp_path: Path, change: tuple[str, str], words: str):
    shipped = (FOLDER / "rope_wall.toml").read_text()
    text = "\n".join(line.split("#")[0].replace("  ", " ").strip() for line in shipped.splitlines())
    text = "\n".join(" ".join(line.split()) for line in text.splitlines())
    assert change[0] in text
    (tmp_path / "rope_wall.toml").write_text(text.replace(*change))
    with pytest.raises(MaterialError) as refused:
        load_material(GAME, tmp_path)
    sentence = str(refused.value)
    assert words in sentence and "rope_wall.toml" in sentence and "\n" not in sentence


def test_a_missing_file_is_reported(tmp_path: Path):
    with pytest.raises(MaterialError, match=r"is missing: put .*rope_wall\.toml back"):
        load_material(GAME, tmp_path)


def test_a_file_in_another_encoding_is_reported(tmp_path: Path):
    (tmp_path / "rope_wall.toml").write_bytes(b"# \xff\xfe")
    with pytest.raises(MaterialError, match="UTF-8"):
        load_material(GAME, tmp_path)
