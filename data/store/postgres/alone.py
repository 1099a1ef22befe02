"""One bot on a PostgreSQL database: a second one is kept off. May import psycopg, the standard library and its
neighbours.
"""

from contextlib import suppress

import psycopg

from data.store.errors import InUse
from data.store.postgres.address import Address
from data.store.postgres.database import rows_of
from data.store.postgres.errors import came_apart, told
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


class Alone:
    """The lock that the bot of a database holds, on a connection of its own.

    It is held by a transaction, which also a pooler leaves to one client; the server lets go of it when the connection
    ends, however it does. A bot that lost it with its server takes it again as soon as it can, if no other was first.
    """

    def __init__(self, address: Address) -> None:
        self._address = address
        self._db: Connection | None = None

    async def hold(self) -> None:
        """Take the lock, or make sure that it is still ours. Raises `InUse` if another bot has it, or `Unreachable`."""
        with told(self._address):
            if self._db is not None:
                try:
                    await self._db.execute("SELECT 1")
                    return
                except psycopg.OperationalError as error:
                    if not came_apart(error):
                        raise
                    await self.let_go()
            self._db = await connect(self._address)
            await self._db.execute("BEGIN")
            for name, value in _PATIENCE:
                await self._db.execute(f"SET LOCAL {name} = {value}")
            if await rows_of(self._db, "SELECT pg_try_advisory_xact_lock(%(lock)s)", {"lock": LOCK}) == [(True,)]:
                return
        await self.let_go()
        raise InUse(
            f"Another bot is running on the database {self._address}: stop it first, or set DATABASE to another one."
        )

    async def let_go(self) -> None:
        """Give the lock to whoever comes next."""
        db, self._db = self._db, None
        if db is not None:
            with suppress(psycopg.Error):
                await db.close()
