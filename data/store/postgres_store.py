"""The store in a PostgreSQL database."""

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from pathlib import Path

from data.store.downtime import Run
from data.store.errors import DatabaseLocked, DatabaseTakenOver, StoreError
from data.store.migrations import Migration
from data.store.postgres.address import Address, read_address
from data.store.postgres.cluster_notices import Notices
from data.store.postgres.database import Fence, PostgresDatabase, PostgresTransaction, rows_of
from data.store.postgres.errors import translate_errors
from data.store.postgres.heartbeat import register, register_alone
from data.store.postgres.lock import Lock
from data.store.postgres.migrate import FOLDER, migrate, pending, read_migrations
from data.store.postgres.pool import Connection, Pool, connect
from data.store.postgres.shards import Shards
from data.store.postgres.table_writes import PostgresGames, PostgresSeats, PostgresTables
from data.store.shards import ProcessInfo, steady_s
from data.store.store import Store
from engine.contract import Moment

OLDEST = 120_000
"""PostgreSQL 12, which has generated columns."""


WAITS_S = 5.0
"""How long a process waits for another one that is making the database, or about to leave it."""

ASKS_EVERY_S = 0.25

Steady = Callable[[], float]


class PostgresStore(Store):
    """The store over one open database."""

    def __init__(
        self,
        database: PostgresDatabase,
        lock: Lock,
        runs: Sequence[Run],
        shards: Shards | None,
        notices: Notices | None,
    ) -> None:
        super().__init__(database, runs, shards, notices)
        self.database = database
        self._lock = lock
        self.tables = PostgresTables(database)
        self.seats = PostgresSeats(database, self.leaderboards.changed.set)
        self.games = PostgresGames(database, self.leaderboards.changed.set)

    async def beat(self, at: Moment) -> None:
        """Record that the bot is alive, and keep others off the database. Raises `DatabaseTakenOver` if one came."""
        try:
            await self._lock.hold()
        except DatabaseLocked as error:
            self.overtaken.set()
            raise DatabaseTakenOver(str(error)) from error
        # A run that began by a clock that was ahead counts from when it was put right.
        await self.database.execute(
            "UPDATE runs SET alive_at = :at, started_at = least(started_at, :at)"
            " WHERE (alive_at < :at OR started_at > :at)"
            " AND id IN (SELECT run FROM leases WHERE process = :process)",
            at=at,
            process=self.database.fence.process,
        )


@asynccontextmanager
async def open_postgres(
    url: str,
    *,
    now: Callable[[], Moment],
    process_info: ProcessInfo | None = None,
    migrations: Path = FOLDER,
    steady: Steady = steady_s,
) -> AsyncIterator[PostgresStore]:
    """Yield the store of the database at `url`: see `open_store`. `steady` is the clock, in seconds, of our lease.
    Raises any `StoreError` but `Conflict`; then the database is as it was.
    """
    address, steps = read_address(url), read_migrations(migrations)
    async with AsyncExitStack() as stack:
        lock = Lock(address, shared=process_info is not None)
        stack.push_async_callback(lock.release)
        database = PostgresDatabase(address, Pool(address), Fence(address, exclusive=process_info is None))
        stack.push_async_callback(database.close)
        if process_info is None:
            await lock.hold()
        db = await connect(address)
        runs: Sequence[Run] = ()
        shards = notices = None
        try:
            with translate_errors(address):
                await _check(db, address)
                await pending(db, steps, address)
                at, tx = now(), PostgresTransaction(db, database.fence)
                if process_info is None:
                    await migrate(db, steps, address, at)
                    async with db.transaction():
                        process, runs = await register_alone(tx, ProcessInfo(), at)
                    database.fence.register(process, [runs[-1].id])
                else:
                    await _migrate_shared(db, lock, steps, address, at)
                    shards = ours = Shards(database, process_info, steady)
                    ours.process = await register(tx, process_info)
                    database.fence.register(ours.process, [0], lambda: ours.expired)
        finally:
            await db.close()
        if shards is None:
            stack.push_async_callback(_end_runs, database, now)
        else:
            await shards.refresh()
            stack.push_async_callback(_leave, shards, now)
            notices = Notices(database, shards.process, shards.owner_of)
            stack.push_async_callback(notices.close)
        yield PostgresStore(database, lock, runs, shards, notices)


async def _leave(shards: Shards, now: Callable[[], Moment]) -> None:
    """Give up what we hold at once. If that fails, the others have it when our lease expires."""
    with suppress(StoreError):
        await shards.leave(now())


async def _end_runs(database: PostgresDatabase, now: Callable[[], Moment]) -> None:
    """Record that the bot has stopped. If that fails, it looks like one that crashed."""
    with suppress(StoreError):
        served = "SELECT run FROM leases WHERE process = :process"
        sql = f"UPDATE runs SET stopped_at = :at WHERE id IN ({served})"
        await database.execute(sql, at=now(), process=database.fence.process)


async def _migrate_shared(db: Connection, lock: Lock, steps: Sequence[Migration], address: Address, at: Moment) -> None:
    """Migrate a database that others may have open, and take our share of its lock. Raises `DatabaseLocked` if a bot
    has it exclusively, or a process of another version uses it.
    """
    for left in reversed(range(int(WAITS_S / ASKS_EVERY_S))):
        behind = await pending(db, steps, address)
        if not behind:
            if await lock.take(shared=True):
                return
        elif await lock.take(shared=False):
            await migrate(db, steps, address, at)
            await lock.release()
            continue
        if left:
            await asyncio.sleep(ASKS_EVERY_S)
    if behind and await lock.take(shared=True):
        await lock.release()
        raise DatabaseLocked(
            f"The database {address} needs a migration for this version of the bot, but processes of another "
            "version are running on it: stop all of them first."
        )
    raise DatabaseLocked(
        f"A bot that shares it with nobody is running on the database {address}, as versions before this one do: stop "
        "it first, or set DATABASE to another one."
    )


async def _check(db: Connection, address: Address) -> None:
    """Check that the server can keep what it acknowledges. Raises `StoreError`."""
    if db.info.server_version < OLDEST:
        raise StoreError(f"The server of the database {address} is older than PostgreSQL 12: update it.")
    ((encoding,),) = await rows_of(db, "SELECT current_setting('server_encoding')", {})
    if encoding != "UTF8":
        raise StoreError(f"The database {address} is in {encoding}: make one with createdb -E UTF8 -T template0.")
    ((commits,),) = await rows_of(db, "SELECT current_setting('synchronous_commit')", {})
    if commits == "off":
        raise StoreError(
            f"The server of the database {address} acknowledges commits too early: set synchronous_commit on."
        )
