"""Updating leaderboards round by round on a store: they are complete at every moment, and old ones are deleted."""

import sqlite3
from contextlib import closing
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

from cogs.core.ops.timers import Clock
from cogs.core.pages.game_catalog import GameCatalog
from cogs.records.leaderboard_updater import LeaderboardUpdater
from data.store import Store
from engine.games import GAMES
from engine.standings import Leaderboard
from tests.data.conftest import path, store, time
from tests.data.finished import played

__all__ = ["path", "store", "time"]  # fixtures

CHART = Leaderboard(1, "rope_wall", "ranked")
GAMES_PLAYED = 5


def updater_on(store: Store) -> LeaderboardUpdater:
    """Return an updater with only the store, the clock and the games."""
    uis: dict[str, Any] = {key: SimpleNamespace(game=game) for key, game in GAMES.items()}
    return LeaderboardUpdater(GameCatalog(uis, {}, {}, {}), store, cast(Clock, None))


async def shown(store: Store) -> list[int]:
    """Return how many games the players on the leaderboard have played."""
    listing = await store.leaderboards.listing(CHART, 10, 0, 10)
    return [place.standing.games for place in listing.places]


def corrected(path: Path) -> None:
    with closing(sqlite3.connect(path)) as db:
        db.execute("UPDATE results SET place = 3 - place WHERE table_id = 1")
        db.commit()


async def complete_leaderboard(store: Store) -> LeaderboardUpdater:
    """Return the updater of a leaderboard that has all games."""
    for _ in range(GAMES_PLAYED):
        await played(store)
    await store.leaderboards.ensure([CHART])
    made = updater_on(store)
    while await made._round(await store.leaderboards.due()):
        pass
    assert await shown(store) == [GAMES_PLAYED] * 2 and await store.leaderboards.is_complete([CHART])
    return made


async def test_a_leaderboard_that_is_rebuilt_takes_its_place_when_it_has_every_game(
    store: Store, path: Path, monkeypatch: pytest.MonkeyPatch
):
    made = await complete_leaderboard(store)
    monkeypatch.setattr("cogs.records.leaderboard_updater.BATCH", 2)
    corrected(path)
    for _ in range(12):
        await made._round(await store.leaderboards.due())
        assert await shown(store) == [GAMES_PLAYED] * 2
    assert await store.leaderboards.is_complete([CHART]) and await store.leaderboards.due() == []
    with closing(sqlite3.connect(path)) as db:
        assert db.execute("SELECT count(*), count(DISTINCT leaderboard) FROM standings").fetchone() == (2, 1)


async def test_what_was_built_from_results_that_have_changed_meanwhile_is_never_shown(store: Store, path: Path):
    made = await complete_leaderboard(store)
    corrected(path)
    await made._round(await store.leaderboards.due())
    found = await store.leaderboards.due()
    assert [task.state for task in found if task.corrected == task.corrections] == ["building"]
    corrected(path)
    await made._round(found)
    assert await shown(store) == [GAMES_PLAYED] * 2
    while await made._round(await store.leaderboards.due()):
        assert await shown(store) == [GAMES_PLAYED] * 2
    assert await store.leaderboards.is_complete([CHART])


async def test_only_leaderboards_with_computers_are_added_up_once_more_when_their_ratings_change(
    store: Store, path: Path
):
    for _ in range(3):
        await played(store)
        await played(store, 10, None)
    charts = [Leaderboard(1, "rope_wall", board) for board in ("ranked", "casual")]
    await run_until_current(store)
    before = [(await store.leaderboards.place(chart, 10))[0] for chart in charts]
    with closing(sqlite3.connect(path)) as db, db:
        db.execute("UPDATE leaderboards SET version = 0")
        db.execute("UPDATE standings SET mu = 1.0")
    assert [await store.leaderboards.is_complete([chart]) for chart in charts] == [True, False]
    for _ in range(2):
        await run_until_current(store)
        assert await store.leaderboards.is_complete(charts)
        ranked, casual = [(await store.leaderboards.place(chart, 10))[0] for chart in charts]
        assert casual == before[1] and ranked is not None and ranked.standing.mu == 1.0
    with closing(sqlite3.connect(path)) as db:
        numbers = [number for (number,) in db.execute("SELECT id FROM leaderboards WHERE board = 'casual'")]
    assert len(numbers) == 1


async def run_until_current(store: Store) -> None:
    """Do all that the upkeep has to do after a start."""
    updater = updater_on(store)
    await store.leaderboards.rate_anew()
    while await updater._round(await store.leaderboards.due()):
        pass
