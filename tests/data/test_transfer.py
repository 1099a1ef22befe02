"""Moving all data from one database to another: all of it, or nothing."""

import gzip
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from bot import main
from data.store import BackupFailed, CorruptDatabase, DatabaseLocked, MoveFailed, SeatChange, StoreError, TableChange
from data.store import transfer as moving
from data.store.maintenance import back_up, move_database
from data.store.open_store import open_store
from data.store.transfer import KEYS
from engine.games import GAMES
from engine.puzzles import Attempt
from engine.standings import Leaderboard, Standing
from tests.data.conftest import NOON, Time, new, start_table, two
from tests.data.finished import played
from tools.harness.raw_database import Database, Raw
from tools.postgres import Cluster
from tools.versions import FOLDER

Fresh = Callable[[str], Database]


@pytest.fixture
def fresh(tmp_path: Path, request: pytest.FixtureRequest) -> Fresh:
    """Makes an empty database of a kind."""
    files = iter(range(9))

    def make(kind: str) -> Database:
        if kind == "sqlite":
            return tmp_path / f"{next(files)}.db"
        cluster: Cluster = request.getfixturevalue("postgres")
        return cluster.fresh("template1")

    return make


WAYS = pytest.mark.parametrize(
    ("first", "second"),
    [("sqlite", "postgres"), ("postgres", "sqlite"), ("postgres", "postgres"), ("sqlite", "sqlite")],
)


async def filled(database: Database, time: Time) -> None:
    """Write into every table."""
    async with open_store(database, now=time.now) as store:
        await played(store)
        await played(store, 10, None, game="ausbrecher")
        await start_table(store, rematch_of=1, invited=" 12 ", parent=4)
        await store.tables.update(3, TableChange(seed=bytes(range(32)), message=7))
        await store.tables.replace_message(3, 8, NOON)
        await store.seats.update(3, 1, SeatChange(caretaker=True, dm_closed=True))
        await store.user_data.hide(11, True)
        await store.user_data.notify(10, "nothing")
        await store.user_data.choose_language(10, "de")
        for user, solved in ((10, True), (11, False), (12, None)):
            assert await store.puzzle_attempts.save(Attempt(user, "rope_wall", 6, "[]", solved, None, True, NOON), None)
        await store.puzzle_attempts.open(12, "rope_wall", 6)
        await store.watchers.add(3, 12, NOON)
        await store.reviews.save(1, 1, b"judged")
        await store.progress.finish_lesson(12, "rope_wall", NOON)
        await store.progress.tell(12, False)
        assert await store.progress.judge(1, {0: ["two-exits"]})
        assert await store.server_admin.begin_puzzle_post(7, 6, NOON)
        await store.server_admin.set(1, "mentions", 'quiet, "really" \\ äöü 🐟\t.')
        await store.leaderboards.ensure([Leaderboard(1, "rope_wall", "ranked")])
        for task in await store.leaderboards.due():
            standings = [Standing(10, "Ann", 25.1, 1 / 3, best=7), Standing("rookie", "Rookie", 20.0, 8.0)]
            assert await store.leaderboards.save(task, task.top, standings)
        await played(store, 20, 21)
        await store.user_data.forget(21, list(GAMES.values()))
    Raw(database)(f"INSERT INTO backups (at, bytes) VALUES ({NOON}, 5)")


@WAYS
async def test_everything_is_carried_over_and_play_goes_on_there(fresh: Fresh, time: Time, first: str, second: str):
    old, new_one = fresh(first), fresh(second)
    await filled(old, time)
    before = {table: len(Raw(old)(f"SELECT 1 FROM {table}")) for table in KEYS}
    assert move_database(old, new_one, NOON) == before and all(before.values())
    async with open_store(old, now=time.now) as source, open_store(new_one, now=time.now) as target:
        for table in range(1, 5):
            assert await target.tables.get(table) == await source.tables.get(table)
            assert await target.seats.of(table) == await source.seats.of(table)
            assert await target.games.events(table) == await source.games.events(table)
            assert await target.games.decisions(table) == await source.games.decisions(table)
            assert await target.games.results(table) == await source.games.results(table)
        for user in (10, 11, 12):
            assert await target.user_data.export(user) == await source.user_data.export(user)
        assert await target.leaderboards.due() == await source.leaderboards.due()
        assert await target.tables.unshown() == await source.tables.unshown()
        # Sequences continue: no number is given twice.
        assert (await target.tables.create(new(), two())).id == 5
        ended = await played(target, 10, 30)
        numbers = [game.number for game in await target.records.ended(Leaderboard(1, "rope_wall", "ranked"), most=9)]
        assert ended == 6 and len(numbers) == len(set(numbers))


