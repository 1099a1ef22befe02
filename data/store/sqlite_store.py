"""The store in one SQLite file, for a single process."""

import asyncio
import sqlite3
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from functools import partial
from pathlib import Path

from data.store.downtime import Run
from data.store.errors import StoreError
from data.store.sqlite import database_file
from data.store.sqlite.database import SqliteDatabase, check_ours
from data.store.sqlite.errors import translate_errors
from data.store.sqlite.migrate import FOLDER, read_migrations
from data.store.sqlite.writer import Connection, Writer
from data.store.store import Store
from engine.contract import Moment


class SqliteStore(Store):
    """The store over one open database."""

    def __init__(self, database: SqliteDatabase, runs: Sequence[Run]) -> None:
        super().__init__(database, runs)
        self.database = database

    async def beat(self, at: Moment) -> None:
        # A run that began by a clock that was ahead counts from when it was put right.
        late = "alive_at < :at OR started_at > :at"
        sql = f"UPDATE runs SET alive_at = :at, started_at = min(started_at, :at) WHERE id = :run AND ({late})"
        await self.database.execute(sql, at=at, run=self.database.run)


@asynccontextmanager
async def open_sqlite(
    path: Path, *, now: Callable[[], Moment], migrations: Path = FOLDER, trace: database_file.Trace | None = None
) -> AsyncIterator[SqliteStore]:
    """Yield the store of the database at `path`: see `open_store`. `trace` is called with every SQL statement, from the
    store's threads. Raises any `StoreError` but `Conflict`; then the file is as it was.
    """
    path = database_file.real_path(path)
    steps = read_migrations(migrations)
    await asyncio.to_thread(database_file.check_file, path, steps)
    async with AsyncExitStack() as stack:
        stack.enter_context(database_file.locked(path))
        at = now()
        connection = Connection(partial(database_file.connect_writer, path, steps, at, trace))
        await connection
        stack.push_async_callback(connection.close)
        with translate_errors(path):
            runs = await connection.run(partial(_begin_run, at=at))
        stack.push_async_callback(_end_run, connection, runs[-1].id, now)
        reader = Connection(partial(database_file.connect_reader, path, trace))
        await reader
        stack.push_async_callback(reader.close)
        run = runs[-1].id
        writer = Writer(connection, path, partial(check_ours, run=run, path=path))
        database = SqliteDatabase(path, reader, writer, run)
        stack.push_async_callback(database.finish)
        yield SqliteStore(database, runs)


def _begin_run(db: sqlite3.Connection, at: Moment) -> list[Run]:
    """Record that a run begins, and that all others are over; return all runs, the first one first."""
    db.execute("UPDATE runs SET stopped_at = ? WHERE stopped_at IS NULL", (at,))
    db.execute("INSERT INTO runs (started_at, alive_at) VALUES (?, ?)", (at, at))
    return [Run(*row) for row in db.execute("SELECT id, started_at, alive_at, shard, shards FROM runs ORDER BY id")]


async def _end_run(connection: Connection, run: int, now: Callable[[], Moment]) -> None:
    """Record that a run is over. If that fails, it looks like one that crashed."""

    def end(db: sqlite3.Connection) -> None:
        latest = "(SELECT max(id) FROM runs)"  # another bot may have opened the database since
        db.execute(f"UPDATE runs SET stopped_at = ? WHERE id = ? AND id = {latest}", (now(), run))

    with suppress(StoreError, sqlite3.Error):
        await connection.run(end)
