"""How much memory the bot takes while people click at many tables: told each minute, after which it should be flat.

Games that end make room for new ones, so that tables come, go to sleep and leave the memory as they do on a server.
"""

import asyncio
import contextlib
import itertools
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from sandbox import Person
from tests.bench.budgets import judged
from tests.bench.clicks import Floor, place, running

PACE = 25
"""Clicks a second, at all tables together."""

LOOKS = 5
"""Every so manieth click opens somebody's private page instead of moving."""

FLAT_AFTER, ROOM = 10, 0.03
"""Budget: after so many minutes the memory grows by no more than this share."""


class Growth:
    """The bot in a process of its own, and people who click."""

    def __init__(self) -> None:
        self._stack = contextlib.AsyncExitStack()
        self._turns = itertools.count()
        self._floor: Floor
        self._process: int

    async def begin(self) -> None:
        """Start the bot and the games at all tables."""
        sandbox, guild = place()
        folder = Path(self._stack.enter_context(tempfile.TemporaryDirectory()))
        await self._stack.enter_async_context(sandbox)
        process = await self._stack.enter_async_context(running(sandbox, "bot.py", database=folder / "bench.db"))
        self._process = process.pid
        self._floor = Floor(sandbox, guild)
        await self._floor.begin()

    async def end(self) -> None:
        """Stop the bot."""
        await self._stack.aclose()

    async def click_for(self, seconds: float) -> int:
        """Let people click for so long. Return how often they did."""
        begin, clicks, under_way = time.perf_counter(), 0, set[asyncio.Task[None]]()
        while (passed := time.perf_counter() - begin) < seconds:
            if clicks <= passed * PACE and len(under_way) < PACE:
                task = asyncio.create_task(self._click(next(self._turns)))
                under_way.add(task)
                task.add_done_callback(under_way.discard)
                clicks += 1
            else:
                await asyncio.sleep(1 / PACE)
        await asyncio.gather(*under_way)
        return clicks

    async def _click(self, turn: int) -> None:
        floor, number = self._floor, turn % len(self._floor.yards)
        yard = floor.yards[number]
        message = floor.board(yard)
        verbs = {
            part["custom_id"].split(":")[3]: part["custom_id"]
            for part in Person.buttons(message)
            if "custom_id" in part
        }
        if "rematch" in verbs:
            floor.yards[number] = floor.sandbox.add_channel(floor.guild, f"yard-{turn}")
            await floor.start(floor.yards[number])
        elif "ready" in verbs:
            for person in (floor.ann, floor.ben):
                await person.press(message, verbs["ready"])
        elif turn % LOOKS == 0:
            await floor.ann.press(message, verbs["hand"])
        else:
            await floor.move(yard)

    def resident(self) -> float:
        """Return how much memory the process of the bot has, in MiB."""
        status = Path(f"/proc/{self._process}/status").read_text(encoding="ascii")
        return int(status.partition("VmRSS:")[2].split()[0]) / 1024


def rows(minutes: int) -> Iterator[tuple[str, str]]:
    """Yield a line for each minute, and one for what it comes to."""
    if not Path("/proc/self/status").exists():
        yield "resident memory", "this system does not tell"
        return
    growth, found = Growth(), list[float]()
    with asyncio.Runner() as runner:
        try:
            runner.run(growth.begin())
            for minute in range(1, minutes + 1):
                clicks = runner.run(growth.click_for(60))
                found.append(growth.resident())
                yield f"after {minute} min", f"{found[-1]:.1f} MiB resident, {clicks / 60:.0f} clicks a second"
        finally:
            runner.run(growth.end())
    if minutes > FLAT_AFTER:
        grown = found[-1] / found[FLAT_AFTER - 1] - 1
        yield f"after {FLAT_AFTER} min", f"{grown:+.1%} until the end{judged(grown <= ROOM, f'{ROOM:.0%}')}"
    else:
        yield "flat?", f"that takes more than {FLAT_AFTER} minutes: --minutes 30"
