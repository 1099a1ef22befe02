"""The processes that share a database, and their leases: each serves the shards whose leases it holds. Leases are in
the database server's time, runs in Discord's.
"""

import os
import socket
import time
from dataclasses import dataclass, field

import msgspec

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
