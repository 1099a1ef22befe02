"""Lengths of time and ranges of players, in words."""

from cogs.core.ops.text_format import count


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
