"""One open SQLite database: each query runs to its end in the thread of a connection."""

import json
import re
import sqlite3
from collections.abc import Callable, Coroutine, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any, TypeVar

from data.store.database import Database, Dialect, Row, Transaction, Work
from data.store.errors import DatabaseTakenOver
from data.store.sqlite.errors import translate_errors
from data.store.sqlite.writer import Connection, Writer

T = TypeVar("T")

DIALECT = Dialect(
    for_update="",  # one transaction writes at a time
    person="player",
    is_person="typeof(player) = 'integer'",
    player=lambda player: player,
    size="SELECT page_count * page_size FROM pragma_page_count(), pragma_page_size()",
)

_LIST = re.compile(r"\bIN \(:(\w+)\)")


class SqliteTransaction(Transaction):
    """The running transaction of a connection, during run `run` of the bot."""

    dialect = DIALECT

    def __init__(self, db: sqlite3.Connection, run: int) -> None:
        self._db = db
        self._run = run

    async def rows(self, sql: str, **values: object) -> list[Row]:
        return _execute(self._db, sql, values).fetchall()

    async def run(self, sql: str, **values: object) -> int:
        return _execute(self._db, sql, values).rowcount

    async def run_many(self, sql: str, rows: Sequence[Mapping[str, object]]) -> None:
        self._db.executemany(sql, rows)

    async def require_served(self, guild: int) -> int:
        """Return our run: nobody else serves any server."""
        return self._run

    async def lock_server(self, guild: int) -> None:
        """Do nothing: nobody else writes."""


class SqliteDatabase(Database):
    """A connection that reads, and the writer, during run `run` of the bot."""

    dialect = DIALECT

    def __init__(self, path: Path, reader: Connection, writer: Writer, run: int) -> None:
        self._path = path
        self._reader = reader
        self.writer = writer
        self.overtaken = writer.overtaken
        self.run = run

    async def read(self, sql: str, **values: object) -> list[Row]:
        return await self._read(lambda db: _execute(db, sql, values).fetchall())

    async def snapshot(self, work: Work[T]) -> T:

        def looked(db: sqlite3.Connection) -> T:
            db.execute("BEGIN")
            try:
                return self._driven(work, db)
            finally:
                db.execute("ROLLBACK")

        return await self._read(looked)

    async def _read(self, work: Callable[[sqlite3.Connection], T]) -> T:
        with translate_errors(self._path):
            return await self._reader.run(work)

    async def write(self, work: Work[T], table: int | None = None) -> T:
        return await self.writer.write(lambda db: self._driven(work, db))

    async def background_write(self, work: Work[T]) -> T:
        """Do the same in a separate transaction, for one part of longer work."""
        return await self.writer.write(lambda db: self._driven(work, db), background=True)

    def _driven(self, work: Work[T], db: sqlite3.Connection) -> T:
        return drive(work(SqliteTransaction(db, self.run)))

    async def finish(self) -> None:
        """Commit what is waiting, and accept no more."""
        await self.writer.close()


def drive(work: Coroutine[Any, Any, T]) -> T:
    """Run a function of the query layer to its end in this thread. Raises `RuntimeError` if it awaits anything else
    than its transaction.
    """
    try:
        work.send(None)
    except StopIteration as done:
        result: T = done.value
        return result
    work.close()
    raise RuntimeError("a function of the query layer awaited something else than its transaction")


def check_ours(db: sqlite3.Connection, run: int, path: Path) -> None:
    """Raise `DatabaseTakenOver` if a later run than ours has begun."""
    (last,) = db.execute("SELECT max(id) FROM runs").fetchone()
    if last != run:
        raise DatabaseTakenOver(
            f"Another bot has opened the database {path} since this one did, so this one no longer writes anything: "
            "run one bot on a database, and keep it on a local disk, where the second one is refused."
        )


def _execute(db: sqlite3.Connection, sql: str, values: Mapping[str, object]) -> sqlite3.Cursor:
    bound = {name: json.dumps(value) if isinstance(value, list) else value for name, value in values.items()}
    return db.execute(_translate(sql), bound)


@lru_cache(maxsize=256)
def _translate(sql: str) -> str:
    """Return a statement of the query layer as SQLite takes it: a list is bound as JSON."""
    return _LIST.sub(r"IN (SELECT value FROM json_each(:\1))", sql)
