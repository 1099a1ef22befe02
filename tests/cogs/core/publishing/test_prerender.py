"""The first pictures are drawn in advance, and never on the event loop."""

import asyncio
import sys
import threading
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import pytest
from PIL import Image

from cogs.core.app.app_sync import AppSync
from cogs.core.drawing import sprites
from cogs.core.drawing.composition import Bitmap
from cogs.core.drawing.palette import Palette
from cogs.core.pages.game_ui import GameUI, SeatedPlayer, TableContext
from cogs.core.pages.player_page import seat_page, table_page
from cogs.core.publishing import covers
from cogs.core.publishing.covers import Covers
from cogs.core.publishing.responder import PendingAnswers
from cogs.registry import GAMES
from data.material import load_material
from engine.contract import Seat
from sandbox import PATIENCE_S
from tools.harness.bot_harness import BotHarness
from tools.harness.playouts import play

PRERENDER = Covers.prerender
"""The function that the harness replaces."""

NAMES = ("Ann", "Ben", "Cleo", "Dan", "Eva", "Finn")

DRAWN = 15
"""The number of states drawn per game, evenly spread, including the end."""

UIS: list[GameUI] = [package.ui() for package in GAMES]

MATERIALS = {ui.game.key: load_material(ui.game) for ui in UIS[:2]}


@pytest.mark.parametrize("ui", UIS, ids=lambda ui: ui.game.key)
def test_the_game_that_nobody_sees_moves_on_and_shows_everything_that_is_drawn_first(ui: GameUI, monkeypatch):
    asked: list[str] = []

    def noted(name: str, work: Callable[..., object], *args: object) -> object:
        asked.append(name)
        return work(*args)

    for name in ("rules", "controls", "player_blocks"):
        work = getattr(ui, name)
        monkeypatch.setattr(ui, name, partial(noted, name, work))
    material = load_material(ui.game)
    states = list(covers.first_states(ui.game, material, ui.game.player_counts[-1], covers.PRERENDERED_MOVES))
    assert 2 <= len(states) <= covers.PRERENDERED_MOVES + 1
    for _ in covers.prerender_game(ui, material):
        pass
    assert asked.count("rules") == 1 and asked.count("controls") >= len(states) and "player_blocks" in asked


def forget_drawn(key: str) -> None:
    """Clear what earlier tests in this process have drawn for a game."""
    for name, module in list(sys.modules.items()):
        if name.startswith(f"cogs.{key}."):
            for cached in vars(module).values():
                if hasattr(cached, "cache_clear"):
                    cached.cache_clear()


