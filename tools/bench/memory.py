"""Memory of the bot while people play whole games at many tables, once per minute. It should become flat.

All five games have the same number of tables. A new game follows each finished one, so tables are created, paused and
unloaded as in production. The sandbox and the people are in this process, the bot is in another one.
"""

import asyncio
import contextlib
import itertools
import statistics
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from tools.bench import judged
from tools.bench.processes import bot_process, unlimited_sandbox
from tools.fleet.database import FileReader
from tools.fleet.parties import Journal, Party, parties
from tools.harness.moves import OPTIONS

TABLES = 200

PACE = 25
"""Clicks per second, at all tables together."""

LOOKS = 5
"""One click in this number opens a private page instead of making a move."""

FLAT_AFTER, TOLERANCE = 10, 0.03
"""Budget: after this number of minutes, memory grows by no more than this share."""


class Growth:
    """The bot in its own process, and people who play."""

    def __init__(self) -> None:
        self._stack = contextlib.AsyncExitStack()
        self._turns = itertools.count()
        self._busy = set[Party]()
        self._parties: list[Party]
        self._journal: Journal
        self._process: int

    async def begin(self) -> None:
        """Start the bot."""
        sandbox, guild = unlimited_sandbox()
        database = Path(self._stack.enter_context(tempfile.TemporaryDirectory())) / "bench.db"
        await self._stack.enter_async_context(sandbox)
        process = await self._stack.enter_async_context(bot_process(sandbox, "bot.py", database=database))
        self._process = process.pid
        reader = FileReader(database)
        self._stack.push_async_callback(reader.close)
        owner = sandbox.add_person("Ann", guild, administrator=True)
        for of in ("channel", "server"):
            yard = sandbox.add_channel(guild, of)
            await owner.command(yard, "settings limit", of=of, tables=2 * TABLES)
        self._journal = Journal(sandbox)
        self._parties = parties(self._journal, reader, [guild], each=TABLES // len(OPTIONS))

    async def end(self) -> None:
        """Stop the bot."""
        await self._stack.aclose()

    @property
    def moves(self) -> int:
        """Return the number of acknowledged moves."""
        return sum(click.fate == "taken" for click in self._journal.clicks)

    @property
    def games(self) -> int:
        """Return the number of games that had clicks."""
        return len({click.table for click in self._journal.clicks})

    async def click_for(self, seconds: float) -> int:
        """Simulate people who click for some seconds. Return the number of clicks."""
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
        party = self._parties[turn % len(self._parties)]
        if party in self._busy:
            return
        self._busy.add(party)
        try:
            if turn // len(self._parties) % LOOKS == 0:
                await party.open_private_page()
            else:
                await party.step()
        finally:
            self._busy.discard(party)

    def resident(self) -> float:
        """Return the memory of the bot's process, in MiB."""
        status = Path(f"/proc/{self._process}/status").read_text(encoding="ascii")
        return int(status.partition("VmRSS:")[2].split()[0]) / 1024


def rows(minutes: int) -> Iterator[tuple[str, str]]:
    """Yield a line per minute, and a summary."""
    if not Path("/proc/self/status").exists():
        yield "resident memory", "this system does not report it"
        return
    growth, found = Growth(), list[float]()
    with asyncio.Runner() as runner:
        try:
            runner.run(growth.begin())
            for minute in range(1, minutes + 1):
                before = growth.moves
                clicks = runner.run(growth.click_for(60))
                found.append(growth.resident())
                yield (
                    f"after {minute} min",
                    f"{found[-1]:.1f} MiB resident, {clicks / 60:.0f} clicks and {(growth.moves - before) / 60:.0f} "
                    f"moves a second, {growth.games} games",
                )
        finally:
            runner.run(growth.end())
    if minutes > FLAT_AFTER:
        late = found[FLAT_AFTER - 1 :]
        grown = late[-1] / late[0] - 1
        slope = statistics.linear_regression(range(len(late)), late).slope
        yield (
            f"after {FLAT_AFTER} min",
            f"{grown:+.1%} until the end{judged(grown <= TOLERANCE, f'{TOLERANCE:.0%}')}, {slope:+.2f} MiB a minute",
        )
    else:
        yield "flat?", f"that takes more than {FLAT_AFTER} minutes: --minutes 30"