@WAYS
async def test_there_and_back_again_is_the_same(fresh: Fresh, time: Time, first: str, second: str):
    one, other, third = fresh(first), fresh(second), fresh(first)
    await filled(one, time)
    Raw(one)("DELETE FROM endings WHERE id = (SELECT max(id) FROM endings)")  # its number is not used again
    move_database(one, other, NOON)
    move_database(other, third, NOON)
    for table in KEYS:
        assert sorted(Raw(third)(f"SELECT * FROM {table}"), key=repr) == sorted(
            Raw(one)(f"SELECT * FROM {table}"), key=repr
        )
    async with open_store(one, now=time.now) as store, open_store(third, now=time.now) as again:
        for opened in (store, again):
            await played(opened, 40, 41)
    assert Raw(one)("SELECT max(id) FROM endings") == Raw(third)("SELECT max(id) FROM endings") == [(4,)]


async def test_every_table_is_carried(fresh: Fresh, time: Time):
    database = fresh("sqlite")
    async with open_store(database, now=time.now):
        pass
    assert set(KEYS) == set(Raw(database).tables()) - {"schema_version"}


@pytest.mark.parametrize("kind", ["sqlite", "postgres"])
async def test_a_target_that_is_not_empty_is_left_as_it_is(fresh: Fresh, time: Time, kind: str):
    old, taken = fresh("sqlite"), fresh(kind)
    for database in (old, taken):
        async with open_store(database, now=time.now) as store:
            await start_table(store)
    with pytest.raises((MoveFailed, BackupFailed), match="is left as it is"):
        move_database(old, taken, NOON)
    async with open_store(taken, now=time.now) as store:
        assert await store.games.events(1) == ["a", "b"] and await store.tables.get(2) is None


@pytest.mark.parametrize("kind", ["sqlite", "postgres"])
async def test_a_database_on_which_a_bot_runs_is_not_moved(fresh: Fresh, time: Time, tmp_path: Path, kind: str):
    old = fresh(kind)
    async with open_store(old, now=time.now) as store:
        await start_table(store)
        with pytest.raises(DatabaseLocked, match="stop it first"):
            move_database(old, tmp_path / "new.db", NOON)
    assert not (tmp_path / "new.db").exists()


@pytest.mark.parametrize("kind", ["sqlite", "postgres"])
async def test_what_does_not_arrive_as_it_left_leaves_nothing(
    fresh: Fresh, time: Time, kind: str, monkeypatch: pytest.MonkeyPatch
):
    old, target = fresh("sqlite"), fresh(kind)
    await filled(old, time)
    with monkeypatch.context() as patched, pytest.raises(MoveFailed, match="not the same in the new database"):
        patched.setattr(moving.Digest, "__eq__", lambda *_: False)
        move_database(old, target, NOON)
    assert sum(move_database(old, target, NOON).values())  # as empty as before


async def test_a_file_with_rows_that_belong_to_nothing_is_neither_moved_nor_copied(tmp_path: Path, time: Time):
    old, new_one, copy = (tmp_path / name for name in ("old.db", "new.db", "copy.db"))
    await filled(old, time)
    with closing(sqlite3.connect(old)) as db:
        db.execute("UPDATE seats SET table_id = 999 WHERE table_id = 1 AND seat = 0")
        db.commit()
    with pytest.raises(CorruptDatabase, match="a row of seats belongs to one of tables that is not there"):
        move_database(old, new_one, NOON)
    with pytest.raises(BackupFailed, match="a row of seats belongs to one of tables that is not there"):
        back_up(old, copy, NOON)
    assert not new_one.exists() and not copy.exists()


async def test_a_database_of_an_earlier_version_must_be_migrated_first(tmp_path: Path, time: Time):
    old = tmp_path / "old.db"
    old.write_bytes(gzip.decompress((FOLDER / "0007" / "cellblock.db.gz").read_bytes()))
    with pytest.raises(MoveFailed, match="start this one on it once"):
        move_database(old, tmp_path / "new.db", NOON)
    with closing(sqlite3.connect(old)) as db:
        assert db.execute("SELECT max(number) FROM schema_version").fetchone() == (7,)
    with pytest.raises(StoreError, match="There is no database"):
        move_database(tmp_path / "nowhere.db", tmp_path / "new.db", NOON)


async def test_the_owner_moves_it_by_one_command(fresh: Fresh, time: Time, capsys: pytest.CaptureFixture[str]):
    old, target = fresh("sqlite"), fresh("postgres")
    await filled(old, time)
    assert main(["move-database", str(old), str(target)]) == 0
    told = capsys.readouterr().out
    assert "moved" in told and "4 games" in told and "fingerprints of every table match" in told
    assert main(["move-database", str(old), str(target)]) == 2
    assert "is not empty" in capsys.readouterr().err
