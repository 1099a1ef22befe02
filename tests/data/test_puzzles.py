"""The shipped puzzles: found by their day, with a clear error if a file is missing or broken."""

from pathlib import Path
from shutil import copytree

import pytest

from data.material import MaterialError
from data.puzzles import FOLDER, load_puzzles


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return a copy of the shipped puzzles."""
    return Path(copytree(FOLDER, tmp_path / "puzzles"))


def test_every_game_has_more_than_a_year_of_puzzles_and_no_two_are_the_same() -> None:
    for pack in load_puzzles().values():
        year = [pack.numbered(number) for number in range(1, 367)]
        assert len({repr(puzzle.position) for puzzle in year}) == 366


def test_after_the_last_puzzle_they_begin_again_with_numbers_that_go_on() -> None:
    for pack in load_puzzles().values():
        first, later = pack.numbered(1), pack.numbered(379)
        assert first.position == later.position and (first.number, later.number) == (1, 379)


def test_there_is_no_puzzle_before_the_first() -> None:
    with pytest.raises(LookupError, match="no puzzle"):
        load_puzzles()["rope_wall"].numbered(0)


def test_a_missing_file_is_named(folder: Path) -> None:
    (folder / "link-in-two.jsonl").unlink()
    with pytest.raises(MaterialError, match=r"puzzles/link-in-two\.jsonl cannot be read .*: put it back"):
        load_puzzles(folder)


def test_an_empty_file_is_named(folder: Path) -> None:
    (folder / "go-out.jsonl").write_text("")
    with pytest.raises(MaterialError, match=r"puzzles/go-out\.jsonl has no puzzle"):
        load_puzzles(folder)


@pytest.mark.parametrize("line", ["no json", "{}", '{"position": {}, "answer": [{"do": "dance"}], "best": 1}'])
def test_a_broken_line_is_named_when_its_day_comes(folder: Path, line: str) -> None:
    path = folder / "best-dice.jsonl"
    lines = path.read_text().splitlines()
    path.write_text("\n".join([lines[0], line, *lines[2:]]))
    pack = load_puzzles(folder)["ausbrecher"]
    assert pack.numbered(1)
    with pytest.raises(MaterialError, match=r"puzzles/best-dice\.jsonl, line 2: .*; put the file back"):
        pack.numbered(2)
