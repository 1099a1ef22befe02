"""Read and write a database as rows, without the store."""

import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from functools import cache
from pathlib import Path
from typing import Any

from data.store.event_archive import unpack, unpack_decisions
from data.store.sqlite.database_file import OWNER_ONLY, connect_writer, locked
from data.store.sqlite.migrate import read_migrations
from engine.contract import Moment

Database = Path | str


def empty_database(path: Path) -> Path:
    """Write an empty SQLite database with every migration to a file, and return its path. A store that makes its own
    takes ten times as long to open.
    """
    path.touch(OWNER_ONLY, exist_ok=False)
    path.write_bytes(_migrated())
    return path


@cache
def _migrated() -> bytes:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "empty.db"
        with locked(path):
            connect_writer(path, read_migrations(), Moment(0), None).close()
        return path.read_bytes()


def readable(table: str, column: str, value: object) -> str:
    """Return a value of the database as text, unpacked if it is packed."""
    if (table, column) == ("packed_events", "body") and isinstance(value, bytes):
        return " ".join(unpack(value))
    if (table, column) == ("packed_decisions", "body") and isinstance(value, bytes):
        return " ".join(map(str, unpack_decisions(value)))
    return str(value)


class Raw:
    """Runs SQL that both databases understand."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def __call__(self, sql: str) -> list[tuple[Any, ...]]:
        """Run and commit a statement. Return its rows."""
        return self._run(sql)[1]

    def _run(self, sql: str) -> tuple[list[str], list[tuple[Any, ...]]]:
        if isinstance(self._database, Path):
            with closing(sqlite3.connect(self._database)) as db:
                cursor = db.execute(sql)
                rows = cursor.fetchall()
                db.commit()
                return [column[0] for column in cursor.description or ()], rows
        import psycopg

        with psycopg.connect(self._database, autocommit=True) as connection:
            found = connection.execute(sql)
            return [column.name for column in found.description or ()], found.fetchall() if found.description else []

    @contextmanager
    def writing(self, sql: str) -> Iterator[None]:
        """Hold a transaction open that writes this, and roll it back at the end."""
        if isinstance(self._database, Path):
            with closing(sqlite3.connect(self._database, isolation_level=None)) as db:
                db.execute("BEGIN IMMEDIATE")
                db.execute(sql)
                yield
                db.execute("ROLLBACK")
            return
        import psycopg

        with psycopg.connect(self._database) as connection:
            connection.execute(sql)
            yield
            connection.rollback()

    def tables(self) -> list[str]:
        """Return the names of the tables."""
        if isinstance(self._database, Path):
            sql = "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'"
        else:
            sql = "SELECT tablename FROM pg_tables WHERE schemaname = 'public'"
        return sorted(name for (name,) in self(sql))

    def columns(self, table: str) -> list[str]:
        """Return the names of a table's columns."""
        return self._run(f"SELECT * FROM {table} LIMIT 0")[0]

    def leftovers(self, *traces: object) -> list[str]:
        """Search every table and column for these values. Return where they occur."""
        found = []
        for table in self.tables():
            columns, rows = self._run(f"SELECT * FROM {table}")
            for row in rows:
                texts = [(name, readable(table, name, value)) for name, value in zip(columns, row, strict=True)]
                found += [f"{table}.{name}" for name, text in texts if any(str(one) in text for one in traces)]
        return found
