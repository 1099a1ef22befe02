"""The writer when its disk fails: no failed statement leaves anything behind, and the next write works."""

import asyncio
import sqlite3
import threading
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from data.store import DatabaseLocked, DiskFull, StoreError, TableChange
from data.store.games import NewDecision
from data.store.open_store import open_store
from data.store.sqlite.checkpoints import ROWS
from data.store.sqlite.writer import Failed, commit
from tests.data.conftest import Time, database_of, start_table

STATEMENTS = ["BEGIN", "INSERT", "COMMIT"]
BETWEEN = ["SAVEPOINT", "RELEASE"]
"""The statements of every transaction, and those that separate several jobs in one; a single job needs none."""

CODES = {sqlite3.SQLITE_FULL: DiskFull, sqlite3.SQLITE_IOERR: DiskFull, sqlite3.SQLITE_BUSY: DatabaseLocked}


class Failing:
    """A connection on which one kind of statement fails while `code` is set.

    A real one rolls back its transaction after some failures and not after others: `gives_up` says which.
    """

    def __init__(self, db: sqlite3.Connection, statement: str, code: int, gives_up: bool) -> None:
        self._db = db
        self.statement = statement
        self.code: int | None = code
        self.gives_up = gives_up

    def __getattr__(self, name: str) -> Any:
        return getattr(self._db, name)

    def execute(self, sql: str, *values: Any) -> sqlite3.Cursor:
        if self.code is not None and sql.startswith(self.statement):
            if self.gives_up and self._db.in_transaction:
                self._db.execute("ROLLBACK")
            error = sqlite3.OperationalError("the disk fails")
            error.sqlite_errorcode = self.code
            raise error
        return self._db.execute(sql, *values)


@pytest.fixture
def db(tmp_path: Path) -> Iterator[sqlite3.Connection]:
    with closing(sqlite3.connect(tmp_path / "notes.db", isolation_level=None)) as opened:
        opened.execute("PRAGMA journal_mode = WAL")
        opened.execute("CREATE TABLE notes (note INTEGER)")
        yield opened


def noting(number: int) -> Any:
    return lambda db: db.execute("INSERT INTO notes VALUES (?)", (number,)).rowcount


def written(db: sqlite3.Connection, works: list[Any], path: Path) -> list[object]:
    return commit(db, works, path, lambda _: None)


@pytest.mark.parametrize("gives_up", [True, False])
@pytest.mark.parametrize("jobs", [1, 3])
@pytest.mark.parametrize("code", CODES)
@pytest.mark.parametrize("statement", STATEMENTS)
def test_a_failure_in_any_statement_keeps_nothing_and_holds_up_no_later_write(
    db: sqlite3.Connection, tmp_path: Path, statement: str, code: int, jobs: int, gives_up: bool
):
    failing: Any = Failing(db, statement, code, gives_up)
    outcomes = written(failing, [noting(number) for number in range(jobs)], tmp_path)
    assert [type(outcome.error) for outcome in outcomes if isinstance(outcome, Failed)] == [CODES[code]] * jobs
    assert not db.in_transaction and db.execute("SELECT * FROM notes").fetchall() == []
    failing.code = None
    assert written(failing, [noting(7)], tmp_path) == [1]
    assert db.execute("SELECT * FROM notes").fetchall() == [(7,)]


@pytest.mark.parametrize("gives_up", [True, False])
@pytest.mark.parametrize("code", CODES)
@pytest.mark.parametrize("statement", BETWEEN)
def test_jobs_that_cannot_be_parted_go_in_one_by_one_unless_another_holds_the_file(
    db: sqlite3.Connection, tmp_path: Path, statement: str, code: int, gives_up: bool
):
    failing: Any = Failing(db, statement, code, gives_up)
    outcomes = written(failing, [noting(number) for number in range(3)], tmp_path)
    notes = [note for (note,) in db.execute("SELECT note FROM notes")]
    if code == sqlite3.SQLITE_BUSY:
        assert notes == [] and all(isinstance(outcome, Failed) for outcome in outcomes)
    else:
        assert notes == [0, 1, 2] and outcomes == [1, 1, 1]
    assert not db.in_transaction


@pytest.mark.parametrize("others", [0, 2])
def test_a_job_that_fails_is_taken_back_alone(db: sqlite3.Connection, tmp_path: Path, others: int):
    def failing(db: sqlite3.Connection) -> None:
        db.execute("INSERT INTO notes VALUES (0)")
        raise ValueError("no")

    works = [*(noting(number + 1) for number in range(others)), failing]
    *outcomes, failed = written(db, works, tmp_path)
    assert isinstance(failed, Failed) and isinstance(failed.error, ValueError) and outcomes == [1] * others
    assert not db.in_transaction
    assert [note for (note,) in db.execute("SELECT note FROM notes")] == [number + 1 for number in range(others)]


def test_a_transaction_that_could_not_even_be_taken_back_is_before_the_next_one(db: sqlite3.Connection, tmp_path: Path):
    class Stuck(Failing):
        def execute(self, sql: str, *values: Any) -> sqlite3.Cursor:
            if self.code is not None and sql == "ROLLBACK":
                raise sqlite3.OperationalError("the disk fails")
            return super().execute(sql, *values)

    stuck: Any = Stuck(db, "COMMIT", sqlite3.SQLITE_IOERR, gives_up=False)
    (outcome,) = written(stuck, [noting(1)], tmp_path)
    assert isinstance(outcome, Failed) and isinstance(outcome.error, DiskFull) and db.in_transaction
    stuck.code = None
    assert written(stuck, [noting(2)], tmp_path) == [1]
    assert db.execute("SELECT * FROM notes").fetchall() == [(2,)]


