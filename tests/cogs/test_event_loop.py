"""Test that nothing slow runs on the event loop: no drawing, no enumeration of plays, no computer player.

All methods of game UIs that may be slow, the enumeration of plays, the computer players and the canvas are wrapped
while people and computers play and open every page. Any call from the event loop fails the test, unless the test itself
made it, which the call stack shows.
"""

import inspect
import random
import sys
import threading
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from cogs.core.app.game_package import GamePackage
from cogs.core.drawing import png
from cogs.core.drawing.canvas import Canvas
from cogs.core.drawing.palette import Palette
from cogs.core.pages.game_ui import GameUI
from cogs.registry import GAMES
from engine.players import Player
from sandbox import UserClient
from tools.harness.bot_harness import BotHarness
from tools.harness.drivers import DRIVERS

SLOW = ("status", "picture", "news", "controls", "player_blocks", "advice", "text", "rules")
"""The parts of a game's UI that are called outside the event loop. The others only read a field or two of a view and
format a sentence; `press` may draw only for its `draft_actions`.
"""

TURNS, PRESSES = 8, 5

ENDS = {"leave", "resign", "more", "hand"}
"""Verbs that leave the game."""

ROOT = Path(__file__).resolve().parents[2]
TEST_CODE = (str(ROOT / "tests"), str(ROOT / "tools"))
PRODUCT = tuple(str(ROOT / part) for part in ("cogs", "engine", "bot.py"))


class Guard:
    """Records the calls made in the event loop's thread that should not be."""

    def __init__(self) -> None:
        self._thread = threading.get_ident()
        self.calls: set[str] = set()
        self.outside: set[str] = set()

    def wrap(self, name: str, work: Callable[..., Any]) -> Callable[..., Any]:
        """Return a function that does the same and records each call."""

        def watched(*args: Any, **named: Any) -> Any:
            self._record(name)
            return work(*args, **named)

        def enumerated(*args: Any, **named: Any) -> Iterator[Any]:
            self._record(name)  # when it is iterated
            yield from work(*args, **named)

        return enumerated if inspect.isgeneratorfunction(work) else watched

    def _record(self, name: str) -> None:
        if threading.get_ident() != self._thread:
            self.outside.add(name)
        elif (caller := _caller()) is not None:
            self.calls.add(f"{name}, by {caller}")


def _caller() -> str | None:
    """Return the product functions that led to this call, nearest first, or None if a test made it."""
    frame, ours = sys._getframe(1), []
    while frame is not None:
        file = frame.f_code.co_filename
        if file.startswith(PRODUCT):
            ours.append(f"{Path(file).name}:{frame.f_code.co_name}")
        elif file != __file__:
            return None if file.startswith(TEST_CODE) else " < ".join(ours)
        frame = frame.f_back  # type: ignore[assignment]  # the last has none, and ends the loop
    return " < ".join(ours)


@pytest.fixture
async def guard(harness: BotHarness, monkeypatch: pytest.MonkeyPatch) -> Guard:
    """Wrap everything slow in every game, and restart the bot with it."""
    await harness.stop()
    found = Guard()
    monkeypatch.setattr("cogs.core.tables.moves.secrets.token_bytes", bytes)
    for name in ("__init__", "picture"):
        monkeypatch.setattr(Canvas, name, found.wrap(f"Canvas.{name}", getattr(Canvas, name)))
    monkeypatch.setattr(Palette, "composition", found.wrap("Palette.composition", Palette.composition))
    monkeypatch.setattr(png, "_png", found.wrap("encode", png._png))
    harness.games = tuple(_watched(package, found, monkeypatch) for package in GAMES)
    await harness.start()
    return found


