"""Card faces in texts: emoji before the words if Discord has them, only words otherwise, never cut."""

import re
from collections.abc import Iterator

import pytest

from cogs.core.pages import emoji_markup
from cogs.core.pages.custom_ids import ComponentPress
from cogs.core.pages.emoji_markup import faced
from cogs.core.pages.game_ui import GameUI
from cogs.core.pages.page import TEXT_LIMIT, Page, Text
from cogs.core.pages.player_page import seat_page, table_page
from cogs.core.publishing.components_v2 import Layout, fingerprint
from cogs.registry import GAMES
from engine.contract import Seat
from tools.harness.pages import seated
from tools.harness.playouts import Playout, play

UIS = [ui for package in GAMES if type(ui := package.ui()).faces is not GameUI.faces]
EMOJI = re.compile(r"<:(\w+):\d{19}>")


def known(name: str) -> str:
    """Return an emoji with an id as long as Discord's."""
    return f"<:cb_{name}_12345678:{'7' * 19}>"


def test_the_face_of_a_thing_is_before_its_words():
    text = f"Ann laid {faced(['card_red_3', 'card_wild'], 'red 3, Wild')} and said NEXT"
    assert emoji_markup.strip(text) == "Ann laid red 3, Wild and said NEXT"
    told, _ = emoji_markup.render(text, known, 4_000)
    assert told == f"Ann laid {known('card_red_3')}{known('card_wild')} red 3, Wild and said NEXT"


def test_faces_that_are_not_all_known_are_left_out():
    text = faced(["card_red_3", "card_wild"], "red 3, Wild")
    assert emoji_markup.render(text, {"card_red_3": "<:a:1>"}.get, 4_000) == ("red 3, Wild", 4_000)


def test_faces_take_the_room_that_is_left_and_no_more():
    one = faced(["x"], "one ")
    length = len(known("x")) + 1
    assert emoji_markup.render(one * 3, known, 2 * length) == (f"{known('x')} one " * 2 + "one ", 0)
    assert emoji_markup.render(one, known, length - 1) == ("one ", length - 1)


def test_a_text_that_was_cut_inside_its_faces_has_none():
    assert emoji_markup.strip(faced(["card_red_3"], "red 3")[:6]) == ""


def pages(ui: GameUI, playout: Playout) -> Iterator[Page]:
    """Yield the texts of some moments of a game, including everything that anybody can open."""
    info = seated(playout.options, playout.seats, ["x" * 32] * playout.seats)
    for state in (*playout.states[::9], playout.states[-1]):
        public = ui.game.view(state, None)
        yield table_page(ui, public, info)
        for verb in ui.public_actions:
            shown = ui.press(public, info, ComponentPress(7, 0, verb))
            assert isinstance(shown, Page)
            yield shown
        yield seat_page(ui, ui.game.view(state, Seat(0)), info)


@pytest.mark.parametrize("ui", UIS, ids=lambda ui: ui.game.key)
def test_a_description_of_a_game_fits_with_emoji_and_reads_the_same_without(ui):
    there, seen = ui.faces(), 0
    for page in pages(ui, play(ui.game, 2)):
        plain = "".join(fingerprint(Layout(page, 7, 1).to_components()))
        assert "\ue000" not in plain and "\ue001" not in plain
        told = page.with_emoji(known)
        found = [face for block in told.blocks if isinstance(block, Text) for face in EMOJI.findall(block.body)]
        assert {face.removeprefix("cb_").removesuffix("_12345678") for face in found} <= set(there)
        shown = "".join(fingerprint(Layout(told, 7, 1).to_components()))
        assert len(EMOJI.findall(shown)) == len(found), "an emoji was cut"
        assert re.sub(EMOJI.pattern + " ?", "", shown) == plain
        assert sum(len(block.body) for block in told.blocks if isinstance(block, Text)) <= TEXT_LIMIT
        seen += len(found)
    assert seen > 20
