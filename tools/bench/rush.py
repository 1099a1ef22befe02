"""Moves of every game without pauses at many tables: their rate and cost, compared with a bare discord.py bot that
answers each click with buttons and a stored picture.

People press buttons: on their newest private page, or on the table message if it has the first button of their move,
which may take several presses. Otherwise they use a command, which is answered by their private page. The sandbox and
the people are in this process and read legal moves from the database; the bot is in another process.
"""

import asyncio
import contextlib
import itertools
import tempfile
import time
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from engine.contract import Action
from sandbox import ActionResult, Sandbox, UserClient
from tools.bench import judged
from tools.bench.clicks import MOVE, Run, bare
from tools.bench.processes import AT_ONCE, ROOT, bot_process, processor_ms, unlimited_sandbox, until_idle
from tools.fleet.database import FileReader, StoredTable
from tools.fleet.parties import Fate, Journal, Party
from tools.harness.moves import OPTIONS, Press, presses

TABLES = 100
WARM_S, SECONDS = 6.0, 8.0
"""Seconds of play before measuring, so that private pages are open and tokens known; and seconds of measuring."""

UPDATE = 7
"""Type of an answer that edits the pressed message."""

AGAIN_S = 0.002
"""The wait before the next table if this one offered nothing to do."""

RATES = {"rope_wall": MOVE}
RATE = 0.7
"""Budgets: the rate relative to the bare bot with a picture, of the Rope Wall and of every other game."""


class Counts(NamedTuple):
    """Moves; and the bot's processor time, its calls, people's acts, and how many of those were commands."""

    moves: float
    processor_ms: float
    calls: float
    acts: float
    commands: float

    def since(self, before: "Counts") -> "Counts":
        """Return what was counted after another moment."""
        return Counts(*(now - then for now, then in zip(self, before, strict=True)))


@dataclass(frozen=True)
class Rush:
    """Moves per second; and per move the bot's processor time, its calls, people's acts, and how many of those were
    commands.
    """

    rate: float
    processor_ms: float
    calls: float
    acts: float
    commands: float

    def describe(self, picture: Run, budget: float) -> str:
        """Describe it, next to the bare bot."""
        ratio = self.rate / picture.rate
        by_processor = f", by processor {picture.processor_ms / self.processor_ms:.2f}" if self.processor_ms else ""
        kept = judged(ratio >= budget, str(budget))
        return (
            f"{self.rate:,.0f} a second, {ratio:.2f} of the bare bot{by_processor}{kept}; each {self.processor_ms:.2f} "
            f"ms of processor and {self.calls:.2f} calls for {self.acts:.2f} acts, {self.commands:.2f} of them commands"
        )


class Pressers(Party):
    """A party that plays by buttons; counts its `acts`, and the `commands` among them."""

    acts = commands = 0

    async def attempt(self, who: UserClient, stored: StoredTable, action: Action) -> tuple[ActionResult, Fate]:
        """Make a move by presses, or by a command."""
        ends = presses(action)
        found = next(
            ((page, at) for page in self._in_sight(who, stored) if (at := _first(page, ends)) is not None), None
        )
        if found is None:
            self.acts += 1
            self.commands += 1
            return await self.by_command(who, stored, action)
        page, at = found
        for end, value in ends[at:]:
            self.acts += 1
            answer = await who.press(page, _named(page, end) or end, values=None if value is None else [value])
            if answer.message is None:
                return answer, "lost"
            page = answer.message  # the same page, or the private page if the table message was pressed
        return answer, "taken" if answer.type == UPDATE else "late"

    def _in_sight(self, who: UserClient, stored: StoredTable) -> Iterator[dict[str, Any]]:
        """Yield a person's newest private page at a table, if they have one, and the table message."""
        ours = f"cb:{stored.number}:"
        pages = (page for page in reversed(who.ephemerals(self.yard)) if any(ours in one for one in _enabled(page)))
        yield from itertools.islice(pages, 1)
        yield self.board(stored.number)


