"""What a picture shows, in words, for those who do not see it."""

from collections.abc import Iterable

from cogs.core.pages.page import ALT_LIMIT


def told(sentences: Iterable[str], limit: int = ALT_LIMIT) -> str:
    """Return the sentences, joined by spaces, up to the last that fits into `limit` characters: put the chief first."""
    text = ""
    for sentence in sentences:
        longer = f"{text} {sentence}".strip()
        if len(longer) > limit:
            break
        text = longer
    return text
