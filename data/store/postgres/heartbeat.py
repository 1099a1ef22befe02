"""That a process is there: its row among the processes, and the moment from which on it is to fall silent.

May import `engine.contract`, the standard library and its neighbours.
"""

import dataclasses
from collections.abc import Callable, Sequence

from data.store.database import Transaction
from data.store.downtime import Run
from data.store.shards import LEASE_MS, SILENT_MS, Process, ProcessInfo
from data.store.sql import columns
from engine.contract import Moment

GONE_AFTER_MS = 3_600_000
"""A process that was not heard of for so long is forgotten."""

FOR_GOOD = 2**62
"""Until when a process is there that has the database to itself: as long as it holds the lock on it."""

PROCESS = columns(Process.__struct_fields__)
"""The columns of a process that is there."""

ALIVE = f"SELECT {PROCESS} FROM processes WHERE until > now_ms() ORDER BY id"
"""Those that are there."""

RUNS = "SELECT id, started_at, alive_at, shard, shards FROM runs ORDER BY id"
"""All runs, oldest first."""


async def register(tx: Transaction, process_info: ProcessInfo) -> int:
    """Note that a process is there beside others, and forget those that are gone; return its number.

    Those of its machine that have ended without a word are put out at once: nobody has to wait until they are not heard
    of any more. Should one be there all the same, it writes nothing until it has heard of that, as whoever is too late.
    """
    there = [Process(*row) for row in await tx.rows(ALIVE)]
    await expire_processes(tx, [other.id for other in there if process_info.outlived(other)])
    gone = "DELETE FROM processes WHERE until = :good OR until < now_ms() - :gone"
    await tx.run(gone, good=FOR_GOOD, gone=GONE_AFTER_MS)
    return await _enter(tx, process_info, LEASE_MS)


async def expire_processes(tx: Transaction, processes: Sequence[int]) -> None:
    """Let nobody wait for processes that have ended without a word."""
    await tx.run("UPDATE processes SET until = now_ms() WHERE id IN (:out)", out=[*processes])


async def register_alone(tx: Transaction, process_info: ProcessInfo, at: Moment) -> tuple[int, list[Run]]:
    """Note that a process has the database to itself, as a new run; return its number and all runs."""
    await tx.run("DELETE FROM leases")
    await tx.run("DELETE FROM processes")
    process = await _enter(tx, process_info, FOR_GOOD)
    await tx.run(
        "WITH begun AS (INSERT INTO runs (started_at, alive_at) VALUES (:at, :at) RETURNING id)"
        " INSERT INTO leases (shard, shards, process, run, since) SELECT 0, 1, :process, id, 0 FROM begun",
        at=at,
        process=process,
    )
    return process, [Run(*row) for row in await tx.rows(RUNS)]


async def _enter(tx: Transaction, process_info: ProcessInfo, lease_ms: int) -> int:
    ((number,),) = await tx.rows(
        "INSERT INTO processes (host, pid, version, machine, born, started_at, beat_at, until) VALUES (:host,"
        " :pid, :version, :machine, :born, now_ms(), now_ms(), least(:good, now_ms() + :lease)) RETURNING id",
        **dataclasses.asdict(process_info),
        lease=lease_ms,
        good=FOR_GOOD,
    )
    return int(number)


async def register_again(
    tx: Transaction, process_info: ProcessInfo, process: int, count: int, room: int | None
) -> None:
    """Note that a process is there, under its number, although it was forgotten."""
    await tx.run(
        "INSERT INTO processes (id, host, pid, version, machine, born, started_at, beat_at, until, shards, room) VALUES"
        " (:id, :host, :pid, :version, :machine, :born, now_ms(), now_ms(), now_ms() + :lease, :count, :room)",
        **dataclasses.asdict(process_info),
        id=process,
        lease=LEASE_MS,
        count=count,
        room=room,
    )


class LeaseClock:
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
