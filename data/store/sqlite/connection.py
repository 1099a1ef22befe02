"""A connection to SQLite that has a thread of its own."""

import sqlite3
from collections.abc import Awaitable, Callable
from typing import TypeVar

import aiosqlite

from data.store.errors import StoreError

T = TypeVar("T")


class Connection(aiosqlite.Connection):
    """An aiosqlite connection that also runs a whole function in its thread.

    A transaction of many statements then costs one trip to the thread and back instead of one a statement, and nothing
    can come between them. aiosqlite offers the same to its own methods only, as `_execute`.
    """

    def __init__(self, connect: Callable[[], sqlite3.Connection]) -> None:
        super().__init__(connect, iter_chunk_size=64)

    async def run(self, work: Callable[[sqlite3.Connection], T]) -> T:
        """Return the result of `work`. It runs to its end even if the caller is cancelled. Raises `StoreError` once the
        connection is closed, and what `work` raises.
        """
        if self._connection is None:
            raise StoreError("The store is closed: start the bot again to go on.")
        execute: Callable[..., Awaitable[T]] = self._execute
        return await execute(work, self._connection)
