"""Helpers for tests of the shipped languages: sentences that a catalogue lacks, and words of other languages."""

import re
from collections.abc import Iterable
from functools import cache
from gettext import NullTranslations

from babel.messages import pofile

from cogs.core.i18n.languages import Languages
from cogs.core.i18n.pseudo import CODE, PSEUDO, PseudoTranslations
from cogs.core.i18n.translation import Language
from cogs.core.pages.page import Page
from cogs.core.publishing import components_v2
from sandbox.limits import Problems, check_message
from sandbox.limits.messages import MessageRules
from tests.cogs import read_words
from tests.cogs.read_words import KEPT, NAMES
from tools.messages import COMPLETE, path_of

GERMAN, FRENCH, ENGLISH = "de", "fr", "en"

WORD = re.compile(r"[^\W\d_]{3,}")


class Lacking(NullTranslations):
    """Replaces a catalogue's fallback, and records the sentences that it lacks."""

    def __init__(self) -> None:
        super().__init__()
        self.sentences = set[str]()

    def gettext(self, message: str) -> str:
        """Record a sentence, and return it unchanged."""
        self.sentences.add(message)
        return message

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        """Record a sentence, and return its English form for a number."""
        return self.gettext(msgid1 if n == 1 else msgid2)


class Asked(PseudoTranslations):
    """The pretended language, which records all sentences that are looked up."""

    def __init__(self) -> None:
        super().__init__()
        self.sentences = set[str]()
        self.language = Language(CODE, self, PSEUDO.mark)

    def gettext(self, message: str) -> str:
        """Record a sentence, and return it in the pretended language."""
        self.sentences.add(message)
        return super().gettext(message)

    def lacked(self) -> list[str]:
        """Return the sentences of these that some language lacks."""
        found = list[str]()
        for code in COMPLETE:
            known = {form for english, translated in entries(code) if all(translated) for form in english}
            found += [f"{code}: {sentence}" for sentence in sorted(self.sentences - known)]
        return found


def with_notes() -> tuple[Languages, Lacking]:
    """Return the languages that have a catalogue, and the recorders of the sentences that they lack."""
    languages, lacking = Languages.load(), Lacking()
    for language in languages.others:
        language.translations.add_fallback(lacking)
    return languages, lacking


@cache
def entries(code: str) -> tuple[tuple[tuple[str, ...], tuple[str, ...]], ...]:
    """Return the forms of each sentence in English, and in a language."""
    with path_of(code).open("rb") as file:
        catalogue = pofile.read_po(file)
    return tuple((_forms(message.id), _forms(message.string)) for message in catalogue if message.id)


def _forms(forms: str | Iterable[str] | None) -> tuple[str, ...]:
    return (forms,) if isinstance(forms, str) else tuple(forms or ())


@cache
def vocabulary(code: str) -> frozenset[str]:
    """Return the words that occur in a language's sentences."""
    if code == ENGLISH:
        sentences = [form for english, _ in entries(COMPLETE[0]) for form in english]
    else:
        sentences = [form for _, translated in entries(code) for form in translated]
    return frozenset(word for sentence in sentences for word in words_of(sentence))


def words_of(text: str) -> list[str]:
    """Return the words of a text without names, commands, codes and the like."""
    rest = KEPT.sub(" ", text)
    for name in NAMES:
        rest = rest.replace(name, " ")
    return [word.casefold() for word in WORD.findall(rest)]


def foreign(text: str, code: str) -> set[str]:
    """Return the words of a text that occur in another language's sentences, but not in this one's."""
    others = [vocabulary(other) for other in (ENGLISH, *COMPLETE) if other != code]
    return {word for word in words_of(text) if word not in vocabulary(code) and any(word in one for one in others)}


def problems_of(page: Page) -> str:
    """Return what Discord would refuse in a page, as text; empty if it is valid."""
    layout = components_v2.Layout(page, 10**15, 10**6)
    body = {"components": layout.to_components(), "flags": 1 << 15}
    problems = Problems()
    check_message(problems, body, MessageRules(lambda _: True, uploads=[one.name for one in layout.pictures]))
    return str(problems.tree()) if problems else ""


def told(page: Page) -> str:
    """Return all text that people read on a page."""
    return "\n".join(read_words.words_of({"components": components_v2.Layout(page, 1, 0).to_components()}))
