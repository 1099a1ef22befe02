"""Pages in the languages that the bot ships: Discord takes them, and no word is of another language."""

import random
from itertools import chain

import pytest

from cogs.core.app.game_package import GamePackage
from cogs.core.i18n.translation import speaking
from cogs.registry import GAMES
from tests.cogs.read_words import words_of
from tests.cogs.real_languages import foreign, problems_of, told, with_notes
from tests.cogs.test_untranslated import COMMANDS
from tools.harness.bot_harness import BotHarness
from tools.screens.states import lesson_states, puzzle_states

ELSEWHERE = {"rules", "language", "review"}
"""Commands whose pages other tests read."""


@pytest.mark.parametrize("package", GAMES, ids=lambda package: package.game.key)
def test_rules_lessons_and_puzzles_are_whole_in_every_language(package: GamePackage):
    languages, lacking = with_notes()
    for language in languages.others:
        with speaking(language):
            for page in package.ui().rules():
                assert foreign(told(page), language.code) == set() and problems_of(page) == ""
            for state in chain(lesson_states(package), puzzle_states(package)):
                words = "\n".join(words_of({"components": state.components}))
                assert foreign(words, language.code) == set(), state.name
    assert lacking.sentences == set()


async def test_what_commands_lead_to_is_in_the_language_of_its_reader(harness: BotHarness):
    languages, lacking = with_notes()
    harness.languages = languages
    await harness.stop()
    harness.guild.locale = "fr"
    await harness.start()
    harness.ann.locale = "de"
    await harness.begin("rope-wall", harness.ben)
    await harness.finish(harness.ann, harness.ben, at_once=4)
    await harness.settle()
    dice, wrong, read = random.Random(7), set[str](), 0
    for command, options in COMMANDS:
        if command in ELSEWHERE:
            continue
        answer = await harness.ann.command(harness.yard, command, **options)
        for _ in range(3):
            await harness.settle()
            if answer.message is None:
                break
            language = "de" if answer.message["flags"] & 64 else "fr"
            wrong |= {f"{command}: {word}" for word in foreign("\n".join(words_of(answer.message)), language)}
            read += 1
            answer = await harness.press_anything(harness.ann, answer, dice, but={"forget-me", "practise"}) or answer
    assert wrong == set() and read > 40
    assert lacking.sentences == set()
