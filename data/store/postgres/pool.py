"""A few connections to one PostgreSQL database. Unlike `psycopg_pool`, this notices without asking that the server has
closed an idle connection, and fails at once if the server is away: a click is answered within two seconds.
"""

import asyncio
import select
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from typing import Any

import psycopg
from psycopg.pq import TransactionStatus

from data.store.errors import DatabaseLocked, Unreachable
from data.store.postgres.address import PATIENCE_S, Address
from data.store.postgres.errors import translate_error

Connection = psycopg.AsyncConnection[tuple[Any, ...]]

SIZE = 8
"""The most connections. PostgreSQL commits what they ask for at the same time in one sync."""

IDLE_TRANSACTION_MS = 5_000
"""The server rolls back a transaction that is idle for this long."""

RETRY_AFTER_S = 0.5
"""A server that could not be reached is not asked again for this long."""


class Pool:
    """Connections to one database, each for one caller at a time."""

    def __init__(self, address: Address) -> None:
        self._address = address
        self._free = asyncio.Semaphore(SIZE)
        self._idle: list[Connection] = []
        self._away: tuple[float, Unreachable] | None = None
        self._closed = False

    @asynccontextmanager
    async def connection(self) -> AsyncIterator[Connection]:
        """Yield a connection in autocommit mode. Raises `Unreachable`, or `DatabaseLocked` if none becomes free."""
        try:
            async with asyncio.timeout(PATIENCE_S):
                await self._free.acquire()
        except TimeoutError:
            raise DatabaseLocked(f"The database {self._address} is busy: try again in a moment.") from None
        try:
            connection = self._idle_connection() or await self._connected()
            try:
                yield connection
            finally:
                await self._give_back(connection)
        finally:
            self._free.release()

    def _idle_connection(self) -> Connection | None:
        while self._idle:
            connection = self._idle.pop()
            # The only thing that the server sends to an idle connection is that it closes it.
            if not connection.closed and not _is_readable(connection):
                return connection
            connection.pgconn.finish()
        return None

    async def _connected(self) -> Connection:
        now = asyncio.get_running_loop().time()
        if self._away is not None and now < self._away[0]:
            raise Unreachable(str(self._away[1]))  # without trying again
        try:
            connection = await connect(self._address)
        except Unreachable as error:
            self._away = (now + RETRY_AFTER_S, error)
            raise
        self._away = None
        return connection

    async def _give_back(self, connection: Connection) -> None:
        if connection.info.transaction_status is TransactionStatus.IDLE and not self._closed:
            self._idle.append(connection)
        else:
            with suppress(psycopg.Error):
                await connection.close()

    async def close(self) -> None:
        """Close idle connections now, and the others when they are given back."""
        self._closed = True
        while self._idle:
            await self._idle.pop().close()


async def connect(address: Address) -> Connection:
    """Return a new connection; if the caller is cancelled, none is left open. Raises `StoreError`."""
    try:
        connection = await Connection.connect(address.conninfo, autocommit=True, prepare_threshold=None)
        try:
            await _set_up(connection)
        except BaseException:
            await connection.close()
            raise
    except psycopg.Error as error:
        raise translate_error(error, address) from error
    return connection


async def _set_up(connection: Connection) -> None:
    """Configure a connection. Statements are prepared in the server, which saves a third of their time, unless a pooler
    such as PgBouncer gives each transaction another server connection.
    """
    # A process that is suspended in the middle of a transaction must not keep others from the same rows.
    patience = f"set_config('idle_in_transaction_session_timeout', '{IDLE_TRANSACTION_MS}', false)"
    cursor = await connection.execute(f"SELECT pg_backend_pid(), {patience}")
    answer = await cursor.fetchone()
    if answer is not None and answer[0] == connection.info.backend_pid:
        connection.prepare_threshold = 2


def _is_readable(connection: Connection) -> bool:
    if not hasattr(select, "poll"):  # Windows
        return bool(select.select([connection.fileno()], [], [], 0)[0])
    poll = select.poll()
    poll.register(connection.fileno(), select.POLLIN | select.POLLHUP)
    return bool(poll.poll(0))
