"""Moves of every game, made without a pause at many tables: how many a second, and what each costs, next to a bare
discord.py bot that answers each click with buttons and a stored picture.

People move by the table message's buttons where it has one for their move, else by a command, which is answered by
their cockpit: one call against up to four. The sandbox and the people, who read in the database what they may do, are
in this process, the bot in another one.
"""

import asyncio
import contextlib
import itertools
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from engine.contract import Action
from sandbox import Answer, Person
from tests.bench.budgets import judged
from tests.bench.clicks import AT_ONCE, MOVE, Run, bare, place, processor_ms, quiet, running
from tests.fleet.kept import KeptInFile, Stands
from tests.fleet.moves import OPTIONS, on_table
from tests.fleet.parties import Fate, Journal, Party

TABLES = 100
WARM_S, SECONDS = 6.0, 8.0
"""So long people have played, and how long is measured then: by then they have their cockpits, tables their tokens."""

AGAIN_S = 0.002
"""Where nothing could be done at a table, somebody looks at the next one after so long."""

RATES = {"rope_wall": MOVE}
RATE = 0.7
"""Budgets: the rate against the bare bot with a picture, of the Rope Wall and of every other game."""


@dataclass(frozen=True)
class Rush:
    """Moves a second, the bot's processor time and its calls a move, and how many were made on a table message."""

    rate: float
    processor_ms: float
    calls: float
    on_table: float

    def told(self, picture: Run, budget: float) -> str:
        """Return it in words, next to the bare bot."""
        ratio = self.rate / picture.rate
        by_processor = f", by processor {picture.processor_ms / self.processor_ms:.2f}" if self.processor_ms else ""
        kept = judged(ratio >= budget, str(budget))
        return (
            f"{self.rate:,.0f} a second, {ratio:.2f} of the bare bot{by_processor}{kept}; "
            f"{self.processor_ms:.2f} ms of processor and {self.calls:.2f} calls each, {self.on_table:.0%} on the table"
        )


class Pressers(Party):
    """A party of whom everybody moves by the table message where it has a button for that: `pressed` so often."""

    pressed = 0

    async def attempt(self, who: Person, stands: Stands, action: Action) -> tuple[Answer, Fate]:
        """Make a move by a press, or else by a command."""
        end = on_table(action)
        board = self.board(stands.number)
        names = [part["custom_id"] for part in Person.buttons(board) if not part.get("disabled")]
        name = next((one for one in names if end is not None and one.endswith(end)), None)
        if name is None:
            return await self.by_command(who, stands, action)
        answer = await who.press(board, name)
        self.pressed += 1
        return answer, "taken" if answer.type == 7 else "late"


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
        pressed = sum(party.pressed for party in found)
        seconds = await _rush(found, SECONDS)
        spent, called = processor_ms(process.pid) - before, len(sandbox.calls) - calls
        assert not sandbox.breaches, sandbox.breaches[:3]
        moves = sum(click.fate == "taken" for click in journal.clicks[clicks:])
        pressed = sum(party.pressed for party in found) - pressed
        return Rush(moves / seconds, spent / moves, called / moves, pressed / moves)


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
