"""Numbers with their nouns, lists, durations and ranges, in the language of the page being composed.

What CLDR knows about a language comes from Babel, once for each language and form.
"""

from collections.abc import Callable, Iterable, Mapping
from datetime import date, time
from functools import lru_cache
from typing import Literal

from babel.dates import format_interval, format_skeleton, format_time
from babel.lists import format_list
from babel.numbers import format_decimal, format_percent
from babel.units import format_unit

from cogs.core.i18n.translation import Language, _, ngettext, present

Noun = Literal["card", "point", "turn"]
Unit = Literal["day", "hour", "minute", "second"]

_COUNTED: Mapping[Noun, Callable[[int, str], str]] = {
    "card": lambda n, figure: ngettext("{n} card", "{n} cards", n, n=figure),
    "point": lambda n, figure: ngettext("{n} point", "{n} points", n, n=figure),
    "turn": lambda n, figure: ngettext("{n} turn", "{n} turns", n, n=figure),
}

UNITS: tuple[tuple[int, Unit], ...] = ((86_400, "day"), (3_600, "hour"), (60, "minute"), (1, "second"))
"""Units of time with their seconds, the largest first."""

_PLAIN_SPACES = str.maketrans({"\u2009": " ", "\u202f": "\u00a0"})
"""Narrow spaces as usual ones, of which the second does not break a line."""


def count(number: int, one: Noun) -> str:
    """Return a number with its noun: 1 card, 2 cards."""
    return _COUNTED[one](number, figure(number))


def figure(number: int) -> str:
    """Return a number that may be negative: 2, −1. The sign is a minus, which is as wide as a plus."""
    return f"−{-number}" if number < 0 else str(number)


def signed(number: int) -> str:
    """Return by how much something changes: +2, −1, 0."""
    return f"+{number}" if number > 0 else figure(number)


def large(number: int) -> str:
    """Return a number with its thousands apart: 9,007."""
    return _decimal(present(), number, "#,##0")


def decimal(number: float, places: int) -> str:
    """Return a number with exactly this many decimal places: 1.5."""
    return _decimal(present(), round(number, places), f"0.{'0' * places}")


def percent(number: int) -> str:
    """Return a whole number of percent: 5%."""
    return _percent(present(), number)


def listed(words: Iterable[str]) -> str:
    """Return words as a list in a sentence: a, b and c."""
    return _joined(list(words), "standard")


def either(words: Iterable[str]) -> str:
    """Return words as a choice in a sentence: a, b or c."""
    return _joined(list(words), "or")


def labelled(label: str, value: str) -> str:
    """Return a value after what it belongs to: "Ann: 12". Some languages have a space before the colon."""
    return _("{label}: {value}", label=label, value=value)


def clauses(parts: Iterable[str]) -> str:
    """Return parts of a sentence, separated by semicolons. Some languages have a space before each."""
    # Translators: separates two parts of a sentence.
    return _("; ").join(parts)


def cut(words: str, most: int) -> str:
    """Return words in at most this many characters, with an ellipsis where something is left out."""
    return words if len(words) <= most else f"{words[: most - 1].rstrip(' ,.;:·')}…"


def span(numbers: range) -> str:
    """Return a range of players: "2", or "2–6"."""
    return str(numbers[0]) if len(numbers) == 1 else f"{numbers[0]}–{numbers[-1]}"


def timespan(number: int, unit: Unit) -> str:
    """Return a number of days, hours, minutes or seconds: 1 day, 2 days."""
    return _timespan(present(), number, unit)


def duration(ms: int) -> str:
    """Return a duration in words, rounded to its largest unit."""
    seconds = max(1, round(ms / 1_000))
    size, unit = next(one for one in UNITS if seconds >= one[0])
    return timespan(round(seconds / size), unit)


def on_the_hour(hour: int) -> str:
    """Return the time of a full hour of the day: 09:00."""
    language = present()
    return language.mark(format_time(time(hour), "short", locale=language.locale).translate(_PLAIN_SPACES))


def period(first: date, last: date) -> str:
    """Return a period of whole months: November 2026, or Oct – Dec 2026."""
    language = present()
    if first == last:
        words = format_skeleton("yMMMM", first, locale=language.locale)
    else:
        words = format_interval(first, last, "yMMM", locale=language.locale)
    return language.mark(words.translate(_PLAIN_SPACES))


def _joined(words: list[str], style: Literal["standard", "or"]) -> str:
    return _list_pattern(present(), style, len(words)).format(*words) if len(words) > 1 else "".join(words)


@lru_cache(maxsize=512)
def _list_pattern(language: Language, style: Literal["standard", "or"], size: int) -> str:
    return language.mark(format_list([f"{{{place}}}" for place in range(size)], style, language.locale))


@lru_cache(maxsize=1_024)
def _decimal(language: Language, number: float, pattern: str) -> str:
    return format_decimal(number, pattern, language.locale).translate(_PLAIN_SPACES)


@lru_cache(maxsize=1_024)
def _percent(language: Language, number: int) -> str:
    return format_percent(number / 100, locale=language.locale).translate(_PLAIN_SPACES)


@lru_cache(maxsize=512)
def _timespan(language: Language, number: int, unit: Unit) -> str:
    return language.mark(format_unit(number, f"duration-{unit}", locale=language.locale).translate(_PLAIN_SPACES))
