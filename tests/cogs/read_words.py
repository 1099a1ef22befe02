"""The words that people read in a message, and which of them are outside the brackets of the pretended language."""

import re
from collections.abc import Iterator
from typing import Any

from cogs.core.i18n.pseudo import CLOSES, OPENS
from cogs.registry import GAMES
from sandbox import walk

Json = dict[str, Any]

KEPT = re.compile(
    r"<[^>]*>|\]\([^)]*\)|`[^`]*`|https?://\S+|:[a-z0-9_]+:|[A-Z]?[0-9]+[A-Z]?|\b[A-Z]\b"  # mentions, links, codes
)
"""What translators do not change: mentions, times, links, commands, emoji, numbers and codes."""

TERMS = {"NEXT", "DRAW", "MELD"}
"""The calls of Break-Out, which are the same in every language."""

NAMES = (
    "Ann",
    "Ben",
    "Cleo",
    "Cora",
    "Vera",
    "Otto",
    "Alcatraz",
    "yard",
    "cellblock",
    "Cellblock",
    *(package.game.title for package in GAMES),
)


def outside(text: str) -> str:
    """Return what is outside of all brackets. A bracket that was cut off ends with its line."""
    found, depth = "", 0
    for sign in text:
        depth = 0 if sign == "\n" else depth + (sign == OPENS) - (sign == CLOSES and depth > 0)
        if depth == 0 and sign not in (OPENS, CLOSES):
            found += sign
    return found


def missed(text: str) -> list[str]:
    """Return the untranslated words of a text."""
    rest = KEPT.sub(" ", outside(text))
    for name in NAMES:
        rest = rest.replace(name, " ")
    found: list[str] = re.findall(r"[^\W\d_]{2,}(?:[ '’-][^\W\d_]+)*", rest)
    return [words for words in found if words.isascii()]  # what was cut off from its bracket still has accents


def words_of(message: Json) -> Iterator[str]:
    """Yield all text that people read in a message: texts, labels, options and descriptions of pictures."""
    yield message.get("content") or ""
    for part in walk(message.get("components", ())):
        for name in ("content", "label", "placeholder", "description"):
            yield part.get(name) or ""
        for option in part.get("options") or ():
            yield option["label"]
            yield option.get("description") or ""
        for item in part.get("items") or ():
            yield item.get("description") or ""
