"""Numbers with their nouns, lists, durations and ranges, in the language of the page being composed."""

from collections.abc import Callable, Iterable, Mapping
from typing import Literal

from cogs.core.i18n.translation import _, ngettext

Noun = Literal["card", "day", "hour", "minute", "point", "second", "turn"]

_COUNTED: Mapping[Noun, Callable[[int, str], str]] = {
    "card": lambda n, figure: ngettext("{n} card", "{n} cards", n, n=figure),
    "day": lambda n, figure: ngettext("{n} day", "{n} days", n, n=figure),
    "hour": lambda n, figure: ngettext("{n} hour", "{n} hours", n, n=figure),
    "minute": lambda n, figure: ngettext("{n} minute", "{n} minutes", n, n=figure),
    "point": lambda n, figure: ngettext("{n} point", "{n} points", n, n=figure),
    "second": lambda n, figure: ngettext("{n} second", "{n} seconds", n, n=figure),
    "turn": lambda n, figure: ngettext("{n} turn", "{n} turns", n, n=figure),
}

_UNITS: tuple[tuple[int, Noun], ...] = ((86_400, "day"), (3_600, "hour"), (60, "minute"))


def noun(number: int, one: str, many: str | None = None) -> str:
    """Return the noun that goes with a number: game, games. Pass `many` if the plural is not made with an s. Only for
    words that are not translated; `count` or `ngettext` is for the others.
    """
    return one if abs(number) == 1 else many or f"{one}s"


def count(number: int, one: Noun) -> str:
    """Return a number with its noun: 1 card, 2 cards."""
    return _COUNTED[one](number, figure(number))


def figure(number: int) -> str:
    """Return a number that may be negative: 2, −1. The sign is a minus, which is as wide as a plus."""
    return f"−{-number}" if number < 0 else str(number)


def signed(number: int) -> str:
    """Return by how much something changes: +2, −1, 0."""
    return f"+{number}" if number > 0 else figure(number)


def listed(words: Iterable[str]) -> str:
    """Return words as a list in a sentence: a, b and c."""
    *most, last = list(words) or [""]
    return _("{most} and {last}", most=", ".join(most), last=last) if most else last


def either(words: Iterable[str]) -> str:
    """Return words as a choice in a sentence: a, b or c."""
    *most, last = list(words) or [""]
    return _("{most} or {last}", most=", ".join(most), last=last) if most else last


def cut(words: str, most: int) -> str:
    """Return words in at most this many characters, with an ellipsis where something is left out."""
    return words if len(words) <= most else f"{words[: most - 1].rstrip(' ,.;:·')}…"


def span(numbers: range) -> str:
    """Return a range of players: "2", or "2–6"."""
    return str(numbers[0]) if len(numbers) == 1 else f"{numbers[0]}–{numbers[-1]}"


def duration(ms: int) -> str:
    """Return a duration in words, rounded to its largest unit."""
    seconds = max(1, round(ms / 1_000))
    for size, unit in _UNITS:
        if seconds >= size:
            return count(round(seconds / size), unit)
    return count(seconds, "second")
