"""What is written together: that nothing waits for others that have been sent already."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any, cast

from data.store.postgres.pool import Pool
from data.store.postgres.write_batches import UNDER_WAY, Batches, Rows


class Server:
    """What the statements are sent to: a pool, a connection and an answer in one. It answers once the door is open."""

    def __init__(self) -> None:
        self.door = asyncio.Event()
        self._asked = asyncio.Event()

    @asynccontextmanager
    async def connection(self) -> AsyncIterator["Server"]:
        yield self

    async def asked(self) -> None:
        """Return when a statement has come in since the last time."""
        await self._asked.wait()
        self._asked.clear()

    async def execute(self, sql: str, values: object) -> "Server":
        self._asked.set()
        await self.door.wait()
        return self

    async def fetchall(self) -> list[tuple[Any, ...]]:
        return [("written",)]


async def test_what_comes_in_the_moment_the_last_batches_have_gone_is_sent_too():
    server = Server()
    batches = Batches(cast(Pool, server))
    before = list[asyncio.Task[list[Rows]]]()
    for table in range(UNDER_WAY):
        before.append(asyncio.create_task(batches.send(["UPDATE"], {}, table)))
        await server.asked()  # each goes alone, before the next one comes

    async def last() -> list[Rows]:
        await server.door.wait()  # behind the batches, and so in the same turn of the loop in which they end
        return await batches.send(["UPDATE"], {}, UNDER_WAY)

    late = asyncio.create_task(last())
    await asyncio.sleep(0)
    server.door.set()
    async with asyncio.timeout(5):
        assert await late == [[("written",)]]
    assert [await each for each in before] == [[[("written",)]]] * UNDER_WAY
