"""Takes, requests and hands over leases of shards, one after the other under a lock. The row of a process that is about
to lose one is locked too: it has either renewed its lease before, or finds out that it has lost it.
"""

from collections.abc import Iterable
from typing import Any, TypeVar

from data.store.errors import ShardCountMismatch
from data.store.postgres.database import PostgresDatabase, PostgresTransaction, PostgresWork
from data.store.postgres.heartbeat import PROCESS
from data.store.shards import HANDED_OVER_MS, LEASE_MS, Process
from engine.contract import Moment

T = TypeVar("T")

_LOCK = "SELECT pg_advisory_xact_lock(hashtextextended('leases', 0))"

_ALIVE = "(SELECT id FROM processes WHERE until > now_ms())"

_SERVED_UNTIL = (
    "UPDATE runs SET alive_at = greatest(alive_at, :at) WHERE id = (SELECT run FROM leases WHERE shard = :shard AND {})"
)


class Leases:
    """Changes the leases of our process, with its `count` of shards. Every method raises `StoreError`."""

    def __init__(self, db: PostgresDatabase) -> None:
        self._db = db
        self._process = db.fence.process
        self.count = 0

    async def join(self, count: int, max_shards: int | None) -> bool:
        """Set the number of shards: see `Shards.join`."""

        async def work(tx: PostgresTransaction) -> bool:
            others = await tx.rows(
                f"SELECT {PROCESS} FROM processes WHERE until > now_ms() AND shards NOT IN (0, :count)"
                " AND id <> :process ORDER BY stopping, id",
                count=count,
                process=self._process,
            )
            for other in [Process(*row) for row in others]:
                if not other.stopping:
                    raise ShardCountMismatch(
                        f"The process {other.pid} on {other.host} counts with {other.shards} shards, and this one with "
                        f"{count}: stop the others first, or give all of them the same SHARD_COUNT."
                    )
            values = {"count": count, "max_shards": max_shards, "process": self._process}
            await tx.run("UPDATE processes SET shards = :count, room = :max_shards WHERE id = :process", **values)
            return not others

        free = await self._alone(work)
        self.count = count
        return free

    async def take(self, shard: int, at: Moment) -> bool:
        """Take a shard that no live process holds; return whether it is ours now."""

        async def work(tx: PostgresTransaction) -> bool:
            await tx.require_heartbeat()
            values = {"shard": shard, "count": self.count, "process": self._process}
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
            await self._hold(tx, shard, at, since=Moment(0))
            return True

        return await self._alone(work)

    async def request(self, shard: int) -> bool:
        """Ask for a shard that another process holds; return whether nobody else was first."""

        async def work(tx: PostgresTransaction) -> bool:
            await tx.require_heartbeat()
            return bool(
                await tx.run(
                    "UPDATE leases SET wanted_by = :process WHERE shard = :shard AND shards = :count"
                    f" AND process <> :process AND (wanted_by IS NULL OR wanted_by NOT IN {_ALIVE}"
                    " OR wanted_by = :process)",
                    shard=shard,
                    count=self.count,
                    process=self._process,
                )
            )

        return await self._alone(work)

    async def hand_over(self, shard: int, at: Moment) -> bool:
        """Give a shard that we hold to the process that requested it; return whether that was done."""

        async def work(tx: PostgresTransaction) -> bool:
            await tx.require_heartbeat()
            values = {"shard": shard, "count": self.count, "process": self._process, "at": at}
            wanted = await tx.rows(
                "SELECT wanted_by FROM leases WHERE shard = :shard AND shards = :count"
                f" AND process = :process AND wanted_by IN {_ALIVE}",
                **values,
            )
            if not wanted:
                return False
            await tx.run(_SERVED_UNTIL.format("process = :process"), **values)
            await self._hold(tx, shard, at, since=at, process=wanted[0][0])
            return True

        return await self._alone(work)

    async def take_over(self, shard: int, at: Moment) -> bool:
        """Take over a shard that we requested; return whether it is ours now."""

        async def work(tx: PostgresTransaction) -> bool:
            await tx.require_heartbeat()
            values = {"shard": shard, "count": self.count, "process": self._process, "at": at, "half": LEASE_MS // 2}
            wanted = await tx.rows(
                "SELECT 1 FROM leases WHERE shard = :shard AND shards = :count AND wanted_by = :process",
                **values,
            )
            if not wanted:
                return False
            # A process that renewed its lease a moment ago has served the shard until now.
            there = "process IN (SELECT id FROM processes WHERE until > now_ms() + :half)"
            served = await tx.run(_SERVED_UNTIL.format(there), **values)
            await self._hold(tx, shard, at, since=Moment(at + HANDED_OVER_MS if served else 0))
            return True

        return await self._alone(work)

    async def give_up(self, shards: Iterable[int], at: Moment) -> None:
        """Give up shards that we hold, and requests for shards."""
        wanted = list(shards)
        await self._alone(lambda tx: self._let_go(tx, wanted, at))

    async def stop(self) -> None:
        """Tell the others that we are about to stop."""
        sql = "UPDATE processes SET stopping = true WHERE id = :process"
        await self._alone(lambda tx: tx.run(sql, process=self._process))

    async def leave(self, shards: Iterable[int], at: Moment) -> None:
        """Give up shards, and delete our process."""
        wanted = list(shards)

        async def work(tx: PostgresTransaction) -> None:
            await self._let_go(tx, wanted, at)
            await tx.run("DELETE FROM processes WHERE id = :process", process=self._process)

        await self._alone(work)

    # Under the lock

    async def _alone(self, work: PostgresWork[T]) -> T:
        """Change leases while nobody else does."""

        async def locked(tx: PostgresTransaction) -> T:
            await tx.rows(_LOCK)
            return await work(tx)

        return await self._db.write_unfenced(locked)

    async def _hold(
        self, tx: PostgresTransaction, shard: int, at: Moment, since: Moment, process: int | None = None
    ) -> None:
        """Begin a run with a shard: ours, or that of another process. The one before is over."""
        over = "id = (SELECT run FROM leases WHERE shard = :shard) AND stopped_at IS NULL"
        await tx.run(f"UPDATE runs SET stopped_at = :at WHERE {over}", shard=shard, at=at)
        await tx.run(
            "WITH begun AS (INSERT INTO runs (started_at, alive_at, shard, shards)"
            " VALUES (:at, :at, :shard, :count) RETURNING id)"
            " INSERT INTO leases (shard, shards, process, run, since)"
            " SELECT :shard, :count, :process, id, :since FROM begun"
            " ON CONFLICT (shard) DO UPDATE SET process = excluded.process, run = excluded.run,"
            " since = excluded.since, wanted_by = NULL",
            at=at,
            shard=shard,
            count=self.count,
            process=self._process if process is None else process,
            since=since,
        )

    async def _let_go(self, tx: PostgresTransaction, shards: list[int], at: Moment) -> None:
        values: dict[str, Any] = {"process": self._process, "shards": shards, "at": at}
        these = "shard IN (:shards)"
        ours, wanted = f"process = :process AND {these}", f"wanted_by = :process AND {these}"
        served = f"id IN (SELECT run FROM leases WHERE {ours})"
        await tx.run(f"UPDATE runs SET alive_at = greatest(alive_at, :at), stopped_at = :at WHERE {served}", **values)
        await tx.run(f"UPDATE leases SET process = NULL WHERE {ours}", **values)
        await tx.run(f"UPDATE leases SET wanted_by = NULL WHERE {wanted}", **values)
