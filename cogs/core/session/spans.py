"""Lengths of time and ranges of players, in words. May import nothing."""


def span(numbers: range) -> str:
    """Return a range of players in words: "2", or "2–6"."""
    return str(numbers[0]) if len(numbers) == 1 else f"{numbers[0]}–{numbers[-1]}"


def duration(ms: int) -> str:
    """Return a length of time in words, to the coarsest unit that tells it."""
    seconds = max(1, round(ms / 1_000))
    for size, unit in ((86_400, "day"), (3_600, "hour"), (60, "minute")):
        if seconds >= size:
            count = round(seconds / size)
            return f"{count} {unit}{'s' if count != 1 else ''}"
    return f"{seconds} second{'s' if seconds != 1 else ''}"
