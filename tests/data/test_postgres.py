"""PostgreSQL only: faults of its server, opening, and copies."""

import asyncio
import contextlib
import sys
from collections.abc import AsyncIterator, Coroutine, Iterator
from pathlib import Path
from typing import Any

import pytest

from bot import main
from cogs.core.ops.errors import AWAY, USAGE
from data.store import (
    BackupFailed,
    Conflict,
    CorruptDatabase,
    DatabaseLocked,
    LimitReached,
    Limits,
    MigrationFailed,
    NewerDatabase,
    ProcessInfo,
    Store,
    StoreError,
    Unreachable,
)
from data.store.games import NewDecision
from data.store.maintenance import back_up, display_name, last_heard
from data.store.open_store import open_store
from data.store.postgres import pool
from data.store.postgres.address import Address, read_address
from data.store.postgres.lock import Lock
from data.store.postgres.migrate import read_migrations as read_postgres
from data.store.postgres_store import open_postgres
from data.store.sqlite.migrate import read_migrations as read_sqlite
from data.store.sqlite_store import open_sqlite
from engine.contract import Moment
from engine.standings import Leaderboard
from tests.data.conftest import NOON, Time, new, start_table, two
from tests.data.finished import played
from tools.harness.raw_database import Raw
from tools.postgres import Cluster


@pytest.fixture
def url(postgres: Cluster) -> str:
    """A database that was not opened yet."""
    return postgres.fresh()


@pytest.fixture
async def store(url: str, time: Time) -> AsyncIterator[Store]:
    async with open_store(url, now=time.now) as opened:
        yield opened


@pytest.fixture(scope="module")
def indexed(cluster: Cluster) -> str:
    """Return a database whose planner uses an index wherever there is one."""
    return cluster.fresh() + "&options=-c%20enable_seqscan%3Doff"


async def append(store: Store, number: int, what: str = "x", *, table: int = 1) -> None:
    await store.games.append(table, NewDecision(number=number, seat=0, at=NOON, action="x", events=[what], due=None))


# What a server does


async def test_both_databases_keep_the_same(postgres: Cluster, tmp_path: Path, time: Time):
    path, url = tmp_path / "cellblock.db", postgres.fresh()
    async with open_sqlite(path, now=time.now):
        pass
    ours, theirs = Raw(path), Raw(url)
    assert ours.tables() == sorted(set(theirs.tables()) - {"processes", "leases", "identifies"})
    for table in ours.tables():
        assert sorted(ours.columns(table)) == sorted(set(theirs.columns(table)) - {"person"}), table
    # PostgreSQL starts at SQLite's ninth migration; from there on both have each migration under one name, except those
    # about several processes, which SQLite does not have.
    steps = [[step.name[4:] for step in read()] for read in (read_sqlite, read_postgres)]
    assert steps[0][9:] == [step for step in steps[1][1:] if step != "_machines.sql"]


