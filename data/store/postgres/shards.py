"""Who serves which servers, where several processes play over one PostgreSQL database.

Leases change one after the other, under a lock of their own, and a process that is about to lose one is held meanwhile:
so it either was heard of before, or hears that it has lost it. May import psycopg, `engine.contract`, the standard
library and its neighbours.
"""

import dataclasses
from collections.abc import Awaitable, Callable, Collection, Iterable
from types import MappingProxyType
from typing import TypeVar

from data.store.errors import OtherCount
from data.store.postgres.database import Database, rows_of, run
from data.store.postgres.pool import Connection
from data.store.runs import Run, Runs, shard_of
from data.store.shards import HANDED_OVER_MS, LEASE_MS, SILENT_MS, SLOT_MS, Lease, Newcomer, Process, Shards
from engine.contract import Moment

T = TypeVar("T")

GONE_AFTER_MS = 3_600_000
"""A process that was not heard of for so long is forgotten."""

_LOCK = "SELECT pg_advisory_xact_lock(hashtextextended('leases', 0))"

_PROCESS = ", ".join(Process.__struct_fields__)
_LEASE = ", ".join(Lease.__struct_fields__)
_RUNS = "SELECT id, started_at, alive_at, shard, shards FROM runs ORDER BY id"
_ALIVE = "(SELECT id FROM processes WHERE until > now_ms())"


FOR_GOOD = 2**62
"""Until when a process is there that has the database to itself: as long as it holds the lock on it."""


async def enter(db: Connection, newcomer: Newcomer) -> int:
    """Note that a process is there beside others, and forget those that are gone; return its number."""
    return await _enter(db, newcomer, f"until = {FOR_GOOD} OR until < now_ms() - {GONE_AFTER_MS}", LEASE_MS)


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
        return process, [Run(*row) for row in await rows_of(db, _RUNS, {})]


async def _enter(db: Connection, newcomer: Newcomer, gone: str, lease_ms: int) -> int:
    async with db.transaction():
        if lease_ms == FOR_GOOD:
            await run(db, "DELETE FROM leases", {})
        await run(db, f"DELETE FROM processes WHERE {gone}", {})
        ((number,),) = await rows_of(
            db,
            "INSERT INTO processes (host, pid, version, started_at, beat_at, until)"
            " VALUES (%(host)s, %(pid)s, %(version)s, now_ms(), now_ms(), least(%(good)s, now_ms() + %(lease)s))"
            " RETURNING id",
            {**dataclasses.asdict(newcomer), "lease": lease_ms, "good": FOR_GOOD},
        )
    return int(number)


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


