"""The bits of English that every page needs: numbers with their nouns, lists, durations and ranges."""

from collections.abc import Iterable


def noun(number: int, one: str, many: str | None = None) -> str:
    """Return the noun that goes with a number: game, games. Pass `many` if the plural is not made with an s."""
    return one if abs(number) == 1 else many or f"{one}s"


def count(number: int, one: str, many: str | None = None) -> str:
    """Return a number with its noun: 1 game, 2 games."""
    return f"{figure(number)} {noun(number, one, many)}"


def figure(number: int) -> str:
    """Return a number that may be negative: 2, −1. The sign is a minus, which is as wide as a plus."""
    return f"−{-number}" if number < 0 else str(number)


def signed(number: int) -> str:
    """Return by how much something changes: +2, −1, 0."""
    return f"+{number}" if number > 0 else figure(number)


def listed(words: Iterable[str]) -> str:
    """Return words as a list in a sentence: a, b and c."""
    *most, last = list(words) or [""]
    return f"{', '.join(most)} and {last}" if most else last


def cut(words: str, most: int) -> str:
    """Return words in at most this many characters, with an ellipsis where something is left out."""
    return words if len(words) <= most else f"{words[: most - 1].rstrip(' ,.;:·')}…"


def span(numbers: range) -> str:
    """Return a range of players in words: "2", or "2–6"."""
    return str(numbers[0]) if len(numbers) == 1 else f"{numbers[0]}–{numbers[-1]}"


def duration(ms: int) -> str:
    """Return a duration in words, rounded to its largest unit."""
    seconds = max(1, round(ms / 1_000))
    for size, unit in ((86_400, "day"), (3_600, "hour"), (60, "minute")):
        if seconds >= size:
            return count(round(seconds / size), unit)
    return count(seconds, "second")
