"""That a process is there: its row among the processes, and the moment from which on it is to fall silent.

May import `engine.contract`, the standard library and its neighbours.
"""

import dataclasses
from collections.abc import Callable, Sequence

from data.store.clauses import columns
from data.store.postgres.database import rows_of, run
from data.store.postgres.pool import Connection
from data.store.runs import Run
from data.store.shards import LEASE_MS, SILENT_MS, Newcomer, Process
from engine.contract import Moment

GONE_AFTER_MS = 3_600_000
"""A process that was not heard of for so long is forgotten."""

FOR_GOOD = 2**62
"""Until when a process is there that has the database to itself: as long as it holds the lock on it."""

PROCESS = columns(Process.__struct_fields__)
"""The columns of a process that is there."""

THERE = f"SELECT {PROCESS} FROM processes WHERE until > now_ms() ORDER BY id"
"""Those that are there."""

RUNS = "SELECT id, started_at, alive_at, shard, shards FROM runs ORDER BY id"
"""All runs, oldest first."""


async def enter(db: Connection, newcomer: Newcomer) -> int:
    """Note that a process is there beside others, and forget those that are gone; return its number.

    Those of its machine that have ended without a word are put out at once: nobody has to wait until they are not heard
    of any more. Should one be there all the same, it writes nothing until it has heard of that, as whoever is too late.
    """
    there = [Process(*row) for row in await rows_of(db, THERE, {})]
    await put_out(db, [other.id for other in there if newcomer.outlived(other)])
    return await _enter(db, newcomer, f"until = {FOR_GOOD} OR until < now_ms() - {GONE_AFTER_MS}", LEASE_MS)


async def put_out(db: Connection, processes: Sequence[int]) -> None:
    """Let nobody wait for processes that have ended without a word."""
    await run(db, "UPDATE processes SET until = now_ms() WHERE id = ANY (%(out)s::bigint[])", {"out": [*processes]})


async def enter_alone(db: Connection, newcomer: Newcomer, at: Moment) -> tuple[int, list[Run]]:
    """Note that a process has the database to itself, as a new run; return its number and all runs."""
    async with db.transaction():
        process = await _enter(db, newcomer, "true", FOR_GOOD)
        await run(
            db,
            "WITH begun AS (INSERT INTO runs (started_at, alive_at) VALUES (%(at)s, %(at)s) RETURNING id)"
            " INSERT INTO leases (shard, shards, process, run, since) SELECT 0, 1, %(process)s, id, 0 FROM begun",
            {"at": at, "process": process},
        )
        return process, [Run(*row) for row in await rows_of(db, RUNS, {})]


async def _enter(db: Connection, newcomer: Newcomer, forgotten: str, lease_ms: int) -> int:
    async with db.transaction():
        if lease_ms == FOR_GOOD:
            await run(db, "DELETE FROM leases", {})
        await run(db, f"DELETE FROM processes WHERE {forgotten}", {})
        ((number,),) = await rows_of(
            db,
            "INSERT INTO processes (host, pid, version, machine, born, started_at, beat_at, until) VALUES (%(host)s,"
            " %(pid)s, %(version)s, %(machine)s, %(born)s, now_ms(), now_ms(), least(%(good)s, now_ms() + %(lease)s))"
            " RETURNING id",
            {**dataclasses.asdict(newcomer), "lease": lease_ms, "good": FOR_GOOD},
        )
    return int(number)


async def enter_again(db: Connection, newcomer: Newcomer, process: int, count: int, room: int | None) -> None:
    """Note that a process is there, under its number, although it was forgotten."""
    await run(
        db,
        "INSERT INTO processes (id, host, pid, version, machine, born, started_at, beat_at, until, shards, room) VALUES"
        " (%(id)s, %(host)s, %(pid)s, %(version)s, %(machine)s, %(born)s, now_ms(), now_ms(), now_ms() + %(lease)s,"
        " %(count)s, %(room)s)",
        {**dataclasses.asdict(newcomer), "id": process, "lease": LEASE_MS, "count": count, "room": room},
    )


class Silence:
    """Knows by our own clock whether others may take over what we serve."""

    def __init__(self, steady: Callable[[], float]) -> None:
        self._steady = steady
        self._until = steady() + SILENT_MS / 1_000

    def __call__(self) -> bool:
        """Say whether we have not been heard of in time."""
        return self._steady() >= self._until

    def asking(self) -> float:
        """Return until when we shall be heard of, if what we say now arrives."""
        return self._steady() + SILENT_MS / 1_000

    def heard(self, until: float) -> None:
        """Take note that what we said has arrived."""
        self._until = until