class PostgresShards(Shards):
    """Who serves what."""

    def __init__(self, db: Database, newcomer: Newcomer, silence: Silence) -> None:
        super().__init__()
        self._newcomer = newcomer
        self.process = db.fence.process
        self.runs = Runs(())
        self._db = db
        self._silence = silence
        self._count = 0
        self._room: int | None = None
        self._read = False

    # What is known

    @property
    def shared(self) -> bool:
        """Other processes may play over the same database."""
        return True

    @property
    def count(self) -> int:
        """How many shards there are, as far as leases go; 0 before `join`."""
        return self._count

    @property
    def silent(self) -> bool:
        """Whether we were not heard of for so long that others may take over."""
        return self._silence()

    @property
    def held(self) -> Collection[int]:
        """The shards that we hold."""
        return () if self.silent else self._ours()

    def _ours(self) -> set[int]:
        return {
            lease.shard
            for lease in self.leases.values()
            if lease.process == self.process and lease.shards == self._count
        }

    def _lease(self, guild: int) -> Lease | None:
        return next((lease for lease in self.leases.values() if shard_of(guild, lease.shards) == lease.shard), None)

    def holds(self, guild: int) -> bool:
        """Say whether a server is ours to serve."""
        lease = self.leases.get(shard_of(guild, self._count)) if self._count else None
        return lease is not None and lease.process == self.process and lease.shards == self._count and not self.silent

    def owner_of(self, guild: int) -> int | None:
        """Return the number of the process that serves a server; None if nobody who is alive does."""
        if self.holds(guild):
            return self.process
        lease = self._lease(guild)
        return lease.process if lease is not None and lease.process in self.processes else None

    def ours_from(self, guild: int) -> Moment:
        """Return from which moment on what Discord has received about a server that we hold is ours to answer."""
        lease = self._lease(guild)
        return Moment(0) if lease is None else lease.since

    # Being there

    async def join(self, count: int, room: int | None) -> bool:
        """Begin to count with so many shards: see `Shards`."""

        async def work(db: Connection) -> bool:
            others = await rows_of(
                db,
                f"SELECT {_PROCESS} FROM processes WHERE until > now_ms() AND shards NOT IN (0, %(count)s)"
                " AND id <> %(process)s ORDER BY stopping, id",
                {"count": count, "process": self.process},
            )
            for other in [Process(*row) for row in others]:
                if not other.stopping:
                    raise OtherCount(
                        f"The process {other.pid} on {other.host} counts with {other.shards} shards, and this one with "
                        f"{count}: stop the others first, or give all of them the same SHARD_COUNT."
                    )
            values = {"count": count, "room": room, "process": self.process}
            await run(db, "UPDATE processes SET shards = %(count)s, room = %(room)s WHERE id = %(process)s", values)
            return not others

        free = await self._changing(work)
        self._count, self._room = count, room
        await self.refresh()
        return free

    async def renew(self, at: Moment, figures: str) -> Collection[int]:
        """Say that we are there, and that our shards are served; return those that we have lost since the last time."""
        before, until = self._ours(), self._silence.asking()
        values = {"process": self.process, "figures": figures, "at": at}

        async def work(db: Connection) -> bool:
            async with db.transaction():
                beat = "UPDATE processes SET until = now_ms() + %(lease)s, beat_at = now_ms(), figures = %(figures)s"
                beat = f"{beat} WHERE id = %(process)s"
                heard = await run(db, f"{beat} AND until > now_ms()", {**values, "lease": LEASE_MS})
                if heard:
                    await run(
                        db,
                        "UPDATE runs SET alive_at = greatest(alive_at, %(at)s)"
                        " WHERE id IN (SELECT run FROM leases WHERE process = %(process)s)",
                        values,
                    )
                    return True
                # Whoever wanted our shards may have them: we take them anew, so that the gap is known.
                await run(db, "UPDATE leases SET process = NULL WHERE process = %(process)s", values)
                if not await run(db, beat, {**values, "lease": LEASE_MS}):
                    await self._enter_again(db)
                return False

        if not await self._db.say(work):
            self.leases = MappingProxyType({})
        await self.refresh()
        self._silence.heard(until)
        return before - self._ours()

    async def _enter_again(self, db: Connection) -> None:
        """Be there under our number although it was forgotten that we were."""
        me = self._newcomer
        await run(
            db,
            "INSERT INTO processes (id, host, pid, version, started_at, beat_at, until, shards, room) VALUES (%(id)s,"
            " %(host)s, %(pid)s, %(version)s, now_ms(), now_ms(), now_ms() + %(lease)s, %(count)s, %(room)s)",
            {
                "id": self.process,
                "host": me.host,
                "pid": me.pid,
                "version": me.version,
                "lease": LEASE_MS,
                "count": self._count,
                "room": self._room,
            },
        )

    async def refresh(self) -> None:
        """Read anew who serves what."""

        async def look(db: Connection) -> tuple[list[Lease], list[Process], list[Run] | None]:
            leases = [Lease(*row) for row in await rows_of(db, f"SELECT {_LEASE} FROM leases ORDER BY shard", {})]
            sql = f"SELECT {_PROCESS} FROM processes WHERE until > now_ms() ORDER BY id"
            processes = [Process(*row) for row in await rows_of(db, sql, {})]
            if self._read and all(self.runs.has(lease.run) for lease in leases):
                return leases, processes, None
            return leases, processes, [Run(*row) for row in await rows_of(db, _RUNS, {})]

        leases, processes, runs = await self._db.look(look)
        if runs is not None:
            self.runs, self._read = Runs(runs), True
        self.leases = MappingProxyType({lease.shard: lease for lease in leases})
        self.processes = MappingProxyType({process.id: process for process in processes})
        count = leases[0].shards if leases else 1
        self._db.fence.runs = [
            self.leases[shard].run if shard in self.leases else 0 for shard in range(count)
        ]  # what is written counts from the runs that we know of, and is refused where there are others

    async def stop(self) -> None:
        """Tell the others that we are about to stop."""
        values = {"process": self.process}
        await self._changing(lambda db: run(db, "UPDATE processes SET stopping = true WHERE id = %(process)s", values))

    async def leave(self, at: Moment) -> None:
        """Be gone: what we held is free."""

        async def work(db: Connection) -> None:
            await _let_go(db, self.process, list(self.leases), at)
            await run(db, "DELETE FROM processes WHERE id = %(process)s", {"process": self.process})

        await self._changing(work)

    # Leases

    async def take(self, shard: int, at: Moment) -> bool:
        """Take a shard that nobody who is alive holds; return whether it is ours now."""

        async def work(db: Connection) -> bool:
            await self._db.check_heard(db)
            values = {"shard": shard, "count": self._count, "process": self.process}
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

        return await self._settled(work)

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
                    {"shard": shard, "count": self._count, "process": self.process},
                )
            )

        return await self._settled(work)

    async def hand_over(self, shard: int, at: Moment) -> bool:
        """Give a shard that we hold to the process that wants it; return whether that was done."""

        async def work(db: Connection) -> bool:
            await self._db.check_heard(db)
            values = {"shard": shard, "count": self._count, "process": self.process, "at": at}
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

        return await self._settled(work)

    async def succeed(self, shard: int, at: Moment) -> bool:
        """Take over a shard that we want whether or not its process gives it to us; return whether it is ours now."""

        async def work(db: Connection) -> bool:
            await self._db.check_heard(db)
            values = {"shard": shard, "count": self._count, "process": self.process, "at": at, "half": LEASE_MS // 2}
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

        return await self._settled(work)

    async def give_up(self, shards: Iterable[int], at: Moment) -> None:
        """Let go of shards that we hold, and of those that we want."""
        wanted = list(shards)
        await self._settled(lambda db: _let_go(db, self.process, wanted, at))

    async def slot(self, number: int) -> int:
        """Take the slot with this number for an identify; return 0, or how many milliseconds to wait."""
        values = {"slot": number, "pause": SLOT_MS}

        async def work(db: Connection) -> int:
            taken = await rows_of(
                db,
                "INSERT INTO identifies AS i (slot, until) VALUES (%(slot)s, now_ms() + %(pause)s)"
                " ON CONFLICT (slot) DO UPDATE SET until = excluded.until WHERE i.until <= now_ms() RETURNING 1",
                values,
            )
            if taken:
                return 0
            ((wait,),) = await rows_of(db, "SELECT until - now_ms() FROM identifies WHERE slot = %(slot)s", values)
            return max(1, int(wait))

        return await self._db.say(work)

    # One after the other

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
                "count": self._count,
                "process": self.process if process is None else process,
                "since": since,
            },
        )

    async def _settled(self, work: Callable[[Connection], Awaitable[T]]) -> T:
        """Change leases, and know then how they stand."""
        done = await self._changing(work)
        await self.refresh()
        return done

    async def _changing(self, work: Callable[[Connection], Awaitable[T]]) -> T:
        async def alone(db: Connection) -> T:
            async with db.transaction():
                await db.execute(_LOCK)
                return await work(db)

        return await self._db.say(alone)


_SERVED_UNTIL = (
    "UPDATE runs SET alive_at = greatest(alive_at, %(at)s)"
    " WHERE id = (SELECT run FROM leases WHERE shard = %(shard)s AND {})"
)


async def _let_go(db: Connection, process: int, shards: list[int], at: Moment) -> None:
    values = {"process": process, "shards": shards, "at": at}
    await run(
        db,
        "UPDATE runs SET alive_at = greatest(alive_at, %(at)s) WHERE id IN"
        " (SELECT run FROM leases WHERE process = %(process)s AND shard = ANY (%(shards)s::int[]))",
        values,
    )
    await run(
        db,
        "UPDATE leases SET process = NULL WHERE process = %(process)s AND shard = ANY (%(shards)s::int[])",
        values,
    )
    await run(
        db,
        "UPDATE leases SET wanted_by = NULL WHERE wanted_by = %(process)s AND shard = ANY (%(shards)s::int[])",
        values,
    )
