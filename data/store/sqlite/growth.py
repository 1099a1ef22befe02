"""How the database grows: numbered SQL files, applied forward only, each in one transaction with its own record.

`NNNN_words.sql` in the folder of migrations, from 0001 without a gap. A file that has been applied somewhere never
changes; its SHA-256 is on record, and a difference is reported. May import `engine`, msgspec, the standard library and
its neighbours.
"""

import hashlib
import re
import sqlite3
from collections.abc import Iterator, Sequence
from pathlib import Path

import msgspec

from data.store.errors import MigrationFailed, NewerDatabase, StoreError
from data.store.sqlite.errors import damaged, in_words
from engine.contract import Moment

FOLDER = Path(__file__).resolve().parent / "migrations"
"""Where the shipped migrations lie."""

_FILE = re.compile(r"(?P<number>\d{4})_[a-z0-9_]+\.sql")
_COMMENT = re.compile(r"--[^\n]*|/\*.*?\*/", re.DOTALL)

_RECORD = """
    CREATE TABLE IF NOT EXISTS schema_version (
        number     INTEGER PRIMARY KEY,
        name       TEXT    NOT NULL,
        sha256     TEXT    NOT NULL,
        applied_at INTEGER NOT NULL
    )
"""


class Migration(msgspec.Struct, frozen=True):
    """One step of the database's growth."""

    number: int
    name: str
    sql: str

    @property
    def sha256(self) -> str:
        """The fingerprint of the file, whatever its line ends became on the way."""
        return hashlib.sha256(self.sql.encode()).hexdigest()


def read_migrations(folder: Path = FOLDER) -> tuple[Migration, ...]:
    """Return the migrations of a folder in order. Raises `MigrationFailed` if one is missing or oddly named."""
    found: list[Migration] = []
    for path in sorted(folder.glob("*.sql")):
        named = _FILE.fullmatch(path.name)
        if named is None or int(named["number"]) != len(found) + 1:
            raise MigrationFailed(
                f"The migrations in {folder} have a gap or a stray file before {path.name}: "
                "put the folder back as it was shipped."
            )
        found.append(Migration(len(found) + 1, path.name, path.read_text(encoding="utf-8")))
    return tuple(found)


def pending(db: sqlite3.Connection, migrations: Sequence[Migration], path: Path) -> tuple[Migration, ...]:
    """Return the migrations that this database has yet to take. Reads only.

    Raises `NewerDatabase` if it has taken some that are not among these, `MigrationFailed` if one has changed since,
    and `CorruptDatabase` if it is another program's. May raise `sqlite3.Error`.
    """
    names = {name for (name,) in db.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
    if not names:
        return tuple(migrations)
    if "schema_version" not in names:
        raise damaged(path, "it belongs to another program")
    applied: list[tuple[int, str, str]] = db.execute(
        "SELECT number, name, sha256 FROM schema_version ORDER BY number"
    ).fetchall()
    if applied and applied[-1][0] > len(migrations):
        raise NewerDatabase(
            f"The database {path} was written by a newer Cellblock (it has migration {applied[-1][1]}): "
            "update the bot, or set DATABASE to another file."
        )
    for (_, name, sha256), migration in zip(applied, migrations, strict=False):
        if sha256 != migration.sha256:
            raise MigrationFailed(
                f"The migration {migration.name} is not the one that the database {path} was made with ({name}): "
                "put the folder of migrations back as it was shipped."
            )
    return tuple(migrations[len(applied) :])


def migrate(db: sqlite3.Connection, migrations: Sequence[Migration], path: Path, at: Moment) -> None:
    """Apply what is pending. Raises what `pending` does, `MigrationFailed` for a refused statement, or `DiskFull`.

    What was applied before a failure stays; of the one that failed nothing does. Foreign keys are not enforced
    meanwhile, so that a migration may rebuild a table, but they must be whole again at its end.
    """
    for migration in pending(db, migrations, path):
        db.execute("BEGIN IMMEDIATE")
        try:
            db.execute(_RECORD)
            for statement in statements(migration.sql):
                db.execute(statement)
            astray = db.execute("PRAGMA foreign_key_check").fetchone()
            if astray is not None:
                raise sqlite3.IntegrityError(f"a row of {astray[0]} points at a row of {astray[2]} that is gone")
            db.execute(
                "INSERT INTO schema_version (number, name, sha256, applied_at) VALUES (?, ?, ?, ?)",
                (migration.number, migration.name, migration.sha256, at),
            )
            db.execute("COMMIT")
        except sqlite3.Error as error:
            if db.in_transaction:
                db.execute("ROLLBACK")
            told = in_words(error, path)
            if type(told) is not StoreError:
                raise told from error  # not the migration's fault
            raise MigrationFailed(
                f"The migration {migration.name} of the database {path} failed ({error}); nothing of it was kept: "
                "go back to the version of the bot that you had, and please report it."
            ) from error


def statements(sql: str) -> Iterator[str]:
    """Split a script into its statements. `executescript` would commit behind our back.

    Raises `sqlite3.ProgrammingError` if the last one has no end.
    """
    statement = ""
    for piece in re.split(r"(?<=;)", sql):
        statement += piece
        if sqlite3.complete_statement(statement):
            yield statement
            statement = ""
    if _COMMENT.sub("", statement).strip():
        raise sqlite3.ProgrammingError("its last statement has no semicolon")
