"""Clicks over the sandbox: how many a second, and how soon each is acknowledged, next to a bare discord.py bot.

The sandbox and the people are in this process, the bot in another one; limits are off, nobody waits between clicks.
"""

import asyncio
import contextlib
import os
import signal
import statistics
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from pathlib import Path

from sandbox import Answer, Channel, Guild, Person, Sandbox

AT_ONCE = 8
SECONDS = 4.0
TABLES = 200
TEXT, PANEL, MOVE = 0.85, 0.5, 0.85
"""Budgets: what draws nothing and a private panel against the bare bot, and a move against the bare bot that answers
with buttons and a stored picture.
"""

ROOT = Path(__file__).resolve().parents[2]


@contextlib.asynccontextmanager
async def running(sandbox: Sandbox, *command: str, database: Path | None = None) -> AsyncIterator[None]:
    """Run a bot in a process of its own on this sandbox, and end it."""
    environment = {
        **os.environ,
        "DISCORD_TOKEN": sandbox.token,
        "DISCORD_API": sandbox.api,
        "DISCORD_GATEWAY": sandbox.gateway,
        "DATABASE": str(database or ""),
        "LOG_LEVEL": "ERROR",
    }
    process = await asyncio.create_subprocess_exec(sys.executable, *command, cwd=ROOT, env=environment)
    try:
        await sandbox.until(lambda: sandbox.online and sandbox.commands(), 30)
        yield
    finally:
        process.send_signal(signal.SIGTERM)
        await process.wait()


def place() -> tuple[Sandbox, Guild]:
    """Return a sandbox without limits and a server on it."""
    sandbox = Sandbox(answer_within_ms=20_000, reaction_ms=0)
    sandbox.limits_on = False
    return sandbox, sandbox.add_guild("Alcatraz")


async def hammer(act: Callable[[int], Awaitable[Answer]], at_once: int = AT_ONCE) -> tuple[float, list[float]]:
    """Let so many people click one after the other. Return clicks a second, and each acknowledgement in ms."""
    spent: list[float] = []
    end = time.perf_counter() + SECONDS

    async def one(number: int) -> None:
        while time.perf_counter() < end:
            begin = time.perf_counter()
            answer = await act(number)
            assert answer.failed is None, answer
            spent.append((time.perf_counter() - begin) * 1_000)

    begin = time.perf_counter()
    await asyncio.gather(*(one(number) for number in range(at_once)))
    return len(spent) / (time.perf_counter() - begin), spent


def told(rate: float, spent: list[float], bare: float | None, budget: float = 0) -> str:
    """Return the figures of a run in words, and whether they miss the budget."""
    ratio = "" if bare is None else f", {rate / bare:.2f} of the bare bot"
    if bare is not None and budget:
        ratio += f" (budget {budget}{'' if rate / bare >= budget else ': MISSED'})"
    cuts = statistics.quantiles(spent, n=100)
    return f"{rate:,.0f} a second{ratio}; acknowledged after p50 {cuts[49]:.1f} ms, p99 {cuts[98]:.1f} ms"


async def bare(button: str) -> tuple[float, list[float]]:
    """Measure the bare bot: one of its buttons."""
    sandbox, guild = place()
    async with sandbox:
        yard = sandbox.add_channel(guild, "yard")
        people = [sandbox.add_person(f"P{number}", guild) for number in range(AT_ONCE)]
        async with running(sandbox, "-m", "tests.bench.echo"):
            shown = await people[0].command(yard, "echo")
            message = shown.message
            assert message is not None
            return await hammer(lambda number: people[number].press(message, button))


class Floor:
    """Many tables of the Rope Wall under way, each in a channel of its own, between the same two people."""

    def __init__(self, sandbox: Sandbox, guild: Guild) -> None:
        self.sandbox = sandbox
        self.ann = sandbox.add_person("Ann", guild, administrator=True)
        self.ben = sandbox.add_person("Ben", guild)
        self.yards: list[Channel] = [sandbox.add_channel(guild, f"yard-{number}") for number in range(TABLES)]

    async def begin(self) -> None:
        """Open all tables and start their games; no server has so many of one person, unless it allows them."""
        for of in ("person", "channel", "server"):
            await self.ann.command(self.yards[0], "settings limit", of=of, tables=2 * TABLES)
        for first in range(0, TABLES, AT_ONCE):
            await asyncio.gather(*(self._begin(yard) for yard in self.yards[first : first + AT_ONCE]))

    async def _begin(self, yard: Channel) -> None:
        await self.ann.command(yard, "rope-wall start", clock=0)
        await self.ben.press(self.board(yard), label="Join")
        await self.ann.press(self.board(yard), label="Start")

    def board(self, yard: Channel) -> dict[str, object]:
        """The table message of a channel."""
        return next(m for m in self.sandbox.messages(yard) if not m["flags"] & 64 and m["components"])

    async def move(self, yard: Channel) -> Answer:
        """Let whoever is to move at this table make some move."""
        message = self.board(yard)
        mover = self.ann if "▶ ● **Ann" in Person.visible_text(message) else self.ben
        buttons = [part["custom_id"] for part in Person.buttons(message) if not part.get("disabled")]
        wanted = [one for verb in ("exit", "push") for one in buttons if f":{verb}:" in one]
        if not wanted:
            raise AssertionError("a round ended within the measurement: fewer seconds or more tables")
        return await mover.press(message, wanted[hash(wanted[0]) % len(wanted)])


async def ours(echo: float, picture: float) -> list[tuple[str, str]]:
    """Measure Cellblock: panels, stale clicks, and moves, with many tables playing."""
    found: list[tuple[str, str]] = []
    sandbox, guild = place()
    with tempfile.TemporaryDirectory() as folder:
        async with sandbox, running(sandbox, "bot.py", database=Path(folder) / "bench.db"):
            floor = Floor(sandbox, guild)
            await floor.begin()
            first = floor.board(floor.yards[0])
            for name, verb, budget in (("panels without a picture", "more", TEXT), ("panels with one", "hand", PANEL)):
                pressed = next(p["custom_id"] for p in Person.buttons(first) if f":{verb}:" in p["custom_id"])
                rate, spent = await hammer(lambda number, pressed=pressed: floor.ann.press(first, pressed))
                found.append((f"{name}, {TABLES} tables", told(rate, spent, echo, budget)))

            push = next(p["custom_id"] for p in Person.buttons(first) if ":push:" in p["custom_id"])
            await floor.move(floor.yards[0])
            rate, spent = await hammer(lambda number: floor.ann.press(first, push))
            found.append(("stale clicks", told(rate, spent, echo, TEXT)))

            before, turns = len(sandbox.calls), iter(range(1, 10**9))
            rate, spent = await hammer(lambda number: floor.move(floor.yards[next(turns) % TABLES]))
            calls = (len(sandbox.calls) - before) / len(spent)
            words = told(rate, spent, picture, MOVE)
            found.append(("moves, committed and drawn", f"{words}; {calls:.2f} REST calls each"))
            assert not sandbox.breaches, sandbox.breaches[:3]
    return found


def rows() -> Iterator[tuple[str, str]]:
    """Yield a line for each kind of click."""
    echo, spent = asyncio.run(bare("echo:1"))
    yield "baseline: bare discord.py bot", told(echo, spent, None)
    picture, spent = asyncio.run(bare("echo:2"))
    yield "baseline: bare bot with a picture", told(picture, spent, None)
    yield from asyncio.run(ours(echo, picture))
