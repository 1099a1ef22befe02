"""Covers of games, and the wording of how long games last."""

import json
import threading
from io import BytesIO

import pytest
from PIL import Image

from cogs.core.drawing.canvas import fitted_name
from cogs.core.drawing.theme import WIDTH
from cogs.core.pages.display_names import sanitize
from cogs.core.pages.game_ui import GameUI
from cogs.core.pages.page import Picture
from cogs.core.publishing import covers
from cogs.core.publishing.covers import HEIGHT, Covers, contact_sheet, cover
from cogs.core.publishing.lobby_pages import game_length
from cogs.registry import GAMES
from tools.harness.bot_harness import BotHarness
from tools.harness.playouts import material

UIS = [package.ui() for package in GAMES]
MOST_BYTES = 60_000


@pytest.mark.parametrize("ui", UIS, ids=lambda ui: ui.game.key)
def test_a_cover_is_small_and_always_the_same(ui: GameUI):
    made = cover(ui, material(ui.game))
    assert made is not None and len(made.data) <= MOST_BYTES and ui.game.title in made.alt
    with Image.open(BytesIO(made.data)) as picture:
        assert picture.width == WIDTH and picture.height <= HEIGHT
    again = cover(ui, material(ui.game))
    assert again is not None and again.data == made.data


def test_no_person_is_named_on_a_cover():
    for size in (16, 24, 34, 48):
        assert fitted_name(sanitize(covers.NAMELESS), size, WIDTH) == ""


def test_the_covers_of_all_games_are_on_one_picture_that_names_them():
    made = [(ui.game.title, cover(ui, material(ui.game))) for ui in UIS]
    sheet = contact_sheet([(title, picture) for title, picture in made if picture is not None])
    assert len(sheet.data) <= 2 * MOST_BYTES
    assert all(title in sheet.alt for title, _ in made)


@pytest.mark.parametrize("ui", UIS, ids=lambda ui: ui.game.key)
def test_every_game_says_how_long_it_lasts_with_any_number_of_players(ui: GameUI):
    for seats in ui.game.player_counts:
        assert 5 <= ui.minutes(ui.game.options(), seats) <= 90


def test_minutes_are_rounded_and_a_game_with_a_long_clock_lasts_days():
    options = {ui.game.key: ui.game.options for ui in UIS}
    uis = {ui.game.key: ui for ui in UIS}
    assert game_length(uis["break_out"], options["break_out"](rounds=1), 3) == "about 10 minutes"
    assert game_length(uis["break_out"], options["break_out"](), 4) == "about 60 minutes"
    assert game_length(uis["rope_wall"], options["rope_wall"](clock=3_600), 2) == "played over several days"


async def test_a_cover_that_cannot_be_drawn_keeps_nobody_from_playing(monkeypatch: pytest.MonkeyPatch):
    def broken(view: object, info: object) -> None:
        raise OSError("no brush")

    ui = GAMES[0].ui()
    monkeypatch.setattr(ui, "picture", broken)
    monkeypatch.setattr(covers, "WAIT_S", 60)
    key = ui.game.key
    assert await Covers({key: ui}, {key: material(ui.game)}).of(key) is None


def is_covered(harness: BotHarness) -> bool:
    return "/cover-rope_wall.png" in json.dumps(harness.board()["components"])


async def test_a_cover_that_is_drawn_late_is_shown_by_one_edit_once_it_is_drawn(
    harness: BotHarness, monkeypatch: pytest.MonkeyPatch
):
    busy = threading.Event()

    def slow(ui: GameUI, material: object) -> Picture | None:
        busy.wait()
        return cover(ui, material)

    monkeypatch.setattr(covers, "cover", slow)
    monkeypatch.setattr(covers, "WAIT_S", 0)
    try:
        await harness.ann.command(harness.yard, "rope-wall start")
        await harness.settle()
        first = harness.board()
        assert not is_covered(harness)
        before = len(harness.sandbox.calls)
    finally:
        busy.set()
    await harness.sandbox.until(lambda: is_covered(harness))
    await harness.settle()
    assert harness.board()["id"] == first["id"] and len(harness.sandbox.calls) == before + 1


async def test_a_cover_that_is_drawn_in_time_needs_no_further_call(harness: BotHarness):
    await harness.ann.command(harness.yard, "rope-wall start")
    assert is_covered(harness)
    before = len(harness.sandbox.calls)
    await harness.settle()
    assert len(harness.sandbox.calls) == before