def _watched(package: GamePackage, guard: Guard, monkeypatch: pytest.MonkeyPatch) -> GamePackage:
    game, ui = package.game, package.ui()
    own = [name for name in ("draft", "sketch") if name in vars(type(ui))]
    for name in (*SLOW, *own):
        work = guard.wrap(f"{game.key}: {name}", getattr(type(ui), name))
        of_module = isinstance(inspect.getattr_static(ui, name), staticmethod)
        monkeypatch.setattr(type(ui), name, staticmethod(work) if of_module else work)
    watched = {
        name: guard.wrap(f"{game.key}: {name}", work)
        for name in ("legal", "legal_from_view")
        if (work := getattr(game, name)) is not None
    }
    for name, work in watched.items():
        monkeypatch.setitem(game.__dict__, name, work)  # in place, since games are compared by identity
    players: dict[Any, Player] = {
        level: guard.wrap(f"{game.key}: a computer thinks", player) for level, player in package.bots.levels.items()
    }
    return replace(package, bots=replace(package.bots, levels=players))


def _next_person(harness: BotHarness) -> UserClient | None:
    """Return the first player to act if it is a person; None between rounds."""
    live = harness.messages().table
    users = [live.snapshot.seats[seat].user for seat in live.snapshot.view(None).to_act[:1]]
    return next((who for who in (harness.ann, harness.ben, harness.cleo) if int(who.id) in users), None)


async def _try_controls(harness: BotHarness, dice: random.Random) -> None:
    """Use random controls on the private page of the player to act."""
    who = harness.awaited()
    page = await harness.press(who, "Play")
    for _ in range(PRESSES):
        answer = await harness.press_anything(who, page, dice, but=ENDS)
        if answer is None or answer.message is None:  # nothing to press, or a modal, which this test does not fill in
            return
        page = answer


async def _open_every_page(harness: BotHarness, ui: GameUI) -> None:
    """Open every page that a table offers, by buttons and by commands."""
    for label in ("Play", "What can I do?", "Text view", "Rules", "Fairness", "More …"):
        await harness.press(harness.ann, label)
    for verb in sorted(ui.public_actions):
        for control in harness.controls(verb):
            await harness.cleo.press(harness.board(), control)
    await harness.cleo.command(harness.yard, "rules", game=ui.game.key)
    for name, option in _autocompleted(harness, ui.command):
        await harness.ann.choices(harness.yard, name, focus=option, **{option: ""})
    await harness.settle()


def _autocompleted(harness: BotHarness, group: str) -> Iterator[tuple[str, str]]:
    """Yield each autocompleted option of a game's commands, with the command's name."""
    for command in harness.sandbox.commands():
        if command["name"] == group:
            for sub in command["options"]:
                yield from ((f"{group} {sub['name']}", o["name"]) for o in sub["options"] if o.get("autocomplete"))


@pytest.mark.parametrize("key", [package.game.key for package in GAMES])
async def test_nothing_draws_enumerates_or_thinks_on_the_event_loop(guard: Guard, harness: BotHarness, key: str):
    package, driver = next(package for package in harness.games if package.game.key == key), DRIVERS[key]
    ui = package.ui()
    await harness.ann.command(harness.yard, f"{ui.command} start", clock=60, pace="quick", **driver.options)
    for person in (harness.ben, harness.cleo)[: package.game.player_counts[0] - 2]:
        await harness.press(person, "Join")
    await harness.press(harness.ann, "Add Master")
    await harness.settle()
    await harness.press(harness.ann, "Start")
    await harness.settle()
    dice = random.Random(driver.seed)
    turns = 0
    for _ in range(6 * TURNS):
        if turns == TURNS or not harness.snapshot().playing:
            break
        if _next_person(harness) is None:
            await harness.advance(11_000)
            continue
        await _try_controls(harness, dice)
        if _next_person(harness) is not None:
            await driver.by_commands(harness, dice)
        await harness.settle()
        turns += 1
        if turns % 4 == 1:
            await _open_every_page(harness, ui)
    await harness.advance(61_000)  # a player's clock runs out
    assert turns, "nobody could move"
    assert guard.calls == set()
    assert {f"{key}: {name}" for name in (*SLOW, "legal", "a computer thinks")} <= guard.outside