def _enabled(page: dict[str, Any]) -> list[str]:
    """Return the custom_ids of a page's enabled controls."""
    return [part["custom_id"] for part in UserClient.buttons(page) if "custom_id" in part and not part.get("disabled")]


def _named(page: dict[str, Any], end: str) -> str | None:
    """Return the enabled custom_id of a page that has this ending."""
    return next((one for one in _enabled(page) if one.endswith(end)), None)


def _first(page: dict[str, Any], ends: Sequence[Press]) -> int | None:
    """Return the first of these presses that a page has. A private page starts where the table message leads."""
    return next((at for at, (end, _) in enumerate(ends) if _named(page, end)), None)


@dataclass(frozen=True)
class Crowd:
    """People at many tables of one game, and the process of the bot that they play with."""

    parties: Sequence[Pressers]
    sandbox: Sandbox
    journal: Journal
    bot: int

    def counted(self) -> Counts:
        """Return what has been counted so far."""
        # An old button is answered with the current page, like a move; a table leaves each version once.
        moves = len({(one.table, one.version) for one in self.journal.clicks if one.fate == "taken"})
        acts, commands = (sum(party.acts for party in self.parties), sum(party.commands for party in self.parties))
        return Counts(moves, processor_ms(self.bot), len(self.sandbox.calls), acts, commands)

    async def play(self, going_on: Callable[[], bool]) -> None:
        """Move without a pause."""

        async def one(place: int) -> None:
            for party in itertools.cycle(self.parties[place::AT_ONCE]):
                if not going_on():
                    return
                if not await party.step():
                    await asyncio.sleep(AGAIN_S)

        await asyncio.gather(*map(one, range(AT_ONCE)))


@contextlib.asynccontextmanager
async def crowd(game: str, tables: int = TABLES, root: Path = ROOT) -> AsyncIterator[Crowd]:
    """Start a bot, whose code is in the checkout `root`, and its games."""
    async with contextlib.AsyncExitStack() as stack:
        database = Path(stack.enter_context(tempfile.TemporaryDirectory())) / "bench.db"
        sandbox, guild = unlimited_sandbox()
        await stack.enter_async_context(sandbox)
        process = await stack.enter_async_context(bot_process(sandbox, "bot.py", database=database, root=root))
        reader = FileReader(database)
        stack.push_async_callback(reader.close)
        owner = sandbox.add_person("Ann", guild, administrator=True)
        await owner.command(sandbox.add_channel(guild, "office"), "settings limit", of="server", tables=2 * tables)
        journal = Journal(sandbox)
        parties = [Pressers(journal, reader, guild, game, pace_s=0) for _ in range(tables)]
        for first in range(0, tables, AT_ONCE):
            await asyncio.gather(*(party.begin() for party in parties[first : first + AT_ONCE]))
        await until_idle(process)  # it draws the covers in advance
        yield Crowd(parties, sandbox, journal, process.pid)
        assert not sandbox.violations, sandbox.violations[:3]


def for_seconds(seconds: float) -> Callable[[], bool]:
    """Return a function that is true for this long."""
    end = time.perf_counter() + seconds
    return lambda: time.perf_counter() < end


async def _rushed(game: str) -> Rush:
    async with crowd(game) as people:
        await people.play(for_seconds(WARM_S))
        before, begin = people.counted(), time.perf_counter()
        await people.play(for_seconds(SECONDS))
        seconds, found = time.perf_counter() - begin, people.counted().since(before)
        each = found.moves
        return Rush(
            each / seconds, found.processor_ms / each, found.calls / each, found.acts / each, found.commands / each
        )


def rows(games: Sequence[str] = ()) -> Iterator[tuple[str, str]]:
    """Yield the bare bot's line, and one per game (or named game)."""
    picture = asyncio.run(bare("echo:2"))
    yield "baseline: bare bot with a picture", f"{picture.rate:,.0f} a second; {picture.processor_ms:.2f} ms each"
    for game in OPTIONS:
        if not games or game in games:
            yield game, asyncio.run(_rushed(game)).describe(picture, RATES.get(game, RATE))
