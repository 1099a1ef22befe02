"""The assignment of servers to processes that share a database: each serves the shards whose leases it holds. Leases
are in the database server's time, runs in Discord's.
"""

import os
import socket
import time
from abc import ABC, abstractmethod
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

import msgspec

from data.store.downtime import Runs
from data.store.process_identity import has_exited, machine_id, started_at
from engine.contract import Moment

LEASE_MS = 10_000
"""A process that has not renewed its leases for this long has lost its shards."""

RENEW_MS = 3_000
"""How often a process renews its leases."""

EXPIRED_MS = 9_000
"""A process that has not renewed its leases for this long, by its own clock, stops: others may soon take over."""

SLOT_MS = 5_500
"""The pause between two identifies that share a slot. Discord wants 5 s between their arrivals; how long one takes to
arrive varies.
"""

HANDED_OVER_MS = 1_000
"""How much later a process answers about a shard that it has taken from a live process, which may still be answering.
"""


def steady_s() -> float:
    """Return the time of a clock that nobody can set, and that continues while the machine is suspended."""
    # Linux alone has such a clock; elsewhere it may stop while the machine is suspended.
    return time.clock_gettime(time.CLOCK_BOOTTIME) if hasattr(time, "CLOCK_BOOTTIME") else time.monotonic()


@dataclass(frozen=True)
class ProcessInfo:
    """What other processes see of a process. For `machine`, and when it was `born` there, see `process_identity`."""

    version: str = ""
    host: str = field(default_factory=socket.gethostname)
    pid: int = field(default_factory=os.getpid)
    machine: str = ""
    born: int = 0

    @classmethod
    def here(cls, version: str) -> "ProcessInfo":
        """Return this process."""
        return cls(version, machine=machine_id(), born=started_at(os.getpid()))

    def outlived(self, other: "Process") -> bool:
        """Return True if another process has certainly exited, as far as our machine can tell."""
        same = self.machine != "" and (other.host, other.machine) == (self.host, self.machine)
        return same and has_exited(other.pid, other.born)


class Process(msgspec.Struct, frozen=True):
    """A live process."""

    id: int
    host: str
    pid: int
    version: str
    started_at: Moment
    beat_at: Moment
    until: Moment
    room: int | None  # the most shards that it takes; None: all
    shards: int  # the number of shards that it assumes; 0 before it knows
    stopping: bool  # it takes no more shards, and hands over those that it has
    figures: str  # its statistics, as JSON
    machine: str = ""
    born: int = 0


class Lease(msgspec.Struct, frozen=True):
    """A shard out of `shards`, and the process that holds it."""

    shard: int
    shards: int
    process: int | None  # it holds the shard while it is alive
    run: int
    since: Moment  # it answers what Discord received from then on
    wanted_by: int | None  # the process that has requested the shard


class Shards(ABC):
    """The assignment of servers to processes, as last read by `renew` and `refresh`. `process` is our own number;
    `runs` have the downtime of servers.
    """

    process: int
    runs: Runs

    def __init__(self) -> None:
        self.leases: Mapping[int, Lease] = MappingProxyType({})  # by shard
        self.processes: Mapping[int, Process] = MappingProxyType({})  # by number, the live ones

    # What was last read

    @property
    @abstractmethod
    def count(self) -> int:
        """How many shards there are; 0 before `join`."""

    @property
    @abstractmethod
    def expired(self) -> bool:
        """Whether our lease has expired by our own clock: then we hold nothing, and do nothing."""

    @property
    @abstractmethod
    def held(self) -> Collection[int]:
        """The shards that we hold."""

    @abstractmethod
    def holds(self, guild: int) -> bool:
        """Return True if we serve a server."""

    @abstractmethod
    def owner_of(self, guild: int) -> int | None:
        """Return the number of the process that serves a server; None if no live process does."""

    @abstractmethod
    def ours_from(self, guild: int) -> Moment:
        """Return the moment from which on we answer what Discord receives about a server that we hold."""

    # Changing leases

    @abstractmethod
    async def join(self, count: int, max_shards: int | None) -> bool:
        """Set the number of shards, and take at most `max_shards` of them (None: all). Return False while processes
        with another number are stopping: no shards may be taken then. Raises `ShardCountMismatch` if they are not
        stopping.
        """

    @abstractmethod
    async def renew(self, at: Moment, figures: str) -> Collection[int]:
        """Renew our leases at a moment in Discord's time; return the shards that we have lost. Raises `StoreError`."""

    @abstractmethod
    async def refresh(self) -> None:
        """Read the leases and processes again. Raises `StoreError`."""

    @abstractmethod
    async def take(self, shard: int, at: Moment) -> bool:
        """Take a shard that no live process holds; return whether it is ours now. Raises `StoreError`."""

    @abstractmethod
    async def request(self, shard: int) -> bool:
        """Ask for a shard that another process holds; return whether nobody else was first. Raises `StoreError`."""

    @abstractmethod
    async def take_over(self, shard: int, at: Moment) -> bool:
        """Take over a shard that we requested; return whether it is ours now. Raises `StoreError`."""

    @abstractmethod
    async def hand_over(self, shard: int, at: Moment) -> bool:
        """Hand a shard over to the process that requested it, which answers what Discord receives from `at` on; return
        whether that was done. Raises `StoreError`.
        """

    @abstractmethod
    async def give_up(self, shards: Iterable[int], at: Moment) -> None:
        """Give up shards that we hold, and requests for shards. Raises `StoreError`."""

    @abstractmethod
    async def stop(self) -> None:
        """Tell the others that we are about to stop, so that they may take our shards over. Raises `StoreError`."""

    @abstractmethod
    async def first_clocks(self) -> Mapping[int, Moment]:
        """Return when the first clock of each shard runs out, without the downtime since it was set; shards on which
        none runs are left out. Raises `StoreError`.
        """

    @abstractmethod
    async def slot(self, number: int) -> int:
        """Take a slot for an identify; return 0, or how many milliseconds to wait. Raises `StoreError`."""
