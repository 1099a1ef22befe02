"""The row of our process among the processes."""

import dataclasses
from collections.abc import Sequence

from data.store.database import Transaction
from data.store.downtime import Run
from data.store.shards import LEASE_MS, Process, ProcessInfo
from data.store.sql import columns
from engine.contract import Moment

GONE_AFTER_MS = 3_600_000
"""A process that has not renewed its lease for this long is deleted."""

FOR_GOOD = 2**62
"""The end of the lease of a process that has the database to itself: it lasts as long as its lock."""

PROCESS = columns(Process.__struct_fields__)
"""The columns of a process."""

ALIVE = f"SELECT {PROCESS} FROM processes WHERE until > now_ms() ORDER BY id"
"""The live processes."""

RUNS = "SELECT id, started_at, alive_at, shard, shards FROM runs ORDER BY id"
"""All runs, oldest first."""


async def register(tx: Transaction, process_info: ProcessInfo) -> int:
    """Register a process beside others, and delete those that are gone; return its number. Leases of processes of its
    machine that have exited without notice expire at once, so that nobody waits for them.
    """
    there = [Process(*row) for row in await tx.rows(ALIVE)]
    await expire_processes(tx, [other.id for other in there if process_info.outlived(other)])
    gone = "DELETE FROM processes WHERE until = :good OR until < now_ms() - :gone"
    await tx.run(gone, good=FOR_GOOD, gone=GONE_AFTER_MS)
    return await _enter(tx, process_info, LEASE_MS)


async def expire_processes(tx: Transaction, processes: Sequence[int]) -> None:
    """Expire the leases of processes that have exited without notice."""
    await tx.run("UPDATE processes SET until = now_ms() WHERE id IN (:out)", out=[*processes])


async def register_alone(tx: Transaction, process_info: ProcessInfo, at: Moment) -> tuple[int, list[Run]]:
    """Register a process that has the database to itself, with a new run; return its number and all runs."""
    await tx.run("UPDATE runs SET stopped_at = :at WHERE stopped_at IS NULL", at=at)
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
    tx: Transaction, process_info: ProcessInfo, process: int, count: int, max_shards: int | None
) -> None:
    """Register a process under its old number, after it was deleted."""
    await tx.run(
        "INSERT INTO processes (id, host, pid, version, machine, born, started_at, beat_at, until, shards, room) VALUES"
        " (:id, :host, :pid, :version, :machine, :born, now_ms(), now_ms(), now_ms() + :lease, :count, :max_shards)",
        **dataclasses.asdict(process_info),
        id=process,
        lease=LEASE_MS,
        count=count,
        max_shards=max_shards,
    )
