"""A PostgreSQL database from or into which all data is moved."""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import psycopg

from data.store.errors import DatabaseLocked, MoveFailed
from data.store.migrations import pending_migrations
from data.store.postgres.address import Address, read_address
from data.store.postgres.errors import translate_errors
from data.store.postgres.lock import LOCK
from data.store.postgres.migrate import RECORD, read_migrations
from data.store.sql import columns as listed
from data.store.transfer import KEYS, Row, Source, Target, key_columns, not_up_to_date
from engine.contract import Moment

_AT_A_TIME = 1_000
_PERSON = "person"
"""A generated column."""

Connection = psycopg.Connection[tuple[Any, ...]]


class PostgresSource(Source):
    """A database that is read."""

    def __init__(self, db: Connection) -> None:
        self._db = db

    def columns(self, table: str) -> list[str]:
        described = self._db.execute(f"SELECT * FROM {table} LIMIT 0").description or []
        return [column.name for column in described if column.name != _PERSON]

    def rows(self, table: str, columns: Sequence[str]) -> Iterator[Row]:
        with self._db.cursor(name="rows") as cursor:
            cursor.itersize = _AT_A_TIME
            cursor.execute(f"SELECT {listed(columns)} FROM {table} ORDER BY {key_columns(table)}")
            player = columns.index("player") if "player" in columns else None
            for row in cursor:
                yield _as_in_sqlite(row, player)

    def last_number(self, table: str) -> int:
        (name,) = self._one(f"SELECT pg_get_serial_sequence('{table}', 'id')")
        last, used = self._one(f"SELECT last_value, is_called FROM {name}")
        return int(last) if used else 0

    def _one(self, sql: str) -> tuple[Any, ...]:
        row = self._db.execute(sql).fetchone()
        assert row is not None
        return row


class PostgresTarget(PostgresSource, Target):
    """An empty database that is being filled."""

    def fill(self, table: str, columns: Sequence[str], rows: Iterable[Row]) -> None:
        with self._db.cursor() as cursor, cursor.copy(f"COPY {table} ({listed(columns)}) FROM STDIN") as copy:
            for row in rows:
                copy.write_row(row)

    def end_runs(self) -> None:
        self._db.execute("UPDATE runs SET stopped_at = alive_at WHERE stopped_at IS NULL")

    def set_last_number(self, table: str, last: int) -> None:
        if last:
            self._db.execute(f"SELECT setval(pg_get_serial_sequence('{table}', 'id'), {last})")


def _as_in_sqlite(row: tuple[Any, ...], player: int | None) -> Row:
    values = [int(value) if isinstance(value, bool) else value for value in row]
    if player is not None and str(values[player]).isdecimal():
        values[player] = int(values[player])
    return values


@contextmanager
def source(url: str) -> Iterator[PostgresSource]:
    """Yield a database to read. Raises `DatabaseLocked`, `MoveFailed` or another `StoreError`."""
    address = read_address(url)
    with translate_errors(address), psycopg.connect(address.conninfo) as db:
        db.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ")
        _alone(db, address)
        if "schema_version" not in _names(db):
            raise MoveFailed(f"The database {address} is not a Cellblock database: name the one to move.")
        applied = db.execute("SELECT number, name, sha256 FROM schema_version ORDER BY number").fetchall()
        if pending_migrations([(number, name, sha256) for number, name, sha256 in applied], read_migrations(), address):
            raise not_up_to_date(address)
        yield PostgresSource(db)


@contextmanager
def target(url: str, at: Moment) -> Iterator[PostgresTarget]:
    """Yield an empty database to fill in one transaction. Raises `DatabaseLocked`, `MoveFailed` or a `StoreError`."""
    address = read_address(url)
    with translate_errors(address), psycopg.connect(address.conninfo) as db:
        _alone(db, address)
        if _names(db):
            raise MoveFailed(f"The database {address} is not empty, and is left as it is: make one with createdb.")
        db.execute(RECORD)
        for step in read_migrations():
            db.execute(step.sql)
            values = (step.number, step.name, step.sha256, at)
            db.execute("INSERT INTO schema_version VALUES (%s, %s, %s, %s)", values)
        # Triggers have run already where the rows come from.
        for table in KEYS:
            db.execute(f"ALTER TABLE {table} DISABLE TRIGGER USER")
        yield PostgresTarget(db)
        db.execute("SET CONSTRAINTS ALL IMMEDIATE")
        for table in KEYS:
            db.execute(f"ALTER TABLE {table} ENABLE TRIGGER USER")


def _alone(db: Connection, address: Address) -> None:
    if db.execute("SELECT pg_try_advisory_xact_lock(%s)", (LOCK,)).fetchone() != (True,):
        raise DatabaseLocked(f"A bot is running on the database {address}: stop it first.")


def _names(db: Connection) -> set[str]:
    sql = "SELECT table_name FROM information_schema.tables WHERE table_schema = current_schema()"
    return {name for (name,) in db.execute(sql)}
