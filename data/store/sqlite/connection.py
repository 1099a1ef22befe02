"""A connection to SQLite that has its own thread."""

import sqlite3
from collections.abc import Awaitable, Callable
from typing import TypeVar

import aiosqlite

from data.store.errors import StoreError

T = TypeVar("T")


class Connection(aiosqlite.Connection):
    """An aiosqlite connection that also runs a whole function in its thread: a transaction of many statements costs one
    trip there and back. aiosqlite offers this to its own methods only, as `_execute`.
    """

    def __init__(self, connect: Callable[[], sqlite3.Connection]) -> None:
        super().__init__(connect, iter_chunk_size=64)

    async def run(self, work: Callable[[sqlite3.Connection], T]) -> T:
        """Return the result of `work`, which runs to its end even if the caller is cancelled. Raises `StoreError` once
        the connection is closed.
        """
        if self._connection is None:
            raise StoreError("The store is closed: start the bot again.")
        execute: Callable[..., Awaitable[T]] = self._execute
        return await execute(work, self._connection)
