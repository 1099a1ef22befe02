"""Commits per second and the duration of one, in an SQLite file and over PostgreSQL.

Both sync every commit to the same disk. PostgreSQL is a separate cluster on a local socket, with default settings.
"""

import asyncio
import tempfile
import time
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

from data.store import NewTable, SeatChange, SeatRow, Store
from data.store.games import NewDecision
from data.store.open_store import open_store
from tools.bench import present
from tools.postgres import Cluster, folder, programs

AT_ONCE = (1, 8, 64)
FOR_S = 3.0
EVENTS = ('{"event":"pushed","seat":0,"floor":3,"side":"left","fell":null,"at":1900000000000}',) * 2
ACTION = '{"do":"push","floor":3,"side":"left"}'


async def _moves(store: Store, table: int, until: float, took: list[float], seats: bool) -> None:
    number = 0
    while (begin := time.perf_counter()) < until:
        change = {0: SeatChange(lapses=number)} if seats else {}
        await store.games.append(
            table,
            NewDecision(number=number, seat=0, at=present(), action=ACTION, events=EVENTS, due=present(), seats=change),
        )
        number += len(EVENTS)
        took.append(time.perf_counter() - begin)


async def _measure(store: Store, tables: int, *, seats: bool = False) -> tuple[float, float, float, float]:
    """Return commits per second, the median and 99th percentile of a commit in ms, and our CPU time per commit."""
    new = NewTable("rope_wall", 1, 2, 10, "{}", present())
    people = [SeatRow(0, 10, "Ann"), SeatRow(1, 11, "Ben")]
    rows = [await store.tables.create(new, people) for _ in range(tables)]
    took: list[float] = []
    cpu, until = time.process_time(), time.perf_counter() + FOR_S
    await asyncio.gather(*(_moves(store, row.id, until, took, seats) for row in rows))
    cpu = time.process_time() - cpu
    took.sort()
    return len(took) / FOR_S, _at(took, 0.5), _at(took, 0.99), cpu / len(took) * 1_000


def _at(took: Sequence[float], part: float) -> float:
    return took[min(len(took) - 1, int(len(took) * part))] * 1_000


@asynccontextmanager
async def _databases(place: Path, cluster: Cluster) -> AsyncIterator[tuple[Store, Store]]:
    async with (
        open_store(place / "bench.db", now=present) as file,
        open_store(cluster.fresh("template1"), now=present) as server,
    ):
        yield file, server


async def _rows(place: Path, cluster: Cluster) -> list[tuple[str, str]]:
    found = []
    async with _databases(place, cluster) as (file, server):
        for tables, seats in [*((number, False) for number in AT_ONCE), (AT_ONCE[-1], True)]:
            ours = await _measure(file, tables, seats=seats)
            theirs = await _measure(server, tables, seats=seats)
            words = (
                f"SQLite {ours[0]:,.0f}/s, {ours[1]:.1f} ms (p99 {ours[2]:.1f}), CPU {ours[3]:.2f} ms; "
                f"PostgreSQL {theirs[0]:,.0f}/s, {theirs[1]:.1f} ms (p99 {theirs[2]:.1f}), CPU {theirs[3]:.2f} ms; "
                f"rate {theirs[0] / ours[0]:.2f}, median {theirs[1] / ours[1]:.2f}, CPU {theirs[3] / ours[3]:.2f}"
            )
            found.append((f"{tables} at once{', with a seat' if seats else ''}", words))
    return found


def rows() -> Iterator[tuple[str, str]]:
    """Yield a line per number of tables that play at the same time."""
    binaries = programs()
    if binaries is None:
        yield "commits", "PostgreSQL is missing (apt-get install postgresql)"
        return
    cluster = Cluster(folder(), binaries)
    try:
        cluster.make()
        with tempfile.TemporaryDirectory(dir=cluster.folder.parent) as place:
            yield from asyncio.run(_rows(Path(place), cluster))
    finally:
        cluster.remove()
