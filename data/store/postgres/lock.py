"""The lock on a PostgreSQL database: one bot alone, or several processes of it that know of each other. May import
psycopg, the standard library and its neighbours.
"""

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
"""The server is not to end the transaction because it rests, but to notice soon when the machine of a bot is gone."""


class Lock:
    """The lock that whoever plays over a database holds, on a connection of its own: to itself, or `shared` with others
    that share it too. Versions that know of no others hold it to themselves, and so does who carries a database over.

    It is held by a transaction, which also a pooler leaves to one client; the server lets go of it when the connection
    ends, however it does. A bot that lost it with its server takes it again as soon as it can, if no other was first.
    """

    def __init__(self, address: Address, *, shared: bool = False) -> None:
        self._address = address
        self._shared = shared
        self._db: Connection | None = None

    async def hold(self) -> None:
        """Take the lock, or make sure that it is still ours. Raises `DatabaseLocked` if another bot has it, or
        `Unreachable`.
        """
        if not await self.take(shared=self._shared):
            raise DatabaseLocked(
                f"Another bot is running on the database {self._address}: stop it first, or set DATABASE to another "
                "one."
            )

    async def take(self, *, shared: bool) -> bool:
        """The same, of either kind; return whether it is ours. Raises `Unreachable`."""
        with translate_errors(self._address):
            if self._db is not None:
                try:
                    await self._db.execute("SELECT 1")
                    return True
                except psycopg.OperationalError as error:
                    if not is_connection_lost(error):
                        raise
                    await self.let_go()
            self._db, ours = await connect(self._address), False
            try:
                await self._db.execute("BEGIN")
                for name, value in _PATIENCE:
                    await self._db.execute(f"SET LOCAL {name} = {value}")
                try_it = "pg_try_advisory_xact_lock_shared" if shared else "pg_try_advisory_xact_lock"
                ours = await rows_of(self._db, f"SELECT {try_it}(%(lock)s)", {"lock": LOCK}) == [(True,)]
            finally:
                if not ours:  # nor where this was cancelled, or failed: a connection is kept only with the lock
                    await self.let_go()
        return ours

    async def let_go(self) -> None:
        """Give the lock to whoever comes next."""
        db, self._db = self._db, None
        if db is not None:
            try:
                # The server notices the end of a connection a moment after us: who comes next may be faster.
                with suppress(psycopg.Error, TimeoutError):
                    async with asyncio.timeout(PATIENCE_S):
                        await db.execute("ROLLBACK")
            finally:
                with suppress(psycopg.Error):
                    await db.close()
