"""Whole games of people with different languages: what others can read does not depend on who reads."""

import hashlib
import json
import random
import re
from collections.abc import Mapping
from gettext import NullTranslations
from pathlib import Path
from typing import Any

import pytest

from cogs.core.i18n.languages import Languages
from cogs.core.i18n.pseudo import CODE, OPENS, PSEUDO
from cogs.core.i18n.translation import Language
from cogs.registry import GAMES
from sandbox import UserClient, walk
from tools.harness.bot_harness import BotHarness, patient_sandbox, seeded
from tools.harness.drivers import DRIVERS

Json = dict[str, Any]

PRESSES = 30

LEFT_ALONE = {"leave", "leave-now", "leave-sure", "close", "resign", "resign-sure", "practise", "rematch"}
"""Controls that end the game."""


class Shouted(NullTranslations):
    """A language that a test can tell from English and from the pretended one."""

    def gettext(self, message: str) -> str:
        return f"«{message}»"

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        return f"«{msgid1 if n == 1 else msgid2}»"


LANGUAGES = Languages([PSEUDO, Language("de", Shouted()), Language("fr", Shouted())])

SIGNS = {"en-US": "", CODE: OPENS, "de": "«"}


def public(harness: BotHarness) -> str:
    """Return everything that a passer-by gets of the channel, with what is in the files."""
    shown = [message for message in harness.sandbox.messages(harness.yard) if not message["flags"] & 64]
    files = [
        hashlib.sha256(harness.sandbox.file(item["media"]["url"])).hexdigest()
        for message in shown
        for part in walk(message["components"])
        for item in part.get("items", (part,))
        if "media" in item
    ]
    words = re.sub(r"http://127\.0\.0\.1:\d+", "", json.dumps([shown, files], ensure_ascii=False))
    met: dict[str, str] = {}  # numbers count private messages too
    return re.sub(r"\b\d{19}\b", lambda found: met.setdefault(found[0], f"#{len(met)}"), words)


def only_in_its_language(who: UserClient, page: Json | None) -> None:
    """Check that what one person alone reads has words of their language, and of no other."""
    words = "" if page is None or not page["flags"] & 64 else UserClient.visible_text(page)
    if words.strip():
        own = SIGNS[who.locale]
        assert own in words, words
        assert not [sign for sign in SIGNS.values() if sign and sign != own and sign in words], words


async def course(folder: Path, key: str, locales: Mapping[str, str]) -> list[str]:
    """Play a game, the same one in each language, and return what passers-by see after each press."""
    async with patient_sandbox() as sandbox:
        sandbox.limits_on = False
        harness = BotHarness(sandbox, folder / f"{'-'.join(locales.values())}.db")
        harness.languages = LANGUAGES
        with seeded(key):
            await harness.start()
            people = {who.name: who for who in (harness.ann, harness.ben, harness.cleo)}
            for name, locale in locales.items():
                people[name].locale = locale
            try:
                return await _played(harness, key)
            finally:
                await harness.stop()


async def _played(harness: BotHarness, key: str) -> list[str]:
    seen, dice = list[str](), random.Random(key)
    await harness.begin(key.replace("_", "-"), harness.ben, clock=0, **DRIVERS[key].options)
    for number in range(PRESSES):
        who = harness.cleo if number % 10 == 9 else dice.choice((harness.ann, harness.ben))
        page = dice.choice([harness.board(), *who.ephemerals(harness.yard)[-2:]])
        answer = await harness.press_anything(who, page, dice, but=LEFT_ALONE)
        if answer is not None:
            only_in_its_language(who, answer.message)
        await harness.advance(1_000)
        seen.append(public(harness))
    await harness.finish(harness.ann, harness.ben)
    await harness.settle()
    return [*seen, public(harness)]


@pytest.mark.parametrize("key", [package.game.key for package in GAMES])
async def test_onlookers_see_the_same_bytes_in_whatever_languages_people_play(key: str, tmp_path: Path):
    plain = await course(tmp_path, key, {"Ann": "en-US", "Ben": "en-US", "Cleo": "en-US"})
    mixed = await course(tmp_path, key, {"Ann": CODE, "Ben": "de", "Cleo": CODE})
    assert plain == mixed
    assert not [shown for shown in plain if OPENS in shown or "«" in shown]
