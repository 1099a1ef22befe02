"""The animated ends of games: short animations that start and end with the final picture, and delay nothing."""

import asyncio
import json
import threading
from functools import cache
from io import BytesIO
from typing import Any

import pytest
from PIL import Image, ImageChops

from cogs.core.drawing.animation import MOST_BYTES
from cogs.core.pages.game_ui import GameUI, TableContext
from cogs.core.pages.page import Picture
from cogs.registry import GAMES
from engine.games import GAMES as RULES
from sandbox import UserClient
from sandbox.messaging.message_json import walk
from tools.harness.bot_harness import BotHarness
from tools.harness.pages import opened, seated
from tools.harness.playouts import play

UIS = [package.ui() for package in GAMES]
SEEDS = range(4)


@cache
def ends(ui: GameUI) -> list[tuple[Any, TableContext]]:
    """Return the public final states of some random games, with the tables' contexts."""
    found = []
    for seed in SEEDS:
        playout = play(RULES[ui.game.key], seed)
        info = seated(playout.options, playout.seats, ("Ann", "Maximiliane Q.", "Cleo", "Dee", "Eve", "Finn"))
        found.append((ui.game.view(playout.states[-1], None), info))
    return found


def frames(data: bytes) -> list[Image.Image]:
    with Image.open(BytesIO(data)) as film:
        shown = []
        for number in range(getattr(film, "n_frames", 1)):
            film.seek(number)
            shown.append(film.convert("RGB"))
    return shown


@pytest.mark.parametrize("ui", UIS, ids=lambda ui: ui.game.key)
def test_every_end_is_a_small_story_that_begins_and_ends_in_the_picture_of_the_end(ui: GameUI):
    told = 0
    for view, info in ends(ui):
        finale, still = ui.finale(view, info), ui.picture(view, info)
        assert still is not None
        if finale is None:
            continue
        told += 1
        first, *story, last = frames(finale.data)
        assert len(finale.data) < MOST_BYTES == 300_000 and finale.name.endswith(".gif")
        assert len(story) >= 2 and finale.alt == still.alt
        for frame in (first, last):
            assert ImageChops.difference(frame, opened(still.data)).getbbox() is None
        assert any(ImageChops.difference(frame, first).getbbox() for frame in story)
    assert told >= 3, "most random games have a story"


@pytest.mark.parametrize("ui", UIS, ids=lambda ui: ui.game.key)
def test_the_same_end_gives_the_same_bytes(ui: GameUI):
    view, info = next((view, info) for view, info in ends(ui) if ui.finale(view, info) is not None)
    first, again = ui.finale(view, info), ui.finale(view, info)
    assert isinstance(first, Picture) and isinstance(again, Picture) and first.data == again.data


def shows(message: dict[str, Any], file: str) -> bool:
    """Return True if a message shows a file of this name."""
    return f"/{file}" in json.dumps(message["components"])


def ended(harness: BotHarness) -> dict[str, Any] | None:
    """Return the table message, if it shows the end."""
    board = harness.board()
    return board if harness.controls("rematch", board) else None


async def test_the_end_is_shown_at_once_and_its_story_takes_the_place_of_the_picture(harness: BotHarness):
    await harness.two_at_the_wall()
    busy = threading.Event()
    waiting = asyncio.create_task(harness.client.publishing.leisure.run(busy.wait))
    playing = asyncio.create_task(harness.finish(harness.ann, harness.ben))
    try:
        shown = await harness.sandbox.until(lambda: ended(harness))
    finally:
        busy.set()
    await asyncio.gather(waiting, playing)
    await harness.settle()
    assert shown is not None and not shows(shown, "wall-1.gif") and shows(harness.board(), "wall-1.gif")
    assert harness.board()["id"] == shown["id"], "it is an edit, not another message"


async def test_a_later_edit_of_the_end_keeps_its_story_also_after_a_restart(harness: BotHarness):
    await harness.two_at_the_wall()
    await harness.finish(harness.ann, harness.ben)
    await harness.settle()
    await harness.restart()
    await harness.press(harness.ann, "Rematch")
    await harness.settle()
    first = next(message for message in harness.sandbox.messages(harness.yard) if shows(message, "wall-1.gif"))
    assert "Let others join" in UserClient.visible_text(first)


async def test_a_practice_game_ends_with_its_story_on_the_players_page(harness: BotHarness):
    door = await harness.ann.command(harness.ann.dm, "play")
    page = await harness.ann.press(door, label="Breakout: the Rope Wall")
    await harness.ann.press(page, label="vs Trainee · practice")
    await harness.settle()
    await harness.finish(harness.ann)
    assert shows(harness.ann.dms()[-1], "wall-1.gif")


async def test_a_deleted_user_is_not_named_in_the_story_either(harness: BotHarness):
    await harness.two_at_the_wall()
    await harness.finish(harness.ann, harness.ben)
    await harness.settle()
    before = story(harness)
    await harness.ben.press(await harness.ben.command(harness.yard, "privacy delete"), label="Delete it all")
    await harness.settle()
    await harness.press(harness.ann, "Rematch")
    await harness.settle()
    assert story(harness) != before


def story(harness: BotHarness) -> bytes:
    """The animation on the first table's message."""
    boards = [message for message in harness.sandbox.messages(harness.yard) if shows(message, "wall-1.gif")]
    urls = [item["media"]["url"] for part in walk(boards[0]["components"]) for item in part.get("items", ())]
    return harness.sandbox.file(next(url for url in urls if "wall-1.gif" in url))
