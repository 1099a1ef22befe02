"""The assignment of servers to processes, as last read from a PostgreSQL database, and the renewal of our leases."""

from collections.abc import Awaitable, Collection, Iterable, Mapping
from types import MappingProxyType
from typing import Any, TypeVar

from data.store.database import Transaction
from data.store.downtime import Run, Runs, shard_of
from data.store.postgres.database import PostgresDatabase
from data.store.postgres.heartbeat import ALIVE, RUNS, LeaseClock, expire_processes, register_again
from data.store.postgres.leases import Leases
from data.store.shards import LEASE_MS, SLOT_MS, Lease, Process, ProcessInfo, Shards
from data.store.sql import columns
from engine.contract import Moment

T = TypeVar("T")

_LEASE = columns(Lease.__struct_fields__)


class PostgresShards(Shards):
    """The assignment of servers to processes."""

    def __init__(self, db: PostgresDatabase, process_info: ProcessInfo, clock: LeaseClock) -> None:
        super().__init__()
        self._process_info = process_info
        self._clock = clock
        self.process = db.fence.process
        self.runs = Runs(())
        self._db = db
        self._leases = Leases(db)
        self._max_shards: int | None = None
        self._read = False

    # What was last read

    @property
    def count(self) -> int:
        return self._leases.count

    @property
    def expired(self) -> bool:
        return self._clock()

    @property
    def held(self) -> Collection[int]:
        return () if self.expired else self._ours()

    def _ours(self) -> set[int]:
        return {shard for shard, lease in self.leases.items() if self._is_ours(lease)}

    def _is_ours(self, lease: Lease) -> bool:
        return lease.process == self.process and lease.shards == self.count

    def _lease(self, guild: int) -> Lease | None:
        return next((lease for lease in self.leases.values() if shard_of(guild, lease.shards) == lease.shard), None)

    def holds(self, guild: int) -> bool:
        lease = self.leases.get(shard_of(guild, self.count)) if self.count else None
        return lease is not None and self._is_ours(lease) and not self.expired

    def owner_of(self, guild: int) -> int | None:
        if self.holds(guild):
            return self.process
        lease = self._lease(guild)
        return lease.process if lease is not None and lease.process in self.processes else None

    def ours_from(self, guild: int) -> Moment:
        lease = self._lease(guild)
        return Moment(0) if lease is None else lease.since

    # Renewing our leases

    async def join(self, count: int, max_shards: int | None) -> bool:
        free = await self._leases.join(count, max_shards)
        self._max_shards = max_shards
        await self.refresh()
        return free

    async def renew(self, at: Moment, figures: str) -> Collection[int]:
        before, until = self._ours(), self._clock.next_expiry()
        beat = "UPDATE processes SET until = now_ms() + :lease, beat_at = now_ms(), figures = :figures"
        beat = f"{beat} WHERE id = :process"
        values: dict[str, Any] = {"process": self.process, "figures": figures, "lease": LEASE_MS}

        async def work(tx: Transaction) -> bool:
            if await tx.run(f"{beat} AND until > now_ms()", **values):
                await tx.run(
                    "UPDATE runs SET alive_at = greatest(alive_at, :at)"
                    " WHERE id IN (SELECT run FROM leases WHERE process = :process)",
                    at=at,
                    process=self.process,
                )
                return True
            # Others may have our shards if they want them; we take the rest again, so that the gap is recorded.
            await tx.run("UPDATE leases SET process = NULL WHERE process = :process", process=self.process)
            if not await tx.run(beat, **values):
                await register_again(tx, self._process_info, self.process, self.count, self._max_shards)
            return False

        if not await self._db.write_unfenced(work):
            self.leases = MappingProxyType({})
        await self.refresh()
        # For processes on our machine we know that they have exited before their lease expires.
        others = [process for process in self.processes.values() if process.id != self.process]
        ended = [other.id for other in others if self._process_info.outlived(other)]
        if ended:
            await self._db.write_unfenced(lambda tx: expire_processes(tx, ended))
            await self.refresh()
        self._clock.renewed(until)
        return before - self._ours()

    async def refresh(self) -> None:

        async def look(tx: Transaction) -> tuple[list[Lease], list[Process], list[Run] | None]:
            leases = [Lease(*row) for row in await tx.rows(f"SELECT {_LEASE} FROM leases ORDER BY shard")]
            processes = [Process(*row) for row in await tx.rows(ALIVE)]
            if self._read and all(self.runs.has(lease.run) for lease in leases):
                return leases, processes, None
            return leases, processes, [Run(*row) for row in await tx.rows(RUNS)]

        leases, processes, runs = await self._db.snapshot(look)
        if runs is not None:
            self.runs, self._read = Runs(runs), True
        self.leases = MappingProxyType({lease.shard: lease for lease in leases})
        self.processes = MappingProxyType({process.id: process for process in processes})
        count = leases[0].shards if leases else 1
        self._db.fence.runs = [
            self.leases[shard].run if shard in self.leases else 0 for shard in range(count)
        ]  # writes are in the time of these runs, and are refused if there are others by now

    async def stop(self) -> None:
        await self._leases.stop()

    async def leave(self, at: Moment) -> None:
        """Give up everything, and delete our process."""
        await self._leases.leave(self.leases, at)

    # Changing leases

    async def take(self, shard: int, at: Moment) -> bool:
        return await self._known(self._leases.take(shard, at))

    async def request(self, shard: int) -> bool:
        return await self._known(self._leases.request(shard))

    async def hand_over(self, shard: int, at: Moment) -> bool:
        return await self._known(self._leases.hand_over(shard, at))

    async def take_over(self, shard: int, at: Moment) -> bool:
        return await self._known(self._leases.take_over(shard, at))

    async def give_up(self, shards: Iterable[int], at: Moment) -> None:
        await self._known(self._leases.give_up(shards, at))

    async def _known(self, change: Awaitable[T]) -> T:
        """Change leases, and read them again."""
        done = await change
        await self.refresh()
        return done

    async def first_clocks(self) -> Mapping[int, Moment]:
        rows = await self._db.read(
            "SELECT (guild >> 22) % :count AS shard, min(due) FROM tables WHERE status IN ('lobby', 'playing')"
            " AND due IS NOT NULL AND paused_at IS NULL AND slept_at IS NULL GROUP BY shard",
            count=self.count,
        )
        return {shard: Moment(due) for shard, due in rows}

    async def slot(self, number: int) -> int:

        async def work(tx: Transaction) -> int:
            taken = await tx.rows(
                "INSERT INTO identifies AS i (slot, until) VALUES (:slot, now_ms() + :pause)"
                " ON CONFLICT (slot) DO UPDATE SET until = excluded.until WHERE i.until <= now_ms() RETURNING 1",
                slot=number,
                pause=SLOT_MS,
            )
            if taken:
                return 0
            ((wait,),) = await tx.rows("SELECT until - now_ms() FROM identifies WHERE slot = :slot", slot=number)
            return max(1, int(wait))

        return await self._db.write_unfenced(work)
