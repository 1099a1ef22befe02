"""Two bot processes on one sandbox and one PostgreSQL: the real client twice, in the test process.

There are two shards. The test server is on the second one; direct messages arrive on the first one.
"""

import asyncio
from collections.abc import Callable
from contextlib import AsyncExitStack
from typing import Any

import bot
from cogs.core.app.client import Cellblock
from cogs.core.app.cluster_events import ClusterEvents
from cogs.core.ops.config import Config
from cogs.core.tables.bot_workers import BotWorkers
from data.store import Store
from data.store.cluster_notices import Notice, SettingsChanged
from sandbox import PATIENCE_S, Sandbox
from tools.harness.bot_harness import BotHarness
from tools.harness.environment import ManualClock, connected, settle, shipped
from tools.harness.raw_database import Raw

SHARDS = 2


class NoticeRecorder:
    """Records the notices that a process receives."""

    def __init__(self, listener: ClusterEvents) -> None:
        self._listener = listener
        self.muted = False
        self.received: list[Notice] = []
        self._more = asyncio.Event()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._listener, name)

    def __call__(self, notice: Notice) -> None:
        self.received.append(notice)
        if not self.muted:
            self._listener(notice)
        self._more.set()

    async def until(self, notice: Notice) -> None:
        async with asyncio.timeout(PATIENCE_S):
            while notice not in self.received:
                self._more.clear()
                await self._more.wait()


class Process:
    """One process: its client, and its open contexts."""

    def __init__(self, sandbox: Sandbox, url: str, clock: ManualClock, shard: int) -> None:
        self._sandbox = sandbox
        self._url = url
        self._clock = clock
        self.shard = shard
        self.client: Cellblock
        self.notices: NoticeRecorder
        self._open: AsyncExitStack | None = None

    @property
    def store(self) -> Store:
        return self.client.store

    async def start(self, games: Any, here: Callable[[Cellblock], bool]) -> None:
        """Take the shard and connect."""
        await self.join(games)
        await self.client.leases.step()  # the first one takes the first shard, the second one the other
        await self._sandbox.until(lambda: here(self.client), timeout=PATIENCE_S)
        assert set(self.store.shards.held) == {self.shard}

    async def join(self, games: Any) -> None:
        """Start without a shard."""
        async with AsyncExitStack() as stack:
            config = Config(None, self._url, own_emoji=False, shards=1, shard_count=SHARDS)
            running = bot.running(config, self._clock, BotWorkers(0, steps=40), games, lambda: 0.0, shipped())
            self.client = await stack.enter_async_context(running)
            client: Any = self.client
            self.notices = client.cluster_events = NoticeRecorder(client.cluster_events)
            await stack.enter_async_context(connected(self.client, self._sandbox))
            await self._sandbox.until(self.client.is_ready, timeout=PATIENCE_S)
            self._open = stack.pop_all()

    async def stop(self) -> None:
        if self._open is not None:
            stack, self._open = self._open, None
            await stack.aclose()


class TwoProcesses(BotHarness):
    """A harness with two processes: `far` serves the server, and `near` gets direct messages.

    As a `BotHarness` it is the far one, which shows everything public.
    """

    def __init__(self, sandbox: Sandbox, url: str) -> None:
        super().__init__(sandbox, url)
        self._url = url
        while self.guild.shard(SHARDS) != 1:
            sandbox.move_clock(1)
            self.guild = sandbox.add_guild("Alcatraz")
        self.yard = sandbox.add_channel(self.guild, "yard")
        self.ann = sandbox.add_person("Ann", self.guild, administrator=True)
        self.ben = sandbox.add_person("Ben", self.guild)
        self.cleo = sandbox.add_person("Cleo", self.guild)
        self.near, self.far = (Process(sandbox, url, self.clock, shard) for shard in range(SHARDS))
        self._markers = 0
        # Tests may be slow: no process counts as dead.
        clock = "CREATE OR REPLACE FUNCTION now_ms() RETURNS bigint LANGUAGE sql VOLATILE"
        Raw(url)(f"{clock} AS 'SELECT 1000000::bigint'")

    async def start(self, **config: object) -> None:
        await self.near.start(self.games, lambda client: 0 in client.leases.sessions.serving)
        await self.far.start(self.games, lambda client: 1 in client.leases.sessions.serving)
        for process in (self.near, self.far):
            await process.store.shards.refresh()
        self.client = self.far.client

    async def stop(self) -> None:
        await self.near.stop()
        await self.far.stop()

    async def hand_over(self) -> None:
        """Let another process take over from the far one, which stops."""
        await self.settle()
        before, after = self.far, Process(self.sandbox, self._url, self.clock, 1)
        await after.join(self.games)
        draining = asyncio.create_task(before.client.hand_over())
        await self.sandbox.until(lambda: before.client.leases.stopping, timeout=PATIENCE_S)
        async with asyncio.timeout(PATIENCE_S):
            while 1 not in after.client.leases.sessions.serving:
                await after.client.leases.step()
                await before.client.leases.step()
                await asyncio.sleep(0.01)
        await draining
        await before.stop()
        self.clock.advance(1)  # later events go to the successor
        self.far, self.client = after, after.client
        await self.near.store.shards.refresh()
        await self.settle()

    async def exchange_notices(self) -> None:
        """Wait until each process has received all notices of the other."""
        for sender, receiver in ((self.near, self.far), (self.far, self.near)):
            self._markers += 1
            marker = SettingsChanged(self._markers)  # no server has this number
            sender.store.notices.tell(marker)
            await receiver.notices.until(marker)

    async def settle(self) -> None:
        """Wait until both have served all requests, exchanged notices, and shown the results."""
        for _ in range(3):
            await super().settle()
            await settle(self.near.client)
            await self.exchange_notices()
            for process in (self.near, self.far):
                await process.client.tables.scheduler.idle()
        await super().settle()
        await settle(self.near.client)

    async def advance(self, ms: int) -> None:
        self.clock.advance(ms)
        for _ in range(3):
            await asyncio.sleep(0)
            for process in (self.near, self.far):
                await process.client.tables.scheduler.idle()
            await self.settle()
