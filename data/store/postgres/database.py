"""One open PostgreSQL database: how queries are run on it, and the fence that every write is behind."""

import asyncio
import logging
import re
from collections.abc import Awaitable, Callable, Coroutine, Mapping, Sequence
from functools import lru_cache
from typing import Any, TypeVar
from weakref import WeakValueDictionary

import psycopg

from data.background import BackgroundTasks
from data.store.database import Database, Dialect, Row, Transaction, Work
from data.store.downtime import shard_of
from data.store.errors import DatabaseTakenOver, LeaseExpired, NotShardOwner, StoreError
from data.store.postgres.address import Address
from data.store.postgres.errors import is_connection_lost, translate_errors
from data.store.postgres.pool import Connection, Pool

log = logging.getLogger(__name__)

T = TypeVar("T")

DIALECT = Dialect(
    for_update=" FOR NO KEY UPDATE",
    person="person",
    is_person="person IS NOT NULL",
    player=str,
    size="SELECT pg_database_size(current_database())",
)

HEARTBEAT_VALID = "EXISTS (SELECT 1 FROM processes WHERE id = %(process)s AND until > now_ms())"
"""The fence of every write, as a condition: our process renewed its lease in time, and nobody has ended it."""

RUN = "(%(runs)s::bigint[])[1 + (guild >> 22) %% cardinality(%(runs)s::bigint[])]"
"""The run that serves the server of a table as far as we know, in a statement about tables."""

SERVED = (
    f"{HEARTBEAT_VALID} AND EXISTS (SELECT 1 FROM leases AS lease"
    f" WHERE lease.shard = (guild >> 22) %% lease.shards AND lease.run = {RUN})"
)
"""The fence of what is written to a table: its server is served by the run that we know of, ours or another's."""

_TAKEN_BACK = (psycopg.errors.DeadlockDetected, psycopg.errors.SerializationFailure)

_LIST = re.compile(r"\b(NOT )?IN \(:(\w+)\)")
_NAME = re.compile(r"(?<!:):(\w+)")

TRIES = 5
"""How often a transaction is tried that the server rolled back because of another one."""


class Fence:
    """What our writes are checked by: the number of our process, and the runs that serve each shard as far as we know.
    It is `exclusive` if nobody else may have the database open, and `expired` once its lease has expired.
    """

    def __init__(self, address: Address, *, exclusive: bool) -> None:
        self._address = address
        self._exclusive = exclusive
        self.register(0, (0,))

    def register(self, process: int, runs: Sequence[int], expired: Callable[[], bool] = lambda: False) -> None:
        """Set the process whose writes pass."""
        self.process = process
        self.runs = runs
        self.expired = expired

    def values(self) -> dict[str, object]:
        """Return the values for the conditions above."""
        return {"process": self.process, "runs": [*self.runs]}

    def refusal(self) -> StoreError:
        """Return the error for a process that may not write."""
        if not self._exclusive:
            return LeaseExpired(
                f"The database {self._address} has not heard of this process for too long, so others may have taken "
                "over; it writes nothing until it is heard of again."
            )
        return DatabaseTakenOver(
            f"Another bot has opened the database {self._address} since this one did, so this one no longer "
            "writes anything: run one bot on a database."
        )


class PostgresTransaction(Transaction):
    """The running transaction of a connection."""

    dialect = DIALECT

    def __init__(self, db: Connection, fence: Fence) -> None:
        self._db = db
        self._fence = fence

    async def rows(self, sql: str, **values: object) -> list[Row]:
        return await rows_of(self._db, _translate(sql), values)

    async def run(self, sql: str, **values: object) -> int:
        return (await self._db.execute(_translate(sql), values)).rowcount

    async def run_many(self, sql: str, rows: Sequence[Mapping[str, object]]) -> None:
        async with self._db.cursor() as cursor:
            await cursor.executemany(_translate(sql), rows)

    async def require_heartbeat(self) -> None:
        """Raise `DatabaseTakenOver` if another bot has opened the database, or `LeaseExpired`."""
        if await rows_of(self._db, f"SELECT {HEARTBEAT_VALID}", self._fence.values()) != [(True,)]:
            raise self._fence.refusal()

    async def require_served(self, guild: int) -> int:
        """Return the run that serves a server. Raises `NotShardOwner` if that is not the one we know of."""
        runs, values = self._fence.runs, self._fence.values()
        sql = f"SELECT {SERVED} FROM (SELECT %(guild)s::bigint AS guild) AS one"
        if await rows_of(self._db, sql, {**values, "guild": guild}) != [(True,)]:
            await self.require_heartbeat()
            raise NotShardOwner("Another process of the bot serves this server by now: ask again in a moment.")
        return runs[shard_of(guild, len(runs))]

    async def lock_server(self, guild: int) -> None:
        await self.rows("SELECT pg_advisory_xact_lock(hashtextextended('limits', :guild))", guild=guild)


