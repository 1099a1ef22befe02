"""Covers are drawn in advance, in other threads, and pictures of tables on grounds that match their bitmaps."""

import asyncio
import sys
import threading
from typing import Any

import pytest

from cogs.core.app.app_sync import AppSync
from cogs.core.drawing.palette import Palette
from cogs.core.pages.game_ui import GameUI, SeatedPlayer, TableContext
from cogs.core.pages.player_page import seat_page, table_page
from cogs.core.publishing import covers
from cogs.core.publishing.covers import Covers
from cogs.registry import GAMES
from engine.contract import Seat
from tools.harness.bot_harness import BotHarness
from tools.harness.playouts import play

PRERENDER = Covers.prerender
"""The function that the harness replaces."""

NAMES = ("Ann", "Ben", "Cleo", "Dan", "Eva", "Finn")

DRAWN = 5
"""The number of states drawn per game and number of seats, evenly spread, and the end as well."""

UIS: list[GameUI] = [package.ui() for package in GAMES]


@pytest.mark.usefixtures("nothing_drawn")
@pytest.mark.parametrize("ui", UIS, ids=lambda ui: ui.game.key)
def test_where_nothing_is_drawn_the_ground_of_a_palette_comes_back(ui: GameUI, monkeypatch: pytest.MonkeyPatch):
    game, made, begin = ui.game, list[Palette](), Palette.__init__

    def noted(palette: Palette, *args: Any, **named: Any) -> None:
        made.append(palette)
        begin(palette, *args, **named)

    monkeypatch.setattr(Palette, "__init__", noted)
    forget_drawn(game.key)
    for seats in game.player_counts:
        playout = play(game, 5, seats=seats, options=game.options(clock=0))
        sitters = tuple(SeatedPlayer(Seat(seat), NAMES[seat], seat + 1) for seat in range(seats))
        info = TableContext(1, sitters, playout.options)
        for state in [*playout.running[:: 1 + len(playout.steps) // DRAWN], playout.states[-1]]:
            table_page(ui, game.view(state, None), info)
            seat_page(ui, game.view(state, sitters[-1].seat), info)
    assert made
    for palette in made:
        ground = palette.ground
        undrawn = palette.bitmap(palette.canvas(0, 0, ground.width, ground.height))
        assert undrawn.image.tobytes() == ground.image.tobytes()


def forget_drawn(key: str) -> None:
    """Clear what earlier tests in this process have drawn for a game."""
    for name, module in list(sys.modules.items()):
        if name.startswith(f"cogs.{key}."):
            for cached in vars(module).values():
                if hasattr(cached, "cache_clear"):
                    cached.cache_clear()


async def test_a_start_draws_every_cover_in_another_thread_and_is_ready_before_that_is_done(
    harness: BotHarness, monkeypatch: pytest.MonkeyPatch
):
    await harness.stop()
    threads: dict[str, threading.Thread] = {}
    held = threading.Event()

    def draw(ui: GameUI, material: object) -> None:
        threads[ui.game.key] = threading.current_thread()
        assert held.wait(60)

    monkeypatch.setattr(Covers, "prerender", PRERENDER)
    monkeypatch.setattr(covers, "cover", draw)
    await harness.start()  # returns when the bot is ready
    monkeypatch.setattr(covers, "WAIT_S", 0.01)
    answer = await harness.ann.command(harness.yard, "help")
    assert "What do you want to do?" in answer.text and len(threads) <= 1
    held.set()
    await harness.settle()
    assert set(threads) == set(harness.client.games)
    assert threading.main_thread() not in threads.values()
    assert not [task for task in asyncio.all_tasks() if task.get_name() == "prerendering"]


async def test_emoji_are_drawn_once_the_covers_are(harness: BotHarness, monkeypatch):
    await harness.stop()
    order: list[str] = []

    async def warm(*_: object) -> None:
        await harness.ann.command(harness.yard, "help")  # users are answered meanwhile
        order.append("covers")

    monkeypatch.setattr(Covers, "prerender", warm)
    monkeypatch.setattr(AppSync, "sync_emoji", lambda _: order.append("emoji"))
    await harness.start(own_emoji=True)
    await harness.settle()
    assert order == ["covers", "emoji"]
