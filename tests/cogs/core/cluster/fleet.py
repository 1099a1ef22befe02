"""Several bot processes simulated in one, each with its own client and store, on one sandbox and one database.

No lease is renewed and no shard is taken until the test does it.
"""

import asyncio
import contextlib
import contextvars
from dataclasses import dataclass
from typing import Any

import discord
import pytest

import bot
from cogs.core.app.client import Cellblock
from cogs.core.ops.config import Config
from cogs.core.tables.bot_workers import BotWorkers
from cogs.registry import GAMES
from data.store import Store
from sandbox import PATIENCE_S, Channel, Guild, Sandbox, UserClient
from sandbox.world.clock import snowflake_at
from tools.harness.bot_harness import table_messages
from tools.harness.environment import SERVING, ManualClock, settle, shipped
from tools.harness.raw_database import Raw

_BASE = contextvars.ContextVar[str]("BASE")
"""The path prefix of a process's calls, by which the sandbox tells processes apart."""


@dataclass
class Process:
    """A simulated process."""

    name: str
    client: Cellblock
    connection: "asyncio.Task[None]"
    stack: contextlib.AsyncExitStack
    context: contextvars.Context

    @property
    def store(self) -> Store:
        return self.client.store

    @property
    def serves(self) -> set[int]:
        """The shards whose tables it serves."""
        return set(self.client.leases.sessions.serving)


class Fleet:
    """A server on each of the shards, with a channel and two people; and the processes."""

    def __init__(self, sandbox: Sandbox, url: str, monkeypatch: pytest.MonkeyPatch, shards: int = 2) -> None:
        self.sandbox = sandbox
        self.url = url
        self.raw = Raw(url)
        self.clock = ManualClock(sandbox)
        self.steady = 0.0
        monkeypatch.setattr(discord.http.Route, "BASE", property(lambda route: _BASE.get()))
        self.guilds: list[Guild] = []
        self.yards: list[Channel] = []
        self.shards = shards
        for shard, name in enumerate(("Alcatraz", "Rikers", "Elba")[:shards]):
            ids = (snowflake_at(1_735_776_000_000 + ms) for ms in range(shards))
            guild = sandbox.add_guild(name, next(one for one in ids if (int(one) >> 22) % shards == shard))
            self.guilds.append(guild)
            self.yards.append(sandbox.add_channel(guild, "yard"))
        self.ann: UserClient = sandbox.add_person("Ann", self.guilds[0], administrator=True)
        self.ben: UserClient = sandbox.add_person("Ben", self.guilds[0])
        for person in (self.ann, self.ben):
            for guild in self.guilds[1:]:
                sandbox.join(person, guild)
        self.processes: list[Process] = []
        self.raw("CREATE TABLE hands (at bigint)")
        self.raw("INSERT INTO hands VALUES (1000000)")
        clock = "CREATE OR REPLACE FUNCTION now_ms() RETURNS bigint LANGUAGE sql VOLATILE"
        self.raw(f"{clock} AS 'SELECT at FROM public.hands'")

    async def start(self, name: str, **config: Any) -> Process:
        """Start a process, and return when it has connected."""
        context = contextvars.copy_context()
        context.run(_BASE.set, self.sandbox.api_of(name))
        return await asyncio.create_task(self._start(name, context, config), context=context)

    async def _start(self, name: str, context: contextvars.Context, config: dict[str, Any]) -> Process:
        settings = Config(None, self.url, **{"own_emoji": False, "shard_count": self.shards, **config})
        stack = contextlib.AsyncExitStack()
        running = bot.running(settings, self.clock, BotWorkers(0, steps=40), GAMES, lambda: self.steady, shipped())
        client = await stack.enter_async_context(running)
        connection = asyncio.create_task(client.start(self.sandbox.token))
        process = Process(name, client, connection, stack, context)
        here = asyncio.create_task(client.wait_until_ready())
        await asyncio.wait({here, connection}, return_when=asyncio.FIRST_COMPLETED, timeout=PATIENCE_S)
        here.cancel()
        if connection.done():
            await stack.aclose()
            connection.result()
        self.processes.append(process)
        await self.settle(process)
        return process

    async def end(self, process: Process) -> None:
        """Stop a process cleanly."""
        self.processes.remove(process)
        await process.client.close()
        await process.stack.aclose()
        process.connection.cancel()
        await asyncio.wait({process.connection}, timeout=PATIENCE_S)

    async def close(self) -> None:
        for process in [*self.processes]:
            await self.end(process)

    def advance(self, ms: int) -> None:
        """Move all clocks forward."""
        self.raw(f"UPDATE hands SET at = at + {ms}")
        self.steady += ms / 1_000
        self.clock.advance(ms)

    async def step(self, *processes: Process) -> None:
        """Let processes manage their shards, and wait for what follows.

        Time passes after a hand-over, so that clicks go to the successor.
        """
        for process in processes:
            before = process.serves
            await asyncio.create_task(process.client.leases.step(), context=process.context)
            await self.settle(process)
            if before - process.serves:
                self.clock.advance(1)

    async def settle(self, *processes: Process) -> None:
        """Wait until everything that was set going is done."""
        while serving := [task for task in asyncio.all_tasks() if task.get_name().startswith((*SERVING, "linger-"))]:
            await asyncio.wait(serving)
        for process in processes or self.processes:
            leases = process.client.leases
            for shard in leases.sessions.numbers:
                await self.sandbox.until(lambda shard=shard, leases=leases: shard in leases.sessions.connected)  # type: ignore[misc]
            for _ in range(2):  # due jobs start what is awaited
                await process.client.tables.scheduler.idle()
                await settle(process.client)

    async def until(self, process: Process, shards: set[int]) -> None:
        """Let a process take free shards until it serves these."""
        for _ in range(5):
            if process.serves == shards:
                return
            await self.step(process)
        raise AssertionError(f"{process.name} serves {process.serves}")

    def board(self, shard: int = 0) -> dict[str, Any]:
        """Return the newest table message on the server of a shard."""
        return table_messages(self.sandbox, self.yards[shard])[-1]
