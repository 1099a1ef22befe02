"""What people and servers call themselves, made harmless: no marks that turn the text around or hide in it, and nothing
that Discord would read as a mention, a time, an emoji, a link or markup.

Every name passes here before it is shown, in words, labels, pictures and the words beside pictures.
"""

import unicodedata
from functools import lru_cache

NAMELESS = "somebody"
"""Who has a name of which nothing is left."""

LONGEST = 32
LONGEST_SERVER = 100
"""Characters of a name, as Discord has it for people and for servers."""

MOST_MARKS = 2
"""Accents on one letter; more of them grow over the lines above and below."""

_HIDDEN = frozenset({"Cc", "Cf", "Co", "Cs", "Zl", "Zp"})
"""Control and format characters (they turn or hide text), private ones, halves of characters, ends of lines."""

_BLANK = frozenset("\u115f\u1160\u2800\u3164\uffa0")
"""Letters that look like nothing."""

_HARMLESS = str.maketrans({"<": "‹", ">": "›", "@": "＠", ":": "∶", "`": "ˋ"})
"""What begins or ends a mention, a time, an emoji, an address or code, and what looks like it and does nothing."""

_MARKUP = str.maketrans({sign: f"\\{sign}" for sign in "\\*_~|[]#"})


@lru_cache(maxsize=1_024)
def plain(name: str, limit: int = LONGEST) -> str:
    """Return a name for pictures, labels, the words beside pictures, and code: where emphasis is not read."""
    kept: list[str] = []
    marks = 0
    for sign in unicodedata.normalize("NFC", name):
        kind = unicodedata.category(sign)
        marks = marks + 1 if kind in ("Mn", "Me") else 0
        if kind in _HIDDEN or marks > MOST_MARKS:
            continue
        kept.append(" " if sign in _BLANK else sign)
    words = " ".join("".join(kept).split()).translate(_HARMLESS)
    if len(words) > limit:
        words = words[: limit - 1].rstrip() + "…"
    return words or NAMELESS


def shown(name: str, limit: int = LONGEST) -> str:
    """Return a name for text that Discord reads as markup."""
    return plain(name, limit).translate(_MARKUP)


def bold(name: str) -> str:
    """Return a name in bold."""
    return f"**{shown(name)}**"
