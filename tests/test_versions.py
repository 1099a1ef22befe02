"""Test that databases and exports of every earlier version open, replay, verify and play on."""

import gzip
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from cogs.core.cluster.ownership import Ownership
from cogs.core.ops.timers import DiscordClock
from cogs.core.publishing.finished_games import export_of, load_record, replay_of
from cogs.core.tables.table import Table
from data.material import load_material
from data.store.open_store import open_store
from data.store.sqlite.migrate import read_migrations
from engine.contract import AnyGame
from engine.export import read_export, write_export
from engine.games import GAMES
from engine.verify import Report, verify
from tools.postgres import Cluster
from tools.versions import FOLDER, GUILD, USERS, WITH_BOTS
from tools.versions.databases import Time, opened, play

VERSIONS = sorted(path for path in FOLDER.iterdir() if path.is_dir() and path.name.isdecimal())
EACH_EXPORT = pytest.mark.parametrize(
    "path", [path for version in VERSIONS for path in sorted(version.glob("*.json.gz"))], ids=lambda p: p.name[:-8]
)


@pytest.fixture(params=VERSIONS, ids=lambda version: version.name)
def path(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Path]:
    """Return a copy of a version's database."""
    copy = tmp_path / "cellblock.db"
    copy.write_bytes(gzip.decompress((request.param / "cellblock.db.gz").read_bytes()))
    yield copy


def is_consistent(report: Report, game: AnyGame) -> bool:
    """Return True if nothing in the record contradicts its seed: it is proved, or a different rules version is the
    cause.
    """
    return report.difference is None and (report.proved or (report.other is not None and report.other.proved > 0))


EACH_DATABASE = [
    *(pytest.param((version, "db"), id=version.name) for version in VERSIONS),
    *(
        pytest.param((version, "sql"), id=f"{version.name} on PostgreSQL")
        for version in VERSIONS
        if int(version.name) >= WITH_BOTS
    ),
]


@pytest.fixture(params=EACH_DATABASE)
def database(request: pytest.FixtureRequest, tmp_path: Path) -> Path | str:
    """Return a copy of a version's database, SQLite or PostgreSQL."""
    version, kind = request.param
    body = gzip.decompress((version / f"cellblock.{kind}.gz").read_bytes())
    if kind == "sql":
        cluster: Cluster = request.getfixturevalue("postgres")
        return cluster.restored(body)
    copy = tmp_path / "cellblock.db"
    copy.write_bytes(body)
    return copy


@EACH_EXPORT
def test_an_export_of_an_earlier_version_is_read_replayed_and_verified(path: Path):
    export = read_export(gzip.decompress(path.read_bytes()))
    game = GAMES[export.game]
    report = verify(export, game, load_material(game))
    assert is_consistent(report, game), report
    assert report.proved or report.other is not None
    assert read_export(write_export(export)) == export


async def test_finished_games_of_an_earlier_version_are_replayed_and_verified(database: Path | str):
    async with open_store(database, now=Time().now) as store:
        found = await store.server_admin.numbers(GUILD, ("over",), most=50)
        assert {key for _, key in found} == set(GAMES)
        for number, key in found:
            game, row = GAMES[key], await store.tables.get(number)
            assert row is not None and 1 <= row.rules <= game.rules_version
            decisions, events = await store.games.decisions(number), await store.games.events(number)
            states = replay_of(game, row, game.options(), decisions, events).states
            assert len(states) == len(decisions) and game.outcome(states[-1]) is not None
            export = export_of(game, await load_record(store, row))
            assert export.rules == row.rules
            assert is_consistent(verify(export, game, load_material(game)), game)
        assert set(await store.records.played(USERS[0], GUILD)) == set(GAMES)


async def test_games_that_began_before_rules_had_a_version_have_the_first(tmp_path: Path):
    path = tmp_path / "cellblock.db"
    path.write_bytes(gzip.decompress((FOLDER / "0003" / "cellblock.db.gz").read_bytes()))
    async with open_store(path, now=Time().now) as store:
        rows = [await store.tables.get(number) for number in range(1, 2 * len(GAMES) + 1)]
        assert {row.rules for row in rows if row is not None} == {1}


async def test_running_games_of_an_earlier_version_are_played_to_their_end_and_keep_their_rules(database: Path | str):
    time = Time()
    async with open_store(database, now=time.now) as store:
        running = await store.tables.open()
        assert len(running) == len(GAMES)
        for entry in running:
            row = await store.tables.get(entry.id)
            assert row is not None
            game = GAMES[row.game]
            table = await Table.load(store, Ownership(DiscordClock()), game, row)
            assert table.snapshot.version == row.version and table.snapshot.seats[1].caretaker
            time.at = max(time.at, table.used)
            await play(table, time, Random(1), 10_000)
            assert table.snapshot.row.status == "over" and table.snapshot.row.rules == row.rules
            assert is_consistent(
                verify(export_of(game, await load_record(store, table.snapshot.row)), game, load_material(game)), game
            )


async def test_a_new_table_keeps_the_version_of_the_rules_it_began_under(tmp_path: Path):
    path, time = tmp_path / "new.db", Time()
    game = replace(GAMES["rope_wall"], rules_version=7)
    async with open_store(path, now=time.now) as store:
        table = await opened(store, game, time)
        await play(table, time, Random(2), 10_000)
        assert (
            table.snapshot.row.rules == 7 and (export_of(game, await load_record(store, table.snapshot.row))).rules == 7
        )


def test_the_version_before_the_last_migration_is_kept():
    """Before adding a migration, keep a database of the version before it: `python -m tools.versions`."""
    numbers = [migration.number for migration in read_migrations()]
    assert [path.name for path in VERSIONS] and all(int(path.name) in numbers for path in VERSIONS)
    for version in VERSIONS:
        later = {"cellblock.sql.gz", "bot"} if int(version.name) >= WITH_BOTS else set()
        names = {path.name for path in version.iterdir()}
        assert names == {"cellblock.db.gz", *(f"{key}.json.gz" for key in GAMES), *later}


def test_the_kept_databases_are_as_that_version_left_them(path: Path):
    with closing(sqlite3.connect(path)) as db:
        (number,) = db.execute("SELECT max(number) FROM schema_version").fetchone()
    assert any(int(version.name) == number for version in VERSIONS)
