"""Clicks over the sandbox: how many a second, and how soon each is acknowledged, next to a bare discord.py bot.

The sandbox and the people are in this process, the bot in another one; limits are off, nobody waits between clicks.
"""

import asyncio
import contextlib
import os
import re
import signal
import statistics
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from sandbox import ActionResult, Channel, Guild, Sandbox, UserClient
from tools.bench.budgets import judged

AT_ONCE = 8
SECONDS = 4.0
TABLES = 200
TEXT, PANEL, MOVE = 0.85, 0.5, 0.85
"""Budgets: what draws nothing and a private panel against the bare bot, and a move against the bare bot that answers
with buttons and a stored picture.
"""

PROCESSOR = 3.9
"""Budget: so many times the bare bot's processor time a move may take (2.2 ms where a bare answer takes 0.56)."""

QUIET_MS = 50
"""Who has used less of the processor in a second has nothing left to do."""

ROOT = Path(__file__).resolve().parents[2]


@contextlib.asynccontextmanager
async def running(
    sandbox: Sandbox, *command: str, database: Path | None = None, **environment: str
) -> AsyncIterator[asyncio.subprocess.Process]:
    """Run a bot in a process of its own on this sandbox, with more in its `environment`, and end it."""
    whole = {
        **os.environ,
        **environment,
        "DISCORD_TOKEN": sandbox.token,
        "DISCORD_API": sandbox.api,
        "DISCORD_GATEWAY": sandbox.gateway,
        "DATABASE": str(database or ""),
        "LOG_LEVEL": "ERROR",
    }
    process = await asyncio.create_subprocess_exec(sys.executable, *command, cwd=ROOT, env=whole)
    try:
        await sandbox.until(lambda: sandbox.online and sandbox.commands(), 30)
        yield process
    finally:
        process.send_signal(signal.SIGTERM)
        await process.wait()


def place() -> tuple[Sandbox, Guild]:
    """Return a sandbox without limits and a server on it."""
    sandbox = Sandbox(answer_within_ms=20_000, reaction_ms=0)
    sandbox.limits_on = False
    return sandbox, sandbox.add_guild("Alcatraz")


def table_message(sandbox: Sandbox, yard: Channel) -> dict[str, Any]:
    """Return the table message of a channel."""
    return next(m for m in sandbox.messages(yard) if not m["flags"] & 64 and m["components"])


def who_moves(board: dict[str, Any], people: Sequence[UserClient]) -> UserClient | None:
    """Return who is to move, as far as a table message tells."""
    text = UserClient.visible_text(board)
    return next((who for who in people if re.search(rf"\*\*{who.name}\*\*.* move", text)), None)


@dataclass(frozen=True)
class Run:
    """Clicks a second, each acknowledgement in ms, and the bot's processor time a click in ms (0 where unknown)."""

    rate: float
    spent: list[float]
    processor_ms: float


def processor_ms(pid: int) -> float:
    """Return how much processor time the process with this number has had, in ms; 0 on a system that does not tell."""
    stat = Path(f"/proc/{pid}/stat")
    if not stat.exists():
        return 0
    fields = stat.read_text(encoding="utf-8").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) * 1_000 / os.sysconf("SC_CLK_TCK")


async def quiet(process: asyncio.subprocess.Process) -> float:
    """Return when a bot has nothing more to do, and the processor time in ms that it has had by then."""
    before = processor_ms(process.pid)
    while True:
        await asyncio.sleep(1.0)
        now = processor_ms(process.pid)
        if now - before < QUIET_MS:
            return now
        before = now


async def hammer(
    bot: asyncio.subprocess.Process, act: Callable[[int], Awaitable[ActionResult]], at_once: int = AT_ONCE
) -> Run:
    """Let so many people click one after the other, at a bot in that process."""
    spent: list[float] = []
    end = time.perf_counter() + SECONDS

    async def one(number: int) -> None:
        while time.perf_counter() < end:
            begin = time.perf_counter()
            answer = await act(number)
            assert answer.failed is None, answer
            spent.append((time.perf_counter() - begin) * 1_000)

    before, begin = processor_ms(bot.pid), time.perf_counter()
    await asyncio.gather(*(one(number) for number in range(at_once)))
    rate = len(spent) / (time.perf_counter() - begin)
    return Run(rate, spent, (processor_ms(bot.pid) - before) / len(spent))


def told(run: Run, bare: Run | None = None, budget: float = 0, *, by_processor: bool = False) -> str:
    """Return the figures of a run in words, and whether they miss the budget, which is for the rate or for what the
    processor could do.
    """
    ratio = ""
    if bare is not None:
        rate = run.rate / bare.rate
        ratio = f", {rate:.2f} of the bare bot"
        if by_processor and run.processor_ms:
            rate = bare.processor_ms / run.processor_ms
            ratio += f", by processor {rate:.2f}"
        ratio += judged(rate >= budget, str(budget))
    cuts = statistics.quantiles(run.spent, n=100)
    return (
        f"{run.rate:,.0f} a second{ratio}; acknowledged after p50 {cuts[49]:.1f} ms, p99 {cuts[98]:.1f} ms; "
        f"{run.processor_ms:.2f} ms of processor each"
    )


