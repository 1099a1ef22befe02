"""Letters that the font lacks: they are drawn as a letter that it has, with a mark above or below, or spelled out."""

import unicodedata
from collections.abc import Callable, Mapping
from functools import lru_cache
from types import MappingProxyType
from typing import NamedTuple

Stroke = tuple[tuple[float, float], ...]
"""Points of a line, in shares of the font size: x from the middle of the letter, y down from its edge."""

_ACUTE: Stroke = ((-0.05, -0.05), (0.07, -0.15))
_GRAVE: Stroke = ((0.05, -0.05), (-0.07, -0.15))
_DOT: Stroke = ((0.0, -0.09),)

ABOVE: Mapping[str, tuple[Stroke, ...]] = MappingProxyType(
    {
        "\u0300": (_GRAVE,),
        "\u0301": (_ACUTE,),
        "\u0302": (((-0.11, -0.05), (0.0, -0.15), (0.11, -0.05)),),
        "\u0303": (((-0.14, -0.06), (-0.07, -0.12), (0.06, -0.06), (0.14, -0.12)),),
        "\u0304": (((-0.12, -0.09), (0.12, -0.09)),),
        "\u0306": (((-0.12, -0.14), (-0.07, -0.07), (0.07, -0.07), (0.12, -0.14)),),
        "\u0307": (_DOT,),
        "\u0308": (((-0.11, -0.09),), ((0.11, -0.09),)),
        "\u030a": (((0.0, -0.18), (0.07, -0.11), (0.0, -0.04), (-0.07, -0.11), (0.0, -0.18)),),
        "\u030b": (((-0.12, -0.05), (-0.04, -0.15)), ((0.04, -0.05), (0.12, -0.15))),
        "\u030c": (((-0.11, -0.15), (0.0, -0.05), (0.11, -0.15)),),
    }
)
"""The marks above a letter; y counts from its top. A line of one point is a dot."""

BELOW: Mapping[str, tuple[Stroke, ...]] = MappingProxyType(
    {
        "\u0323": (((0.0, 0.11),),),
        "\u0326": (((0.03, 0.08), (-0.02, 0.2)),),
        "\u0327": (((0.0, 0.02), (0.0, 0.08), (0.07, 0.12), (0.03, 0.19), (-0.06, 0.19)),),
        "\u0328": (((0.05, 0.02), (-0.01, 0.1), (0.03, 0.17), (0.1, 0.16)),),
    }
)
"""The marks below a letter; y counts from the baseline."""

SPELLED = str.maketrans(
    {"ß": "ss", "ẞ": "SS", "æ": "ae", "Æ": "AE", "œ": "oe", "Œ": "OE", "ø": "o", "Ø": "O", "ł": "l", "Ł": "L"}
    | {"đ": "d", "Đ": "D", "ð": "d", "Ð": "D", "þ": "th", "Þ": "Th", "ı": "i", "„": '"', "‚": "'", "¿": "?", "¡": "!"}
    | {"–": "-", "—": "-", "•": "·", "⟦": "‹", "⟧": "›", "\u00a0": " ", "\u2009": " ", "\u202f": " "}
)
"""Letters, signs and spaces that have no mark, as others that the font has."""


class Marked(NamedTuple):
    """Words without marks, and the marks by the number of their letter."""

    plain: str
    marks: tuple[tuple[int, str], ...]


@lru_cache(maxsize=4_096)
def taken_apart(words: str, has_glyph: Callable[[str], bool]) -> Marked:
    """Return words with each letter that the font lacks as one that it has, as far as possible, and its marks."""
    if words.isascii():
        return Marked(words, ())
    plain, marks = "", list[tuple[int, str]]()
    for sign in words.translate(SPELLED):
        base, *others = (sign,) if has_glyph(sign) else tuple(unicodedata.normalize("NFD", sign))
        if others and has_glyph(base) and all(mark in ABOVE or mark in BELOW for mark in others):
            marks += [(len(plain), mark) for mark in others]
            plain += base
        else:
            plain += sign
    return Marked(plain, tuple(marks))
