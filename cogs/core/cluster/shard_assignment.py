"""Which shards a process should have, by the leases. If two processes want the same, the database decides."""

from collections.abc import Collection, Mapping
from types import MappingProxyType
from typing import NamedTuple

import msgspec

from data.store.shards import Lease, Process
from engine.contract import Moment

SETTLED_MS = 60_000
"""Shards are rebalanced when each of them has been served for this long since nobody served it."""


class Figures(msgspec.Struct):
    """What a process tells the others of its shards: those whose sessions are connected while another process serves
    them, and since when it serves its own (see `ShardSession.served_since`). Older versions do not tell the latter.
    """

    ready: list[int] = []
    served: dict[int, Moment] | None = None


def read_figures(process: Process) -> Figures:
    """Return what a process tells of its shards."""
    try:
        return msgspec.json.decode(process.figures, type=Figures)
    except msgspec.DecodeError:
        return Figures()


class Plan(NamedTuple):
    """What a process should do: take shards that nobody has, and request some that others have."""

    take: list[int]
    request: list[int]


def plan(
    me: int,
    count: int,
    leases: Mapping[int, Lease],
    processes: Mapping[int, Process],
    requested: Collection[int],
    first_clocks: Mapping[int, Moment] = MappingProxyType({}),
) -> Plan:
    """Return what the process `me`, which has `requested` some already, should do about the `count` shards. Those whose
    `first_clocks` run out first are taken first.

    Shards of dead processes may be taken, up to an equal share each, and those of stopping processes requested. A
    process with less than its share requests shards of those with more: as few as it takes.
    """
    ours = processes.get(me)
    if ours is None or ours.stopping:
        return Plan([], [])
    peers = {process.id: process for process in processes.values() if process.shards == count and not process.stopping}
    owners = {shard: lease.process for shard, lease in leases.items() if lease.shards == count}
    share = _share(count, [_capacity(process, count) for process in peers.values()])
    left = min(_capacity(ours, count), share) - len(requested) - sum(owner == me for owner in owners.values())
    take = [shard for shard in range(count) if owners.get(shard) not in processes and shard not in requested]
    take = sorted(take, key=lambda shard: first_clocks.get(shard, float("inf")))[: max(0, left)]
    left -= len(take)
    request = [
        shard
        for shard in _available(owners, peers, processes, share, count)
        if shard not in requested and owners[shard] != me and leases[shard].wanted_by not in processes.keys() - {me}
    ]
    return Plan(take, request[: max(0, left)])


def settled(count: int, leases: Mapping[int, Lease], processes: Mapping[int, Process], now: Moment) -> bool:
    """Return True if every shard is served, and has been for a while since nobody served it: rebalancing disturbs
    nobody who waits.
    """
    served = {number: read_figures(process).served for number, process in processes.items()}
    for shard in range(count):
        lease = leases.get(shard)
        if lease is None or lease.process not in served:
            return False
        since = served[lease.process]
        if since is not None and now - since.get(shard, now) < SETTLED_MS:
            return False
    return True


def can_stop(me: int, count: int, leases: Mapping[int, Lease], processes: Mapping[int, Process]) -> bool:
    """Return True if no other process can take a shard of a process that stops."""
    held = [lease.process for lease in leases.values() if lease.shards == count]
    return not any(
        _capacity(process, count) > sum(owner == process.id for owner in held)
        for process in processes.values()
        if process.id != me and process.shards == count and not process.stopping
    )


def _capacity(process: Process, count: int) -> int:
    return count if process.room is None else min(process.room, count)


def _share(count: int, capacities: Collection[int]) -> int:
    """Return the smallest number of shards a process with which all are served, as far as capacities allow."""
    return next((share for share in range(1, count) if sum(min(one, share) for one in capacities) >= count), count)


def _available(
    owners: Mapping[int, int | None],
    peers: Mapping[int, Process],
    processes: Mapping[int, Process],
    share: int,
    count: int,
) -> list[int]:
    """Return the shards that others may have: those of stopping processes, then what some have beyond their share."""
    stopping = [shard for shard, owner in sorted(owners.items()) if owner in processes and owner not in peers]
    beyond = []
    for number in sorted(peers):
        held = sorted(shard for shard, owner in owners.items() if owner == number)
        beyond += held[min(share, _capacity(peers[number], count)) :]
    return stopping + beyond
