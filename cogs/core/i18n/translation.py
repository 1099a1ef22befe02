"""Marks every sentence that people read, and translates it into the language of the page being composed.

English sentences are their own keys, as usual with gettext. The present language belongs to the running task: code that
composes something for a reader, or for everybody, says so once with `speaking`, and all sentences follow.
"""

import contextlib
import functools
from collections.abc import Callable, Iterator
from contextvars import ContextVar
from dataclasses import dataclass, field
from gettext import NullTranslations
from typing import Any, ParamSpec, TypeVar

from babel import Locale, UnknownLocaleError

P = ParamSpec("P")
R = TypeVar("R")


@dataclass(frozen=True, eq=False)
class Language:
    """A language and its sentences. `code` is one of Discord's locales, such as "de" or "pt-BR"; `mark` is applied to
    words that are not translated here but come from CLDR.
    """

    code: str
    translations: NullTranslations = field(default_factory=NullTranslations, repr=False)
    mark: Callable[[str], str] = field(default=str, repr=False)

    @functools.cached_property
    def locale(self) -> Locale:
        """CLDR's lists, numbers, units and dates of this language: British ones for English, and if there are none."""
        with contextlib.suppress(ValueError, UnknownLocaleError):
            if self.code != "en":
                return Locale.parse(self.code, sep="-")
        return Locale("en", "GB")

    def sentence(self, english: str) -> str:
        """Return a sentence in this language; in English if it has none."""
        return self.translations.gettext(english) if english else ""


ENGLISH = Language("en")

_present: ContextVar[Language] = ContextVar("language", default=ENGLISH)
_public: ContextVar[Language | None] = ContextVar("public language", default=None)


def present() -> Language:
    """Return the language of what is being composed."""
    return _present.get()


def speak(language: Language, public: Language | None = None) -> None:
    """Compose everything in a language from now on, until the running task ends. `public`: the language of messages
    that others can read, if it may be another one.
    """
    _present.set(language)
    _public.set(public)


@contextlib.contextmanager
def speaking(language: Language, public: Language | None = None) -> Iterator[None]:
    """Compose everything inside in a language. `public`: the language of messages that others can read, if it may be
    another one.
    """
    before, public_before = _present.set(language), _public.set(public)
    try:
        yield
    finally:
        _present.reset(before)
        _public.reset(public_before)


def _(english: str, /, **values: object) -> str:
    """Return a sentence in the present language, with `values` in place of the names in braces. A translation whose
    names do not fit falls back to English.
    """
    sentence = _present.get().translations.gettext(english) if english else ""
    return _filled(sentence, english, values) if values else sentence


def ngettext(one: str, many: str, n: int, /, **values: object) -> str:
    """Return the form of a sentence that goes with a number, which is `{n}` in it: "{n} card", "{n} cards"."""
    sentence = _present.get().translations.ngettext(one, many, abs(n))
    return _filled(sentence, one if abs(n) == 1 else many, {"n": n, **values})


def public_label(english: str) -> str:
    """Return the label of a button as everybody sees it, for a sentence that only its reader sees: "Press *{join}*"
    names the button that says "Join", also if the sentence is in another language. `english` is marked for translation
    where the button is.
    """
    return (_public.get() or _present.get()).sentence(english)


Words = Callable[[], str]
"""Returns a sentence in the present language: of what is put into words later, or in several languages."""


def N_(english: str) -> str:  # noqa: N802  # gettext's usual name
    """Mark a sentence of a table or a constant, which `_` translates where it is used."""
    return english


def _filled(sentence: str, english: str, values: dict[str, object]) -> str:
    try:
        return sentence.format_map(values)
    except (KeyError, IndexError, ValueError, AttributeError):
        return english.format_map(values)


def cached_by_language(maxsize: int) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Cache a function that returns words or a picture with words, once for each language. Its arguments must be
    hashable.
    """

    def decorate(function: Callable[P, R]) -> Callable[P, R]:
        def in_language(_: Language, *arguments: P.args, **named: P.kwargs) -> R:
            return function(*arguments, **named)

        cached: Any = functools.lru_cache(maxsize)(in_language)

        @functools.wraps(function)
        def called(*arguments: P.args, **named: P.kwargs) -> R:
            found: R = cached(present(), *arguments, **named)
            return found

        called.cache_clear = cached.cache_clear  # type: ignore[attr-defined]  # as of the library's own caches
        return called

    return decorate
