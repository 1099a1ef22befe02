"""Clicks per second, and the time until each is acknowledged, compared with a bare discord.py bot.

The sandbox and the people are in this process, the bot is in another one. Rate limits are off, and nobody waits between
clicks.
"""

import asyncio
import statistics
import tempfile
import time
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from sandbox import ActionResult, Channel, Guild, Sandbox, UserClient
from tools.bench import judged
from tools.bench.processes import AT_ONCE, bot_process, processor_ms, table_message, unlimited_sandbox, until_idle

SECONDS = 4.0
TABLES = 200
TEXT, PANEL, MOVE = 0.85, 0.5, 0.85
"""Budgets: rates of answers without a picture and of private pages, relative to the bare bot, and of moves, relative to
the bare bot that answers with buttons and a stored picture.
"""

PROCESSOR = 3.9
"""Budget: processor time of a move as a multiple of the bare bot's (2.2 ms where a bare answer takes 0.56)."""


@dataclass(frozen=True)
class Run:
    """Clicks per second, each acknowledgement in ms, and the bot's processor time per click in ms (0 if unknown)."""

    rate: float
    spent: list[float]
    processor_ms: float


async def click_continuously(
    bot: asyncio.subprocess.Process, act: Callable[[int], Awaitable[ActionResult]], at_once: int = AT_ONCE
) -> Run:
    """Simulate `at_once` people who click continuously at the bot in that process."""
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


def describe(run: Run, bare: Run | None = None, budget: float = 0, *, by_processor: bool = False) -> str:
    """Describe a run, and whether it misses the budget for its rate, or for the rate that the processor could reach."""
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
    """Measure one button of the bare bot."""
    sandbox, guild = unlimited_sandbox()
    async with sandbox:
        yard = sandbox.add_channel(guild, "yard")
        people = [sandbox.add_person(f"P{number}", guild) for number in range(AT_ONCE)]
        async with bot_process(sandbox, "-m", "tools.bench.echo") as process:
            shown = await people[0].command(yard, "echo")
            message = shown.message
            assert message is not None
            return await click_continuously(process, lambda number: people[number].press(message, button))


class Floor:
    """Many tables of the Rope Wall, each in its own channel, between the same two people."""

    def __init__(self, sandbox: Sandbox, guild: Guild) -> None:
        self.sandbox = sandbox
        self.guild = guild
        self.ann = sandbox.add_person("Ann", guild, administrator=True)
        self.ben = sandbox.add_person("Ben", guild)
        self.yards: list[Channel] = [sandbox.add_channel(guild, f"yard-{number}") for number in range(TABLES)]

    async def begin(self) -> None:
        """Start all games; the limits on tables per person, channel and server are raised first."""
        for of in ("person", "channel", "server"):
            await self.ann.command(self.yards[0], "settings limit", of=of, tables=2 * TABLES)
        for first in range(0, TABLES, AT_ONCE):
            await asyncio.gather(*(self.start(yard) for yard in self.yards[first : first + AT_ONCE]))

    async def start(self, yard: Channel) -> None:
        """Open a table in a channel and start its game."""
        await self.ann.command(yard, "rope-wall start", clock=0, interludes="off")
        await self.ben.press(self.board(yard), label="Join")
        await self.sandbox.until(lambda: self._can_start(yard), 30)  # a busy machine shows it a little later
        await self.ann.press(self.board(yard), label="Start")

    def _can_start(self, yard: Channel) -> bool:
        return any(
            part.get("label") == "Start" and not part.get("disabled") for part in UserClient.buttons(self.board(yard))
        )

    def board(self, yard: Channel) -> dict[str, Any]:
        """Return the table message of a channel."""
        return table_message(self.sandbox, yard)

    async def move(self, yard: Channel) -> ActionResult:
        """Make a move as the player to move at this table."""
        message = self.board(yard)
        mover = self.ann if "▶ ● **Ann" in UserClient.visible_text(message) else self.ben
        buttons = [part["custom_id"] for part in UserClient.buttons(message) if not part.get("disabled")]
        wanted = [one for verb in ("exit", "push") for one in buttons if f":{verb}:" in one]
        if not wanted:
            raise AssertionError("a round ended within the measurement: fewer seconds or more tables")
        return await mover.press(message, wanted[hash(wanted[0]) % len(wanted)])


async def _pressed(floor: Floor, message: dict[str, Any], control: str, _: int) -> ActionResult:
    return await floor.ann.press(message, control)


async def ours(echo: Run, picture: Run) -> list[tuple[str, str]]:
    """Measure the bot: private pages, stale clicks, and moves, with many running tables."""
    found: list[tuple[str, str]] = []
    sandbox, guild = unlimited_sandbox()
    with tempfile.TemporaryDirectory() as folder:
        async with sandbox, bot_process(sandbox, "bot.py", database=Path(folder) / "bench.db") as process:
            floor = Floor(sandbox, guild)
            await floor.begin()
            await until_idle(process)  # it draws the covers in advance
            first = floor.board(floor.yards[0])
            for name, verb, budget in (("panels without a picture", "more", TEXT), ("panels with one", "hand", PANEL)):
                pressed = next(p["custom_id"] for p in UserClient.buttons(first) if f":{verb}:" in p["custom_id"])
                run = await click_continuously(process, partial(_pressed, floor, first, pressed))
                found.append((f"{name}, {TABLES} tables", describe(run, echo, budget, by_processor=verb == "hand")))

            push = next(p["custom_id"] for p in UserClient.buttons(first) if ":push:" in p["custom_id"])
            await floor.move(floor.yards[0])
            run = await click_continuously(process, lambda number: floor.ann.press(first, push))
            found.append(("stale clicks", describe(run, echo, TEXT)))

            before, turns = len(sandbox.calls), iter(range(1, 10**9))
            run = await click_continuously(process, lambda number: floor.move(floor.yards[next(turns) % TABLES]))
            calls = (len(sandbox.calls) - before) / len(run.spent)
            found.append(("moves, committed and drawn", f"{describe(run, picture, MOVE)}; {calls:.2f} REST calls each"))
            if echo.processor_ms:
                times = run.processor_ms / echo.processor_ms
                words = f"{times:.1f} times the bare bot's{judged(times <= PROCESSOR, f'{PROCESSOR} times')}"
                found.append(("processor time of a move", words))
            assert not sandbox.violations, sandbox.violations[:3]
    return found


def rows() -> Iterator[tuple[str, str]]:
    """Yield a line per kind of click."""
    echo = asyncio.run(bare("echo:1"))
    yield "baseline: bare discord.py bot", describe(echo)
    picture = asyncio.run(bare("echo:2"))
    yield "baseline: bare bot with a picture", describe(picture)
    yield from asyncio.run(ours(echo, picture))
