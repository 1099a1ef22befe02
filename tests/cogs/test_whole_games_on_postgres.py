"""Test the whole bot over PostgreSQL: it is killed in the middle of a game of each kind, and a server is unavailable
for a while.
"""

import random
from pathlib import Path

import pytest

from cogs.core.app.game_package import GamePackage
from cogs.registry import GAMES
from data.store.postgres import pool, shards
from tests.cogs.test_whole_games import ALL_DRIVERS, MOST_TURNS, all_games, begin, check_result, play
from tools.harness.bot_harness import BotHarness
from tools.postgres import Cluster

__all__ = ["all_games"]  # a fixture

MIDDLE = 4
"""The number of turns before the bot is killed."""


@pytest.fixture
def database_address(request: pytest.FixtureRequest, postgres: Cluster, monkeypatch: pytest.MonkeyPatch) -> Path | str:
    """Return an empty database on the shared server or on the test's own; the bot may identify without waiting."""
    monkeypatch.setattr(shards, "SLOT_MS", 0)
    if "own_cluster" in request.fixturenames:
        own: Cluster = request.getfixturevalue("own_cluster")
        return own.fresh("template1")
    return postgres.fresh()


@pytest.mark.parametrize("package", GAMES, ids=lambda package: package.game.key)
async def test_a_whole_game_goes_on_after_the_bot_was_killed_in_the_middle(all_games: BotHarness, package: GamePackage):
    harness, driver = all_games, ALL_DRIVERS[package.game.key]
    dice = random.Random(driver.seed)
    await begin(harness, package, driver)
    await play(harness, driver.by_controls, dice, MIDDLE)
    before = harness.messages().table
    events = await before.store.games.events(1)
    assert before.snapshot.playing and before.snapshot.version == len(events) > 1
    await harness.kill()
    await harness.start()
    session = await harness.client.inbound.finder.find(1)
    assert session is not None and session.table.snapshot.seats == before.snapshot.seats
    again = await session.table.store.games.events(1)
    assert again[: len(events)] == events and all('"delayed"' in event for event in again[len(events) :])
    await harness.settle()
    await play(harness, driver.by_controls, dice, MOST_TURNS)
    await check_result(harness, package)


async def test_a_press_while_postgresql_is_down_is_explained_and_play_resumes_when_it_is_back(
    own_cluster: Cluster, harness: BotHarness, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
):
    monkeypatch.setattr(pool, "RETRY_AFTER_S", 0.0)
    await harness.two_at_the_wall()
    await harness.push()
    await harness.settle()
    version = harness.snapshot().version
    own_cluster.stop()
    caplog.clear()
    answers = [await harness.push() for _ in range(3)]
    assert all("nothing was done" in answer.text for answer in answers), [answer.text for answer in answers]
    assert harness.snapshot().version == version
    own_cluster.start()
    await harness.push()
    await harness.settle()
    assert harness.snapshot().version > version and await harness.shows_latest()
    assert not [record for record in caplog.records if record.exc_info], "one line says it, not a traceback a press"
