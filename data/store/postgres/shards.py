"""Who serves which servers, where several processes play over one PostgreSQL database: what was last read of it, and
that our own process is there.

`leases` changes who serves what, `presence` says that a process is there. May import `engine.contract`, the standard
library and its neighbours.
"""

from collections.abc import Awaitable, Collection, Iterable
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
    """Who serves what."""

    def __init__(self, db: PostgresDatabase, process_info: ProcessInfo, silence: LeaseClock) -> None:
        super().__init__()
        self._newcomer = process_info
        self._silence = silence
        self.process = db.fence.process
        self.runs = Runs(())
        self._db = db
        self._leases = Leases(db)
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
        return self._leases.count

    @property
    def silent(self) -> bool:
        """Whether we were not heard of for so long that others may take over."""
        return self._silence()

    @property
    def held(self) -> Collection[int]:
        """The shards that we hold."""
        return () if self.silent else self._ours()

    def _ours(self) -> set[int]:
        return {shard for shard, lease in self.leases.items() if self._is_ours(lease)}

    def _is_ours(self, lease: Lease) -> bool:
        return lease.process == self.process and lease.shards == self.count

    def _lease(self, guild: int) -> Lease | None:
        return next((lease for lease in self.leases.values() if shard_of(guild, lease.shards) == lease.shard), None)

    def holds(self, guild: int) -> bool:
        """Say whether a server is ours to serve."""
        lease = self.leases.get(shard_of(guild, self.count)) if self.count else None
        return lease is not None and self._is_ours(lease) and not self.silent

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
        free = await self._leases.join(count, room)
        self._room = room
        await self.refresh()
        return free

    async def renew(self, at: Moment, figures: str) -> Collection[int]:
        """Say that we are there, and that our shards are served; return those that we have lost since the last time."""
        before, until = self._ours(), self._silence.asking()
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
            # Others may want our shards and have them: we take them again, so that the gap is known.
            await tx.run("UPDATE leases SET process = NULL WHERE process = :process", process=self.process)
            if not await tx.run(beat, **values):
                await register_again(tx, self._newcomer, self.process, self.count, self._room)
            return False

        if not await self._db.write_unfenced(work):
            self.leases = MappingProxyType({})
        await self.refresh()
        # Of those on our machine we know before their time is up that nothing will be heard of them any more.
        others = [process for process in self.processes.values() if process.id != self.process]
        ended = [other.id for other in others if self._newcomer.outlived(other)]
        if ended:
            await self._db.write_unfenced(lambda tx: expire_processes(tx, ended))
            await self.refresh()
        self._silence.heard(until)
        return before - self._ours()

    async def refresh(self) -> None:
        """Read anew who serves what."""

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
        ]  # what is written counts from the runs that we know of, and is refused where there are others

    async def stop(self) -> None:
        """Tell the others that we are about to stop."""
        await self._leases.stop()

    async def leave(self, at: Moment) -> None:
        """Be gone: what we held is free."""
        await self._leases.leave(self.leases, at)

    # Changing it

    async def take(self, shard: int, at: Moment) -> bool:
        """Take a shard that nobody who is alive holds; return whether it is ours now."""
        return await self._known(self._leases.take(shard, at))

    async def request(self, shard: int) -> bool:
        """Ask for a shard that another process holds; return whether nobody else was first."""
        return await self._known(self._leases.request(shard))

    async def hand_over(self, shard: int, at: Moment) -> bool:
        """Give a shard that we hold to the process that wants it; return whether that was done."""
        return await self._known(self._leases.hand_over(shard, at))

    async def take_over(self, shard: int, at: Moment) -> bool:
        """Take over a shard that we want whether or not its process gives it to us; return whether it is ours now."""
        return await self._known(self._leases.take_over(shard, at))

    async def give_up(self, shards: Iterable[int], at: Moment) -> None:
        """Let go of shards that we hold, and of those that we want."""
        await self._known(self._leases.give_up(shards, at))

    async def _known(self, change: Awaitable[T]) -> T:
        """Change leases, and know then how they stand."""
        done = await change
        await self.refresh()
        return done

    async def slot(self, number: int) -> int:
        """Take the slot with this number for an identify; return 0, or how many milliseconds to wait."""

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
