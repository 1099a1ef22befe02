"""Test that docs/words.txt lists all texts that people read. `make words` writes it; changes are reviewed there."""

import re

import pytest

from cogs.registry import GAMES
from tools.harness.bot_harness import BotHarness
from tools.words import WORDS_FILE, listed, sentences
from tools.words.server import of_commands
from tools.words.source import heading, lesson_heading, lesson_sentences, modules, said
from tools.words.tables import SHORT, at_tables


@pytest.mark.parametrize("path", modules(), ids=heading)
def test_the_list_has_the_sentences_of_the_code(path):
    assert set(said(path)) == listed(heading(path)), "`make words`, and read the diff"


@pytest.mark.parametrize("package", GAMES, ids=lambda package: package.game.key)
def test_what_is_read_at_tables_is_in_the_list(package):
    ui = package.ui()
    assert at_tables(ui, SHORT) <= listed(ui.game.title), "`make words`, and read the diff"


@pytest.mark.parametrize("package", GAMES, ids=lambda package: package.game.key)
def test_the_list_has_the_sentences_of_the_lessons(package):
    ui = package.ui()
    assert set(lesson_sentences(ui)) == listed(lesson_heading(ui)), "`make words`, and read the diff"


async def test_the_list_has_the_table_of_commands(harness: BotHarness):
    assert set(of_commands(harness.sandbox.commands())) == listed("Commands"), "`make words`, and read the diff"


def test_no_description_or_choice_of_a_command_is_cut_short():
    assert [words for words in listed("Commands") if words.endswith("…")] == []


NEVER = (
    "cockpit",
    r"\brookie",
    "one_line",
    "least points",
    "row of wins",
    r" %",
    r"more prisoners?: ",
    "clock runs out <",
    r"Or pass\.",
)
"""Jargon, names that are no longer used, and wrong English of earlier versions."""


@pytest.mark.parametrize("wrong", NEVER)
def test_words_that_people_should_not_read_are_nowhere_in_the_list(wrong: str):
    body = WORDS_FILE.read_text(encoding="utf-8")
    lines = [line for line in body.splitlines() if not line.startswith("== ")]
    assert [line for line in lines if re.search(wrong, line)] == []


def test_numbers_names_cards_and_places_are_the_same_sentence():
    one = "**Ann** laid red 5, blue 3 and a Wild as green 2 at M12 for **10 points**\n-# Turn 3 · time runs out <t:1:R>"
    other = "◆ **Ben** laid blue 1 and green 4 at C3 for **7 points**\n-# Turn 12 · time runs out <t:77:R>"
    assert list(sentences(one)) == list(sentences(other))
    assert list(sentences(one))[1:] == ["Turn <n>", "time runs out <time>"]
