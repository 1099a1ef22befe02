"""Marks where the application's own emoji can be shown before the words for cards, tiles and dice: their names are
between two private characters. If an emoji is not available or does not fit, the words alone remain.
"""

import re
from collections.abc import Callable, Iterable

BEGIN, _END = "\ue000", "\ue001"
_FACES = re.compile(f"{BEGIN}([a-z0-9_ ]*)(?:{_END}|$)")


def faced(names: Iterable[str], words: str = "") -> str:
    """Return words with these emoji before them."""
    return f"{BEGIN}{' '.join(names)}{_END}{words}"


def strip(text: str) -> str:
    """Return a text without emoji."""
    return _FACES.sub("", text)


def render(text: str, known: Callable[[str], str | None], limit: int) -> tuple[str, int]:
    """Return a text with its emoji, if those before a word are all known and fit, and what is left of `limit`."""
    left = limit

    def emoji(found: re.Match[str]) -> str:
        nonlocal left
        faces = [known(name) for name in found[1].split()]
        words = "".join(face for face in faces if face is not None) + " "
        if None in faces or len(words) > left:
            return ""
        left -= len(words)
        return words

    return (_FACES.sub(emoji, text), left) if BEGIN in text else (text, left)
