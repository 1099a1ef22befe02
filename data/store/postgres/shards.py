"""The assignment of servers to processes that share a PostgreSQL database, and the renewal of our leases."""

from collections.abc import Callable, Collection, Coroutine, Iterable, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, TypeVar

from data.store.database import Transaction
from data.store.downtime import Run, Runs, shard_of
from data.store.postgres import leases
from data.store.postgres.heartbeat import ALIVE, RUNS, expire_processes, register_again
from data.store.shards import EXPIRED_MS, LEASE_MS, SLOT_MS, Lease, Process, ProcessInfo
from data.store.sql import OPEN, columns
from engine.contract import Moment

if TYPE_CHECKING:  # psycopg may be missing
    from data.store.postgres.database import PostgresDatabase, PostgresTransaction

T = TypeVar("T")

_LEASE = columns(Lease.__struct_fields__)


class Shards:
    """The assignment of servers to processes, as last read by `renew` and `refresh`.

    `process` is our own number, once we are registered. `leases` go by shard, and `processes` has the live ones by
    number. `count`: how many shards there are; 0 before `join`. `runs` have the downtime of servers. `steady`: a clock
    in seconds, by which our lease expires.
    """

    def __init__(self, db: "PostgresDatabase", process_info: ProcessInfo, steady: Callable[[], float]) -> None:
        self.process = 0
        self.leases: Mapping[int, Lease] = MappingProxyType({})
        self.processes: Mapping[int, Process] = MappingProxyType({})
        self.count = 0
        self.runs = Runs(())
        self._db = db
        self._process_info = process_info
        self._steady = steady
        self._until = steady() + EXPIRED_MS / 1_000
        self._max_shards: int | None = None
        self._read = False

    # What was last read

    @property
    def expired(self) -> bool:
        """Whether our lease has expired by our own clock: then we hold nothing, and do nothing."""
        return self._steady() >= self._until

    @property
    def held(self) -> Collection[int]:
        """The shards that we hold."""
        return () if self.expired else self._ours()

    def _ours(self) -> set[int]:
        return {shard for shard, lease in self.leases.items() if self._is_ours(lease)}

    def _is_ours(self, lease: Lease) -> bool:
        return lease.process == self.process and lease.shards == self.count

    def _lease(self, guild: int) -> Lease | None:
        return next((lease for lease in self.leases.values() if shard_of(guild, lease.shards) == lease.shard), None)

    def holds(self, guild: int) -> bool:
        """Return True if we serve a server."""
        lease = self.leases.get(shard_of(guild, self.count)) if self.count else None
        return lease is not None and self._is_ours(lease) and not self.expired

    def owner_of(self, guild: int) -> int | None:
        """Return the number of the process that serves a server; None if no live process does."""
        if self.holds(guild):
            return self.process
        lease = self._lease(guild)
        return lease.process if lease is not None and lease.process in self.processes else None

    def ours_from(self, guild: int) -> Moment:
        """Return the moment from which on we answer what Discord receives about a server that we hold."""
        lease = self._lease(guild)
        return Moment(0) if lease is None else lease.since

    # Renewing our leases

    async def renew(self, at: Moment, figures: str) -> Collection[int]:
        """Renew our leases at a moment in Discord's time; return the shards that we have lost. Raises `StoreError`."""
        before, until = self._ours(), self._steady() + EXPIRED_MS / 1_000
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
        self._until = until
        return before - self._ours()

    async def refresh(self) -> None:
        """Read the leases and processes again. Raises `StoreError`."""

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

    # Changing leases

    async def join(self, count: int, max_shards: int | None) -> bool:
        """Set the number of shards, and take at most `max_shards` of them (None: all). Return False while processes
        with another number are stopping: no shards may be taken then. Raises `ShardCountMismatch` if they are not
        stopping.
        """
        us = leases.Holder(self.process, count)
        free = await self._alone(lambda tx: leases.join(tx, us, max_shards))
        self.count, self._max_shards = count, max_shards
        await self.refresh()
        return free

    async def take(self, shard: int, at: Moment) -> bool:
        """Take a shard that no live process holds; return whether it is ours now. Raises `StoreError`."""
        return await self._change(lambda tx: leases.take(tx, self._us, shard, at))

    async def request(self, shard: int) -> bool:
        """Ask for a shard that another process holds; return whether nobody else was first. Raises `StoreError`."""
        return await self._change(lambda tx: leases.request(tx, self._us, shard))

    async def take_over(self, shard: int, at: Moment) -> bool:
        """Take over a shard that we requested; return whether it is ours now. Raises `StoreError`."""
        return await self._change(lambda tx: leases.take_over(tx, self._us, shard, at))

    async def hand_over(self, shard: int, at: Moment) -> bool:
        """Hand a shard over to the process that requested it, which answers what Discord receives from `at` on; return
        whether that was done. Raises `StoreError`.
        """
        return await self._change(lambda tx: leases.hand_over(tx, self._us, shard, at))

    async def give_up(self, shards: Iterable[int], at: Moment) -> None:
        """Give up shards that we hold, and requests for shards. Raises `StoreError`."""
        await self._change(lambda tx: leases.give_up(tx, self.process, shards, at))

    async def stop(self) -> None:
        """Tell the others that we are about to stop, so that they may take our shards over. Raises `StoreError`."""
        sql = "UPDATE processes SET stopping = true WHERE id = :process"
        await self._alone(lambda tx: tx.run(sql, process=self.process))

    async def leave(self, at: Moment) -> None:
        """Give up everything, and delete our process. Raises `StoreError`."""

        async def work(tx: "PostgresTransaction") -> None:
            await leases.give_up(tx, self.process, self.leases, at)
            await tx.run("DELETE FROM processes WHERE id = :process", process=self.process)

        await self._alone(work)

    @property
    def _us(self) -> leases.Holder:
        return leases.Holder(self.process, self.count)

    async def _change(self, work: "Callable[[PostgresTransaction], Coroutine[Any, Any, T]]") -> T:
        """Change leases while nobody else does, and read them again."""
        done = await self._alone(work)
        await self.refresh()
        return done

    async def _alone(self, work: "Callable[[PostgresTransaction], Coroutine[Any, Any, T]]") -> T:
        """Change leases while nobody else does."""

        async def locked(tx: "PostgresTransaction") -> T:
            await tx.rows(leases.LOCK)
            return await work(tx)

        return await self._db.write_unfenced(locked)

    async def first_clocks(self) -> Mapping[int, Moment]:
        """Return when the first clock of each shard runs out, without the downtime since it was set; shards on which
        none runs are left out. Raises `StoreError`.
        """
        rows = await self._db.read(
            f"SELECT (guild >> 22) % :count AS shard, min(due) FROM tables WHERE {OPEN}"
            " AND due IS NOT NULL AND paused_at IS NULL AND slept_at IS NULL GROUP BY shard",
            count=self.count,
        )
        return {shard: Moment(due) for shard, due in rows}

    async def slot(self, number: int) -> int:
        """Take a slot for an identify; return 0, or how many milliseconds to wait. Raises `StoreError`."""

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
