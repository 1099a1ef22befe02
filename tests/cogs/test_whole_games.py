"""Test a whole game of each kind, by buttons and by slash commands: it ends, and is shown, stored and replayed as
played.
"""

import random
from typing import Any

import pytest

from cogs.core.app.game_package import GamePackage
from cogs.registry import GAMES
from tests.cogs import test_sixth_game as sixth
from tests.sixth import PACKAGE as NIM
from tools.harness.bot_harness import BotHarness
from tools.harness.drivers import DRIVERS
from tools.harness.drivers.base import GameDriver, Turn

ALL = (*GAMES, NIM)
EACH_GAME = pytest.mark.parametrize("package", ALL, ids=lambda package: package.game.key)
MOST_TURNS = 600


async def nim_by_controls(harness: BotHarness, dice: random.Random) -> None:
    await sixth.by_button(harness)


async def nim_by_commands(harness: BotHarness, dice: random.Random) -> None:
    await sixth.by_command(harness)


ALL_DRIVERS = {**DRIVERS, "nim": GameDriver(nim_by_controls, nim_by_commands)}


def test_every_game_has_its_driver():
    assert set(ALL_DRIVERS) == {package.game.key for package in ALL}


@pytest.fixture
async def all_games(harness: BotHarness, monkeypatch: pytest.MonkeyPatch) -> BotHarness:
    """Start the bot with all six games and fixed seeds."""
    await harness.stop()
    harness.games = ALL
    await harness.start()
    monkeypatch.setattr("cogs.core.tables.moves.secrets.token_bytes", bytes)
    return harness


@pytest.mark.parametrize("by", ["controls", "commands"])
@EACH_GAME
async def test_a_whole_game_is_played_to_its_end_and_kept_as_it_was(
    all_games: BotHarness, package: GamePackage, by: str
):
    harness, driver = all_games, ALL_DRIVERS[package.game.key]
    await begin(harness, package, driver)
    await play(harness, getattr(driver, f"by_{by}"), random.Random(driver.seed), MOST_TURNS)
    await check_result(harness, package)


@EACH_GAME
async def test_restarts_between_moves_change_nothing_about_a_game(all_games: BotHarness, package: GamePackage):
    """The same clicks, with restarts between them, lead to the state of the stored events."""
    harness, driver, dice = all_games, ALL_DRIVERS[package.game.key], random.Random(2)
    # A restart extends their clock
    pauses = {"interludes": "off"} if "interludes" in package.game.options.__struct_fields__ else {}
    await begin(harness, package, driver, **pauses)
    for _ in range(6):
        await play(harness, driver.by_controls, dice, 4)
        if harness.snapshot().playing:
            await harness.restart_unseen()
    assert package.game.fold(await harness.events()) == harness.snapshot().state


@pytest.mark.parametrize(
    "package", [one for one in ALL if max(one.game.player_counts) > 2], ids=lambda package: package.game.key
)
async def test_a_player_who_leaves_is_played_for_until_the_game_is_over(all_games: BotHarness, package: GamePackage):
    harness, driver = all_games, ALL_DRIVERS[package.game.key]
    await begin(harness, package, driver, computer="rookie", computers=1)
    await harness.leave(harness.ann)
    await harness.finish(harness.ben, harness.cleo)
    assert harness.snapshot().row.status == "over"


async def begin(harness: BotHarness, package: GamePackage, driver: GameDriver, **options: Any) -> None:
    """Start a game with the people and options of its driver."""
    guests = (harness.ben, harness.cleo)[: driver.people - 1]
    await harness.begin(package.ui().command, *guests, **driver.options, **options)


async def play(harness: BotHarness, turn: Turn, dice: random.Random, most: int) -> None:
    """Take this many turns, or play to the end."""
    for _ in range(most):
        if not harness.snapshot().playing:
            break
        await turn(harness, dice)
        await harness.settle()


async def check_result(harness: BotHarness, package: GamePackage) -> None:
    """Check that the game is over, shown, and stored as it was played."""
    live, game = harness.messages().table, package.game
    assert live.snapshot.row.status == "over"
    assert game.fold(await harness.events()) == live.snapshot.state
    outcome = game.outcome(live.snapshot.state)
    assert outcome is not None
    results = await live.store.games.results(1)
    assert {row.seat: row.place for row in results} == dict(enumerate(outcome.places))
    assert await harness.shows_latest()
    assert harness.controls("rematch")
