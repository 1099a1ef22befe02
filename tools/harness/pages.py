"""Helpers for tests of game UIs without a bot: seated players, the text of a page, comparable pictures."""

from collections.abc import Sequence
from io import BytesIO
from typing import Any

from PIL import Image

from cogs.core.pages.game_ui import SeatedPlayer, TableContext
from cogs.core.pages.page import Page, Text
from engine.contract import Options, Seat

PLAYERS = tuple(f"Player {seat}" for seat in range(6))


def seated(options: Options, seats: int, names: Sequence[str] = PLAYERS, **facts: Any) -> TableContext:
    """Return the context of a table with these players; `facts` are its other fields."""
    players = tuple(SeatedPlayer(Seat(seat), names[seat], 100 + seat) for seat in range(seats))
    return TableContext(7, players, options, commitment="c" * 64, **facts)


def text_of(page: Page) -> str:
    """Return all text of a page."""
    return "\n".join(block.body for block in page.blocks if isinstance(block, Text))


def inverted_bold(text: str) -> list[str]:
    """Return the lines in which something bold, such as a name, is part of a bold sentence, and so is not bold."""
    wrong = []
    for line in text.splitlines():
        parts = line.split("**")
        bold = parts[1::2] if len(parts) % 2 else []
        if any(part != part.strip() for part in bold):
            wrong.append(line)
    return wrong


def opened(data: bytes) -> Image.Image:
    """Return a picture without a palette."""
    return Image.open(BytesIO(data)).convert("RGBA").convert("RGB")  # a palette may have transparent colours


def same_picture(one: bytes, other: bytes) -> bool:
    """Return True if two pictures look the same. On a busy machine the same picture may be encoded differently."""
    return one == other or opened(one).tobytes() == opened(other).tobytes()
