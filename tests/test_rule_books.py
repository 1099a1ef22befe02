"""The rule books and what keeps them: no mark is cited that no book has, and no rule stands that no test names."""

import re
from itertools import pairwise
from pathlib import Path

import pytest
from PIL import Image

from engine.games import GAMES
from tools.rule_pictures import FOLDER, pictures

HOUSE = Path(__file__).resolve().parents[1]
RULES = re.compile(r"\*\*([RDO])([0-9]+)\*\*")
HEAD = re.compile(r"`(\w+)` · rules version ([0-9]+) · ([0-9])(?:–([0-9]))? ")
NAMED = re.compile(r"def test_((?:[RDO][0-9]+_)+)")
CITED = re.compile(r"(?:^|[\s(\"#])([RDO][0-9]+)(?=[:,)]| [a-z`])", re.MULTILINE)
SHOWN = re.compile(r"!\[([^\]]+)\]\(pictures/([^)]+)\)")
UNNUMBERED = re.compile(r"def test_[RDO]{1,3}_|(?:#|\"\"\"|, )\s*[RDO]\b[:,]")

LARGEST = 60_000
"""Bytes of a picture, as of those that the bot sends."""

every_game = pytest.mark.parametrize("key", sorted(GAMES))


def book(key: str) -> str:
    return (HOUSE / "docs" / "rules" / f"{key}.md").read_text(encoding="utf-8")


def marks(key: str) -> list[str]:
    """The marks of a book, in its order."""
    return [letter + number for letter, number in RULES.findall(book(key))]


def written(key: str) -> dict[Path, str]:
    """What may cite the book of a game: its rules, its material and its tests."""
    files = [*(HOUSE / "engine" / "games" / key).rglob("*.py"), HOUSE / "data" / f"{key}.toml"]
    files += (HOUSE / "tests" / "engine" / "games").glob(f"test_{key}*.py")
    return {path: path.read_text(encoding="utf-8") for path in files}


@every_game
def test_a_books_head_says_what_the_game_says(key: str):
    head = HEAD.search(book(key))
    assert head is not None
    game = GAMES[key]
    fewest, most = int(head[3]), int(head[4] or head[3])
    assert (head[1], range(fewest, most + 1)) == (key, game.player_counts)
    assert int(head[2]) == game.rules_version


@every_game
def test_a_mark_stands_once_in_its_book_and_none_is_left_out(key: str):
    found = marks(key)
    assert len(found) == len(set(found))
    for letter in "RDO":
        numbers = sorted(int(mark[1:]) for mark in found if mark[0] == letter)
        assert all(after == before + 1 for before, after in pairwise([0, *numbers]))


@every_game
def test_every_rule_of_a_book_is_named_by_a_test(key: str):
    named = {
        mark
        for path, text in written(key).items()
        if path.name.startswith("test_")
        for run in NAMED.findall(text)
        for mark in run.rstrip("_").split("_")
    }
    assert named == set(marks(key))


@every_game
def test_what_is_cited_stands_in_the_book_and_every_citation_has_its_number(key: str):
    known = set(marks(key))
    for path, text in written(key).items():
        where = path.relative_to(HOUSE).as_posix()
        assert not {mark for mark in CITED.findall(text) if mark not in known}, where
        assert not UNNUMBERED.findall(text), where


@every_game
def test_a_book_shows_the_pictures_of_the_rules_in_the_bot_each_once(key: str):
    """`make pictures` writes those that are missing, and deletes those that no rules have any more."""
    shown = [name for _, name in SHOWN.findall(book(key))]
    assert sorted(shown) == sorted({name for name, _ in pictures(key)})


def test_the_folder_of_pictures_holds_those_that_the_books_show_and_no_others():
    shown = {name for key in GAMES for _, name in SHOWN.findall(book(key))}
    assert {path.name for path in FOLDER.iterdir()} == shown


@pytest.mark.parametrize("path", sorted(FOLDER.iterdir()), ids=lambda path: path.name)
def test_a_picture_of_a_book_is_a_small_one_of_one_byte_a_pixel(path: Path):
    with Image.open(path) as picture:
        assert (picture.format, picture.mode) == ("PNG", "P")
    assert path.stat().st_size <= LARGEST
