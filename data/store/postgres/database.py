"""One open PostgreSQL database: how the rooms of the store read and write it.

A write is acknowledged when the server has committed it. Most are one statement, and those of one moment go together;
the others are transactions of their own, on several connections. What concerns one table goes in the order in which it
was asked for. May import psycopg, the standard library and its neighbours.
"""

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from typing import Any, TypeVar
from weakref import WeakValueDictionary

import psycopg

from data.store.errors import Overtaken, StoreError
from data.store.postgres.address import Address
from data.store.postgres.batches import Batches, Rows
from data.store.postgres.errors import came_apart, told
from data.store.postgres.pool import Connection, Pool

log = logging.getLogger(__name__)

T = TypeVar("T")

OURS = "(SELECT max(id) FROM runs) = %(run)s"
"""The fence, as a condition: no later run of the bot than ours has begun."""

_TAKEN_BACK = (psycopg.errors.DeadlockDetected, psycopg.errors.SerializationFailure)

TRIES = 5
"""A transaction that the server took back because of another one is tried so often."""


class Database:
    """Connections to read and to write, during run `run` of the bot."""

    def __init__(self, address: Address, pool: Pool, run: int) -> None:
        self.address = address
        self.run = run
        self.overtaken = asyncio.Event()
        self._pool = pool
        self._batches = Batches(pool)
        self._lanes: WeakValueDictionary[int, asyncio.Lock] = WeakValueDictionary()
        self._under_way: set[asyncio.Task[Any]] = set()
        self._finished = False
        self._closed = False

    # Reading

    async def read(self, sql: str, **values: object) -> list[tuple[Any, ...]]:
        """Return the rows of a query. Raises `StoreError`."""
        return await self._twice(lambda db: rows_of(db, sql, values))

    async def look(self, work: Callable[[Connection], Awaitable[T]]) -> T:
        """Return what a job returns that reads several times, all of one state of the database. Raises `StoreError`."""

        async def looked(db: Connection) -> T:
            async with db.transaction():
                await db.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
                return await work(db)

        return await self._twice(looked)

    async def _twice(self, work: Callable[[Connection], Awaitable[T]]) -> T:
        """Read; once more if the connection was lost meanwhile, as when the server was restarted."""
        if self._closed:
            raise _over()
        with told(self.address):
            try:
                async with self._pool.connection() as db:
                    return await work(db)
            except psycopg.OperationalError as error:
                if not came_apart(error):
                    raise
            async with self._pool.connection() as db:
                return await work(db)

    # Writing

    async def write(self, work: Callable[[Connection], Awaitable[T]], table: int | None = None) -> T:
        """Return what a job returned, once what it wrote is committed: a `transaction` of its own.

        Jobs of one `table` are done in the order of their calls. A caller that is cancelled takes nothing back: the
        write is done, whole, or fails, whole. A job may be run again if the server took it back. Raises what it raises,
        `Overtaken`, or another `StoreError`.
        """

        async def alone() -> T:
            async with self._pool.connection() as db:
                return await work(db)

        return await self._ordered(alone, table)

    async def send(self, sql: str, table: int, **values: object) -> Rows:
        """Return the rows of one statement that writes to a table, and holds itself to the fence (see `OURS`), once it
        is committed, together with others that are written at the same time. Else as `write`.
        """
        values = {**values, "table": table, "run": self.run}
        return await self._ordered(lambda: self._batches.send(sql, values, table), table)

    async def _ordered(self, work: Callable[[], Awaitable[T]], table: int | None) -> T:
        if self._finished:
            raise _over()
        task = asyncio.create_task(self._write(work, table), name="store-write")
        self._under_way.add(task)
        task.add_done_callback(self._under_way.discard)
        try:
            return await asyncio.shield(task)
        except asyncio.CancelledError:
            task.add_done_callback(_lament)
            raise

    async def _write(self, work: Callable[[], Awaitable[T]], table: int | None) -> T:
        lane = asyncio.Lock() if table is None else self._lanes.setdefault(table, asyncio.Lock())
        async with lane:
            for left in reversed(range(TRIES)):
                try:
                    with told(self.address):
                        try:
                            return await work()
                        except _TAKEN_BACK:
                            if not left:
                                raise
                except Overtaken:
                    self.overtaken.set()
                    raise
        raise AssertionError("the last try returns or raises")

    async def change(self, sql: str, **values: object) -> None:
        """Run one statement that writes, behind the fence. Raises `StoreError`."""

        async def work(db: Connection) -> None:
            async with self.transaction(db):
                await run(db, sql, values)

        await self.write(work)

    @asynccontextmanager
    async def transaction(self, db: Connection) -> AsyncIterator[None]:
        """Do what is inside in one transaction, behind the fence. Raises `Overtaken`."""
        async with db.transaction():
            await self.check_ours(db)
            yield

    async def check_ours(self, db: Connection) -> None:
        """Raise `Overtaken` if a later run than ours has begun."""
        rows = await rows_of(db, f"SELECT {OURS}", {"run": self.run})
        if rows != [(True,)]:
            raise Overtaken(
                f"Another bot has opened the database {self.address} since this one did, so this one writes nothing "
                "any more: run one bot on a database."
            )

    async def finish(self) -> None:
        """Let what is under way be committed, and take no more."""
        self._finished = True
        while self._under_way:
            await asyncio.wait(self._under_way)

    async def close(self) -> None:
        """Finish, and answer nothing more."""
        await self.finish()
        self._closed = True
        await self._pool.close()


def _over() -> StoreError:
    return StoreError("The store is closed: start the bot again to go on.")


def _lament(task: "asyncio.Task[Any]") -> None:
    """Log what nobody else hears of."""
    if not task.cancelled() and (error := task.exception()) is not None:
        log.error("a write failed after its caller had gone: %s", error)


async def rows_of(db: Connection, sql: str, values: Mapping[str, object]) -> list[tuple[Any, ...]]:
    """Return the rows of a query."""
    return await (await db.execute(sql, values)).fetchall()


async def run(db: Connection, sql: str, values: Mapping[str, object]) -> int:
    """Run a statement; return how many rows it touched."""
    return (await db.execute(sql, values)).rowcount
