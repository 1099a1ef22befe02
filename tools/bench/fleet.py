"""Real costs of a move over PostgreSQL, moves of two processes against one, and the time without answers after a kill.

People play all five games on `bot.py` by commands and buttons, with every private page alive. They and the sandbox are
in this process, the bots are in others. PostgreSQL has default settings.
"""

import asyncio
import contextlib
import os
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from tools.bench import judged
from tools.bench.processes import processor_ms
from tools.bench.quota import NoQuota, quota
from tools.fleet.__main__ import cluster, run, words
from tools.fleet.database import DatabaseReader
from tools.fleet.processes import Process
from tools.fleet.trials import Scene, playing, scene_on
from tools.postgres import Cluster, programs

WARM_S, FOR_S = 15.0, 45.0
KILLS = 5
RUSH_S = 20.0
"""Seconds of play without pauses."""

PARTIES = 3
"""Parties per game and server, enough to keep a process busy."""

CORES = 0.5
"""Share of a core per process. It leaves PostgreSQL, the people and the sandbox what they need, so the comparison is
one process with two, not one machine with two.
"""

TWO = 1.6
"""Budget: moves of two processes on two cores, as a multiple of one process."""


@dataclass(frozen=True)
class Spent:
    """Resources used so far: moves, counted and other calls, processor time, commits, bytes."""

    moves: int
    counted: int
    others: int
    processor_ms: float
    commits: int
    kept_bytes: int


@dataclass(frozen=True)
class Rushed:
    """Moves per second, and the cores that the bot and the people used."""

    moves: float
    bot: float
    people: float

    def __str__(self) -> str:
        return f"{self.moves:.0f} moves a second (bot {self.bot:.2f} cores, people and sandbox {self.people:.2f})"


async def _spent(scene: Scene, process: Process) -> Spent:
    calls = [call.path.startswith(("/interactions/", "/webhooks/")) for call in scene.sandbox.calls]
    moves = sum(click.fate == "taken" for click in scene.journal.clicks)
    syncs, size = await _disk(scene.reader)
    return Spent(moves, calls.count(False), calls.count(True), processor_ms(process.pid), syncs, size)


async def _disk(reader: DatabaseReader) -> tuple[int, int]:
    """Return the number of log syncs, and the size of the database."""
    ((syncs, size),) = await reader.rows("SELECT wal_sync, pg_database_size(current_database()) FROM pg_stat_wal")
    return syncs, size


async def _moves(made: Cluster, place: Path) -> tuple[Spent, Spent, int]:
    """Return the resources used before and after a period of play, and the memory of the process in bytes."""
    async with scene_on(made.fresh("template1"), place) as scene:
        process = await scene.begin()
        async with playing(scene):
            await scene.everybody_plays()
            await asyncio.sleep(WARM_S)
            before = await _spent(scene, process)
            await asyncio.sleep(FOR_S)
            after = await _spent(scene, process)
        memory = int(Path(f"/proc/{process.pid}/statm").read_text(encoding="ascii").split()[1])
        assert not (wrong := await scene.judged()), wrong
        return before, after, memory * os.sysconf("SC_PAGE_SIZE")


async def _rush(made: Cluster, place: Path, processes: int, cores: float | None = None) -> Rushed:
    """Simulate people who move without a pause on two servers with this number of processes, each limited to `cores`.
    Raises `NoQuota`.
    """
    async with scene_on(made.fresh("template1"), place, shards=2, each=PARTIES, pace_s=0.0) as scene:
        await scene.begin(processes)
        with contextlib.ExitStack() as limits:
            if cores is not None:
                for process in scene.fleet.processes:
                    limits.enter_context(quota(process.name, process.pid, cores))
            async with playing(scene):
                await scene.sandbox.until(lambda: len({*scene.owners.values()}) == processes, 60)
                await scene.everybody_plays()
                await asyncio.sleep(WARM_S)
                since, bots, people = len(scene.journal.clicks), _busy(scene), time.process_time()
                await asyncio.sleep(RUSH_S)
                moves = sum(click.fate == "taken" for click in scene.journal.clicks[since:])
                bots, people = (_busy(scene) - bots) / 1_000, time.process_time() - people
    return Rushed(moves / RUSH_S, bots / RUSH_S, people / RUSH_S)


def _busy(scene: Scene) -> float:
    return sum(processor_ms(process.pid) for process in scene.fleet.processes)


def rows() -> Iterator[tuple[str, str]]:
    """Yield lines for the cost of a move, for two processes, and for kills."""
    if programs() is None or not Path("/proc/self/statm").exists():
        yield "fleet", "PostgreSQL is missing (apt-get install postgresql), or this system has no /proc"
        return
    with cluster() as made, tempfile.TemporaryDirectory() as place:
        before, after, memory = asyncio.run(_moves(made, Path(place)))
        moves = after.moves - before.moves
        yield (
            "a move, all games",
            f"{(after.processor_ms - before.processor_ms) / moves:.1f} ms of processor, "
            f"{(after.commits - before.commits) / moves:.2f} commits, "
            f"{(after.kept_bytes - before.kept_bytes) / moves:,.0f} bytes, "
            f"{(after.counted - before.counted) / moves:.2f} counted calls and "
            f"{(after.others - before.others) / moves:.2f} others ({moves} moves; {memory / 2**20:.0f} MiB resident)",
        )
        try:
            one, two = (asyncio.run(_rush(made, Path(place), number, CORES)) for number in (1, 2))
        except NoQuota as reason:
            yield "two processes against one", str(reason)
        else:
            times = two.moves / one.moves
            yield (
                f"two processes of {CORES} cores each against one",
                f"{two} against {one}: {times:.2f} times{judged(times >= TWO, f'{TWO} times')}",
            )
        one, two = (asyncio.run(_rush(made, Path(place), number)) for number in (1, 2))
        yield "the same where all share this machine", f"{two} against {one}: {two.moves / one.moves:.2f} times"
        for number, which in ((1, "the only process"), (2, "one of two processes")):
            killed, wrong = asyncio.run(run(made, Path(place), KILLS, number))
            yield f"{KILLS} kills of {which}", f"{words(killed)}; {len(wrong)} wrong"
