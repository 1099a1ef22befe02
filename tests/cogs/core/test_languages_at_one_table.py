"""Whole games of people with different languages: what is public does not depend on the reader."""

import hashlib
import json
import random
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from cogs.core.i18n.languages import Languages
from cogs.registry import GAMES
from sandbox import UserClient, walk
from tests.cogs.read_words import words_of
from tests.cogs.real_languages import FRENCH, GERMAN, foreign, with_notes
from tests.cogs.test_quoted_labels import QUOTED
from tools.harness.bot_harness import BotHarness
from tools.harness.drivers import DRIVERS
from tools.harness.environment import patient_sandbox, seeded

Json = dict[str, Any]

PRESSES = 30

LEFT_ALONE = {"leave", "leave-now", "leave-sure", "close", "resign", "resign-sure", "practise", "rematch"}
"""Controls that end the game."""


TABLES = (
    (GERMAN, {"Ann": "de", "Ben": "fr", "Cleo": "en-US"}),
    (FRENCH, {"Ann": "fr", "Ben": "en-GB", "Cleo": "de"}),
)
"""The languages of a server, of the people at its table, and of a spectator."""


def public(harness: BotHarness) -> str:
    """Return everything public in the channel, with the contents of files."""
    shown = [message for message in harness.sandbox.messages(harness.yard) if not message["flags"] & 64]
    files = [
        hashlib.sha256(harness.sandbox.file(item["media"]["url"])).hexdigest()
        for message in shown
        for part in walk(message["components"])
        for item in part.get("items", (part,))
        if "media" in item
    ]
    words = re.sub(r"http://127\.0\.0\.1:\d+", "", json.dumps([shown, files], ensure_ascii=False))
    met: dict[str, str] = {}  # numbers also count private messages
    return re.sub(r"\b\d{19}\b", lambda found: met.setdefault(found[0], f"#{len(met)}"), words)


def public_labels(harness: BotHarness) -> set[str]:
    """Return the labels of the buttons on all public messages."""
    shown = (message for message in harness.sandbox.messages(harness.yard) if not message["flags"] & 64)
    return {part.get("label", "") for message in shown for part in UserClient.buttons(message)}


def words_for_nobody(harness: BotHarness, who: UserClient, page: Json | None) -> set[str]:
    """Return the words on a private page that are not in its reader's language, but for the labels of public buttons
    that it names.
    """
    if page is None or not page["flags"] & 64:
        return set()
    labels = public_labels(harness)
    words = QUOTED.sub(lambda found: "" if found[1] in labels else found[0], "\n".join(words_of(page)))
    return foreign(words, who.locale.partition("-")[0])


def misnamed(harness: BotHarness) -> set[str]:
    """Return the buttons that public messages name, as in "*Play*", and do not have themselves: those on private pages
    have another label for each reader.
    """
    shown = (message for message in harness.sandbox.messages(harness.yard) if not message["flags"] & 64)
    texts = "\n".join(words for message in shown for words in words_of(message))
    return {*QUOTED.findall(texts)} - public_labels(harness)


@dataclass
class Course:
    """The public messages after each press of a game, and words in the wrong language on private pages or for buttons
    that are not public.
    """

    seen: list[str]
    wrong: set[str]


async def course(folder: Path, key: str, server: str, locales: Mapping[str, str], languages: Languages) -> Course:
    """Play a game, the same one in each language."""
    async with patient_sandbox() as sandbox:
        sandbox.limits_on = False
        harness = BotHarness(sandbox, folder / f"{server}-{'-'.join(locales.values())}.db")
        harness.languages = languages
        harness.guild.locale = server
        with seeded(key):
            await harness.start()
            people = {who.name: who for who in (harness.ann, harness.ben, harness.cleo)}
            for name, locale in locales.items():
                people[name].locale = locale
            try:
                return await _played(harness, key, server)
            finally:
                await harness.stop()


async def _played(harness: BotHarness, key: str, server: str) -> Course:
    course, dice = Course([], set()), random.Random(key)

    def look() -> None:
        course.seen.append(public(harness))
        course.wrong.update(foreign("\n".join(words_of(harness.board())), server))
        course.wrong.update(misnamed(harness))

    await harness.begin(key.replace("_", "-"), harness.ben, clock=0, **DRIVERS[key].options)
    for number in range(PRESSES):
        who = harness.cleo if number % 10 == 9 else dice.choice((harness.ann, harness.ben))
        page = dice.choice([harness.board(), *who.ephemerals(harness.yard)[-2:]])
        answer = await harness.press_anything(who, page, dice, but=LEFT_ALONE)
        if answer is not None:
            course.wrong |= words_for_nobody(harness, who, answer.message)
        await harness.advance(1_000)
        look()
    await harness.finish(harness.ann, harness.ben)
    await harness.settle()
    look()
    return course


@pytest.mark.parametrize("key", [package.game.key for package in GAMES])
async def test_each_player_reads_their_own_language_and_the_public_sees_the_same_bytes(key: str, tmp_path: Path):
    languages, lacking = with_notes()
    plain = await course(tmp_path, key, GERMAN, dict.fromkeys(("Ann", "Ben", "Cleo"), "en-US"), languages)
    german, french = [await course(tmp_path, key, *table, languages) for table in TABLES]
    assert plain.seen == german.seen
    assert plain.wrong | german.wrong | french.wrong == set()
    assert lacking.sentences == set()
    assert all(foreign(german.seen[number], FRENCH) for number in (0, -1))
