"""Applies the migrations of the SQLite file."""

import re
import sqlite3
from collections.abc import Iterator, Sequence
from pathlib import Path

from data.store.errors import MigrationFailed, StoreError
from data.store.migrations import Migration, pending_migrations, read_folder
from data.store.sqlite.errors import damaged, translate_error, translate_errors
from engine.contract import Moment

FOLDER = Path(__file__).resolve().parent / "migrations"
"""The folder of the shipped migrations."""

_COMMENT = re.compile(r"--[^\n]*|/\*.*?\*/", re.DOTALL)

_RECORD = """
    CREATE TABLE IF NOT EXISTS schema_version (
        number     INTEGER PRIMARY KEY,
        name       TEXT    NOT NULL,
        sha256     TEXT    NOT NULL,
        applied_at INTEGER NOT NULL
    )
"""


def read_migrations(folder: Path = FOLDER) -> tuple[Migration, ...]:
    """Return the migrations of a folder in order. Raises `MigrationFailed` if one is missing or oddly named."""
    return read_folder(folder)


def pending(db: sqlite3.Connection, migrations: Sequence[Migration], path: Path) -> tuple[Migration, ...]:
    """Return the pending migrations, without writing. Raises `NewerDatabase`, `MigrationFailed` if one has changed, and
    `CorruptDatabase` for another program's database. May raise `sqlite3.Error`.
    """
    names = {name for (name,) in db.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
    if not names:
        return tuple(migrations)
    if "schema_version" not in names:
        raise damaged(path, "it belongs to another program")
    applied: list[tuple[int, str, str]] = db.execute(
        "SELECT number, name, sha256 FROM schema_version ORDER BY number"
    ).fetchall()
    return pending_migrations(applied, migrations, path)


def migrate(db: sqlite3.Connection, migrations: Sequence[Migration], path: Path, at: Moment) -> None:
    """Apply what is pending, in one transaction. Raises what `pending` does, `MigrationFailed` or `DiskFull`; then the
    database is as it was. Foreign keys need be valid only at its end, so that a migration may rebuild a table.
    """
    steps = pending(db, migrations, path)
    if not steps:
        return
    with translate_errors(path):
        db.execute("BEGIN IMMEDIATE")
        try:
            db.execute(_RECORD)
            for step in steps:
                _take(db, step, path, at)
            db.execute("COMMIT")
        finally:
            if db.in_transaction:
                db.execute("ROLLBACK")


def _take(db: sqlite3.Connection, step: Migration, path: Path, at: Moment) -> None:
    """Apply and record one migration. Raises `MigrationFailed` if it is at fault, else `sqlite3.Error`."""
    try:
        for statement in split_statements(step.sql):
            db.execute(statement)
        lost = db.execute("PRAGMA foreign_key_check").fetchone()
        if lost is not None:
            raise sqlite3.IntegrityError(f"a row of {lost[0]} points at a row of {lost[2]} that is gone")
        db.execute(
            "INSERT INTO schema_version (number, name, sha256, applied_at) VALUES (?, ?, ?, ?)",
            (step.number, step.name, step.sha256, at),
        )
    except sqlite3.Error as error:
        if type(translate_error(error, path)) is not StoreError:
            raise
        raise MigrationFailed(
            f"The migration {step.name} of the database {path} failed ({error}); the database is as it was: "
            "go back to the version of the bot that you had, and please report it."
        ) from error


def split_statements(sql: str) -> Iterator[str]:
    """Split a script into its statements: `executescript` would commit. Raises `sqlite3.ProgrammingError` if the last
    one has no end.
    """
    statement = ""
    for piece in re.split(r"(?<=;)", sql):
        statement += piece
        if sqlite3.complete_statement(statement):
            yield statement
            statement = ""
    if _COMMENT.sub("", statement).strip():
        raise sqlite3.ProgrammingError("its last statement has no semicolon")
