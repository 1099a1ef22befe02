"""Test the size of text in pictures on a phone that shows them 390 pixels wide."""

import random
from io import BytesIO

import pytest
from PIL import Image

from cogs.core.drawing import sprites
from cogs.core.drawing.canvas import lettering_noted
from cogs.core.i18n.translation import ENGLISH, Language, speaking
from cogs.core.pages.game_ui import GameUI
from cogs.core.pages.page import Picture
from cogs.registry import GAMES
from engine.contract import Seat
from engine.games import GAMES as RULES
from tools.harness.environment import shipped
from tools.harness.pages import seated
from tools.harness.playouts import play

PHONE = 390
SMALLEST = 9.0
SEEDS = range(2)
STATES = 5
NAMES = ("Ann", "Bartholomew", "Cleo", "Dan", "Eva", "Finn")


LANGUAGES = [ENGLISH, *shipped().others]


@pytest.mark.usefixtures("nothing_drawn")
@pytest.mark.parametrize("language", LANGUAGES, ids=lambda language: language.code)
@pytest.mark.parametrize("ui", [package.ui() for package in GAMES], ids=lambda ui: ui.game.key)
def test_what_is_written_on_a_board_is_whole_and_at_least_nine_pixels_high_on_a_phone(ui: GameUI, language: Language):
    small, cut = set[tuple[float, str]](), set[str]()
    for seed in SEEDS if language is ENGLISH else SEEDS[:1]:
        playout = play(RULES[ui.game.key], seed)
        info = seated(playout.options, playout.seats, NAMES)
        states = random.Random(seed).sample(playout.states, min(STATES, len(playout.states)))
        for state in (*states, playout.states[-1]):
            sprites.bitmaps.clear()
            written: list[tuple[str, float, float]] = []
            with lettering_noted(lambda *noted, written=written: written.append(noted)), speaking(language):
                shown: list[object] = [ui.picture(ui.game.view(state, None), info)]
                for seat in range(playout.seats):
                    shown += ui.player_blocks(ui.game.view(state, Seat(seat)), info)
            widths = [Image.open(BytesIO(one.data)).width for one in shown if isinstance(one, Picture)]
            scale = PHONE / max(widths, default=PHONE)
            small |= {(round(size * scale, 1), words) for words, size, _beyond in written if size * scale < SMALLEST}
            cut |= {words for words, _size, beyond in written if beyond > 0}
    assert not small, sorted(small)
    assert not cut, sorted(cut)
