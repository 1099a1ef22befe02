"""Opening the database: any problem is reported in one clear sentence, and the file is not changed."""

import asyncio
import os
import signal
import sqlite3
import subprocess
import sys
import textwrap
from contextlib import closing
from pathlib import Path
from time import monotonic

import pytest

from data.store import (
    CorruptDatabase,
    DatabaseLocked,
    DiskFull,
    MigrationFailed,
    NewerDatabase,
    ReadOnlyDatabase,
    StoreError,
    TableChange,
)
from data.store.games import NewDecision
from data.store.open_store import open_store
from data.store.sqlite.backup import last_heard
from data.store.sqlite.database_file import BUSY_TIMEOUT_PLAYING_S, connect_writer
from data.store.sqlite.errors import translate_error
from data.store.sqlite.migrate import FOLDER, read_migrations, split_statements
from data.store.sqlite_store import open_sqlite
from tests.data.conftest import NOON, Time, database_of, new, start_table, two

ROOT = Path(__file__).resolve().parents[2]


def files(folder: Path) -> dict[str, bytes]:
    return {
        path.name: path.read_bytes() for path in sorted(folder.iterdir()) if path.is_file() and "-lock" not in path.name
    }


async def opened(path: Path, time: Time, **more: object) -> None:
    async with open_sqlite(path, now=time.now, **more):  # type: ignore[arg-type]  # a test names arguments of it
        pass


async def refuses(path: Path, time: Time, error: type[StoreError], *words: str) -> None:
    before = files(path.parent)
    with pytest.raises(error) as refused:
        await opened(path, time)
    sentence = str(refused.value)
    assert str(path) in sentence or str(path.parent) in sentence
    assert sentence.endswith(".") and "\n" not in sentence
    for word in words:
        assert word in sentence
    assert files(path.parent) == before


async def test_a_fresh_database_has_every_migration_with_its_fingerprint(path: Path, time: Time):
    await opened(path, time)
    with closing(sqlite3.connect(path)) as db:
        kept = db.execute("SELECT number, name, sha256 FROM schema_version ORDER BY number").fetchall()
        assert db.execute("PRAGMA journal_mode").fetchone() == ("wal",)
    assert kept == [(step.number, step.name, step.sha256) for step in read_migrations()]


def test_the_writer_syncs_each_commit_overwrites_deleted_rows_and_checks_references(path: Path):
    with closing(connect_writer(path, read_migrations(), NOON, None)) as db:
        settings = ("journal_mode", "synchronous", "secure_delete", "foreign_keys", "busy_timeout")
        found = {name: db.execute(f"PRAGMA {name}").fetchone()[0] for name in settings}
    full = 2
    assert found == {
        "journal_mode": "wal",
        "synchronous": full,
        "secure_delete": 1,
        "foreign_keys": 1,
        "busy_timeout": BUSY_TIMEOUT_PLAYING_S * 1_000,
    }


async def test_text_that_is_no_database(path: Path, time: Time):
    path.write_text("not a database, but quite long enough to look like one\n" * 99)
    await refuses(path, time, CorruptDatabase, "restore it from a copy")


