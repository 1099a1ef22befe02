"""Trials of a fleet: people play while processes end and others take over."""

import asyncio
import signal
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

import psycopg

from sandbox import PATIENCE_S, Guild, Sandbox
from sandbox.demo_world import default_world
from sandbox.messaging.interaction import Interaction
from tools.fleet import judge
from tools.fleet.database import DatabaseReader
from tools.fleet.parties import Gain, Journal, Party, parties
from tools.fleet.processes import Fleet, Process, fleet_on
from tools.postgres import Cluster

LOOK_S = 0.2
"""Interval between checks whether the bot is back."""

ANSWER_MS = 10_000
"""How long people wait for an answer: longer than Discord's 3 s, since test machines are busy."""


@dataclass
class Scene:
    """A fleet on servers where people of every game play."""

    sandbox: Sandbox
    fleet: Fleet
    reader: DatabaseReader
    journal: Journal
    parties: Sequence[Party]
    guilds: Sequence[Guild]
    wrong: list[str] = field(default_factory=list)
    owners: dict[str, Process] = field(default_factory=dict)
    """Which process serves a server, by the server's id, according to the leases."""

    runs: dict[str, int] = field(default_factory=dict)
    """The run of that service."""

    async def begin(self, processes: int = 1) -> Process:
        """Start a process, which first serves all servers, and then the others; return the first one."""
        first = await self.fleet.start()
        for guild in self.guilds:
            await self.fleet.serving(first, guild)
        for _ in range(1, processes):
            await self.fleet.start()
        return first

    async def everybody_plays(self) -> None:
        """Wait until every table has had a move since now."""
        since = len(self.journal.clicks)
        await self.moved(since, self.parties)

    async def moved(self, since: int, those: Sequence[Party]) -> None:
        """Wait until each of these parties has had a confirmed move after the first `since` clicks.

        Raises AssertionError with the failed attempts of the others.
        """

        def left() -> list[Party]:
            told = {click.channel for click in self.journal.clicks[since:] if click.fate == "taken"}
            return [party for party in those if party.yard.id not in told]

        try:
            await self.sandbox.until(lambda: not left(), 2 * PATIENCE_S)
        except TimeoutError:
            raise AssertionError("\n".join(party.story() for party in left())) from None

    async def watch(self) -> None:
        """Record which process serves which server, until cancelled."""
        while True:
            with suppress(psycopg.OperationalError):  # the server is away
                await self._look()
            await asyncio.sleep(LOOK_S)

    async def _look(self) -> None:
        rows = await self.reader.rows(
            "SELECT l.shard, l.shards, p.pid, r.id, r.started_at"
            " FROM leases l JOIN processes p ON p.id = l.process JOIN runs r ON r.id = l.run"
        )
        processes = {process.pid: process for process in self.fleet.processes}
        for guild in self.guilds:
            for shard, shards, pid, run, began_ms in rows:
                process = processes.get(pid)
                if shard == guild.shard(shards) and process is not None and run != self.runs.get(guild.id):
                    self.owners[guild.id], self.runs[guild.id] = process, run
                    # the moment it began, however late this is read
                    self.journal.gains.append(Gain(began_ms, process.name, guild.id))
                    self.sandbox.state.changed()

    async def shared(self) -> None:
        """Wait until every server has its own running process, and no other receives its events."""

        def are() -> bool:
            owners = [self.owners.get(guild.id) for guild in self.guilds]
            return len(set(owners)) == len(owners) and all(
                owner is not None and owner.runs and self.fleet.servers_of(guild) == [owner]
                for guild, owner in zip(self.guilds, owners, strict=True)
            )

        await self.sandbox.until(are, PATIENCE_S)

    async def shown(self) -> None:
        """Wait until every table message shows its game. Raises AssertionError for those that do not."""
        for party in self.parties:
            await party.look()

        def lagging() -> list[Party]:
            return [party for party in self.parties if not party.shown]

        try:
            await self.sandbox.until(lambda: not lagging(), PATIENCE_S)
        except TimeoutError:
            raise AssertionError("\n".join(party.story() for party in lagging())) from None

    async def back_ms(self, guild: Guild) -> int:
        """Repeat a command on a server. Return after how many milliseconds it was answered."""
        began = self.journal.now_ms
        party = next(each for each in self.parties if each.guild is guild and each.stored is not None)
        asked: list[Interaction] = []
        while not (answered := [each for each in asked if each.answer is not None]):
            assert self.journal.now_ms - began < PATIENCE_S * 1_000, "nobody took over"
            asked.append(party.people[-1].start_command(party.yard, "tables", {}))
            await asyncio.sleep(LOOK_S)
        return min(each.created_ms for each in answered) - began

    async def judged(self) -> list[str]:
        """Return everything that is wrong."""
        return [
            *self.wrong,
            *await judge.wrong_with_moves(self.reader, self.journal.clicks),
            *judge.wrong_with_edits(self.journal.edits, self.journal.gains, self.fleet.processes),
            *judge.wrong_with_logs(self.fleet.processes),
            *judge.wrong_with_rules(self.sandbox.violations, self.fleet.processes),
        ]


