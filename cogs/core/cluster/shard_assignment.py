"""Which shards a process should have, of those that there are: its share, and what nobody else has.

Every process works this out for itself, from what the leases say; the database decides where two want the same.
"""

from collections.abc import Collection, Mapping
from typing import NamedTuple

from data.store.shards import Lease, Process


class Plan(NamedTuple):
    """What a process should do: take shards that nobody has, and want some that others have."""

    take: list[int]
    want: list[int]


def plan(
    me: int, count: int, leases: Mapping[int, Lease], processes: Mapping[int, Process], wanting: Collection[int]
) -> Plan:
    """Return what the process `me`, which is `wanting` some already, should do about the `count` shards.

    Those whose process is not there any more are for whoever has room, up to an equal share each; so are those of a
    process that stops. Of a process that has more than its share, one with less wants some: as few as it takes.
    """
    ours = processes.get(me)
    if ours is None or ours.stopping:
        return Plan([], [])
    peers = {process.id: process for process in processes.values() if process.shards == count and not process.stopping}
    owners = {shard: lease.process for shard, lease in leases.items() if lease.shards == count}
    share = _share(count, [_room(process, count) for process in peers.values()])
    left = min(_room(ours, count), share) - len(wanting) - sum(owner == me for owner in owners.values())
    take = [shard for shard in range(count) if owners.get(shard) not in processes and shard not in wanting]
    take = take[: max(0, left)]
    left -= len(take)
    want = [
        shard
        for shard in _in_reach(owners, peers, processes, share, count)
        if shard not in wanting and owners[shard] != me and leases[shard].wanted_by not in processes.keys() - {me}
    ]
    return Plan(take, want[: max(0, left)])


def can_stop(me: int, count: int, leases: Mapping[int, Lease], processes: Mapping[int, Process]) -> bool:
    """Return True if no other process has room for the shards of a process that stops."""
    held = [lease.process for lease in leases.values() if lease.shards == count]
    return not any(
        _room(process, count) > sum(owner == process.id for owner in held)
        for process in processes.values()
        if process.id != me and process.shards == count and not process.stopping
    )


def _room(process: Process, count: int) -> int:
    return count if process.room is None else min(process.room, count)


def _share(count: int, rooms: Collection[int]) -> int:
    """Return the smallest number of which it is enough that each process has so many shards, as far as it has room."""
    return next((share for share in range(1, count) if sum(min(room, share) for room in rooms) >= count), count)


def _in_reach(
    owners: Mapping[int, int | None],
    peers: Mapping[int, Process],
    processes: Mapping[int, Process],
    share: int,
    count: int,
) -> list[int]:
    """Return the shards that others may have: those of processes that stop, then what some have beyond their share."""
    stopping = [shard for shard, owner in sorted(owners.items()) if owner in processes and owner not in peers]
    beyond = []
    for number in sorted(peers):
        held = sorted(shard for shard, owner in owners.items() if owner == number)
        beyond += held[min(share, _room(peers[number], count)) :]
    return stopping + beyond
