"""Cost of many tables: a start with 10,000 open ones, and the memory of paused and loaded ones.

A loaded table is measured late in a game, when its record is long, with every private page open: the memory that
unloading frees. Caches for the last few tables, such as pictures, do not grow with the number of tables and are left
out.
"""

import asyncio
import gc
import logging
import tempfile
import time
import tracemalloc
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import bot
from cogs.core.ops.config import Config, point_at
from cogs.core.ops.timers import DiscordClock
from cogs.core.tables.bot_workers import BotWorkers
from data.store import NewTable, SeatRow, Store, TableChange
from data.store.games import NewDecision
from data.store.open_store import open_store
from engine.chance import Chance, commitment
from engine.contract import AnyGame, to_json
from engine.games import GAMES
from engine.games.rope_wall import GAME, RopeWallOptions
from sandbox import Channel, Sandbox, UserClient
from tools.bench import judged, present
from tools.bench.calls import bot_on_sandbox
from tools.bench.engine import at_random
from tools.bench.processes import bot_process, unlimited_sandbox
from tools.harness.bot_harness import BotHarness
from tools.harness.playouts import material

OPEN = 10_000
ASLEEP, AWAKE = 2_000, 12
"""Number of sleeping tables, and of awake ones per game and number of seats."""

LATE = 0.9
"""Share of a game's decisions after which it counts as late."""

START_S, ASLEEP_BYTES, AWAKE_KB = 1.5, 1_024, 40
"""Budgets: the start with all of them, and the memory of a table."""


async def fill(
    database: Path, guild: int, channel: int, users: tuple[int, int], tables: int, clock: int = 3_600
) -> None:
    """Fill a database with games of the Rope Wall, each twenty moves old."""
    box, now = material(GAME), present()
    options = RopeWallOptions(clock=clock)
    async with open_store(database, now=present) as store:

        async def one(number: int) -> None:
            chance = Chance(number.to_bytes(32, "big"), str(number), 0)
            events = GAME.setup(2, options, box, now, chance)
            state = GAME.fold(events)
            for _ in range(20):
                turn = GAME.view(state, None).turn
                if turn is None:
                    break
                action = next(iter(GAME.legal(state, turn)))
                more = GAME.decide(state, turn, action, now, chance)
                state = GAME.fold(more, state)
                events += more
            await _write(store, GAME, events, (guild, channel), users)

        for first in range(0, tables, 500):
            await asyncio.gather(*(one(number) for number in range(first, min(first + 500, tables))))


async def _write(
    store: Store, game: AnyGame, events: Sequence[Any], place: tuple[int, int], users: Sequence[int]
) -> int:
    """Store a table with these events, and return its number."""
    now, (guild, channel) = present(), place
    row = await store.tables.create(
        NewTable(game.key, guild, channel, users[0], to_json(events[0].options), now),
        [SeatRow(seat, user, f"Player {user}") for seat, user in enumerate(users)],
    )
    seed = row.id.to_bytes(32, "big")
    await store.tables.update(row.id, TableChange(seed=seed, commitment=commitment(seed), started_at=now))
    await store.games.append(
        row.id,
        NewDecision(
            number=0,
            seat=None,
            at=now,
            action=None,
            events=[to_json(event) for event in events],
            due=min((deadline.due for deadline in game.deadlines(game.fold(events))), default=None),
            status="playing",
        ),
    )
    return row.id


