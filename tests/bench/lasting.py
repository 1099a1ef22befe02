"""What many tables cost: the start with 10,000 open ones, and the memory of one that sleeps or is awake."""

import asyncio
import gc
import logging
import tempfile
import time
import tracemalloc
from collections.abc import Iterator
from pathlib import Path

import msgspec

import bot
from cogs.core.owner.config import Config, point_at
from cogs.core.session.thinking import Thinkers
from cogs.core.session.timers import DiscordClock
from data.material import load_material
from data.store import NewTable, SeatRow, Store, TableChange
from data.store.games import Decided
from engine.chance import Chance, commitment
from engine.contract import Moment, write
from engine.games.rope_wall import GAME, RopeWallOptions
from sandbox import Sandbox
from tests.bench.budgets import judged
from tests.bench.clicks import place, running

OPEN = 10_000
AWAKE = 200

START_S, ASLEEP_BYTES, AWAKE_KB = 1.5, 1_024, 40
"""Budgets: the start with all of them, and the memory of a table."""


def _now() -> Moment:
    return Moment(time.time_ns() // 1_000_000)


async def fill(
    database: Path, guild: int, channel: int, users: tuple[int, int], tables: int, clock: int = 3_600
) -> None:
    """Write a database with so many games of the Rope Wall under way, each twenty moves old."""
    material, now = load_material(GAME), _now()
    assert isinstance(material, GAME.material)
    options = RopeWallOptions(clock=clock)
    async with Store.open(database, now=_now) as store:

        async def one() -> None:
            row = await store.tables.create(
                NewTable(GAME.key, guild, channel, users[0], msgspec.json.encode(options).decode(), now),
                [SeatRow(0, users[0], "Ann"), SeatRow(1, users[1], "Ben")],
            )
            seed = row.id.to_bytes(32, "big")
            await store.tables.update(row.id, TableChange(seed=seed, commitment=commitment(seed), started_at=now))
            chance = Chance(seed, str(row.id), 0)
            events = GAME.setup(2, options, material, now, chance)
            state = GAME.fold(events)
            for _ in range(20):
                turn = GAME.view(state, None).turn
                if turn is None:
                    break
                action = next(iter(GAME.legal(state, turn)))
                more = GAME.decide(state, turn, action, now, chance)
                state = GAME.fold(more, state)
                events += more
            await store.games.append(
                row.id,
                Decided(
                    number=0,
                    seat=None,
                    at=now,
                    action=None,
                    events=[write(event) for event in events],
                    due=min((deadline.due for deadline in GAME.deadlines(state)), default=None),
                    status="playing",
                ),
            )

        for first in range(0, tables, 500):
            await asyncio.gather(*(one() for _ in range(first, min(first + 500, tables))))


async def start() -> str:
    """Measure from the start of the process to the first acknowledged click."""
    sandbox, guild = place()
    async with sandbox:
        yard = sandbox.add_channel(guild, "yard")
        ann, ben = sandbox.add_person("Ann", guild), sandbox.add_person("Ben", guild)
        with tempfile.TemporaryDirectory() as folder:
            # The first start compiles what it loads, and the second one finds it, as where it was started before.
            compiled = {"PYTHONPYCACHEPREFIX": folder, "PYTHONDONTWRITEBYTECODE": ""}
            took = []
            for tables in (0, OPEN):
                database = Path(folder) / f"{tables}.db"
                await fill(database, int(guild.id), int(yard.id), (int(ann.id), int(ben.id)), tables)
                begin = time.perf_counter()
                async with running(sandbox, "bot.py", database=database, **compiled):
                    answer = await ann.command(yard, "rope-wall board", table=OPEN // 2)
                    assert answer.failed is None
                    took.append(time.perf_counter() - begin)
                sandbox.world.commands[None].clear()
    return (
        f"{took[1]:.1f} s{judged(took[1] <= START_S, f'{START_S} s')} to the first acknowledged command with {OPEN:,} "
        f"open tables; {took[0]:.1f} s with none"
    )


async def memory() -> str:
    """Measure what a table adds to the memory, asleep and awake."""
    sandbox, guild = place()
    async with sandbox:
        yard = sandbox.add_channel(guild, "yard")
        with tempfile.TemporaryDirectory() as folder:
            database = Path(folder) / "memory.db"
            await fill(database, int(guild.id), int(yard.id), (1, 2), 2_000, clock=0)
            return await _memory(sandbox, database)


async def _memory(sandbox: Sandbox, database: Path) -> str:
    point_at(sandbox.api, sandbox.gateway)
    logging.disable()  # nobody is connected: that no message can be sent is no news here
    async with bot.running(Config(None, database), DiscordClock(), Thinkers(0)) as client:
        tracemalloc.start()
        gc.collect()
        empty, _ = tracemalloc.get_traced_memory()
        for row in await client.tables.store.tables.open():
            client.tables.scheduler.set(row.id, "deadline", _now() + row.id)
            client.tables.scheduler.set(row.id, "wake", _now() + row.id)
        gc.collect()
        asleep, _ = tracemalloc.get_traced_memory()
        for number in range(1, AWAKE + 1):
            await client.tables.sessions.find(number)
        gc.collect()
        awake, _ = tracemalloc.get_traced_memory()
        tracemalloc.stop()
    sleeping, waking = (asleep - empty) / 2_000, (awake - asleep) / AWAKE / 1_000
    return (
        f"{sleeping:,.0f} bytes for a sleeping table{judged(sleeping <= ASLEEP_BYTES, f'{ASLEEP_BYTES:,} bytes')}, "
        f"{waking:,.1f} KB awake{judged(waking <= AWAKE_KB, f'{AWAKE_KB} KB')}"
    )


def rows() -> Iterator[tuple[str, str]]:
    """Yield the lines of both."""
    yield "start", asyncio.run(start())
    yield "memory", asyncio.run(memory())
