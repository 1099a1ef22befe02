"""Test the rule books: every cited mark exists in a book, and every rule is named by a test."""

import re
from itertools import pairwise
from pathlib import Path

import pytest
from PIL import Image

from engine.games import GAMES
from tools.rule_pictures import FOLDER, pictures

ROOT = Path(__file__).resolve().parents[1]
RULES = re.compile(r"\*\*([RDO])([0-9]+)\*\*")
HEAD = re.compile(r"`(\w+)` · rules version ([0-9]+) · ([0-9])(?:–([0-9]))? ")
NAMED = re.compile(r"def test_((?:[RDO][0-9]+_)+)")
CITED = re.compile(r"(?:^|[\s(\"#])([RDO][0-9]+)(?=[:,)]| [a-z`])", re.MULTILINE)
PICTURES = re.compile(r"!\[([^\]]+)\]\(pictures/([^)]+)\)")
UNNUMBERED = re.compile(r"def test_[RDO]{1,3}_|(?:#|\"\"\"|, )\s*[RDO]\b[:,]")

LARGEST = 60_000
"""Maximum size of a picture in bytes, as for those that the bot sends."""

every_game = pytest.mark.parametrize("key", sorted(GAMES))


def book(key: str) -> str:
    return (ROOT / "docs" / "rules" / f"{key}.md").read_text(encoding="utf-8")


def marks(key: str) -> list[str]:
    """Return the marks of a rule book, in order."""
    return [letter + number for letter, number in RULES.findall(book(key))]


def citing_files(key: str) -> dict[Path, str]:
    """Return the files that may cite a rule book: the game's rules, material and tests."""
    files = [*(ROOT / "engine" / "games" / key).rglob("*.py"), ROOT / "data" / f"{key}.toml"]
    files += (ROOT / "tests" / "engine" / "games").glob(f"test_{key}*.py")
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
def test_a_mark_is_once_in_its_book_and_none_is_left_out(key: str):
    found = marks(key)
    assert len(found) == len(set(found))
    for letter in "RDO":
        numbers = sorted(int(mark[1:]) for mark in found if mark[0] == letter)
        assert all(after == before + 1 for before, after in pairwise([0, *numbers]))


@every_game
def test_every_rule_of_a_book_is_named_by_a_test(key: str):
    named = {
        mark
        for path, text in citing_files(key).items()
        if path.name.startswith("test_")
        for run in NAMED.findall(text)
        for mark in run.rstrip("_").split("_")
    }
    assert named == set(marks(key))


@every_game
def test_what_is_cited_is_in_the_book_and_every_citation_has_its_number(key: str):
    known = set(marks(key))
    for path, text in citing_files(key).items():
        where = path.relative_to(ROOT).as_posix()
        assert not {mark for mark in CITED.findall(text) if mark not in known}, where
        assert not UNNUMBERED.findall(text), where


@every_game
def test_a_book_shows_the_pictures_of_the_rules_in_the_bot_each_once(key: str):
    """`make pictures` draws the missing ones and deletes those that no rules page uses."""
    shown = [name for _, name in PICTURES.findall(book(key))]
    assert sorted(shown) == sorted({name for name, _ in pictures(key)})


def test_the_folder_of_pictures_holds_those_that_the_books_show_and_no_others():
    shown = {name for key in GAMES for _, name in PICTURES.findall(book(key))}
    assert {path.name for path in FOLDER.iterdir()} == shown


@pytest.mark.parametrize("path", sorted(FOLDER.iterdir()), ids=lambda path: path.name)
def test_a_picture_of_a_book_is_a_small_one_of_one_byte_a_pixel(path: Path):
    with Image.open(path) as picture:
        assert (picture.format, picture.mode) == ("PNG", "P")
    assert path.stat().st_size <= LARGEST
