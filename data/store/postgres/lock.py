"""The lock on a PostgreSQL database: for one bot alone, or shared by several processes of it."""

import asyncio
from contextlib import suppress

import psycopg

from data.store.errors import DatabaseLocked
from data.store.postgres.address import PATIENCE_S, Address
from data.store.postgres.database import rows_of
from data.store.postgres.errors import is_connection_lost, translate_errors
from data.store.postgres.pool import Connection, connect

LOCK = 0x43656C6C
"""The number of the lock: "Cell"."""

_PATIENCE = (
    ("idle_in_transaction_session_timeout", 0),
    ("tcp_keepalives_idle", 10),
    ("tcp_keepalives_interval", 3),
    ("tcp_keepalives_count", 3),
)
"""The server must not end the idle transaction, but notice soon if the machine of a bot has failed."""


class Lock:
    """The lock of a bot on its database: exclusive, or `shared` with other processes of it.

    It is held by a transaction on a separate connection, which even a pooler leaves to one client; the server
    releases it when the connection ends. A bot that lost it with its server takes it again, unless another was first.
    """

    def __init__(self, address: Address, *, shared: bool = False) -> None:
        self._address = address
        self._shared = shared
        self._db: Connection | None = None

    async def hold(self) -> None:
        """Take the lock, or check that it is still ours. Raises `DatabaseLocked` or `Unreachable`."""
        if not await self.take(shared=self._shared):
            raise DatabaseLocked(
                f"Another bot is running on the database {self._address}: stop it first, or set DATABASE to another "
                "one."
            )

    async def take(self, *, shared: bool) -> bool:
        """Do the same, with either kind of lock; return whether it is ours. Raises `Unreachable`."""
        with translate_errors(self._address):
            if self._db is not None:
                try:
                    await self._db.execute("SELECT 1")
                    return True
                except psycopg.OperationalError as error:
                    if not is_connection_lost(error):
                        raise
                    await self.release()
            self._db, ours = await connect(self._address), False
            try:
                await self._db.execute("BEGIN")
                for name, value in _PATIENCE:
                    await self._db.execute(f"SET LOCAL {name} = {value}")
                try_it = "pg_try_advisory_xact_lock_shared" if shared else "pg_try_advisory_xact_lock"
                ours = await rows_of(self._db, f"SELECT {try_it}(%(lock)s)", {"lock": LOCK}) == [(True,)]
            finally:
                if not ours:  # also if this was cancelled, or failed: a connection is kept only with the lock
                    await self.release()
        return ours

    async def release(self) -> None:
        """Release the lock."""
        db, self._db = self._db, None
        if db is not None:
            try:
                # The server notices the end of a connection a moment after us: the next bot may be faster.
                with suppress(psycopg.Error, TimeoutError):
                    async with asyncio.timeout(PATIENCE_S):
                        await db.execute("ROLLBACK")
            finally:
                with suppress(psycopg.Error):
                    await db.close()