async def bare(button: str) -> Run:
    """Measure the bare bot: one of its buttons."""
    sandbox, guild = place()
    async with sandbox:
        yard = sandbox.add_channel(guild, "yard")
        people = [sandbox.add_person(f"P{number}", guild) for number in range(AT_ONCE)]
        async with running(sandbox, "-m", "tools.bench.echo") as process:
            shown = await people[0].command(yard, "echo")
            message = shown.message
            assert message is not None
            return await hammer(process, lambda number: people[number].press(message, button))


class Floor:
    """Many tables of the Rope Wall under way, each in a channel of its own, between the same two people."""

    def __init__(self, sandbox: Sandbox, guild: Guild) -> None:
        self.sandbox = sandbox
        self.guild = guild
        self.ann = sandbox.add_person("Ann", guild, administrator=True)
        self.ben = sandbox.add_person("Ben", guild)
        self.yards: list[Channel] = [sandbox.add_channel(guild, f"yard-{number}") for number in range(TABLES)]

    async def begin(self) -> None:
        """Open all tables and start their games; no server has so many of one person, unless it allows them."""
        for of in ("person", "channel", "server"):
            await self.ann.command(self.yards[0], "settings limit", of=of, tables=2 * TABLES)
        for first in range(0, TABLES, AT_ONCE):
            await asyncio.gather(*(self.start(yard) for yard in self.yards[first : first + AT_ONCE]))

    async def start(self, yard: Channel) -> None:
        """Open a table in a channel and start its game."""
        await self.ann.command(yard, "rope-wall start", clock=0, interludes="off")
        await self.ben.press(self.board(yard), label="Join")
        await self.sandbox.until(lambda: self._can_start(yard), 30)  # on a busy machine the table shows it a bit later
        await self.ann.press(self.board(yard), label="Start")

    def _can_start(self, yard: Channel) -> bool:
        return any(
            part.get("label") == "Start" and not part.get("disabled") for part in UserClient.buttons(self.board(yard))
        )

    def board(self, yard: Channel) -> dict[str, object]:
        """The table message of a channel."""
        return next(m for m in self.sandbox.messages(yard) if not m["flags"] & 64 and m["components"])

    async def move(self, yard: Channel) -> ActionResult:
        """Let whoever is to move at this table make some move."""
        message = self.board(yard)
        mover = self.ann if "▶ ● **Ann" in UserClient.visible_text(message) else self.ben
        buttons = [part["custom_id"] for part in UserClient.buttons(message) if not part.get("disabled")]
        wanted = [one for verb in ("exit", "push") for one in buttons if f":{verb}:" in one]
        if not wanted:
            raise AssertionError("a round ended within the measurement: fewer seconds or more tables")
        return await mover.press(message, wanted[hash(wanted[0]) % len(wanted)])


async def _pressed(floor: Floor, message: dict[str, object], control: str, _: int) -> ActionResult:
    return await floor.ann.press(message, control)


async def ours(echo: Run, picture: Run) -> list[tuple[str, str]]:
    """Measure Cellblock: panels, stale clicks, and moves, with many tables playing."""
    found: list[tuple[str, str]] = []
    sandbox, guild = place()
    with tempfile.TemporaryDirectory() as folder:
        async with sandbox, running(sandbox, "bot.py", database=Path(folder) / "bench.db") as process:
            floor = Floor(sandbox, guild)
            await floor.begin()
            await quiet(process)  # the first pictures are drawn ahead
            first = floor.board(floor.yards[0])
            for name, verb, budget in (("panels without a picture", "more", TEXT), ("panels with one", "hand", PANEL)):
                pressed = next(p["custom_id"] for p in UserClient.buttons(first) if f":{verb}:" in p["custom_id"])
                run = await hammer(process, partial(_pressed, floor, first, pressed))
                found.append((f"{name}, {TABLES} tables", told(run, echo, budget, by_processor=verb == "hand")))

            push = next(p["custom_id"] for p in UserClient.buttons(first) if ":push:" in p["custom_id"])
            await floor.move(floor.yards[0])
            run = await hammer(process, lambda number: floor.ann.press(first, push))
            found.append(("stale clicks", told(run, echo, TEXT)))

            before, turns = len(sandbox.calls), iter(range(1, 10**9))
            run = await hammer(process, lambda number: floor.move(floor.yards[next(turns) % TABLES]))
            calls = (len(sandbox.calls) - before) / len(run.spent)
            found.append(("moves, committed and drawn", f"{told(run, picture, MOVE)}; {calls:.2f} REST calls each"))
            if echo.processor_ms:
                times = run.processor_ms / echo.processor_ms
                words = f"{times:.1f} times the bare bot's{judged(times <= PROCESSOR, f'{PROCESSOR} times')}"
                found.append(("processor time of a move", words))
            assert not sandbox.violations, sandbox.violations[:3]
    return found


def rows() -> Iterator[tuple[str, str]]:
    """Yield a line for each kind of click."""
    echo = asyncio.run(bare("echo:1"))
    yield "baseline: bare discord.py bot", told(echo)
    picture = asyncio.run(bare("echo:2"))
    yield "baseline: bare bot with a picture", told(picture)
    yield from asyncio.run(ours(echo, picture))
