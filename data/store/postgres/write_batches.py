"""Statements that write, sent together: what waits while others are on their way goes in one trip and one commit.

What is sent for a table is one statement that writes, and maybe one that reads what it left. Those of a batch are one
transaction to the server, so that it syncs once for all of them; if one of them fails, none has happened, and each is
sent alone. May import the standard library and its neighbours.
"""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from data.background import BackgroundTasks
from data.store.errors import StoreError
from data.store.postgres.errors import is_connection_lost
from data.store.postgres.pool import Connection, Pool

Rows = list[tuple[Any, ...]]

TOGETHER = 64
"""So many statements go in one batch at the most."""

UNDER_WAY = 2
"""So many batches are on their way at once: while one is being synced, the next is being worked out."""


@dataclass(frozen=True)
class _Waiting:
    statements: Sequence[str]
    values: Mapping[str, object]
    table: int
    done: "asyncio.Future[list[Rows]]"


class Batches:
    """Statements on their way to the server."""

    def __init__(self, pool: Pool) -> None:
        self._pool = pool
        self._waiting: list[_Waiting] = []
        self._senders = BackgroundTasks()

    async def send(self, statements: Sequence[str], values: Mapping[str, object], table: int) -> list[Rows]:
        """Return the rows of each of some statements, of which the first writes to a table, once it is committed.
        Raises what the driver does, or a `StoreError` without a connection.
        """
        waiting = _Waiting(statements, values, table, asyncio.get_running_loop().create_future())
        self._waiting.append(waiting)
        if len(self._senders.running) < UNDER_WAY:
            self._senders.spawn(self._send_all(), "store-sender")
        return await waiting.done

    async def _send_all(self) -> None:
        while self._waiting:
            batch, self._waiting = self._waiting[:TOGETHER], self._waiting[TOGETHER:]
            # In one order everywhere, so that two processes never wait for each other in a circle.
            batch.sort(key=lambda waiting: waiting.table)
            await self._send(batch)

    async def _send(self, batch: Sequence[_Waiting]) -> None:
        try:
            async with self._pool.connection() as db:
                answers = await _together(db, batch)
        except Exception as error:
            if len(batch) > 1 and not isinstance(error, StoreError) and not is_connection_lost(error):
                for waiting in batch:
                    await self._send([waiting])
                return
            for waiting in batch:
                waiting.done.set_exception(error)
            return
        for waiting, rows in zip(batch, answers, strict=True):
            waiting.done.set_result(rows)


async def _together(db: Connection, batch: Sequence[_Waiting]) -> list[list[Rows]]:
    first = batch[0]
    if len(batch) == 1 == len(first.statements):
        return [[await (await db.execute(first.statements[0], first.values)).fetchall()]]
    # One that fails before it is sent keeps what was sent before it from being committed, as does one that is refused:
    # a connection that is left in the middle of its transaction is closed.
    async with db.pipeline():
        await db.execute("BEGIN")
        cursors = [[await db.execute(sql, waiting.values) for sql in waiting.statements] for waiting in batch]
        await db.execute("COMMIT")
    return [[await cursor.fetchall() for cursor in each] for each in cursors]