@pytest.mark.usefixtures("nothing_drawn")
@pytest.mark.parametrize("ui", UIS, ids=lambda ui: ui.game.key)
def test_no_picture_after_the_warming_needs_a_ground_or_colours_that_are_not_there(ui: GameUI, monkeypatch):
    game, made, begin = ui.game, list[Palette](), Palette.__init__

    def noted(palette: Palette, *args: Any, **named: Any) -> None:
        made.append(palette)
        begin(palette, *args, **named)

    monkeypatch.setattr(Palette, "__init__", noted)
    forget_drawn(game.key)
    for _ in covers.prerender_game(ui, load_material(game)):
        pass
    assert made
    for palette in made:
        ground = palette.ground
        undrawn = palette.bitmap(palette.canvas(0, 0, ground.width, ground.height))
        assert undrawn.image.tobytes() == ground.image.tobytes(), "where nothing is drawn, the ground comes back"
    made.clear()
    for seats in game.player_counts:
        playout = play(game, 5, seats=seats, options=game.options(clock=0))
        sitters = tuple(SeatedPlayer(Seat(seat), NAMES[seat], seat + 1) for seat in range(seats))
        info = TableContext(1, sitters, playout.options)
        for state in [*playout.running[:: 1 + len(playout.steps) // DRAWN], playout.states[-1]]:
            table_page(ui, game.view(state, None), info)
            seat_page(ui, game.view(state, sitters[-1].seat), info)
    assert made == []


async def test_a_start_warms_every_game_in_other_threads_and_is_ready_before_that_is_done(
    harness: BotHarness, monkeypatch
):
    await harness.stop()
    threads: dict[str, threading.Thread] = {}
    held = threading.Event()

    def draw(ui: GameUI, material: object) -> Iterator[None]:
        threads[ui.game.key] = threading.current_thread()
        assert held.wait(60)
        yield

    monkeypatch.setattr(Covers, "prerender", PRERENDER)
    monkeypatch.setattr(covers, "prerender_game", draw)
    await harness.start()  # returns when the bot is ready
    answer = await harness.ann.command(harness.yard, "help")
    assert "What do you want to do?" in answer.text and len(threads) <= 1
    held.set()
    await harness.settle()
    assert set(threads) == set(harness.client.games)
    assert threading.main_thread() not in threads.values()
    assert not [task for task in asyncio.all_tasks() if task.get_name() == "prerendering"]


class Presses(PendingAnswers):
    """Counts how often another thread asks whether users are waiting."""

    asked = 0

    @property
    def unanswered(self) -> int:
        self.asked += threading.current_thread() is not threading.main_thread()
        return super().unanswered


def bitmaps_of(began: list[tuple[str, int]], goes_on: threading.Event) -> Callable[[GameUI, object], Iterator[None]]:
    """Pages of two bitmaps each, of which the first of all is drawn until `goes_on`."""

    @sprites.drawn
    def dot(game: str, number: int) -> Bitmap:
        began.append((game, number))
        goes_on.wait(60)
        return BITMAP

    def pages(ui: GameUI, material: object) -> Iterator[None]:
        for page in range(2):
            for number in range(2):
                dot(ui.game.key, 2 * page + number)
            yield

    return pages


BITMAP = Bitmap(Image.new("L", (1, 1)))


async def until(question: Callable[[], bool]) -> None:
    """Return when this is true."""
    async with asyncio.timeout(PATIENCE_S):
        while True:
            if question():
                return
            await asyncio.sleep(0.001)


async def test_nothing_is_prerendered_while_a_user_waits_not_even_the_rest_of_a_page(monkeypatch: pytest.MonkeyPatch):
    began, goes_on, presses = list[tuple[str, int]](), threading.Event(), Presses()
    monkeypatch.setattr(covers, "prerender_game", bitmaps_of(began, goes_on))
    drawing = asyncio.create_task(Covers({ui.game.key: ui for ui in UIS[:2]}, MATERIALS).prerender(presses))
    await until(lambda: bool(began))
    presses.add("press")
    goes_on.set()
    before = presses.asked
    await until(lambda: presses.asked > before + 3)
    assert len(began) == 1
    presses.remove("press")
    await drawing
    first, second = (ui.game.key for ui in UIS[:2])
    assert [key for key, _ in began] == [first, first, second, second] * 2  # what is shown first is drawn first


async def test_prerendering_ends_if_a_user_always_waits(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(covers, "PRERENDERED_WITHIN_S", 0.05)
    began, presses = list[tuple[str, int]](), Presses()
    monkeypatch.setattr(covers, "prerender_game", bitmaps_of(began, threading.Event()))
    presses.add("press")
    await Covers({}, {}).prerender(presses)
    await Covers({ui.game.key: ui for ui in UIS[:1]}, MATERIALS).prerender(presses)
    assert not began


async def test_emoji_are_drawn_once_the_first_pictures_are(harness: BotHarness, monkeypatch):
    await harness.stop()
    order: list[str] = []

    async def warm(*_: object) -> None:
        await harness.ann.command(harness.yard, "help")  # users are answered meanwhile
        order.append("pictures")

    monkeypatch.setattr(Covers, "prerender", warm)
    monkeypatch.setattr(AppSync, "sync_emoji", lambda _: order.append("emoji"))
    await harness.start(own_emoji=True)
    await harness.settle()
    assert order == ["pictures", "emoji"]
