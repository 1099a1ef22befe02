"""The transactions that take, request and hand over leases of shards, one after the other under a lock. The row of a
process that is about to lose one is locked too: it has renewed its lease before, or finds out that it has lost it.
"""

from collections.abc import Iterable
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from data.store.errors import ShardCountMismatch
from data.store.postgres.heartbeat import PROCESS
from data.store.shards import HANDED_OVER_MS, LEASE_MS, Process
from engine.contract import Moment

if TYPE_CHECKING:  # psycopg may be missing
    from data.store.postgres.database import PostgresTransaction

LOCK = "SELECT pg_advisory_xact_lock(hashtextextended('leases', 0))"
"""Keeps others from changing leases until the transaction ends."""

_ALIVE = "(SELECT id FROM processes WHERE until > now_ms())"

_SERVED_UNTIL = (
    "UPDATE runs SET alive_at = greatest(alive_at, :at) WHERE id = (SELECT run FROM leases WHERE shard = :shard AND {})"
)


@dataclass(frozen=True)
class Holder:
    """A process that takes shards out of `count`."""

    process: int
    count: int


async def join(tx: "PostgresTransaction", us: Holder, max_shards: int | None) -> bool:
    """Set the number of shards: see `Shards.join`. Raises `ShardCountMismatch`."""
    others = await tx.rows(
        f"SELECT {PROCESS} FROM processes WHERE until > now_ms() AND shards NOT IN (0, :count)"
        " AND id <> :process ORDER BY stopping, id",
        **asdict(us),
    )
    for other in [Process(*row) for row in others]:
        if not other.stopping:
            raise ShardCountMismatch(
                f"The process {other.pid} on {other.host} counts with {other.shards} shards, and this one with "
                f"{us.count}: stop the others first, or give all of them the same SHARD_COUNT."
            )
    sql = "UPDATE processes SET shards = :count, room = :max_shards WHERE id = :process"
    await tx.run(sql, **asdict(us), max_shards=max_shards)
    return not others


async def take(tx: "PostgresTransaction", us: Holder, shard: int, at: Moment) -> bool:
    """Take a shard that no live process holds; return whether it is ours now."""
    await tx.require_heartbeat()
    values = {**asdict(us), "shard": shard}
    others = (
        f"SELECT 1 FROM leases WHERE process IN {_ALIVE} AND (shards <> :count OR shard = :shard)"
        " AND process <> :process"
    )
    # Lock the process that held it, so that it cannot renew its lease at the same moment.
    await tx.rows(
        "SELECT 1 FROM processes WHERE id IN (SELECT process FROM leases WHERE shards <> :count"
        " OR shard = :shard) ORDER BY id FOR NO KEY UPDATE",
        **values,
    )
    if await tx.rows(others, **values):
        return False
    await tx.run("DELETE FROM leases WHERE shards <> :count", **values)
    await _hold(tx, us, shard, at, since=Moment(0))
    return True


async def request(tx: "PostgresTransaction", us: Holder, shard: int) -> bool:
    """Ask for a shard that another process holds; return whether nobody else was first."""
    await tx.require_heartbeat()
    free = f"(wanted_by IS NULL OR wanted_by NOT IN {_ALIVE} OR wanted_by = :process)"
    theirs = "shard = :shard AND shards = :count AND process <> :process"
    sql = f"UPDATE leases SET wanted_by = :process WHERE {theirs} AND {free}"
    return bool(await tx.run(sql, **asdict(us), shard=shard))


async def hand_over(tx: "PostgresTransaction", us: Holder, shard: int, at: Moment) -> bool:
    """Give a shard that we hold to the process that requested it; return whether that was done."""
    await tx.require_heartbeat()
    values = {**asdict(us), "shard": shard, "at": at}
    wanted = await tx.rows(
        "SELECT wanted_by FROM leases WHERE shard = :shard AND shards = :count"
        f" AND process = :process AND wanted_by IN {_ALIVE}",
        **values,
    )
    if not wanted:
        return False
    await tx.run(_SERVED_UNTIL.format("process = :process"), **values)
    await _hold(tx, Holder(wanted[0][0], us.count), shard, at, since=at)
    return True


async def take_over(tx: "PostgresTransaction", us: Holder, shard: int, at: Moment) -> bool:
    """Take over a shard that we requested; return whether it is ours now."""
    await tx.require_heartbeat()
    values = {**asdict(us), "shard": shard, "at": at, "half": LEASE_MS // 2}
    wanted = "SELECT 1 FROM leases WHERE shard = :shard AND shards = :count AND wanted_by = :process"
    if not await tx.rows(wanted, **values):
        return False
    # A process that renewed its lease a moment ago has served the shard until now.
    there = "process IN (SELECT id FROM processes WHERE until > now_ms() + :half)"
    served = await tx.run(_SERVED_UNTIL.format(there), **values)
    await _hold(tx, us, shard, at, since=Moment(at + HANDED_OVER_MS if served else 0))
    return True


async def give_up(tx: "PostgresTransaction", process: int, shards: Iterable[int], at: Moment) -> None:
    """Give up shards that a process holds, and its requests for shards."""
    values: dict[str, Any] = {"process": process, "shards": [*shards], "at": at}
    ours, wanted = "process = :process AND shard IN (:shards)", "wanted_by = :process AND shard IN (:shards)"
    served = f"id IN (SELECT run FROM leases WHERE {ours})"
    await tx.run(f"UPDATE runs SET alive_at = greatest(alive_at, :at), stopped_at = :at WHERE {served}", **values)
    await tx.run(f"UPDATE leases SET process = NULL WHERE {ours}", **values)
    await tx.run(f"UPDATE leases SET wanted_by = NULL WHERE {wanted}", **values)


async def _hold(tx: "PostgresTransaction", holder: Holder, shard: int, at: Moment, since: Moment) -> None:
    """Begin a run of a process with a shard. The one before is over."""
    over = "id = (SELECT run FROM leases WHERE shard = :shard) AND stopped_at IS NULL"
    await tx.run(f"UPDATE runs SET stopped_at = :at WHERE {over}", shard=shard, at=at)
    await tx.run(
        "WITH begun AS (INSERT INTO runs (started_at, alive_at, shard, shards)"
        " VALUES (:at, :at, :shard, :count) RETURNING id)"
        " INSERT INTO leases (shard, shards, process, run, since)"
        " SELECT :shard, :count, :process, id, :since FROM begun"
        " ON CONFLICT (shard) DO UPDATE SET process = excluded.process, run = excluded.run,"
        " since = excluded.since, wanted_by = NULL",
        **asdict(holder),
        at=at,
        shard=shard,
        since=since,
    )
