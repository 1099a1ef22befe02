"""The size of what is written in pictures, on a phone that shows them 390 pixels wide."""

import random
from functools import partial
from io import BytesIO

import pytest
from PIL import Image

from cogs.core.drawing import sprites
from cogs.core.drawing.canvas import lettering_noted
from cogs.core.pages.game_ui import GameUI
from cogs.core.pages.page import Picture
from cogs.registry import GAMES
from engine.contract import Seat
from engine.games import GAMES as RULES
from tools.harness.pages import seated
from tools.harness.playouts import play

PHONE = 390
SMALLEST = 9.0
SEEDS = range(2)
STATES = 5
NAMES = ("Ann", "Bartholomew", "Cleo", "Dan", "Eva", "Finn")


@pytest.mark.parametrize("screen", [package.ui() for package in GAMES], ids=lambda screen: screen.game.key)
def test_nothing_on_a_board_is_written_smaller_than_nine_pixels_on_a_phone(screen: GameUI):
    small: set[tuple[float, str]] = set()
    for seed in SEEDS:
        playout = play(RULES[screen.game.key], seed)
        info = seated(playout.options, playout.seats, NAMES)
        states = random.Random(seed).sample(playout.states, min(STATES, len(playout.states)))
        for state in (*states, playout.states[-1]):
            sprites.bitmaps.clear()
            written: list[tuple[str, float]] = []
            with lettering_noted(partial(_noted, written)):
                shown: list[object] = [screen.picture(screen.game.view(state, None), info)]
                for seat in range(playout.seats):
                    shown += screen.player_blocks(screen.game.view(state, Seat(seat)), info)
            widths = [Image.open(BytesIO(one.data)).width for one in shown if isinstance(one, Picture)]
            scale = PHONE / max(widths, default=PHONE)
            small |= {(round(size * scale, 1), words) for words, size in written if size * scale < SMALLEST}
    assert not small, sorted(small)


def _noted(written: list[tuple[str, float]], words: str, size: float) -> None:
    written.append((words, size))
