"""Makes names harmless: no characters that hide or reverse text, and nothing that Discord would read as markup."""

import unicodedata
from functools import lru_cache

NAMELESS = "somebody"
"""The name of a person if nothing is left of theirs."""

MAX_LENGTH = 32
MAX_SERVER_LENGTH = 100
"""Characters of a name, as Discord has it for people and for servers."""

MAX_MARKS = 2
"""Accents on one letter; more of them grow over the lines above and below."""

_HIDDEN = frozenset({"Cc", "Cf", "Co", "Cs", "Zl", "Zp"})
"""Control and format characters, private ones, surrogates and line breaks."""

_BLANK = frozenset("\u115f\u1160\u2800\u3164\uffa0")
"""Letters that look like a space."""

_HARMLESS = str.maketrans({"<": "‹", ">": "›", "@": "＠", ":": "∶", "`": "ˋ"})
"""Lookalikes of the characters that begin or end a mention, a time, an emoji, an address or code."""

_MARKUP = str.maketrans({sign: f"\\{sign}" for sign in "\\*_~|[]#"})


@lru_cache(maxsize=1_024)
def sanitize(name: str, limit: int = MAX_LENGTH) -> str:
    """Return a name for pictures, labels and code, where markup is not read."""
    kept: list[str] = []
    marks = 0
    for sign in unicodedata.normalize("NFC", name):
        kind = unicodedata.category(sign)
        marks = marks + 1 if kind in ("Mn", "Me") else 0
        if kind in _HIDDEN or marks > MAX_MARKS:
            continue
        kept.append(" " if sign in _BLANK else sign)
    words = " ".join("".join(kept).split()).translate(_HARMLESS)
    if len(words) > limit:
        words = words[: limit - 1].rstrip() + "…"
    return words or NAMELESS


def escape(name: str, limit: int = MAX_LENGTH) -> str:
    """Return a name for text that Discord reads as markup."""
    return sanitize(name, limit).translate(_MARKUP)


def bold(name: str) -> str:
    """Return a name in bold."""
    return f"**{escape(name)}**"