@asynccontextmanager
async def scene_on(
    database: str,
    folder: Path,
    *,
    shards: int = 1,
    settings: dict[str, str] | None = None,
    each: int = 1,
    pace_s: float = 0.2,
) -> AsyncIterator[Scene]:
    """Yield a scene without processes, with one server per shard and `each` parties per game on it. Everybody plays
    within `playing`, and pauses for `pace_s` between two moves.
    """
    sandbox = Sandbox(answer_within_ms=ANSWER_MS)
    sandbox.settings.shards = shards
    sandbox.settings.paced_identifies = True
    async with sandbox, fleet_on(sandbox, database, folder, settings) as fleet:
        default_world(sandbox, servers=shards, people=1)
        guilds = list(sandbox.state.guilds.values())
        reader = DatabaseReader(database)
        journal = Journal(sandbox)
        try:
            yield Scene(
                sandbox, fleet, reader, journal, parties(journal, reader, guilds, each=each, pace_s=pace_s), guilds
            )
        finally:
            await reader.close()


@asynccontextmanager
async def playing(scene: Scene) -> AsyncIterator[None]:
    """Run all parties' play; at the end each party finishes its current act."""
    enough = asyncio.Event()
    watching = asyncio.create_task(scene.watch())
    try:
        async with asyncio.TaskGroup() as group:
            for party in scene.parties:
                group.create_task(party.play(enough))
            try:
                yield
            finally:
                enough.set()
    finally:
        watching.cancel()
        await asyncio.wait([watching])


@dataclass(frozen=True)
class Replaced:
    """A killed process and its `successor`. `back_ms` is the outage of its server."""

    back_ms: int
    successor: Process


async def killed(scene: Scene, process: Process, guild: Guild) -> Replaced:
    """Kill the process that serves a server, start another one, and wait until people there play on. Checks their
    clocks.
    """
    those = [party for party in scene.parties if party.guild is guild]
    process.send(signal.SIGSTOP)  # no process takes over before the tables have been read
    found = [await scene.reader.newest(party.yard.id) for party in those]
    since = len(scene.journal.clicks)
    await scene.fleet.end(process)
    ended = process.ended_ms or 0
    ran = [each for each in found if each is not None and each.state is not None and each.game.deadlines(each.state)]
    successor = await scene.fleet.start()
    back = await scene.back_ms(guild)
    await scene.moved(since, those)
    # A process that took over may have handed the server on already, to the new process; that is no gap.
    away_ms = min(gain.at_ms - ended for gain in scene.journal.gains if gain.guild == guild.id and gain.at_ms >= ended)
    for stored in ran:
        decided = await scene.reader.decided(stored.game, stored.number)
        scene.wrong += judge.wrong_with_clocks(stored.number, stored.version, decided, away_ms)
    return Replaced(back, successor)


async def handed_over(scene: Scene, process: Process) -> Process:
    """Stop a process as planned while another one runs, and return a new one. No click may be lost."""
    since = len(scene.journal.clicks)
    code = await scene.fleet.end(process, signal.SIGTERM)
    if code:
        scene.wrong.append(f"{process.name} ended with {code}")
    successor = await scene.fleet.start()
    await scene.shared()
    await scene.everybody_plays()
    scene.wrong += [f"a click was lost in a hand-over: {click}" for click in scene.journal.lost(since)]
    return successor


async def stood_still(scene: Scene, process: Process, guild: Guild) -> None:
    """Freeze the process that serves a server until another one has taken over, and resume it."""
    since = len(scene.journal.clicks)
    process.send(signal.SIGSTOP)
    await scene.sandbox.until(lambda: scene.owners[guild.id] is not process, PATIENCE_S)
    await scene.moved(since, [party for party in scene.parties if party.guild is guild])
    process.woke_ms = scene.journal.now_ms
    process.send(signal.SIGCONT)
    await scene.shared()
    await scene.everybody_plays()


async def database_away(scene: Scene, cluster: Cluster, acts: int = 10) -> None:
    """Stop the database's server until people have tried `acts` commands, and wait until they play on."""
    since = len(scene.journal.clicks)
    cluster.stop()
    party = scene.parties[0]
    for _ in range(acts):
        await party.people[0].command(party.yard, "tables")
    cluster.start()
    await scene.moved(since, scene.parties)
