"""What the fleet goes through: people play while processes end, and somebody takes over. Imports its neighbours."""

import asyncio
import signal
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

from sandbox import PATIENCE_S, Guild, Sandbox
from sandbox.interaction import Interaction
from sandbox.scenery import default_world
from tests.fleet import judge
from tests.fleet.fleet import Fleet, Process, fleet_on
from tests.fleet.kept import Kept
from tests.fleet.parties import Journal, Party, parties

LOOK_S = 0.2
"""How often somebody looks whether the bot is back."""


@dataclass
class Scene:
    """A fleet on servers where people of every game play."""

    sandbox: Sandbox
    fleet: Fleet
    kept: Kept
    journal: Journal
    parties: Sequence[Party]
    guilds: Sequence[Guild]
    wrong: list[str] = field(default_factory=list)

    async def everybody_plays(self) -> None:
        """Wait until there has been a move at every table since now."""
        since = len(self.journal.clicks)
        await self.moved(since, self.parties)

    async def moved(self, since: int, those: Sequence[Party]) -> None:
        """Wait until each of these parties has been told of a move, later than the first `since` clicks."""

        def all_did() -> bool:
            told = {click.table for click in self.journal.clicks[since:] if click.fate == "taken"}
            return all(party.stood is not None and party.stood.number in told for party in those)

        await self.sandbox.until(all_did, 2 * PATIENCE_S)

    async def back_ms(self, guild: Guild) -> int:
        """Ask for a table on a server again and again; return after how many milliseconds somebody answered."""
        began = self.journal.now_ms
        party = next(each for each in self.parties if each.guild is guild and each.stood is not None)
        asked: list[Interaction] = []
        while not (answered := [each for each in asked if each.answer is not None]):
            assert self.journal.now_ms - began < PATIENCE_S * 1_000, "nobody took over"
            asked.append(party.people[-1].start_command(party.yard, "tables", {}))
            await asyncio.sleep(LOOK_S)
        return min(each.created_ms for each in answered) - began

    async def judged(self) -> list[str]:
        """Return all that is wrong."""
        return [
            *self.wrong,
            *await judge.wrong_with_moves(self.kept, self.journal.clicks),
            *judge.wrong_with_edits(self.journal.edits, self.fleet.processes),
            *judge.wrong_with_logs(self.fleet.processes),
            *judge.wrong_with_rules(self.sandbox.breaches),
        ]


@asynccontextmanager
async def scene_on(
    database: str, folder: Path, *, servers: int = 1, shards: int = 1, settings: dict[str, str] | None = None
) -> AsyncIterator[Scene]:
    """Give a scene without a process yet. Its parties begin to play with `playing`."""
    sandbox = Sandbox()
    sandbox.settings.shards = shards
    sandbox.settings.paced_identifies = True
    async with sandbox, fleet_on(sandbox, database, folder, settings) as fleet:
        default_world(sandbox, servers, people=1)
        guilds = list(sandbox.world.guilds.values())
        kept = Kept(database)
        journal = Journal(sandbox)
        try:
            yield Scene(sandbox, fleet, kept, journal, parties(journal, kept, guilds), guilds)
        finally:
            await kept.close()


@asynccontextmanager
async def playing(those: Sequence[Party]) -> AsyncIterator[None]:
    """Let parties play; in the end each finishes what it is at."""
    enough = asyncio.Event()
    async with asyncio.TaskGroup() as group:
        for party in those:
            group.create_task(party.play(enough))
        try:
            yield
        finally:
            enough.set()


@dataclass(frozen=True)
class Replaced:
    """How a process was followed by another: after how many milliseconds a server was answered again, and after how
    many there had been a move at each of its tables. `successor` is the process that was started instead.
    """

    back_ms: int
    moved_ms: int
    successor: Process


async def replaced(
    scene: Scene, process: Process, guild: Guild, how: signal.Signals = signal.SIGKILL, **settings: str
) -> Replaced:
    """End the process that serves a server, start another one, and wait until people play on there. What becomes of
    their clocks is noted.
    """
    those = [party for party in scene.parties if party.guild is guild]
    ran = [stood for party in those if (stood := party.stood) is not None and stood.status == "playing"]
    since, began = len(scene.journal.clicks), scene.journal.now_ms
    await scene.fleet.end(process, how)
    successor = await scene.fleet.start(**settings)
    back = await scene.back_ms(guild)
    await scene.moved(since, those)
    if process.ended_ms is not None and how == signal.SIGKILL:
        for stood in ran:
            decided = await scene.kept.decided(stood.game, stood.number)
            scene.wrong += judge.wrong_with_clocks(stood.number, stood.version, decided, process.ended_ms)
    return Replaced(back, scene.journal.now_ms - began, successor)
