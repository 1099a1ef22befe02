"""Leases of shards, taken, wanted and given away: all that changes who serves which servers.

Leases change one after the other, under a lock of their own, and a process that is about to lose one is held meanwhile:
so it either was heard of before, or hears that it has lost it. May import `engine.contract`, the standard library and
its neighbours.
"""

from collections.abc import Awaitable, Callable, Iterable
from typing import TypeVar

from data.store.errors import OtherCount
from data.store.postgres.database import PostgresDatabase, rows_of, run
from data.store.postgres.pool import Connection
from data.store.postgres.presence import PROCESS
from data.store.shards import HANDED_OVER_MS, LEASE_MS, Process
from engine.contract import Moment

T = TypeVar("T")

_LOCK = "SELECT pg_advisory_xact_lock(hashtextextended('leases', 0))"

_ALIVE = "(SELECT id FROM processes WHERE until > now_ms())"

_SERVED_UNTIL = (
    "UPDATE runs SET alive_at = greatest(alive_at, %(at)s)"
    " WHERE id = (SELECT run FROM leases WHERE shard = %(shard)s AND {})"
)


class Leases:
    """What our process, which counts with so many shards, does about leases. Each of these raises `StoreError`."""

    def __init__(self, db: PostgresDatabase) -> None:
        self._db = db
        self._process = db.fence.process
        self.count = 0

    async def join(self, count: int, room: int | None) -> bool:
        """Begin to count with so many shards: see `Shards.join`."""

        async def work(db: Connection) -> bool:
            others = await rows_of(
                db,
                f"SELECT {PROCESS} FROM processes WHERE until > now_ms() AND shards NOT IN (0, %(count)s)"
                " AND id <> %(process)s ORDER BY stopping, id",
                {"count": count, "process": self._process},
            )
            for other in [Process(*row) for row in others]:
                if not other.stopping:
                    raise OtherCount(
                        f"The process {other.pid} on {other.host} counts with {other.shards} shards, and this one with "
                        f"{count}: stop the others first, or give all of them the same SHARD_COUNT."
                    )
            values = {"count": count, "room": room, "process": self._process}
            await run(db, "UPDATE processes SET shards = %(count)s, room = %(room)s WHERE id = %(process)s", values)
            return not others

        free = await self._alone(work)
        self.count = count
        return free

    async def take(self, shard: int, at: Moment) -> bool:
        """Take a shard that nobody who is alive holds; return whether it is ours now."""

        async def work(db: Connection) -> bool:
            await self._db.check_heard(db)
            values = {"shard": shard, "count": self.count, "process": self._process}
            others = (
                f"SELECT 1 FROM leases WHERE process IN {_ALIVE} AND (shards <> %(count)s OR shard = %(shard)s)"
                " AND process <> %(process)s"
            )
            # Whoever held it is held here, so that it cannot be heard of again in the same moment.
            await rows_of(
                db,
                "SELECT 1 FROM processes WHERE id IN (SELECT process FROM leases WHERE shards <> %(count)s"
                " OR shard = %(shard)s) ORDER BY id FOR NO KEY UPDATE",
                values,
            )
            if await rows_of(db, others, values):
                return False
            await run(db, "DELETE FROM leases WHERE shards <> %(count)s", values)
            await self._hold(db, shard, at, since=Moment(0))
            return True

        return await self._alone(work)

    async def want(self, shard: int) -> bool:
        """Ask for a shard that another process holds; return whether nobody else was first."""

        async def work(db: Connection) -> bool:
            await self._db.check_heard(db)
            return bool(
                await run(
                    db,
                    "UPDATE leases SET wanted_by = %(process)s WHERE shard = %(shard)s AND shards = %(count)s"
                    f" AND process <> %(process)s AND (wanted_by IS NULL OR wanted_by NOT IN {_ALIVE}"
                    " OR wanted_by = %(process)s)",
                    {"shard": shard, "count": self.count, "process": self._process},
                )
            )

        return await self._alone(work)

    async def hand_over(self, shard: int, at: Moment) -> bool:
        """Give a shard that we hold to the process that wants it; return whether that was done."""

        async def work(db: Connection) -> bool:
            await self._db.check_heard(db)
            values = {"shard": shard, "count": self.count, "process": self._process, "at": at}
            wanted = await rows_of(
                db,
                "SELECT wanted_by FROM leases WHERE shard = %(shard)s AND shards = %(count)s"
                f" AND process = %(process)s AND wanted_by IN {_ALIVE}",
                values,
            )
            if not wanted:
                return False
            await run(db, _SERVED_UNTIL.format("process = %(process)s"), values)
            await self._hold(db, shard, at, since=at, process=wanted[0][0])
            return True

        return await self._alone(work)

    async def succeed(self, shard: int, at: Moment) -> bool:
        """Take over a shard that we want whether or not its process gives it to us; return whether it is ours now."""

        async def work(db: Connection) -> bool:
            await self._db.check_heard(db)
            values = {"shard": shard, "count": self.count, "process": self._process, "at": at, "half": LEASE_MS // 2}
            wanted = await rows_of(
                db,
                "SELECT 1 FROM leases WHERE shard = %(shard)s AND shards = %(count)s AND wanted_by = %(process)s",
                values,
            )
            if not wanted:
                return False
            # Who was heard of a moment ago has served it until now.
            there = "process IN (SELECT id FROM processes WHERE until > now_ms() + %(half)s)"
            served = await run(db, _SERVED_UNTIL.format(there), values)
            await self._hold(db, shard, at, since=Moment(at + HANDED_OVER_MS if served else 0))
            return True

        return await self._alone(work)

    async def give_up(self, shards: Iterable[int], at: Moment) -> None:
        """Let go of shards that we hold, and of those that we want."""
        wanted = list(shards)
        await self._alone(lambda db: self._let_go(db, wanted, at))

    async def stop(self) -> None:
        """Tell the others that we are about to stop."""
        values = {"process": self._process}
        await self._alone(lambda db: run(db, "UPDATE processes SET stopping = true WHERE id = %(process)s", values))

    async def leave(self, shards: Iterable[int], at: Moment) -> None:
        """Let go of shards, and be gone."""
        wanted = list(shards)

        async def work(db: Connection) -> None:
            await self._let_go(db, wanted, at)
            await run(db, "DELETE FROM processes WHERE id = %(process)s", {"process": self._process})

        await self._alone(work)

    # One after the other

    async def _alone(self, work: Callable[[Connection], Awaitable[T]]) -> T:
        """Do what changes leases while nobody else does."""

        async def locked(db: Connection) -> T:
            async with db.transaction():
                await db.execute(_LOCK)
                return await work(db)

        return await self._db.say(locked)

    async def _hold(self, db: Connection, shard: int, at: Moment, since: Moment, process: int | None = None) -> None:
        """Begin a run with a shard: ours, or that of another process."""
        await run(
            db,
            "WITH begun AS (INSERT INTO runs (started_at, alive_at, shard, shards)"
            " VALUES (%(at)s, %(at)s, %(shard)s, %(count)s) RETURNING id)"
            " INSERT INTO leases (shard, shards, process, run, since)"
            " SELECT %(shard)s, %(count)s, %(process)s, id, %(since)s FROM begun"
            " ON CONFLICT (shard) DO UPDATE SET process = excluded.process, run = excluded.run,"
            " since = excluded.since, wanted_by = NULL",
            {
                "at": at,
                "shard": shard,
                "count": self.count,
                "process": self._process if process is None else process,
                "since": since,
            },
        )

    async def _let_go(self, db: Connection, shards: list[int], at: Moment) -> None:
        values = {"process": self._process, "shards": shards, "at": at}
        these = "shard = ANY (%(shards)s::int[])"
        ours, wanted = f"process = %(process)s AND {these}", f"wanted_by = %(process)s AND {these}"
        served = f"id IN (SELECT run FROM leases WHERE {ours})"
        await run(db, f"UPDATE runs SET alive_at = greatest(alive_at, %(at)s) WHERE {served}", values)
        await run(db, f"UPDATE leases SET process = NULL WHERE {ours}", values)
        await run(db, f"UPDATE leases SET wanted_by = NULL WHERE {wanted}", values)
