"""The store in a PostgreSQL database. May import `engine.contract`, the standard library and its neighbours."""

from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path

from data.store.errors import InUse, Overtaken, StoreError
from data.store.postgres.address import Address, read_address
from data.store.postgres.alone import Alone
from data.store.postgres.attempts import PostgresAttempts
from data.store.postgres.database import Database, rows_of
from data.store.postgres.errors import told
from data.store.postgres.games import PostgresGames
from data.store.postgres.growth import FOLDER, migrate, pending, read_migrations
from data.store.postgres.leaderboards import PostgresLeaderboards
from data.store.postgres.notices import PostgresNotices
from data.store.postgres.office import PostgresOffice
from data.store.postgres.people import PostgresPeople
from data.store.postgres.pool import Connection, Pool, connect
from data.store.postgres.records import PostgresRecords
from data.store.postgres.tables import PostgresMentions, PostgresSeats, PostgresTables
from data.store.runs import Run
from data.store.store import Store
from engine.contract import Moment

OLDEST = 120_000
"""PostgreSQL 12: generated columns."""


class PostgresStore(Store):
    """The store over one open database."""

    def __init__(self, database: Database, alone: Alone, notices: PostgresNotices, runs: Sequence[Run]) -> None:
        super().__init__(runs)
        self._alone = alone
        self.database = database
        self.overtaken = database.overtaken
        self.tables = PostgresTables(database)
        self.mentions = PostgresMentions(database)
        self.records = PostgresRecords(database)
        self.leaderboards = PostgresLeaderboards(database, self.records)
        self.seats = PostgresSeats(database, self.leaderboards.stirred.set)
        self.games = PostgresGames(database, self.leaderboards.stirred.set)
        self.office = PostgresOffice(database)
        self.people = PostgresPeople(database, self.leaderboards.stirred.set)
        self.attempts = PostgresAttempts(database)
        self.notices = notices

    async def beat(self, at: Moment) -> None:
        """Take note that the bot is alive, and keep others off the database. Raises `Overtaken` if one has come."""
        try:
            await self._alone.hold()
        except InUse as error:
            self.overtaken.set()
            raise Overtaken(str(error)) from error
        sql = "UPDATE runs SET alive_at = greatest(alive_at, %(at)s) WHERE id = %(ours)s"
        await self.database.change(sql, at=at, ours=self.run)


async def _nobody(guild: int) -> int | None:
    """Return whose a server is besides us: one bot runs on a database."""
    return None


@asynccontextmanager
async def open_postgres(
    url: str, *, now: Callable[[], Moment], migrations: Path = FOLDER
) -> AsyncIterator[PostgresStore]:
    """Give the store of the database at `url`: see `Store.open`. Raises any `StoreError` but `Conflict`; then the
    database is as it was.
    """
    address, steps = read_address(url), read_migrations(migrations)
    async with AsyncExitStack() as stack:
        alone = Alone(address)
        stack.push_async_callback(alone.let_go)
        await alone.hold()
        db = await connect(address)
        try:
            with told(address):
                await _check(db, address)
                await pending(db, steps, address)
                at = now()
                await migrate(db, steps, address, at)
                runs = await _begin_run(db, at)
        finally:
            await db.close()
        database = Database(address, Pool(address), runs[-1].id)
        stack.push_async_callback(database.close)
        notices = PostgresNotices(database, database.run, _nobody)
        stack.push_async_callback(notices.close)
        yield PostgresStore(database, alone, notices, runs)


async def _check(db: Connection, address: Address) -> None:
    """Make sure that the server can keep what it acknowledges. Raises `StoreError`."""
    if db.info.server_version < OLDEST:
        raise StoreError(f"The server of the database {address} is older than PostgreSQL 12: update it.")
    ((encoding,),) = await rows_of(db, "SELECT current_setting('server_encoding')", {})
    if encoding != "UTF8":
        raise StoreError(f"The database {address} is in {encoding}: make one with createdb -E UTF8 -T template0.")
    ((commits,),) = await rows_of(db, "SELECT current_setting('synchronous_commit')", {})
    if commits == "off":
        raise StoreError(
            f"The server of the database {address} acknowledges what it has not written yet: set synchronous_commit on."
        )


async def _begin_run(db: Connection, at: Moment) -> list[Run]:
    """Note that a run begins; return all of them, the first one first."""
    async with db.transaction():
        await rows_of(db, "INSERT INTO runs (started_at, alive_at) VALUES (%(at)s, %(at)s) RETURNING id", {"at": at})
        return [Run(*row) for row in await rows_of(db, "SELECT id, started_at, alive_at FROM runs ORDER BY id", {})]
