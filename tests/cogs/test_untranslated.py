"""Whole games in a pretended language whose sentences are all in brackets: any word outside them is untranslated."""

import random
from typing import Any

import pytest

from cogs.core.drawing.canvas import Canvas
from cogs.core.i18n.languages import Languages
from cogs.core.i18n.pseudo import CLOSES, CODE, OPENS, PSEUDO
from cogs.core.i18n.translation import Language
from cogs.registry import GAMES
from engine.review import rope_wall
from sandbox import UserClient
from tests.cogs.read_words import TERMS, missed, words_of
from tests.cogs.real_languages import Asked
from tools.harness.bot_harness import BotHarness

Json = dict[str, Any]

PRESSES = 60

SHORTER = {"break_out": {"rounds": 2}}
"""Options of games that would be long: all rounds of Break-Out after the first are alike."""

SAMPLES = {"JAIL YARD", "OUT", "SUPER", "WILD", "DRAW", "Player"}
"""Lettering of the samples for Break-Out's palette, the same in every language."""


def test_words_outside_the_brackets_are_found():
    assert missed(f"**Ann** {OPENS}wins {OPENS}3 cards{CLOSES} now{CLOSES} L3 <@12> `/play`") == []
    assert missed(f"Ann {OPENS}wins{CLOSES} at last\n{OPENS}cut off\nand lost") == ["at last", "and lost"]


async def speak_pseudo(harness: BotHarness, language: Language = PSEUDO) -> tuple[UserClient, ...]:
    """Switch the server and two people to the pretended language. Return these people."""
    harness.languages = Languages([language])
    await harness.stop()
    harness.guild.locale = CODE
    await harness.start()
    people = harness.ann, harness.ben
    for who in people:
        who.locale = CODE
    return people


@pytest.mark.parametrize("game", [package.game.key for package in GAMES])
async def test_a_whole_game_shows_no_word_that_is_not_translated(
    harness: BotHarness, game: str, monkeypatch: pytest.MonkeyPatch
):
    lettered = set[str]()
    really = Canvas.text

    def text(canvas: Canvas, x: float, y: float, words: str, size: float, *rest: Any, **named: Any) -> None:
        lettered.add(words)
        really(canvas, x, y, words, size, *rest, **named)

    monkeypatch.setattr(Canvas, "text", text)
    asked = Asked()
    people = await speak_pseudo(harness, asked.language)
    seen = set[str]()

    def look() -> None:
        for message in harness.sandbox.messages(harness.yard):
            seen.update(words_of(message))
        for who in people:
            for message in (*who.ephemerals(harness.yard), *who.dms()):
                seen.update(words_of(message))

    await harness.ann.command(harness.yard, f"{game.replace('_', '-')} start", clock=0, **SHORTER.get(game, {}))
    await harness.settle()
    look()
    await harness.ben.press(harness.board(), harness.controls("join")[0])
    if begin := harness.controls("begin"):
        await harness.ann.press(harness.board(), begin[0])
    await harness.settle()
    dice = random.Random(game)
    for _ in range(PRESSES):
        who = dice.choice(people)
        pages = [harness.board(), *who.ephemerals(harness.yard)[-2:]]
        answer = await harness.press_anything(who, dice.choice(pages), dice, but={"leave-now", "close", "resign"})
        if answer is not None:
            seen.update(words_of(answer.message or {}))
        look()
    await harness.finish(*people)
    await harness.settle()
    look()
    found = {word for text in seen for word in missed(text)} - TERMS
    found |= {word for words in lettered - SAMPLES for word in missed(words)} - TERMS
    assert not found, "\n" + "\n".join(sorted(found))
    assert asked.lacked() == []


COMMANDS: tuple[tuple[str, Json], ...] = (
    *(
        (name, {})
        for name in ("help", "play", "learn", "puzzle", "history", "stats", "achievements", "tables", "doctor")
    ),
    *(("rules", {"game": package.game.key}) for package in GAMES),
    *(("leaderboard", {"game": package.game.key}) for package in GAMES),
    ("notify", {"how": "message"}),
    ("language", {"language": CODE}),
    ("settings show", {}),
    ("settings puzzles", {}),
    ("privacy delete", {}),
    ("replay", {"table": 1}),
    ("review", {"table": 1}),
    ("verify", {"table": 1}),
    ("admin end", {"table": 1}),
    ("rope-wall resign", {}),
)


async def test_no_command_and_no_page_behind_it_shows_a_word_that_is_not_translated(
    harness: BotHarness, monkeypatch: pytest.MonkeyPatch
):
    for looks in ("LOOK", "CLOSER", "AT_A_GLANCE"):  # a review has the same words however much it searches
        monkeypatch.setattr(rope_wall, looks, 60)
    asked = Asked()
    people = await speak_pseudo(harness, asked.language)
    await harness.ann.command(harness.yard, "rope-wall start", clock=0)
    await harness.ben.press(harness.board(), harness.controls("join")[0])
    if begin := harness.controls("begin"):
        await harness.ann.press(harness.board(), begin[0])
    await harness.finish(*people)
    await harness.settle()
    seen, dice = dict[str, str](), random.Random(7)
    for command, options in COMMANDS:
        answer = await harness.ann.command(harness.yard, command, **options)
        for _ in range(4):
            await harness.settle()
            for words in words_of(answer.message or {}):
                seen.setdefault(words, command)
            if answer.message is None:
                break
            pressed = await harness.press_anything(harness.ann, answer, dice, but={"forget-me", "practise"})
            answer = pressed or answer
    found = {f"{command}: {word}" for words, command in seen.items() for word in missed(words) if word not in TERMS}
    assert not found, "\n" + "\n".join(sorted(found))
    assert asked.lacked() == []
