"""Numbers with their nouns, lists, durations and ranges, in the language of the page being composed."""

from collections.abc import Callable, Iterable, Mapping

from cogs.core.i18n.translation import _, ngettext

_COUNTED: Mapping[str, Callable[[int, str], str]] = {
    "card": lambda n, figure: ngettext("{n} card", "{n} cards", n, n=figure),
    "cell card": lambda n, figure: ngettext("{n} cell card", "{n} cell cards", n, n=figure),
    "cell meld": lambda n, figure: ngettext("{n} cell meld", "{n} cell melds", n, n=figure),
    "day": lambda n, figure: ngettext("{n} day", "{n} days", n, n=figure),
    "die": lambda n, figure: ngettext("{n} die", "{n} dice", n, n=figure),
    "game": lambda n, figure: ngettext("{n} game", "{n} games", n, n=figure),
    "hour": lambda n, figure: ngettext("{n} hour", "{n} hours", n, n=figure),
    "knot": lambda n, figure: ngettext("{n} knot", "{n} knots", n, n=figure),
    "line": lambda n, figure: ngettext("{n} line", "{n} lines", n, n=figure),
    "meld": lambda n, figure: ngettext("{n} meld", "{n} melds", n, n=figure),
    "minute": lambda n, figure: ngettext("{n} minute", "{n} minutes", n, n=figure),
    "month": lambda n, figure: ngettext("{n} month", "{n} months", n, n=figure),
    "place": lambda n, figure: ngettext("{n} place", "{n} places", n, n=figure),
    "point": lambda n, figure: ngettext("{n} point", "{n} points", n, n=figure),
    "prisoner": lambda n, figure: ngettext("{n} prisoner", "{n} prisoners", n, n=figure),
    "push": lambda n, figure: ngettext("{n} push", "{n} pushes", n, n=figure),
    "round": lambda n, figure: ngettext("{n} round", "{n} rounds", n, n=figure),
    "second": lambda n, figure: ngettext("{n} second", "{n} seconds", n, n=figure),
    "sneak": lambda n, figure: ngettext("{n} sneak", "{n} sneaks", n, n=figure),
    "space": lambda n, figure: ngettext("{n} space", "{n} spaces", n, n=figure),
    "stack": lambda n, figure: ngettext("{n} stack", "{n} stacks", n, n=figure),
    "table": lambda n, figure: ngettext("{n} table", "{n} tables", n, n=figure),
    "tile": lambda n, figure: ngettext("{n} tile", "{n} tiles", n, n=figure),
    "token": lambda n, figure: ngettext("{n} token", "{n} tokens", n, n=figure),
    "turn": lambda n, figure: ngettext("{n} turn", "{n} turns", n, n=figure),
}
"""The nouns that translators meet with a number before them, by the singular."""


def noun(number: int, one: str, many: str | None = None) -> str:
    """Return the noun that goes with a number: game, games. Pass `many` if the plural is not made with an s. Only for
    words that are not translated; `count` or `ngettext` is for the others.
    """
    return one if abs(number) == 1 else many or f"{one}s"


def count(number: int, one: str, many: str | None = None) -> str:
    """Return a number with its noun: 1 game, 2 games. Only nouns of the table above are translated."""
    known = _COUNTED.get(one)
    return f"{figure(number)} {noun(number, one, many)}" if known is None else known(number, figure(number))


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
    for size, unit in ((86_400, "day"), (3_600, "hour"), (60, "minute")):
        if seconds >= size:
            return count(round(seconds / size), unit)
    return count(seconds, "second")
