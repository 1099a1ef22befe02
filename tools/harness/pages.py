"""What tests of screens need without a bot: who sits at a table, what a page says, and what a picture shows."""

from collections.abc import Sequence
from io import BytesIO
from typing import Any

from PIL import Image

from cogs.core.pages.game_ui import SeatedPlayer, TableContext
from cogs.core.pages.page import Page, Text
from engine.contract import Options, Seat

PLAYERS = tuple(f"Player {seat}" for seat in range(6))


def seated(options: Options, seats: int, names: Sequence[str] = PLAYERS, **facts: Any) -> TableContext:
    """Return what a screen knows of a table at which people of these names sit; `facts` are its further fields."""
    sitters = tuple(SeatedPlayer(Seat(seat), names[seat], 100 + seat) for seat in range(seats))
    return TableContext(7, sitters, options, commitment="c" * 64, **facts)


def text_of(page: Page) -> str:
    """Return all text of a page."""
    return "\n".join(block.body for block in page.blocks if isinstance(block, Text))


def opened(data: bytes) -> Image.Image:
    """Return a picture as it is seen, without a palette."""
    return Image.open(BytesIO(data)).convert("RGB")


def same_picture(one: bytes, other: bytes) -> bool:
    """Say whether two pictures show the same: their bytes may differ by a few on a busy machine, see `encode`."""
    return one == other or opened(one).tobytes() == opened(other).tobytes()
