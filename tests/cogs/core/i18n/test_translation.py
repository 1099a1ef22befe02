"""Sentences in the current language."""

import asyncio
from gettext import NullTranslations

from cogs.core.i18n.translation import ENGLISH, Language, _, cached_by_language, ngettext, present, speaking


class Loud(NullTranslations):
    """A test language that is easy to tell from English."""

    def gettext(self, message: str) -> str:
        return {"Bad {name}": "SCHLECHT {nom}"}.get(message, message.replace("Hello", "HALLO"))

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        return f"{msgid2}!"


LOUD = Language("de", Loud())


def test_a_sentence_is_english_without_a_language_and_takes_its_values():
    assert _("Hello {name}", name="{Ann}") == "Hello {Ann}"
    assert _("Plain {braces}") == "Plain {braces}"
    assert ngettext("{n} card", "{n} cards", 1) == "1 card"
    assert [ngettext("{n} card", "{n} cards", n) for n in (0, 2)] == ["0 cards", "2 cards"]


def test_a_sentence_speaks_the_present_language_until_it_ends():
    with speaking(LOUD):
        assert _("Hello {name}", name="Ann") == "HALLO Ann"
        assert ngettext("{n} card", "{n} cards", 1) == "1 cards!"
        with speaking(ENGLISH):
            assert _("Hello {name}", name="Ann") == "Hello Ann"
        assert present() is LOUD
    assert present() is ENGLISH


def test_a_translation_whose_names_do_not_fit_falls_back_to_english():
    with speaking(LOUD):
        assert _("Bad {name}", name="Ann") == "Bad Ann"


async def test_each_task_speaks_its_own_language():
    async def greet(language: Language) -> str:
        with speaking(language):
            await asyncio.sleep(0)
            return _("Hello")

    assert await asyncio.gather(greet(LOUD), greet(ENGLISH)) == ["HALLO", "Hello"]


def test_words_are_cached_for_each_language():
    calls = []

    @cached_by_language(maxsize=8)
    def words(name: str) -> str:
        calls.append(name)
        return _("Hello {name}", name=name)

    def say() -> str:
        return words("Ann")

    assert [say(), say()] == ["Hello Ann"] * 2
    with speaking(LOUD):
        assert [say(), say()] == ["HALLO Ann"] * 2
    assert calls == ["Ann", "Ann"]