def test_what_still_fits_goes_in_when_all_together_does_not(db: sqlite3.Connection, tmp_path: Path):
    pages = db.execute("PRAGMA page_count").fetchone()[0]
    db.execute(f"PRAGMA max_page_count = {pages + 2}")
    large: Any = lambda db: db.execute("INSERT INTO notes VALUES (zeroblob(1000000))").rowcount  # noqa: E731
    outcomes = written(db, [noting(1), large, noting(2)], tmp_path)
    assert outcomes[0] == outcomes[2] == 1
    assert isinstance(outcomes[1], Failed) and isinstance(outcomes[1].error, DiskFull)
    assert db.execute("SELECT note FROM notes").fetchall() == [(1,), (2,)]


async def test_a_store_whose_disk_was_full_for_a_while_goes_on_and_answers_everybody(path: Path, time: Time):
    async with open_store(path, now=time.now) as store:
        await start_table(store)
        await database_of(store).writer.write(lambda db: db.execute("PRAGMA max_page_count = 1").fetchone())
        late = [
            store.games.append(
                1, NewDecision(number=2, seat=0, at=time.now(), action="x", events=["long" * 9_000], due=None)
            )
            for _ in range(5)
        ]
        outcomes = await asyncio.gather(*late, return_exceptions=True)
        assert all(isinstance(outcome, StoreError) for outcome in outcomes)
        assert any(isinstance(outcome, DiskFull) for outcome in outcomes)
        assert await store.games.events(1) == ["a", "b"]
        await database_of(store).writer.write(lambda db: db.execute("PRAGMA max_page_count = 1000000").fetchone())
        await store.games.append(1, NewDecision(number=2, seat=0, at=time.now(), action="x", events=["c"], due=None))
        await store.beat(time.now())
        assert await store.games.events(1) == ["a", "b", "c"]


async def test_what_waits_behind_a_write_that_is_under_way_as_the_store_closes_is_written_too(path: Path, time: Time):
    begins, goes_on = threading.Event(), threading.Event()

    def slowly(_: sqlite3.Connection) -> bool:
        begins.set()
        return goes_on.wait(60)

    async with open_store(path, now=time.now) as store:
        await start_table(store)
        slow = asyncio.create_task(database_of(store).writer.write(slowly))
        await asyncio.to_thread(begins.wait, 60)
        waiting = asyncio.create_task(store.tables.update(1, TableChange(opener=3)))
        await asyncio.sleep(0)
        goes_on.set()
    assert await slow and (await asyncio.wait_for(waiting, 60)).opener == 3


async def test_chores_are_committed_one_by_one_and_jobs_between_them(path: Path, time: Time):
    async with open_store(path, now=time.now) as store:
        await start_table(store)
        database, began, held = database_of(store), threading.Event(), threading.Event()
        done: list[str] = []

        def noted(name: str) -> Callable[[sqlite3.Connection], None]:
            def work(db: sqlite3.Connection) -> None:
                done.append(f"{name} in {transactions()}")

            return work

        def transactions() -> int:
            return sum(1 for statement in seen if statement.startswith("BEGIN"))

        seen: list[str] = []
        await database.writer.write(lambda db: db.set_trace_callback(seen.append))

        def busy(db: sqlite3.Connection) -> None:
            began.set()
            assert held.wait(60)

        first = asyncio.create_task(database.writer.write(busy))
        await asyncio.to_thread(began.wait, 60)
        work = [
            asyncio.create_task(database.writer.write(noted(f"chore {number}"), background=True)) for number in (1, 2)
        ]
        work += [asyncio.create_task(database.writer.write(noted(f"job {number}"))) for number in (1, 2)]
        await asyncio.sleep(0)  # all of them are waiting
        held.set()
        await asyncio.gather(first, *work)
        assert done == ["chore 1 in 2", "job 1 in 3", "job 2 in 3", "chore 2 in 4"]


async def test_checkpoints_are_not_made_by_the_writer(path: Path, time: Time):
    """A reader who ignores the log finds everything in the database file."""
    async with open_store(path, now=time.now) as store:
        database = database_of(store)
        rows = [(number,) for number in range(ROWS)]
        await database.writer.write(lambda db: db.executemany("INSERT INTO hidden_users VALUES (?)", rows).rowcount)
        await database.writer.checkpoints.close()  # waits for the one that has started
        with closing(sqlite3.connect(f"{path.as_uri()}?immutable=1", uri=True)) as db:
            assert db.execute("SELECT count(*) FROM hidden_users").fetchone() == (ROWS,)
        await database.writer.write(lambda db: db.execute("DELETE FROM hidden_users WHERE user < 9").rowcount)
        await database.writer.checkpoints.close()
        with closing(sqlite3.connect(f"{path.as_uri()}?immutable=1", uri=True)) as db:
            assert db.execute("SELECT count(*) FROM hidden_users").fetchone() == (ROWS,)  # a few rows wait
