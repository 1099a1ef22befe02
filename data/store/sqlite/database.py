"""One open SQLite database: how the rooms of the store read and write it.

May import the standard library and its neighbours.
"""

import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

from data.store.errors import Overtaken
from data.store.sqlite.connection import Connection
from data.store.sqlite.errors import told
from data.store.sqlite.writer import Work, Writer

T = TypeVar("T")


class Database:
    """A connection that reads, and the one hand that writes, during run `run` of the bot."""

    def __init__(self, path: Path, reader: Connection, writer: Writer, run: int) -> None:
        self._path = path
        self._reader = reader
        self.writer = writer
        self.write = writer.write  # returns what a job returned, once it is on the disk; raises `StoreError`
        self.run = run

    async def read(self, sql: str, *values: object) -> list[Any]:
        """Return the rows of a query. Raises `StoreError`."""
        return await self._reads(lambda db: db.execute(sql, values).fetchall())

    async def look(self, work: Callable[[sqlite3.Connection], T]) -> T:
        """Return what a job returns that reads several times, all of one state of the database. Raises `StoreError`."""

        def looked(db: sqlite3.Connection) -> T:
            db.execute("BEGIN")
            try:
                return work(db)
            finally:
                db.execute("ROLLBACK")

        return await self._reads(looked)

    async def _reads(self, work: Callable[[sqlite3.Connection], T]) -> T:
        with told(self._path):
            return await self._reader.run(work)

    async def chore(self, work: Work[T]) -> T:
        """Do the same as `write` for what takes longer, in parts: others come in between. Raises `StoreError`."""
        return await self.writer.write(work, chore=True)

    async def change(self, sql: str, *values: object) -> None:
        """Run one statement that writes. Raises `StoreError`."""
        await self.write(lambda db: db.execute(sql, values).rowcount)

    async def finish(self) -> None:
        """Commit what is waiting, and take no more."""
        await self.writer.close()


def check_ours(db: sqlite3.Connection, run: int, path: Path) -> None:
    """Raise `Overtaken` if a later run than ours has begun."""
    (last,) = db.execute("SELECT max(id) FROM runs").fetchone()
    if last != run:
        raise Overtaken(
            f"Another bot has opened the database {path} since this one did, so this one writes nothing any more: "
            "run one bot on a database, and keep it on a local disk, where the second one is refused."
        )
