"""The table's picture on all pages: drawn once per state, by the first page that needs it; and where a line for one
reader goes.
"""

import threading
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import Any

import pytest

from cogs.core.pages.game_ui import Highlight, SeatedPlayer, TableContext
from cogs.core.pages.page import Button, Page, Picture, Row, Text
from cogs.core.pages.player_page import away_page, seat_page, table_page, with_line
from cogs.core.publishing.table_pictures import BoardPicture
from cogs.prison_break.ui import PrisonBreakUI
from cogs.rope_wall.ui import RopeWallUI
from engine.contract import Seat
from engine.games.rope_wall import GAME, RopeWallOptions
from tools.harness.bot_harness import BotHarness
from tools.harness.playouts import play

INFO = TableContext(7, (SeatedPlayer(Seat(0), "Ann", 1), SeatedPlayer(Seat(1), "Ben", 2)), RopeWallOptions())
VIEWS = [GAME.view(state, None) for state in play(GAME, 1, seats=2).states[:2]]


class Slow(RopeWallUI):
    """A UI whose picture is drawn when the test allows it, and fails as often as the test says."""

    def __init__(self, failures: int = 0) -> None:
        self.failures = failures
        self.drawn = 0
        self.go_on = threading.Event()

    def picture(self, view: Any, info: TableContext) -> Picture:
        self.drawn += 1
        self.go_on.wait(20)
        if self.drawn <= self.failures:
            raise OSError("no paper")
        return Picture(b"ink", "wall.png", "a wall")


def test_pages_made_at_the_same_time_share_one_picture():
    ui = Slow()
    drawing = BoardPicture(ui, VIEWS[0], INFO)
    with ThreadPoolExecutor(3) as threads:
        asked = [threads.submit(drawing.picture) for _ in range(3)]
        ui.go_on.set()
        pictures = [one.result(20) for one in asked]
    assert ui.drawn == 1
    assert pictures[0] is not None and all(picture is pictures[0] for picture in pictures)


def test_a_picture_that_could_not_be_drawn_is_tried_again_by_who_asks_next():
    ui = Slow(failures=1)
    ui.go_on.set()
    drawing = BoardPicture(ui, VIEWS[0], INFO)
    with pytest.raises(OSError, match="no paper"):
        drawing.picture()
    assert drawing.picture() is not None and ui.drawn == 2


async def test_a_picture_is_of_one_state_and_of_who_sits_there(harness: BotHarness):
    await harness.two_at_the_wall()
    table, composer = harness.messages().table, harness.client.publishing.page_builder
    info = table.snapshot.info()
    first = composer.pictures.board(table.snapshot, info)
    assert composer.pictures.board(table.snapshot, table.snapshot.info()) is first
    other = replace(info.seated_players[1], stored_name="Cleo")
    renamed = composer.pictures.board(table.snapshot, replace(info, seated_players=(info.seated_players[0], other)))
    assert renamed is not first and renamed.info.seated_players[1] == other
    before = composer.pictures.board(table.snapshot, info)
    await harness.awaited().press(harness.board(), (harness.controls("exit") or harness.controls("push"))[0])
    after = composer.pictures.board(table.snapshot, table.snapshot.info())
    assert after.view is table.snapshot.view(None) is not before.view


async def test_the_table_is_not_drawn_for_a_page_that_does_not_show_it(
    harness: BotHarness, monkeypatch: pytest.MonkeyPatch
):
    await harness.begin("prison-break", harness.ben)
    table, composer = harness.messages().table, harness.client.publishing.page_builder
    drawn: list[object] = []
    picture = PrisonBreakUI.picture

    def counted(ui: PrisonBreakUI, view: Any, info: TableContext) -> Picture:
        drawn.append(view)
        return picture(ui, view, info)

    monkeypatch.setattr(PrisonBreakUI, "picture", counted)
    composer.pictures.clear()
    found = await composer.player_page(table.snapshot, int(harness.ann.id))
    assert [one.name for one in found.page.pictures()] == [f"track-{table.id}.png"] and drawn == []
    await composer.table_page(table.snapshot)
    await composer.table_page(table.snapshot)
    assert len(drawn) == 1


def test_a_line_is_above_the_controls_which_may_be_pressed_with_the_top_of_the_page_out_of_sight():
    text, row, line = Text("Your move"), Row((Button("Go", "go"),)), Text("Not now.")
    assert with_line((text, row, text, row), line.body) == (text, line, row, text, row)
    assert with_line((text, row), line.body, first=True) == (line, text, row), "it was pressed above the page"
    assert with_line((text,), line.body) == (line, text)
    assert with_line((text, row), "") == (text, row)


class Proud(RopeWallUI):
    """A UI to which every state is a great moment."""

    def highlight(self, view: Any, info: TableContext) -> Highlight:
        return Highlight("A rope to freedom!", Picture(b"ink", "rope.png", "a rope"))


def test_a_great_moment_heads_the_table_message_and_both_kinds_of_players_pages():
    ui, (view, _) = Proud(), VIEWS
    own = GAME.view(play(GAME, 1, seats=2).states[0], Seat(0))
    pages = (table_page(ui, view, INFO), seat_page(ui, own, INFO), away_page(ui, view, INFO))
    for page in pages:
        head = page.blocks[0]
        assert isinstance(head, Text) and head.thumbnail is not None
        assert "## A rope to freedom!\n▶ " in head.body
    opened = seat_page(ui, own, INFO, opened=Page((Text("The rules"),)))
    assert isinstance(opened.blocks[0], Text) and "freedom" not in opened.blocks[0].body


class Wordy(Proud):
    """A proud UI with a status of two lines, the second as long as it says."""

    def __init__(self, long: int) -> None:
        self.long = long

    def status(self, view: Any, info: TableContext) -> str:
        return "▶ Your move\n-# " + "a" * self.long


def test_what_is_long_in_a_status_is_below_the_picture_of_a_great_moment():
    short, long = (table_page(Wordy(long), VIEWS[0], INFO).blocks for long in (20, 120))
    assert isinstance(short[0], Text) and short[0].body.endswith("▶ Your move\n-# " + "a" * 20)
    assert isinstance(long[0], Text) and long[0].thumbnail is not None and long[0].body.endswith("▶ Your move")
    assert long[1] == Text("-# " + "a" * 120)
