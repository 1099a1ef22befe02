"""A few connections to one PostgreSQL database, made when they are needed and given up when they break.

Small on purpose: a connection that the server closed while nobody used it is noticed before it is used again, and a
server that is away is asked again soon, by whoever needs it, not by everybody at once and not ever more seldom. May
import psycopg, the standard library and its neighbours.
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
"""So many connections at the most. PostgreSQL commits what they ask for at the same time in one sync."""

IDLE_TRANSACTION_MS = 5_000
"""After so long in a transaction without a word the server takes it back."""

RETRY_AFTER_S = 0.5
"""A server that could not be reached is not asked again before that."""


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
        """Give a connection that is in no transaction, and takes each statement for one of its own. Raises
        `Unreachable`, and `DatabaseLocked` if none becomes free in time.
        """
        try:
            async with asyncio.timeout(PATIENCE_S):
                await self._free.acquire()
        except TimeoutError:
            raise DatabaseLocked(f"The database {self._address} is busy: try again in a moment.") from None
        try:
            connection = self._rested() or await self._connected()
            try:
                yield connection
            finally:
                await self._give_back(connection)
        finally:
            self._free.release()

    def _rested(self) -> Connection | None:
        while self._idle:
            connection = self._idle.pop()
            # Nothing is sent to a connection at rest but that it is being closed.
            if not connection.closed and not _speaks(connection):
                return connection
            connection.pgconn.finish()
        return None

    async def _connected(self) -> Connection:
        now = asyncio.get_running_loop().time()
        if self._away is not None and now < self._away[0]:
            raise Unreachable(str(self._away[1]))  # who asks meanwhile is not kept waiting
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
        """Close what is at rest, and from now on whatever is given back."""
        self._closed = True
        while self._idle:
            await self._idle.pop().close()


async def connect(address: Address) -> Connection:
    """Return a new connection; a caller that is cancelled leaves none open. Raises `Unreachable` or another
    `StoreError`.
    """
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
    """Tell the server what it needs to know of a connection.

    Statements are prepared in the server, which saves a third of their time, only if nothing sits in between: a pooler
    such as PgBouncer hands each transaction to any server connection, where they may be unknown, or another's.
    """
    # A process that stands still in the middle of a transaction is not to keep others from the same rows.
    patience = f"set_config('idle_in_transaction_session_timeout', '{IDLE_TRANSACTION_MS}', false)"
    cursor = await connection.execute(f"SELECT pg_backend_pid(), {patience}")
    answer = await cursor.fetchone()
    if answer is not None and answer[0] == connection.info.backend_pid:
        connection.prepare_threshold = 2


def _speaks(connection: Connection) -> bool:
    poll = select.poll()
    poll.register(connection.fileno(), select.POLLIN | select.POLLHUP)
    return bool(poll.poll(0))
