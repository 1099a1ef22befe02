"""Titles of games, and names of people made harmless: no characters that hide or reverse text, and nothing that Discord
would read as markup.
"""

import re
import unicodedata
from functools import lru_cache

from cogs.core.i18n.translation import N_, _
from engine.contract import AnyGame

NAMELESS = "somebody"
"""The stored name of people who had their data deleted, or of whose name nothing is left."""

MAX_LENGTH = 32
MAX_SERVER_LENGTH = 100
"""Characters of a name, as Discord has it for people and for servers."""

MAX_MARKS = 2
"""Accents on one letter; more of them grow over the lines above and below."""

COMPUTER_NAMES = frozenset({N_("Trainee"), N_("Master")})
"""The names under which computer players are stored, with a number if several are at a table."""

COMPUTER = "🤖"
"""The sign before the name of every computer player, which no person's name can have."""

_HIDDEN = frozenset({"Cc", "Cf", "Co", "Cs", "Zl", "Zp"})
"""Control and format characters, private ones, surrogates and line breaks."""

_BLANK = frozenset("\u115f\u1160\u2800\u3164\uffa0\U0001d159\U00013441\U00013442")
"""Letters and signs that look like a space."""

_DROPPED = frozenset(
    map(
        chr,
        (
            *(0x034F, 0x17B4, 0x17B5, 0x2065, 0xFFEF, 0xFFFC, 0xFFFD, 0x16FE4),
            *range(0x180B, 0x1810),
            *range(0xFFF0, 0xFFF9),
            *range(0xFE00, 0xFE10),
            *range(0xE0000, 0xE1000),
        ),
    )
) | {COMPUTER}
"""Marks that draw nothing (Unicode calls them ignorable by default), and those that stand for a missing object."""

_FROM_RIGHT = frozenset({"R", "AL", "AN"})
"""Classes of letters and digits that are written from right to left."""

_ISOLATE, _END = "\u2068", "\u2069"
"""What is between them does not change the direction of the text around it."""

_HARMLESS = str.maketrans({"<": "‹", ">": "›", "@": "＠", ":": "∶", "`": "ˋ"})
"""Lookalikes of the characters that begin or end a mention, a time, an emoji, an address or code."""

_ADDRESS = re.compile(r"(\.[^\W\d_]{2,})/")
"""The end of a host's name and the slash behind it: such an invitation to a server needs no https, neither for Discord
nor for the filters of other bots.
"""

_MARKUP = str.maketrans({sign: f"\\{sign}" for sign in "\\*_~|[]#"})


def game_title(game: AnyGame) -> str:
    """Return the title of a game in the present language."""
    return _(game.title)


def sanitize(name: str, limit: int = MAX_LENGTH) -> str:
    """Return a name for pictures, labels and code, where markup is not read. One that is written from right to left is
    isolated, so that it does not reverse what is beside it.
    """
    words = _harmless(name, limit)
    return _("someone") if words == NAMELESS else words


@lru_cache(maxsize=1_024)
def _harmless(name: str, limit: int) -> str:
    """Return a name like `sanitize`, but in no language: it may be shown in several."""
    kept: list[str] = []
    marks = 0
    for sign in unicodedata.normalize("NFC", name):
        kind = unicodedata.category(sign)
        if kind in _HIDDEN or sign in _DROPPED or _is_nonchar(sign):
            continue
        marks = marks + 1 if kind in ("Mn", "Me") else 0
        lone = kind in ("Mn", "Me", "Mc") and (not kept or kept[-1] == " ")
        if lone or marks > MAX_MARKS:
            continue
        kept.append(" " if sign in _BLANK or sign.isspace() else sign)
    words = _ADDRESS.sub("\\1∕", " ".join("".join(kept).split()).translate(_HARMLESS))
    if len(words) > limit:
        words = words[: limit - 1].rstrip() + "…"
    return isolated(words) if words else NAMELESS


def computer_name(name: str) -> str:
    """Return the name of a computer player in the present language, without its sign."""
    base, space, number = name.partition(" ")
    return f"{_(base)}{space}{number}" if base in COMPUTER_NAMES else sanitize(name)


def isolated(words: str) -> str:
    """Return words that do not change the direction of the text around them."""
    from_right = any(unicodedata.bidirectional(sign) in _FROM_RIGHT for sign in words)
    return f"{_ISOLATE}{words}{_END}" if from_right else words


def shortened(words: str, most: int) -> str:
    """Return words in at most this many characters, those not counted that isolate a name."""
    plain = words.replace(_ISOLATE, "").replace(_END, "")
    return words if len(plain) <= most else isolated(f"{plain[: most - 1].rstrip()}…")


def _is_nonchar(sign: str) -> bool:
    return ord(sign) & 0xFFFE == 0xFFFE or 0xFDD0 <= ord(sign) <= 0xFDEF


def escape(name: str, limit: int = MAX_LENGTH) -> str:
    """Return a name for text that Discord reads as markup."""
    return sanitize(name, limit).translate(_MARKUP)


def bold(name: str, *, computer: bool = False) -> str:
    """Return a name in bold, after the sign of a computer player."""
    return f"{COMPUTER}\u00a0**{escape(computer_name(name))}**" if computer else f"**{escape(name)}**"
