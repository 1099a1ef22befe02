"""Moves of every game, made without a pause at many tables: how many a second, and what each costs, next to a bare
discord.py bot that answers each click with buttons and a stored picture.

People press what is in sight: their newest cockpit, or else the table message, where it has the first button of their
move; a move may take several presses there. Else they use a command, which is answered by their cockpit. The sandbox
and the people, who read in the database what they may do, are in this process, the bot in another one.
"""

import asyncio
import contextlib
import itertools
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from engine.contract import Action
from sandbox import ActionResult, UserClient
from tools.bench.budgets import judged
from tools.bench.clicks import AT_ONCE, MOVE, Run, bare, place, processor_ms, quiet, running
from tools.fleet.database import KeptInFile, Stands
from tools.fleet.parties import Fate, Journal, Party
from tools.harness.moves import OPTIONS, Press, presses

TABLES = 100
WARM_S, SECONDS = 6.0, 8.0
"""So long people have played, and how long is measured then: by then they have their cockpits, tables their tokens."""

UPDATE = 7
"""The type of an answer that is an edit of what was pressed."""

AGAIN_S = 0.002
"""Where nothing could be done at a table, somebody looks at the next one after so long."""

RATES = {"rope_wall": MOVE}
RATE = 0.7
"""Budgets: the rate against the bare bot with a picture, of the Rope Wall and of every other game."""


@dataclass(frozen=True)
class Rush:
    """Moves a second; and for each the bot's processor time, its calls, what people did for it, and how many of these
    acts were commands.
    """

    rate: float
    processor_ms: float
    calls: float
    acts: float
    commands: float

    def told(self, picture: Run, budget: float) -> str:
        """Return it in words, next to the bare bot."""
        ratio = self.rate / picture.rate
        by_processor = f", by processor {picture.processor_ms / self.processor_ms:.2f}" if self.processor_ms else ""
        kept = judged(ratio >= budget, str(budget))
        return (
            f"{self.rate:,.0f} a second, {ratio:.2f} of the bare bot{by_processor}{kept}; each {self.processor_ms:.2f} "
            f"ms of processor and {self.calls:.2f} calls for {self.acts:.2f} acts, {self.commands:.2f} of them commands"
        )


class Pressers(Party):
    """A party of whom everybody presses the buttons that they see: `acts` so often, `commands` among them."""

    acts = commands = 0

    async def attempt(self, who: UserClient, stands: Stands, action: Action) -> tuple[ActionResult, Fate]:
        """Make a move by presses, or else by a command."""
        ends = presses(action)
        found = next(
            ((page, at) for page in self._in_sight(who, stands) if (at := _first(page, ends)) is not None), None
        )
        if found is None:
            self.acts += 1
            self.commands += 1
            return await self.by_command(who, stands, action)
        page, at = found
        for end, value in ends[at:]:
            self.acts += 1
            answer = await who.press(page, _named(page, end) or end, values=None if value is None else [value])
            if answer.message is None:
                return answer, "lost"
            page = answer.message  # the same, or from the table message the cockpit
        return answer, "taken" if answer.type == UPDATE else "late"

    def _in_sight(self, who: UserClient, stands: Stands) -> Iterator[dict[str, Any]]:
        """Yield somebody's newest cockpit at a table, if they have one, and the table message."""
        ours = f"cb:{stands.number}:"
        pages = (page for page in reversed(who.ephemerals(self.yard)) if any(ours in one for one in _enabled(page)))
        yield from itertools.islice(pages, 1)
        yield self.board(stands.number)


def _enabled(page: dict[str, Any]) -> list[str]:
    """What those controls of a page carry that can be pressed."""
    return [part["custom_id"] for part in UserClient.buttons(page) if "custom_id" in part and not part.get("disabled")]


def _named(page: dict[str, Any], end: str) -> str | None:
    """What the control of a page carries that can be pressed and ends so."""
    return next((one for one in _enabled(page) if one.endswith(end)), None)


def _first(page: dict[str, Any], ends: Sequence[Press]) -> int | None:
    """At which of these presses a page begins: a cockpit has what the table message opens first."""
    return next((at for at, (end, _) in enumerate(ends) if _named(page, end)), None)


async def _rushed(game: str) -> Rush:
    async with contextlib.AsyncExitStack() as stack:
        database = Path(stack.enter_context(tempfile.TemporaryDirectory())) / "bench.db"
        sandbox, guild = place()
        await stack.enter_async_context(sandbox)
        process = await stack.enter_async_context(running(sandbox, "bot.py", database=database))
        kept = KeptInFile(database)
        stack.push_async_callback(kept.close)
        owner = sandbox.add_person("Ann", guild, administrator=True)
        await owner.command(sandbox.add_channel(guild, "office"), "settings limit", of="server", tables=2 * TABLES)
        journal = Journal(sandbox)
        found = [Pressers(journal, kept, guild, game, pace_s=0) for _ in range(TABLES)]
        for first in range(0, TABLES, AT_ONCE):
            await asyncio.gather(*(party.begin() for party in found[first : first + AT_ONCE]))
        await quiet(process)  # the first pictures are drawn ahead
        await _rush(found, WARM_S)
        clicks, calls, before = len(journal.clicks), len(sandbox.calls), processor_ms(process.pid)
        acts, commands = (sum(party.acts for party in found), sum(party.commands for party in found))
        seconds = await _rush(found, SECONDS)
        spent, called = processor_ms(process.pid) - before, len(sandbox.calls) - calls
        assert not sandbox.violations, sandbox.violations[:3]
        # An old button is answered with the page as it stands, like a move: a table moves on from a version once.
        moves = len({(one.table, one.version) for one in journal.clicks[clicks:] if one.fate == "taken"})
        acts, commands = sum(party.acts for party in found) - acts, sum(party.commands for party in found) - commands
        return Rush(moves / seconds, spent / moves, called / moves, acts / moves, commands / moves)


async def _rush(parties: Sequence[Pressers], seconds: float) -> float:
    """Let them move without a pause. Return for how many seconds they did."""
    begin = time.perf_counter()
    until = begin + seconds

    async def one(place: int) -> None:
        for party in itertools.cycle(parties[place::AT_ONCE]):
            if time.perf_counter() >= until:
                return
            if not await party.step():
                await asyncio.sleep(AGAIN_S)

    await asyncio.gather(*map(one, range(AT_ONCE)))
    return time.perf_counter() - begin


def rows(games: Sequence[str] = ()) -> Iterator[tuple[str, str]]:
    """Yield the bare bot's line, and one for each game (or of those named)."""
    picture = asyncio.run(bare("echo:2"))
    yield "baseline: bare bot with a picture", f"{picture.rate:,.0f} a second; {picture.processor_ms:.2f} ms each"
    for game in OPTIONS:
        if not games or game in games:
            yield game, asyncio.run(_rushed(game)).told(picture, RATES.get(game, RATE))
