"""Which shards a process should have: a table of situations and results."""

from collections.abc import Sequence

import pytest

from cogs.core.cluster.shard_assignment import SETTLED_MS, Plan, can_stop, plan, settled
from data.store.shards import Lease, Process
from engine.contract import Moment

NOW = Moment(0)


def process(number: int, room: int | None = None, shards: int = 4, *, stopping: bool = False) -> Process:
    return Process(number, "here", number, "1", NOW, NOW, NOW, room, shards, stopping, "{}")


def leases(owners: Sequence[int | None], wanted: dict[int, int] | None = None) -> dict[int, Lease]:
    """Return a lease for each shard by its owner; 0 for a shard that was never taken."""
    found = {
        shard: Lease(shard, len(owners), owner, 1, NOW, (wanted or {}).get(shard)) for shard, owner in enumerate(owners)
    }
    return {shard: lease for shard, lease in found.items() if lease.process != 0}


def planned(
    owners: Sequence[int | None],
    *processes: Process,
    wanting: Sequence[int] = (),
    wanted: dict[int, int] | None = None,
) -> Plan:
    """Return the plan of process 1."""
    return plan(1, len(owners), leases(owners, wanted), {one.id: one for one in processes}, wanting)


@pytest.mark.parametrize(
    ("owners", "processes", "take", "want"),
    [
        ([0, 0, 0, 0], [process(1)], [0, 1, 2, 3], []),
        ([0, 0, 0, 0], [process(1, 3)], [0, 1, 2], []),
        ([0, 0, 0, 0], [process(1), process(2)], [0, 1], []),
        ([0, 0, 0, 0], [process(1), process(2, 1)], [0, 1, 2], []),
        ([0, 0, 0, 0], [process(1), process(2, shards=8)], [0, 1, 2, 3], []),
        ([2, 2, None, 7], [process(1), process(2)], [2, 3], []),
        ([2, 2, 2, 2], [process(1), process(2)], [], [2, 3]),
        ([2, 2, 2, 1], [process(1), process(2)], [], [2]),
        ([2, 2, 1, 1], [process(1), process(2)], [], []),
        ([2, 2, 2, 2], [process(1, 1), process(2)], [], [3]),
        ([2, 2, 3, 3], [process(1), process(2), process(3)], [], []),
        ([2, 2, 2, 3], [process(1), process(2), process(3)], [], [2]),
        ([2, 2, 3, 3], [process(1), process(2, stopping=True), process(3)], [], [0, 1]),
        ([2, 2, 2, 2], [process(1, stopping=True), process(2)], [], []),
        ([2, 2, 2, 2], [process(2)], [], []),
    ],
)
def test_a_process_takes_what_is_free_and_asks_for_its_share(
    owners: list[int | None], processes: list[Process], take: list[int], want: list[int]
):
    assert planned(owners, *processes) == Plan(take, want)


def test_shards_whose_clocks_run_out_first_are_taken_first_also_if_only_some_are_taken():
    everybody = {1: process(1), 2: process(2)}
    clocks = {3: Moment(5), 1: Moment(7)}
    assert plan(1, 4, leases([9, 9, 9, 9]), everybody, [], clocks).take == [3, 1]
    assert plan(1, 4, leases([9, 9, 9, 9]), {1: process(1)}, [], clocks).take == [3, 1, 0, 2]


def test_one_shard_is_left_where_it_is():
    assert plan(1, 1, leases([2]), {1: process(1, shards=1), 2: process(2, shards=1)}, []) == Plan([], [])


def test_what_is_asked_for_counts_as_had_and_what_another_asks_for_is_left_to_it():
    both = process(1), process(2)
    assert planned([2, 2, 2, 2], *both, wanting=[3]) == Plan([], [2])
    assert planned([2, 2, 2, 2], *both, process(3), wanted={2: 3}) == Plan([], [3])
    assert planned([2, 2, 2, 2], *both, wanted={2: 9, 3: 1}) == Plan([], [2, 3])  # 9 has left


@pytest.mark.parametrize(
    ("others", "may"),
    [
        ([], True),
        ([process(2, 1)], True),
        ([process(2, 2)], False),
        ([process(2)], False),
        ([process(2, stopping=True)], True),
        ([process(2, shards=8)], True),
    ],
)
def test_a_stopping_process_waits_while_another_has_capacity(others: list[Process], may: bool):
    processes = {one.id: one for one in (process(1, stopping=True), *others)}
    assert can_stop(1, 4, leases([1, 1, 1, 2]), processes) == may


LATER = Moment(SETTLED_MS)


@pytest.mark.parametrize(
    ("owners", "figures", "calm"),
    [
        ([2, 2], {2: '{"served":{"0":0,"1":0}}'}, True),  # one was handed over, or both long ago
        ([2, 2], {2: '{"served":{"0":0,"1":1}}'}, False),
        ([2, 2], {2: '{"served":{"0":0}}'}, False),  # it has no session of the other one yet
        ([2, 3], {2: '{"served":{"0":0}}', 3: '{"served":{"1":0}}'}, True),
        ([2, 3], {2: '{"served":{"0":0}}'}, False),
        ([2, None], {2: '{"served":{"0":0}}'}, False),
        ([2, 0], {2: '{"served":{"0":0,"1":0}}'}, False),
        ([2, 2], {2: "{}"}, True),  # a version that does not report it
        ([2, 2], {2: "?"}, True),
    ],
)
def test_shards_are_rebalanced_when_each_has_been_served_for_a_minute(
    owners: list[int | None], figures: dict[int, str], calm: bool
):
    there = {
        number: Process(number, "here", number, "1", NOW, NOW, NOW, None, 2, False, told)
        for number, told in figures.items()
    }
    assert settled(2, leases(owners), there, LATER) == calm