async def test_a_stopped_server_is_reported_in_one_sentence_and_play_goes_on_when_it_is_back(
    own_cluster: Cluster, time: Time, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(pool, "RETRY_AFTER_S", 0.0)
    async with open_store(own_cluster.fresh("template1"), now=time.now) as store:
        await start_table(store)
        own_cluster.stop()
        for write in (append(store, 2), append(store, 2), store.beat(NOON), store.tables.get(1)):
            with pytest.raises(Unreachable, match=r"cannot be reached \(.*\): see whether its server runs\.$"):
                await write
        own_cluster.start()
        await store.beat(NOON)
        await append(store, 2)
        assert await store.games.events(1) == ["a", "b", "x"]
    assert caplog.messages == []


async def test_what_was_acknowledged_before_a_server_crashed_is_there_afterwards(
    own_cluster: Cluster, time: Time, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(pool, "RETRY_AFTER_S", 0.0)
    async with open_store(own_cluster.fresh("template1"), now=time.now) as store:
        await start_table(store)
        acknowledged, enough = 2, asyncio.Event()

        async def write() -> None:
            nonlocal acknowledged
            while True:
                await append(store, acknowledged, str(acknowledged))
                acknowledged += 1
                if acknowledged == 30:
                    enough.set()

        writing = asyncio.create_task(write())
        await enough.wait()
        await asyncio.to_thread(own_cluster.stop, "immediate")
        with pytest.raises(Unreachable):
            await writing
        await asyncio.to_thread(own_cluster.start)
        events = await store.games.events(1)
        # The last one may have been committed although the caller got an error.
        assert events[2:] == [str(number) for number in range(2, len(events))]
        assert len(events) - acknowledged in (0, 1)
        await append(store, len(events))


@pytest.mark.parametrize(("again_s", "tries"), [(3_600.0, 1), (0.0, 3)])
async def test_a_server_that_is_away_is_asked_again_only_after_a_while(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, again_s: float, tries: int
):
    asked: list[Address] = []

    async def connect(address: Address) -> pool.Connection:
        asked.append(address)
        raise Unreachable("The server is away.")

    monkeypatch.setattr(pool, "RETRY_AFTER_S", again_s)
    monkeypatch.setattr(pool, "connect", connect)
    connections = pool.Pool(read_address(f"postgresql://me@/x?host={tmp_path}"))
    for _ in range(3):
        with pytest.raises(Unreachable, match="is away"):
            async with connections.connection():
                raise AssertionError
    assert len(asked) == tries


async def test_connections_that_the_server_closed_while_nobody_used_them_are_not_missed(store: Store, url: str):
    await start_table(store)
    await asyncio.gather(*(store.tables.get(1) for _ in range(8)))
    others = "FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()"
    Raw(url)(f"SELECT pg_terminate_backend(pid) {others}")
    while Raw(url)(f"SELECT 1 {others}"):
        pass
    await append(store, 2)
    await store.beat(NOON)
    assert await store.games.events(1) == ["a", "b", "x"]
    with pytest.raises(DatabaseLocked):
        async with open_store(url, now=lambda: NOON):
            raise AssertionError


async def many(store: Store) -> list[int]:
    """Tables with two events each."""
    return [(await start_table(store)).id for _ in range(20)]


async def test_the_next_bot_need_not_wait_until_the_server_notices_that_a_connection_has_ended(
    url: str, monkeypatch: pytest.MonkeyPatch
):
    async def unnoticed(connection: pool.Connection) -> None:
        kept.append(connection)

    kept: list[pool.Connection] = []
    first, second = Lock(read_address(url)), Lock(read_address(url))
    await first.hold()
    with monkeypatch.context() as patched:
        patched.setattr("psycopg.AsyncConnection.close", unnoticed)
        await first.release()
    await second.hold()
    await second.release()
    for connection in kept:
        await connection.close()


@pytest.fixture
def connections(monkeypatch: pytest.MonkeyPatch) -> list[pool.Connection]:
    """Collect the connections that are made, in order."""
    made: list[pool.Connection] = []
    really = pool.Connection.connect

    async def connect(*arguments: Any, **settings: Any) -> pool.Connection:
        made.append(await really(*arguments, **settings))
        return made[-1]

    monkeypatch.setattr("psycopg.AsyncConnection.connect", connect)
    return made


@contextlib.contextmanager
def never_answering(begins: str) -> Iterator[asyncio.Event]:
    """Leave statements with this prefix unanswered; the event is set when one waits."""
    waiting, really = asyncio.Event(), pool.Connection.execute

    async def execute(connection: pool.Connection, statement: str, *arguments: Any) -> Any:
        if statement.startswith(begins):
            waiting.set()
            await asyncio.Event().wait()
        return await really(connection, statement, *arguments)

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr("psycopg.AsyncConnection.execute", execute)
        yield waiting


async def cancelled(work: Coroutine[Any, Any, Any], at: str = "") -> None:
    """Cancel a task while it waits for the answer to a statement with this prefix."""
    with never_answering(at) as waiting:
        task = asyncio.create_task(work)
        await waiting.wait()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task


async def test_a_connection_may_not_rest_in_a_transaction_and_prepares_what_is_asked_again(url: str):
    connection = await pool.connect(read_address(url))
    cursor = await connection.execute("SHOW idle_in_transaction_session_timeout")
    assert await cursor.fetchone() == (f"{pool.IDLE_TRANSACTION_MS // 1_000}s",)
    assert connection.prepare_threshold == 2
    await connection.close()


async def test_cancelling_while_connecting_leaves_no_connection_open(url: str, connections: list[pool.Connection]):
    await cancelled(pool.connect(read_address(url)))
    assert [connection.closed for connection in connections] == [True]


async def test_cancelling_while_releasing_the_lock_has_released_it(url: str, connections: list[pool.Connection]):
    lock = Lock(read_address(url))
    await lock.hold()
    await cancelled(lock.release())
    assert [connection.closed for connection in connections] == [True]


@pytest.mark.parametrize("at", ["BEGIN", "SET LOCAL", "SELECT pg_try"])
async def test_cancelling_while_taking_the_lock_does_not_take_it(url: str, at: str):
    lock, other = Lock(read_address(url)), Lock(read_address(url))
    await cancelled(lock.take(shared=False), at)
    assert await other.take(shared=False)
    assert not await lock.take(shared=False)
    await other.release()


async def test_what_is_given_back_to_a_closed_pool_is_closed(url: str, connections: list[pool.Connection]):
    opened = pool.Pool(read_address(url))
    async with opened.connection(), opened.connection():
        async with opened.connection():
            pass
        await opened.close()
        assert [connection.closed for connection in connections] == [False, False, True]
    assert all(connection.closed for connection in connections)


@pytest.mark.parametrize("wrong", ["\x00", "\ud800"], ids=["no text", "no letter"])
async def test_a_failing_write_does_not_affect_others_of_the_same_time(store: Store, wrong: str):
    tables = await many(store)
    writes = [append(store, 2, wrong if table == tables[10] else "x", table=table) for table in tables]
    writes += [append(store, 7, table=tables[11])]  # where there is none
    *outcomes, late = await asyncio.gather(*writes, return_exceptions=True)
    assert isinstance(late, Conflict)
    assert [outcome is None for outcome in outcomes] == [table != tables[10] for table in tables]
    for table in tables:
        assert len(await store.games.events(table)) == (2 if table == tables[10] else 3)


async def test_endings_of_a_game_are_numbered_in_the_order_in_which_they_are_committed(store: Store, url: str):
    """A reader that has added results up to a number must never meet a smaller number later."""
    await played(store)
    row = await store.tables.create(new(), two())
    sql = f"INSERT INTO results VALUES ({row.id}, 0, 10, 1, 9, 'escaped', {NOON}, 1, 'rope_wall')"
    with Raw(url).writing(sql):
        ending = asyncio.create_task(played(store))
        here = "database = (SELECT oid FROM pg_database WHERE datname = current_database())"
        waiting = f"SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND NOT granted AND {here}"
        while not await asyncio.to_thread(Raw(url), waiting):
            assert not ending.done()
    table = await ending
    assert [game.table for game in await store.records.ended(Leaderboard(1, "rope_wall", "ranked"), most=9)] == [
        1,
        table,
    ]


async def test_limits_hold_however_many_tables_are_opened_at_the_same_time(store: Store):
    limits = Limits(person=3, channel=99, server=99)
    outcomes = await asyncio.gather(
        *(store.tables.create(new(), two(), limits) for _ in range(12)), return_exceptions=True
    )
    assert sum(isinstance(outcome, LimitReached) for outcome in outcomes) == 9
    assert len(await store.tables.open()) == 3


@pytest.mark.parametrize(
    ("query", "index"),
    [
        ("SELECT id FROM tables WHERE status IN ('lobby', 'playing') ORDER BY id", "tables_open"),
        ("SELECT id FROM tables WHERE channel = 1 AND status IN ('lobby', 'playing')", "tables_open_in_channel"),
        ("SELECT id FROM tables WHERE guild = 1 AND status IN ('lobby', 'playing')", "tables_open_on_server"),
        ("SELECT id FROM tables WHERE shown < revision", "tables_unshown"),
        ("SELECT id FROM tables WHERE rematch_of = 1", "tables_rematch"),
        ('SELECT table_id FROM seats WHERE "user" = 1', "seats_user"),
        ("SELECT message FROM mentions WHERE table_id = 1", "mentions_of_table"),
        ("SELECT body FROM events WHERE table_id = 1 ORDER BY number", "events_pkey"),
        ('SELECT place FROM results WHERE "user" = 2', "results_of_user"),
        ("SELECT id FROM endings WHERE guild = 1 AND game = 'x' AND board = 'ranked' AND id > 5", "endings_of_board"),
        ("SELECT id FROM leaderboards WHERE due", "leaderboards_due"),
        ("SELECT player FROM standings WHERE person = 1", "standings_of_user"),
    ],
)
async def test_what_is_looked_up_often_has_an_index(indexed: str, query: str, index: str):
    plan = " ".join(row[0] for row in Raw(indexed)(f"EXPLAIN {query}"))
    assert f" {index}" in plan, plan
    assert "Seq Scan" not in plan


# Opening


async def refused(url: str, time: Time, error: type[StoreError], words: str) -> None:
    with pytest.raises(error, match=words) as raised:
        async with open_store(url, now=time.now):
            raise AssertionError
    assert str(raised.value).endswith(".") and "secret" not in str(raised.value)


async def test_a_fresh_database_has_every_migration_and_is_opened_again(own_cluster: Cluster, time: Time):
    url = own_cluster.fresh("template1")
    async with open_store(url, now=time.now) as store:
        await start_table(store)
    async with open_store(url, now=time.now) as store:
        assert await store.games.events(1) == ["a", "b"] and store.runs.present(1) == 2


@pytest.mark.parametrize("wrong", [":99999/x", "/x?sslmode=bogus", "/x?connect_timeout=soon"])
async def test_an_address_that_only_its_owner_can_put_right_is_not_waited_for(
    wrong: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    monkeypatch.setenv("DATABASE", f"postgresql://me:secret@127.0.0.1{wrong}")
    assert main(["alive"]) == USAGE
    told = capsys.readouterr().err
    assert told.startswith("cellblock: DATABASE ") and told.count("\n") == 1 and "secret" not in told


async def test_a_server_that_is_not_there_and_a_database_that_is_not_there(
    postgres: Cluster, tmp_path: Path, time: Time
):
    await refused(f"postgresql://me:secret@/x?host={tmp_path}", time, Unreachable, "see whether its server runs")
    await refused(postgres.url("nowhere"), time, Unreachable, "make it with createdb")
    await refused("postgresql://me:secret@host/x?nonsense=1", time, StoreError, "write postgresql://user")


def test_a_bot_that_cannot_reach_its_server_may_be_started_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    monkeypatch.setenv("DATABASE", f"postgresql://me:secret@/x?host={tmp_path}")
    assert main(["alive"]) == AWAY
    told = capsys.readouterr().err
    assert "see whether its server runs" in told and "secret" not in told


async def test_the_database_of_another_program_and_of_a_newer_version(own_cluster: Cluster, time: Time):
    theirs, newer, changed = (own_cluster.fresh("template1") for _ in range(3))
    Raw(theirs)("CREATE TABLE songs (name text)")
    await refused(theirs, time, CorruptDatabase, "belongs to another program")
    for url in (newer, changed):
        async with open_store(url, now=time.now):
            pass
    Raw(newer)("INSERT INTO schema_version VALUES (9999, '9999_wonders.sql', 'x', 0)")
    await refused(newer, time, NewerDatabase, "9999_wonders.sql")
    Raw(changed)("UPDATE schema_version SET sha256 = 'x'")
    await refused(changed, time, MigrationFailed, "not the one that the database")


async def test_if_one_of_several_migrations_fails_none_is_kept(own_cluster: Cluster, tmp_path: Path, time: Time):
    """Otherwise the previous version, to which the owner is told to return, would refuse the database."""
    url, steps = own_cluster.fresh("template1"), read_postgres()
    async with open_store(url, now=time.now) as store:
        await start_table(store)
    for step in steps:
        (tmp_path / step.name).write_text(step.sql)
    (tmp_path / f"{len(steps) + 1:04}_stars.sql").write_text("ALTER TABLE tables ADD COLUMN stars integer;\n")
    broken = tmp_path / f"{len(steps) + 2:04}_moons.sql"
    broken.write_text("CREATE TABLE moons (x integer); nonsense;")
    for process_info in (None, ProcessInfo()):
        with pytest.raises(MigrationFailed, match=f"{broken.name}.*go back to the version of the bot that you had"):
            async with open_postgres(url, now=time.now, process_info=process_info, migrations=tmp_path):
                raise AssertionError
    async with open_store(url, now=time.now) as store:
        assert await store.games.events(1) == ["a", "b"]
    broken.write_text("CREATE TABLE moons (x integer);")
    async with open_postgres(url, now=time.now, migrations=tmp_path) as store:
        assert await store.games.events(1) == ["a", "b"]


async def test_a_server_that_acknowledges_what_it_has_not_written_is_refused(own_cluster: Cluster, time: Time):
    url = own_cluster.fresh("template1")
    name = url.split("/")[3].split("?")[0]
    Raw(url)(f"ALTER DATABASE {name} SET synchronous_commit = off")
    await refused(url, time, StoreError, "set synchronous_commit on")


def test_where_the_driver_is_missing_it_is_named_and_a_file_needs_none(
    tmp_path: Path, time: Time, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setitem(sys.modules, "psycopg", None)
    with pytest.raises(StoreError, match=r"pip install '\.\[postgres\]'"):
        open_store("postgresql://host/x", now=time.now)
    back = tmp_path / "cellblock.db"
    assert display_name(back) == str(back)


def test_an_address_is_shown_without_its_password():
    assert (
        display_name("postgresql://me:secret@db.example:5433/cells?sslmode=require")
        == "postgresql://db.example:5433/cells"
    )


# Copies


async def test_a_copy_is_made_while_the_bot_plays_and_can_be_restored(
    store: Store, url: str, postgres: Cluster, tmp_path: Path, time: Time
):
    await start_table(store)
    copy = tmp_path / "copy.dump"
    assert back_up(url, copy, NOON) == copy.stat().st_size
    assert copy.stat().st_mode & 0o777 == 0o600
    last = await store.server_admin.last_backup()
    assert last is not None and (last.at, last.bytes) == (NOON, copy.stat().st_size)
    await append(store, 2)
    target = postgres.fresh("template1")
    copy.chmod(0o644)
    readable = postgres.folder / "copy.dump"
    readable.write_bytes(copy.read_bytes())
    postgres.program("pg_restore", "--no-owner", f"--dbname={target}", str(readable))
    async with open_store(target, now=time.now) as restored:
        assert await restored.games.events(1) == ["a", "b"]
        await append(restored, 2)
        assert (await restored.tables.create(new(), two())).id == 2


async def test_a_copy_replaces_no_file_and_leaves_none_when_it_fails(url: str, tmp_path: Path, postgres: Cluster):
    letter = tmp_path / "letter.txt"
    letter.write_text("dear Ben")
    with pytest.raises(BackupFailed, match="exists already"):
        back_up(url, letter, NOON)
    with pytest.raises(BackupFailed, match="No copy was made"):
        back_up(postgres.url("nowhere"), tmp_path / "copy.dump", NOON)
    assert [path.name for path in tmp_path.iterdir()] == ["letter.txt"] and letter.read_text() == "dear Ben"


def test_where_pg_dump_is_missing_it_is_named(url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(BackupFailed, match=r"pg_dump is missing.*install it"):
        back_up(url, tmp_path / "copy.dump", NOON)


async def test_from_outside_is_seen_whether_a_bot_has_lately_been_alive(store: Store, url: str, own_cluster: Cluster):
    await store.beat(Moment(NOON + 7_000))
    assert last_heard(url) == (NOON + 7_000, None)
    with pytest.raises(StoreError, match="start the bot once"):
        last_heard(own_cluster.fresh("template1"))