async def test_a_database_that_was_cut_short(path: Path, time: Time):
    async with open_store(path, now=time.now) as store:
        for _ in range(40):
            await start_table(store)
    whole = path.read_bytes()
    path.write_bytes(whole[: len(whole) // 2 // 4096 * 4096])
    await refuses(path, time, CorruptDatabase)


async def test_a_database_with_garbage_in_the_middle(path: Path, time: Time):
    async with open_store(path, now=time.now) as store:
        for _ in range(40):
            await start_table(store)
    whole = bytearray(path.read_bytes())
    whole[4096 * 3 : 4096 * 9] = os.urandom(4096 * 6)
    path.write_bytes(bytes(whole))
    await refuses(path, time, CorruptDatabase)


async def test_the_database_of_another_program(path: Path, time: Time):
    with closing(sqlite3.connect(path)) as db:
        db.execute("CREATE TABLE recipes (name TEXT)")
        db.execute("INSERT INTO recipes VALUES ('soup')")
        db.commit()
    await refuses(path, time, CorruptDatabase, "another program")


async def test_a_newer_version(path: Path, time: Time):
    await opened(path, time)
    with closing(sqlite3.connect(path)) as db:
        db.execute("PRAGMA journal_mode = DELETE")
        db.execute("INSERT INTO schema_version VALUES (9999, '9999_wonders.sql', 'x', 0)")
        db.commit()
    await refuses(path, time, NewerDatabase, "9999_wonders.sql", "update the bot")


async def test_a_folder_in_its_place(tmp_path: Path, time: Time):
    (tmp_path / "cellblock.db").mkdir()
    await refuses(tmp_path / "cellblock.db", time, ReadOnlyDatabase)


async def test_what_is_no_file_is_not_taken_for_an_empty_database(time: Time):
    """The bot does not suggest to delete a device, or wait for the other end of a pipe."""
    with pytest.raises(ReadOnlyDatabase, match="/dev/null is no file"):
        await opened(Path("/dev/null"), time)


async def test_a_folder_at_which_we_may_not_even_look(tmp_path: Path, time: Time):
    nowhere = tmp_path / ("x" * 300) / "cellblock.db"  # the system refuses access, as for other users' files
    with pytest.raises(ReadOnlyDatabase, match="cannot be opened"):
        await opened(nowhere, time)
    with pytest.raises(ReadOnlyDatabase, match="cannot be opened"):
        last_heard(nowhere)


async def test_a_folder_that_does_not_exist(tmp_path: Path, time: Time):
    with pytest.raises(ReadOnlyDatabase, match="does not exist: make it"):
        await opened(tmp_path / "nowhere" / "cellblock.db", time)
    assert not (tmp_path / "nowhere").exists()


async def test_an_empty_file_is_no_new_database(path: Path, time: Time):
    path.touch()
    await refuses(path, time, CorruptDatabase, "empty file", "delete it to begin with a new one")


async def test_a_start_that_was_killed_while_it_made_the_file_is_made_up_for(path: Path, time: Time):
    path.with_name(path.name + ".new").write_bytes(b"half a page")
    await opened(path, time)
    assert {entry.name for entry in path.parent.iterdir()} <= {path.name, f"{path.name}-lock"}


async def test_only_its_owner_may_read_the_database_and_what_lies_beside_it(path: Path, time: Time):
    before = os.umask(0)
    try:
        async with open_store(path, now=time.now) as store:
            await start_table(store)
            modes = {entry.name: entry.stat().st_mode & 0o777 for entry in path.parent.iterdir()}
    finally:
        os.umask(before)
    assert {path.name, f"{path.name}-wal", f"{path.name}-lock"} <= set(modes)
    assert set(modes.values()) == {0o600}, modes


@pytest.mark.parametrize("mode", [0o644, 0o640, 0o604])
async def test_a_database_that_others_could_read_is_narrowed_with_a_line_in_the_log(
    path: Path, time: Time, caplog: pytest.LogCaptureFixture, mode: int
):
    await opened(path, time)
    assert caplog.messages == []
    path.chmod(mode)
    path.with_name(f"{path.name}-lock").chmod(0o666)
    async with open_store(path, now=time.now):
        assert all(entry.stat().st_mode & 0o077 == 0 for entry in path.parent.iterdir())
    (line, other) = sorted(caplog.messages)
    assert f"{path} could be read by others (mode {mode:o})" in line and "mode 666" in other


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere; the test of a read-only open below stands in")
async def test_a_file_that_may_not_be_written(path: Path, time: Time):
    await opened(path, time)
    path.chmod(0o444)
    await refuses(path, time, ReadOnlyDatabase, "let the bot write")


def test_a_read_only_database_is_reported_in_one_sentence(path: Path):
    """A file for which SQLite reports that it is read-only, also when the tests run as root."""
    with closing(sqlite3.connect(path)) as db:
        db.execute("CREATE TABLE t (x)")
    readonly = sqlite3.connect(f"{path.as_uri()}?mode=ro", uri=True)
    with closing(readonly) as db, pytest.raises(sqlite3.OperationalError) as raised:
        db.execute("INSERT INTO t VALUES (1)")
    told = translate_error(raised.value, path)
    assert isinstance(told, ReadOnlyDatabase) and "let the bot write" in str(told)


async def test_a_second_bot_on_the_same_database(path: Path, time: Time):
    async with open_store(path, now=time.now) as store:
        await start_table(store)
        with pytest.raises(DatabaseLocked, match="Another bot is running"):
            await opened(path, time)
        assert await store.games.events(1) == ["a", "b"]
    await opened(path, time)


@pytest.mark.parametrize("other", ["symbolic", "hard", "folder"])
async def test_a_second_bot_is_kept_off_under_any_name_of_the_file(path: Path, tmp_path: Path, time: Time, other: str):
    async with open_store(path, now=time.now) as store:
        await start_table(store)
        elsewhere = tmp_path / "elsewhere"
        if other == "folder":
            elsewhere.symlink_to(path.parent)
            name = elsewhere / path.name
        else:
            elsewhere.mkdir()
            name = elsewhere / "other.db"
            if other == "symbolic":
                name.symlink_to(path)
            else:
                name.hardlink_to(path)
        with pytest.raises(DatabaseLocked, match="Another bot is running"):
            await opened(name, time)
        assert await store.games.events(1) == ["a", "b"]


async def test_a_database_that_another_program_holds_is_given_up_in_time_for_an_answer(path: Path, time: Time):
    async with open_store(path, now=time.now) as store:
        await start_table(store)
        with closing(sqlite3.connect(path, isolation_level=None)) as db:
            db.execute("BEGIN IMMEDIATE")
            begin = monotonic()
            late = [
                store.games.append(1, NewDecision(number=2, seat=0, at=time.now(), action="x", events=["c"], due=None))
            ]
            late += [store.beat(time.now()) for _ in range(20)]  # type: ignore[misc]
            outcomes = await asyncio.gather(*late, return_exceptions=True)
            took = monotonic() - begin
        assert all(isinstance(outcome, DatabaseLocked) for outcome in outcomes) and "try again" in str(outcomes[0])
        assert took < 10 * BUSY_TIMEOUT_PLAYING_S  # not as long for each of the twenty-one
        await store.games.append(1, NewDecision(number=2, seat=0, at=time.now(), action="x", events=["c"], due=None))
        assert await store.games.events(1) == ["a", "b", "c"]


async def test_a_full_disk_fails_the_write_and_loses_nothing(path: Path, time: Time):
    async with open_store(path, now=time.now) as store:
        await start_table(store)
        await database_of(store).writer.write(lambda db: db.execute("PRAGMA max_page_count = 40").fetchone())
        with pytest.raises(DiskFull, match="make room"):
            await store.games.append(
                1, NewDecision(number=2, seat=0, at=time.now(), action="x", events=["long" * 50_000], due=None)
            )
        assert await store.games.events(1) == ["a", "b"]
        await database_of(store).writer.write(lambda db: db.execute("PRAGMA max_page_count = 1000000").fetchone())
        await store.games.append(1, NewDecision(number=2, seat=0, at=time.now(), action="x", events=["c"], due=None))
        assert await store.games.events(1) == ["a", "b", "c"]


# ---------------------------------------------------------------------------------------------------------- migrations


def shipped(folder: Path) -> Path:
    folder.mkdir()
    for path in FOLDER.glob("*.sql"):
        (folder / path.name).write_bytes(path.read_bytes())
    return folder


async def test_a_database_grows_by_the_migrations_it_has_not_taken(path: Path, tmp_path: Path, time: Time):
    async with open_store(path, now=time.now) as store:
        await start_table(store)
    folder = shipped(tmp_path / "migrations")
    count = len(read_migrations(folder))
    (folder / f"{count + 1:04}_stars.sql").write_text("ALTER TABLE tables ADD COLUMN stars INTEGER;\n")
    async with open_sqlite(path, now=time.now, migrations=folder) as store:
        assert await store.games.events(1) == ["a", "b"]
    with closing(sqlite3.connect(path)) as db:
        assert db.execute("SELECT stars FROM tables").fetchall() == [(None,)]
        assert db.execute("SELECT max(number) FROM schema_version").fetchone() == (count + 1,)
    await refuses(path, time, NewerDatabase)


@pytest.mark.parametrize(
    "sql",
    [
        "CREATE TABLE one (x); CREATE TABLE tables (x);",
        "CREATE TABLE one (x); nonsense;",
        "CREATE TABLE one (x); DELETE FROM runs;",
        "CREATE TABLE one (x)",
    ],
)
async def test_a_migration_that_fails_leaves_nothing_of_itself(path: Path, tmp_path: Path, time: Time, sql: str):
    async with open_store(path, now=time.now) as store:
        await store.tables.create(new(), two())
    folder = shipped(tmp_path / "migrations")
    count = len(read_migrations(folder))
    (folder / f"{count + 1:04}_wrong.sql").write_text(sql)
    with pytest.raises(MigrationFailed, match="the database is as it was"):
        await opened(path, time, migrations=folder)
    with closing(sqlite3.connect(path)) as db:
        assert db.execute("SELECT max(number) FROM schema_version").fetchone() == (count,)
        assert db.execute("SELECT 1 FROM sqlite_master WHERE name = 'one'").fetchone() is None
    await opened(path, time)  # the old version still runs on it


async def test_if_one_of_several_migrations_fails_none_is_kept(path: Path, tmp_path: Path, time: Time):
    """Otherwise the previous version, to which the owner is told to return, would refuse the database."""
    async with open_store(path, now=time.now) as store:
        await start_table(store)
    folder = shipped(tmp_path / "migrations")
    count = len(read_migrations(folder))
    (folder / f"{count + 1:04}_stars.sql").write_text("ALTER TABLE tables ADD COLUMN stars INTEGER;\n")
    broken = folder / f"{count + 2:04}_moons.sql"
    broken.write_text("CREATE TABLE moons (x INTEGER); nonsense;")
    with pytest.raises(MigrationFailed, match=f"{broken.name}.*go back to the version of the bot that you had"):
        await opened(path, time, migrations=folder)
    async with open_store(path, now=time.now) as store:
        assert await store.games.events(1) == ["a", "b"]
    broken.write_text("CREATE TABLE moons (x INTEGER);")
    async with open_sqlite(path, now=time.now, migrations=folder) as store:
        assert await store.games.events(1) == ["a", "b"]


async def test_a_migration_that_was_changed_after_it_was_taken_is_found_out(path: Path, tmp_path: Path, time: Time):
    await opened(path, time)
    folder = shipped(tmp_path / "migrations")
    first = next(folder.glob("0001_*.sql"))
    first.write_text(first.read_text() + "\n-- a thought\n")
    with pytest.raises(MigrationFailed, match="not the one that the database"):
        await opened(path, time, migrations=folder)


@pytest.mark.parametrize("name", ["0001_again.sql", "0999_far.sql", "notes.sql", "0002-dash.sql"])
def test_stray_files_among_the_migrations_are_found_out(tmp_path: Path, name: str):
    folder = shipped(tmp_path / "migrations")
    (folder / name).write_text("SELECT 1;")
    with pytest.raises(MigrationFailed, match="put the folder back"):
        read_migrations(folder)


def test_scripts_are_split_into_statements_also_with_triggers_and_comments():
    script = "CREATE TABLE a (x); -- ; not here\nCREATE TRIGGER t AFTER INSERT ON a BEGIN DELETE FROM a; END;\n-- end\n"
    assert len(list(split_statements(script))) == 2


# --------------------------------------------------------------------------------------------------------------- kills


def test_a_kill_in_the_middle_of_writing_loses_nothing_that_was_acknowledged(path: Path):
    """A process writes and prints what was acknowledged; it is killed at full speed."""
    program = textwrap.dedent(
        """
        import asyncio, sys
        from pathlib import Path
        from data.store.open_store import open_store
        from tests.data.conftest import NOON, start_table

        async def main():
            async with open_store(Path(sys.argv[1]), now=lambda: NOON) as store:
                await start_table(store)
                number = 2
                while True:
                    what = dict(seat=0, at=NOON, action="x", events=[str(number)], due=None)
                    await store.games.append(1, number=number, **what)
                    print(number, flush=True)
                    number += 1

        asyncio.run(main())
        """
    )
    with subprocess.Popen(
        [sys.executable, "-c", program, str(path)], cwd=ROOT, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        acknowledged = 0
        for line in process.stdout:
            acknowledged = int(line)
            if acknowledged == 150:
                process.send_signal(signal.SIGKILL)
        process.wait()

    async def kept() -> list[str]:
        async with open_store(path, now=Time().now) as store:
            await store.tables.update(1, TableChange(opener=1))
            return await store.games.events(1)

    events = asyncio.run(kept())
    assert events[:2] == ["a", "b"] and events[2:] == [str(number) for number in range(2, len(events))]
    assert len(events) - 1 >= acknowledged