async def start() -> str:
    """Measure from the start of the process to the first acknowledged click."""
    sandbox, guild = unlimited_sandbox()
    async with sandbox:
        yard = sandbox.add_channel(guild, "yard")
        ann, ben = sandbox.add_person("Ann", guild), sandbox.add_person("Ben", guild)
        with tempfile.TemporaryDirectory() as folder:
            # the first start compiles modules, the second one finds them compiled, as a restart does
            compiled = {"PYTHONPYCACHEPREFIX": folder, "PYTHONDONTWRITEBYTECODE": ""}
            took = []
            for tables in (0, OPEN):
                database = Path(folder) / f"{tables}.db"
                await fill(database, int(guild.id), int(yard.id), (int(ann.id), int(ben.id)), tables)
                begin = time.perf_counter()
                async with bot_process(sandbox, "bot.py", database=database, **compiled):
                    answer = await ann.command(yard, "rope-wall board", table=OPEN // 2)
                    assert answer.failed is None
                    took.append(time.perf_counter() - begin)
                sandbox.state.commands[None].clear()
    return (
        f"{took[1]:.1f} s{judged(took[1] <= START_S, f'{START_S} s')} to the first acknowledged command with {OPEN:,} "
        f"open tables; {took[0]:.1f} s with none"
    )


async def asleep() -> str:
    """Measure the memory of a sleeping table."""
    sandbox, guild = unlimited_sandbox()
    async with sandbox:
        yard = sandbox.add_channel(guild, "yard")
        with tempfile.TemporaryDirectory() as folder:
            database = Path(folder) / "memory.db"
            await fill(database, int(guild.id), int(yard.id), (1, 2), ASLEEP, clock=0)
            return await _asleep(sandbox, database)


async def _asleep(sandbox: Sandbox, database: Path) -> str:
    point_at(sandbox.api, sandbox.gateway)
    async with bot.running(Config(None, database), DiscordClock(), BotWorkers(0)) as client:
        tracemalloc.start()
        gc.collect()
        empty, _ = tracemalloc.get_traced_memory()
        for row in await client.store.tables.open():
            client.tables.clocks.deadline_timer.set(row.id, present() + row.id)
            client.publishing.publisher.show_timer.set(row.id, present() + row.id)
        gc.collect()
        asleep, _ = tracemalloc.get_traced_memory()
        tracemalloc.stop()
    sleeping = (asleep - empty) / ASLEEP
    return f"{sleeping:,.0f} bytes{judged(sleeping <= ASLEEP_BYTES, f'{ASLEEP_BYTES:,} bytes')}"


async def awake(game: AnyGame) -> str:
    """Measure the memory freed with a table of a game, for each number of seats."""
    found = []
    async with bot_on_sandbox() as at:
        people = [at.ann, at.ben, at.cleo, *(at.sandbox.add_person(name, at.guild) for name in ("Dora", "Eve", "Finn"))]
        for seats in game.player_counts:
            tables = [await _late(at, game, people[:seats], seed) for seed in range(AWAKE)]
            found.append(await _awake(at, tables, people[:seats]))
    each = ", ".join(f"{seats} seats {kb:.1f}" for seats, kb in zip(game.player_counts, found, strict=True))
    return f"KB: {each}{judged(max(found) <= AWAKE_KB, f'{AWAKE_KB} KB')}"


async def _late(at: BotHarness, game: AnyGame, people: Sequence[UserClient], seed: int) -> tuple[int, Channel]:
    """Store a random game that is nearly over. Return its table and channel."""
    decided = at_random(game, material(game), seed, len(people), game.options(clock=0)).decided
    events = [event for some in decided[: round(LATE * len(decided))] for event in some]
    cell = at.sandbox.add_channel(at.guild, f"{game.key}-{len(people)}-{seed}")
    users = [int(person.id) for person in people]
    return await _write(at.client.store, game, events, (int(at.guild.id), int(cell.id)), users), cell


async def _awake(at: BotHarness, tables: Sequence[tuple[int, Channel]], people: Sequence[UserClient]) -> float:
    """Return the KB freed by unloading a table at which all private pages are open."""
    registry, composer = at.client.tables.registry, at.client.publishing.page_builder
    tracemalloc.start()
    for number, cell in tables:
        await registry.find(number)
        await at.settle()
        for person in people:
            await person.press(at.board(cell), label="Play")
        await at.settle()
    sizes = []
    for kept in (True, False):
        if not kept:
            for number, _ in tables:
                if (table := registry.present.take(number)) is not None:
                    await registry.stop_serving(table)
        composer.pictures.clear()  # pictures of the last 64 tables, sleeping or not
        gc.collect()
        sizes.append(tracemalloc.get_traced_memory()[0])
    tracemalloc.stop()
    return (sizes[0] - sizes[1]) / len(tables) / 1_000


def rows() -> Iterator[tuple[str, str]]:
    """Yield all lines."""
    yield "start", asyncio.run(start())
    logging.disable()  # no client is connected, so messages cannot be sent
    yield "memory of a sleeping table", asyncio.run(asleep())
    for game in GAMES.values():
        yield f"memory of an awake {game.key}", asyncio.run(awake(game))
