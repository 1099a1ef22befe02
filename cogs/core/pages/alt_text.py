"""Alternative texts: what a picture shows, in words."""

from collections.abc import Iterable

from cogs.core.pages.page import ALT_LIMIT


def join_within(sentences: Iterable[str], limit: int = ALT_LIMIT) -> str:
    """Return as many sentences, joined by spaces, as fit into `limit` characters; put the most important first."""
    text = ""
    for sentence in sentences:
        longer = f"{text} {sentence}".strip()
        if len(longer) > limit:
            break
        text = longer
    return text
