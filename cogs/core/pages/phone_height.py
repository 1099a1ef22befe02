"""About how high a page is on a phone, by measures of Discord's phone client: to decide what still fits one screen."""

import struct

from cogs.core.pages import emoji_markup
from cogs.core.pages.page import Block, Button, Link, Page, PersonSelect, Picture, Row, Select, Text

FITS = 580
"""The pixels of a page that a screen of 390 × 844 shows, with a tenth to spare."""

WIDTH = 344
"""The pixels between the edges of a page."""

_EDGES, _GAP, _BETWEEN = 20, 8, 6
_LINE, _LETTERS = 21, 44
_SMALL_LINE, _SMALL_LETTERS = 18, 54
_HEADING, _LARGE_HEADING, _LARGE_LETTERS = 24, 30, 24
_BUTTON, _SELECT, _LETTER, _SIDES, _EMOJI = 42, 46, 7.3, 28, 24
_THUMBNAIL = 85
_BESIDE = 0.72
"""The share of the width that a picture leaves for the text beside it."""


def height(page: Page) -> int:
    """Return the height of a page in pixels."""
    return _EDGES + sum(map(_height, page.blocks)) + _GAP * (len(page.blocks) - 1)


def _height(block: Block) -> int:
    match block:
        case Text():
            beside = block.thumbnail is not None
            lines = emoji_markup.strip(block.body).splitlines()
            words = sum(_line(line, _BESIDE if beside else 1) for line in lines)
            return max(words, _THUMBNAIL) if beside else words
        case Picture():
            wide, high = struct.unpack(">II", block.data[16:24])  # the header of a PNG
            return int(WIDTH * high / wide)
        case Row():
            return _row(block)
        case Select() | PersonSelect():
            return _SELECT
        case _:
            return 1


def _line(line: str, share: float) -> int:
    if line.startswith("## "):
        return _LARGE_HEADING * -(-len(line) // int(_LARGE_LETTERS * share))
    if line.startswith("### "):
        return _HEADING * -(-len(line) // int(_LETTERS * share))
    if line.startswith("-# "):
        return _SMALL_LINE * -(-len(line) // int(_SMALL_LETTERS * share))
    return _LINE * max(1, -(-len(line.replace("**", "")) // int(_LETTERS * share)))


def _row(row: Row) -> int:
    lines, used = 1, 0.0
    for button in row.buttons:
        wide = _wide(button)
        if used and used + _BETWEEN + wide > WIDTH:
            lines, used = lines + 1, 0.0
        used += wide + (_BETWEEN if used else 0)
    return lines * _BUTTON + (lines - 1) * _GAP


def _wide(button: Button | Link) -> float:
    label = len(button.label)
    if isinstance(button, Button) and button.face is not None:
        label = len(button.label if button.beside is None else button.beside)
    pictured = isinstance(button, Button) and (button.emoji is not None or button.face is not None)
    return _SIDES + _LETTER * label + (_EMOJI if pictured else 0)
