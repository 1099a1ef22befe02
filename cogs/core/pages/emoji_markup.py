"""Faces in texts: cards, tiles and dice as pictures before the words that name them.

A text carries the names of its faces between two private characters, which no name of a person and no sentence has.
Where Discord has our emoji they take that place, as many as a message has room for; else nothing does, and the words
say it all.
"""

import re
from collections.abc import Callable, Iterable

BEGIN, _END = "\ue000", "\ue001"
_FACES = re.compile(f"{BEGIN}([a-z0-9_ ]*)(?:{_END}|$)")


def faced(names: Iterable[str], words: str = "") -> str:
    """Return words with these faces before them."""
    return f"{BEGIN}{' '.join(names)}{_END}{words}"


def plain(text: str) -> str:
    """Return a text as it reads without faces."""
    return _FACES.sub("", text)


def shown(text: str, known: Callable[[str], str | None], room: int) -> tuple[str, int]:
    """Return a text with its faces as emoji, and the room that is left. The faces of a thing that are not all known,
    or need more characters than there is room for, are left out.
    """
    left = room

    def emoji(found: re.Match[str]) -> str:
        nonlocal left
        faces = [known(name) for name in found[1].split()]
        words = "".join(face for face in faces if face is not None) + " "
        if None in faces or len(words) > left:
            return ""
        left -= len(words)
        return words

    return (_FACES.sub(emoji, text), left) if BEGIN in text else (text, left)
