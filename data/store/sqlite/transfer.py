"""A SQLite file from or into which all data is moved."""

import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path

from data.store.atomic_files import file_exists, new_copy
from data.store.errors import ReadOnlyDatabase
from data.store.sql import columns as listed
from data.store.sqlite import database_file
from data.store.sqlite.backup import end_runs
from data.store.sqlite.errors import damaged, translate_errors
from data.store.sqlite.migrate import migrate, pending, read_migrations
from data.store.transfer import Row, Source, Target, key_columns, not_up_to_date
from engine.contract import Moment


class SqliteSource(Source):
    """A file that is read."""

    def __init__(self, db: sqlite3.Connection) -> None:
        self._db = db

    def columns(self, table: str) -> list[str]:
        return [name for (name,) in self._db.execute("SELECT name FROM pragma_table_info(?)", (table,))]

    def rows(self, table: str, columns: Sequence[str]) -> Iterator[Row]:
        # Numbers as text, so that players of both kinds have one order in every database.
        key = key_columns(table).replace('"player"', 'CAST("player" AS TEXT)')
        yield from self._db.execute(f"SELECT {listed(columns)} FROM {table} ORDER BY {key}")

    def last_number(self, table: str) -> int:
        row = self._db.execute("SELECT seq FROM sqlite_sequence WHERE name = ?", (table,)).fetchone()
        return 0 if row is None else int(row[0])


class SqliteTarget(SqliteSource, Target):
    """A new file that is being filled."""

    def fill(self, table: str, columns: Sequence[str], rows: Iterable[Row]) -> None:
        marks = ", ".join("?" * len(columns))
        self._db.executemany(f"INSERT INTO {table} ({listed(columns)}) VALUES ({marks})", rows)

    def end_runs(self) -> None:
        end_runs(self._db)

    def set_last_number(self, table: str, last: int) -> None:
        self._db.execute("DELETE FROM sqlite_sequence WHERE name = ?", (table,))
        if last:
            self._db.execute("INSERT INTO sqlite_sequence VALUES (?, ?)", (table, last))


@contextmanager
def source(path: Path) -> Iterator[SqliteSource]:
    """Yield a file to read. Raises `DatabaseLocked`, `MoveFailed` or another `StoreError`."""
    path, steps = database_file.real_path(path), read_migrations()
    if not file_exists(path):
        raise ReadOnlyDatabase(f"There is no database {path}: name the file to move.")
    database_file.check_file(path, steps)
    # Not read-only: a log that a crash left must be written into the file first.
    with database_file.locked(path), translate_errors(path), closing(sqlite3.connect(path, isolation_level=None)) as db:
        if pending(db, steps, path):
            raise not_up_to_date(path)
        lost = database_file.orphaned_row(db)
        if lost is not None:
            raise damaged(path, lost)
        db.execute("BEGIN")
        yield SqliteSource(db)
        db.execute("ROLLBACK")


@contextmanager
def target(path: Path, at: Moment) -> Iterator[SqliteTarget]:
    """Yield a new file to fill, which gets its name at the end. Raises `BackupFailed` or another `StoreError`."""
    with (
        new_copy(path) as partial,
        translate_errors(partial),
        closing(sqlite3.connect(partial, isolation_level=None)) as db,
    ):
        migrate(db, read_migrations(), partial, at)
        db.execute("BEGIN IMMEDIATE")
        # Triggers have run already where the rows come from.
        triggers = db.execute("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'").fetchall()
        for name, _ in triggers:
            db.execute(f"DROP TRIGGER {name}")
        yield SqliteTarget(db)
        for _, sql in triggers:
            db.execute(sql)
        db.execute("COMMIT")