PostgresWork = Callable[[PostgresTransaction], Coroutine[Any, Any, T]]


class PostgresDatabase(Database):
    """Connections to read and to write, behind a fence."""

    dialect = DIALECT

    def __init__(self, address: Address, pool: Pool, fence: Fence) -> None:
        self.address = address
        self.fence = fence
        self.overtaken = asyncio.Event()
        self._pool = pool
        self._lanes: WeakValueDictionary[int, asyncio.Lock] = WeakValueDictionary()
        self._under_way = BackgroundTasks(_log_lost_error)
        self._finished = False
        self._closed = False

    # Reading

    async def read(self, sql: str, **values: object) -> list[Row]:
        return await self._retry_read(lambda db: rows_of(db, _translate(sql), values))

    async def snapshot(self, work: Work[T]) -> T:

        async def looked(db: Connection) -> T:
            async with db.transaction():
                await db.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
                return await work(PostgresTransaction(db, self.fence))

        return await self._retry_read(looked)

    async def _retry_read(self, work: Callable[[Connection], Awaitable[T]]) -> T:
        """Read; once more if the connection was lost meanwhile, as when the server was restarted."""
        if self._closed:
            raise _over()
        with translate_errors(self.address):
            try:
                return await self._connected(work)
            except psycopg.OperationalError as error:
                if not is_connection_lost(error):
                    raise
            return await self._connected(work)

    async def _connected(self, work: Callable[[Connection], Awaitable[T]]) -> T:
        async with self._pool.connection() as db:
            return await work(db)

    # Writing

    async def write(self, work: Work[T], table: int | None = None) -> T:

        async def fenced(tx: PostgresTransaction) -> T:
            await tx.require_heartbeat()
            return await work(tx)

        return await self._ordered(lambda: self._transaction(fenced), table)

    async def write_unfenced(self, work: PostgresWork[T]) -> T:
        """Do the same without the fence, to renew and change leases, also once ours have expired."""
        return await self._ordered(lambda: self._transaction(work), None, fenced=False)

    async def _transaction(self, work: PostgresWork[T]) -> T:
        async with self._pool.connection() as db, db.transaction():
            return await work(PostgresTransaction(db, self.fence))

    async def send(self, statements: Sequence[str], table: int, **values: object) -> list[list[Row]]:
        """Return the rows of each of some statements in psycopg's form, sent in one trip, once they are committed. The
        first one writes to a table and checks the fence (see `SERVED`); the others read the result.
        """
        values = {**values, "table": table, **self.fence.values()}

        async def together(db: Connection) -> list[list[Row]]:
            if len(statements) == 1:
                return [await rows_of(db, statements[0], values)]
            async with db.pipeline():  # one transaction to the server, without asking
                cursors = [await db.execute(sql, values) for sql in statements]
            return [await cursor.fetchall() for cursor in cursors]

        return await self._ordered(lambda: self._connected(together), table)

    async def _ordered(self, work: Callable[[], Awaitable[T]], table: int | None, *, fenced: bool = True) -> T:
        if self._finished:
            raise _over()
        return await self._under_way.see_through(self._write(work, table, fenced), "store-write")

    async def _write(self, work: Callable[[], Awaitable[T]], table: int | None, fenced: bool) -> T:
        lane = asyncio.Lock() if table is None else self._lanes.setdefault(table, asyncio.Lock())
        async with lane:
            if fenced and self.fence.expired():
                raise self.fence.refusal()
            for left in reversed(range(TRIES)):
                try:
                    with translate_errors(self.address):
                        try:
                            return await work()
                        except _TAKEN_BACK:
                            if not left:
                                raise
                except DatabaseTakenOver:
                    self.overtaken.set()
                    raise
        raise AssertionError("the last try returns or raises")

    async def finish(self) -> None:
        """Wait until all writes are committed, and accept no more."""
        self._finished = True
        await self._under_way.settle()

    async def close(self) -> None:
        """Finish, and answer nothing more."""
        await self.finish()
        self._closed = True
        await self._pool.close()


def _over() -> StoreError:
    return StoreError("The store is closed: start the bot again to go on.")


def _log_lost_error(_: str, error: BaseException) -> None:
    """Log an error that nobody else sees."""
    log.error("a write failed after its caller had gone: %s", error)


async def rows_of(db: Connection, sql: str, values: Mapping[str, object]) -> list[Row]:
    """Return the rows of a query."""
    return await (await db.execute(sql, values)).fetchall()


@lru_cache(maxsize=256)
def _translate(sql: str) -> str:
    """Return a statement of the query layer as psycopg takes it."""

    def among(found: re.Match[str]) -> str:
        return f"<> ALL (:{found[2]})" if found[1] else f"= ANY (:{found[2]})"

    return _NAME.sub(r"%(\1)s", _LIST.sub(among, sql.replace("%", "%%")))
