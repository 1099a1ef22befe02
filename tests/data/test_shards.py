"""Which process serves which shard: a single process on both databases, and several on PostgreSQL."""

import asyncio
import os
import socket
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack
from dataclasses import replace
from pathlib import Path

import pytest

from data.store import (
    Conflict,
    DatabaseLocked,
    DatabaseTakenOver,
    LeaseExpired,
    NotShardOwner,
    ProcessInfo,
    ShardCountMismatch,
    Store,
    StoreError,
    TableChange,
    TableRow,
)
from data.store import postgres_store as opening
from data.store.downtime import Run, Runs, shard_of
from data.store.games import NewDecision
from data.store.open_store import open_store
from data.store.postgres_store import PostgresStore, open_postgres
from data.store.process_identity import machine_id, started_at
from data.store.shards import EXPIRED_MS, HANDED_OVER_MS, LEASE_MS, SLOT_MS
from data.store.sqlite_store import open_sqlite
from engine.contract import Moment
from tests.data.both import database, store
from tests.data.conftest import NOON, Time, new, start_table, two
from tools.harness.raw_database import Raw
from tools.postgres import Cluster

__all__ = ["database", "store"]  # fixtures

EVEN, ODD = 2 << 22, 1 << 22
"""Servers of shard 0 and 1 out of two."""


# Runs


def test_a_server_was_unserved_between_the_runs_of_its_own_shards():
    runs = Runs(
        [
            Run(1, Moment(0), Moment(100)),
            Run(2, Moment(110), Moment(200), 0, 2),
            Run(3, Moment(150), Moment(200), 1, 2),
            Run(4, Moment(260), Moment(300), 0, 2),
        ]
    )
    assert (runs.present(EVEN), runs.present(ODD)) == (4, 3)
    assert [runs.downtime(run, EVEN) for run in (1, 2, 3, 4)] == [10 + 60, 60, 0, 0]
    assert [runs.downtime(run, ODD) for run in (1, 2, 3, 4)] == [50, 0, 0, 0]


def test_runs_with_another_number_of_shards_count_for_the_servers_they_had():
    guilds = [number << 22 for number in range(4)]
    runs = Runs(
        [
            Run(1, Moment(0), Moment(100), 0, 2),
            Run(2, Moment(0), Moment(90), 1, 2),
            *(Run(3 + shard, Moment(120), Moment(120 + shard), shard, 4) for shard in range(4)),
            Run(7, Moment(200), Moment(200)),
        ]
    )
    assert [runs.downtime(1, guild) for guild in guilds] == [20 + 80, 0, 20 + 78, 0]
    assert [runs.downtime(2, guild) for guild in guilds] == [0, 30 + 79, 0, 30 + 77]
    assert {runs.present(guild) for guild in guilds} == {7}


# Several processes


class Fleet:
    """Processes over one database; the test sets the clocks of the server and of the processes."""

    def __init__(self, url: str, time: Time, stack: AsyncExitStack) -> None:
        self.url = url
        self.time = time
        self.raw = Raw(url)
        self.steady = 0.0
        self._stack = stack
        self.raw("CREATE TABLE hands (at bigint)")
        self.raw("INSERT INTO hands VALUES (1000000)")
        self.raw(
            "CREATE OR REPLACE FUNCTION now_ms() RETURNS bigint LANGUAGE sql VOLATILE AS 'SELECT at FROM public.hands'"
        )

    async def process(self, count: int = 2, room: int | None = None) -> PostgresStore:
        """Return a process that has joined."""
        store = await self.stranger()
        await store.shards.join(count, room)
        return store

    async def stranger(self, process_info: ProcessInfo | None = None) -> PostgresStore:
        """Return a process that has only opened the database."""
        process_info = process_info or ProcessInfo("1", "here", 7)
        opened = open_postgres(self.url, now=self.time.now, process_info=process_info, steady=lambda: self.steady)
        return await self._stack.enter_async_context(opened)

    def turn(self, ms: int) -> None:
        """Move all clocks on."""
        self.raw(f"UPDATE hands SET at = at + {ms}")
        self.steady += ms / 1_000
        self.time.at = Moment(self.time.at + ms)

    async def renew(self, store: Store) -> list[int]:
        """Renew the leases of a process; return the shards it has lost."""
        return sorted(await store.shards.renew(self.time.at, "{}"))

    async def take(self, store: Store, shard: int) -> bool:
        return await store.shards.take(shard, self.time.at)


@pytest.fixture
async def fleet(postgres: Cluster, time: Time) -> AsyncIterator[Fleet]:
    async with AsyncExitStack() as stack:
        yield Fleet(postgres.fresh(), time, stack)


async def table(store: Store, guild: int = EVEN) -> TableRow:
    """Return a table of a game with a clock of a minute."""
    row = await start_table(store, guild=guild)
    return await append(store, row.id, 2)


async def append(store: Store, table: int, number: int) -> TableRow:
    return await store.games.append(
        table, NewDecision(number=number, seat=0, at=NOON, action="x", events=["x"], due=Moment(NOON + 60_000))
    )


async def test_a_shard_belongs_to_the_process_that_took_it_first(fleet: Fleet):
    ann, ben = await fleet.process(), await fleet.process(room=1)
    assert not ann.shards.held and ann.shards.owner_of(EVEN) is None
    assert await fleet.take(ann, 0) and not await fleet.take(ben, 0) and await fleet.take(ben, 1)
    await ann.shards.refresh()
    assert [set(store.shards.held) for store in (ann, ben)] == [{0}, {1}]
    assert [store.shards.holds(guild) for store in (ann, ben) for guild in (0, EVEN, ODD)] == [
        *(True, True, False),
        *(False, False, True),
    ]
    assert ann.shards.owner_of(ODD) == ben.shards.process == ben.shards.owner_of(ODD)
    assert [(process.room, process.shards, process.host) for process in ann.shards.processes.values()] == [
        (None, 2, "here"),
        (1, 2, "here"),
    ]


async def test_one_of_many_processes_that_take_a_free_shard_at_once_gets_it(fleet: Fleet):
    stores = [await fleet.process() for _ in range(4)]
    assert sum(await asyncio.gather(*(fleet.take(store, 0) for store in stores))) == 1


async def test_a_process_that_renews_its_leases_keeps_its_shards_and_one_that_does_not_loses_them(fleet: Fleet):
    ann, ben = await fleet.process(), await fleet.process()
    await fleet.take(ann, 0)
    for _ in range(3):
        fleet.turn(LEASE_MS - 1)
        await fleet.renew(ben)
        assert not await fleet.take(ben, 0)
        await fleet.renew(ann)
        assert set(ann.shards.held) == {0}
    fleet.turn(LEASE_MS)
    await fleet.renew(ben)
    assert ben.shards.owner_of(EVEN) is None
    assert await fleet.take(ben, 0) and ben.shards.holds(EVEN)
    assert await fleet.renew(ann) == [0] and not ann.shards.held and not ann.shards.expired


async def test_a_process_falls_silent_before_others_may_take_over(fleet: Fleet):
    ann = await fleet.process()
    await fleet.take(ann, 0)
    await fleet.renew(ann)
    fleet.turn(EXPIRED_MS - 1)
    assert ann.shards.holds(EVEN) and not ann.shards.expired
    fleet.turn(1)
    assert not ann.shards.holds(EVEN) and ann.shards.expired and not ann.shards.held and EXPIRED_MS < LEASE_MS


async def test_a_process_whose_leases_expired_takes_its_shards_again_although_nobody_else_did(fleet: Fleet):
    ann = await fleet.process()
    await fleet.take(ann, 0)
    row = await table(ann)
    await fleet.renew(ann)
    fleet.turn(25_000)
    with pytest.raises(LeaseExpired):
        await append(ann, row.id, 3)
    assert await fleet.renew(ann) == [0] and not ann.shards.expired
    assert await fleet.take(ann, 0)
    assert ann.runs.downtime(row.run, EVEN) == 25_000 and ann.runs.downtime(row.run, ODD) == 0
    assert (await append(ann, row.id, 3)).run == ann.shards.runs.present(EVEN) != row.run


async def test_a_process_that_was_deleted_meanwhile_is_registered_again(fleet: Fleet):
    ann = await fleet.process(room=3)
    await fleet.take(ann, 0)
    fleet.turn(LEASE_MS)
    fleet.raw("DELETE FROM processes")
    await fleet.renew(ann)
    (process,) = ann.shards.processes.values()
    assert (process.id, process.room, process.shards, process.pid) == (ann.shards.process, 3, 2, 7)


WRITES: list[Callable[[Store, int], object]] = [
    lambda store, table: append(store, table, 3),
    lambda store, table: store.tables.update(table, TableChange(opener=5)),
    lambda store, table: store.tables.create(new(guild=EVEN), two()),
    lambda store, table: store.seats.set(table, two()),
    lambda store, table: store.tables.replace_message(table, 5, NOON),
]


@pytest.mark.parametrize("late", WRITES, ids=["move", "table", "new table", "seats", "message"])
async def test_a_suspended_process_writes_nothing_more_to_what_another_process_serves(
    fleet: Fleet, late: Callable[[Store, int], object]
):
    """A process that was suspended in the middle of a move: it stops by itself, and the fence in the database refuses
    it.
    """
    ann, ben = await fleet.process(), await fleet.process()
    await fleet.take(ann, 0)
    row = await table(ann)
    fleet.turn(LEASE_MS)
    await fleet.renew(ben)
    await fleet.take(ben, 0)
    before = await ben.tables.open()
    with pytest.raises(LeaseExpired):
        await late(ann, row.id)  # type: ignore[misc]
    fleet.steady -= 60.0  # as if it had asked for the time just before it was stopped
    with pytest.raises(LeaseExpired):
        await late(ann, row.id)  # type: ignore[misc]
    fleet.raw(f"UPDATE processes SET until = until + 60000 WHERE id = {ann.shards.process}")  # learned at that moment
    with pytest.raises(NotShardOwner):
        await late(ann, row.id)  # type: ignore[misc]
    assert await ben.tables.open() == before and await ben.tables.get(row.id) == row
    assert await ben.games.events(row.id) == ["a", "b", "x"]
    assert (await append(ben, row.id, 3)).run == ben.shards.runs.present(EVEN)


async def test_any_process_that_knows_who_serves_a_table_writes_to_it_by_the_number_of_the_event(fleet: Fleet):
    ann, ben = await fleet.process(), await fleet.process()
    await fleet.take(ann, 0)
    row = await table(ann)
    with pytest.raises(NotShardOwner):
        await append(ben, row.id, 3)  # it has not seen a run yet
    await ben.shards.refresh()
    assert (await append(ben, row.id, 3)).run == ann.shards.runs.present(EVEN)
    with pytest.raises(Conflict):
        await append(ann, row.id, 3)


async def test_time_in_which_nobody_served_a_shard_counts_once_no_matter_who_takes_it(fleet: Fleet):
    ann, ben = await fleet.process(), await fleet.process()
    await fleet.take(ann, 0)
    await fleet.take(ben, 1)
    even, odd = await table(ann), await table(ben, ODD)
    fleet.turn(4_000)
    await fleet.renew(ann)
    await fleet.renew(ben)
    fleet.turn(LEASE_MS)
    await fleet.renew(ben)  # Discord's side was up again, but not in time
    await fleet.take(ben, 0)
    await fleet.take(ben, 1)
    assert ben.runs.downtime(even.run, EVEN) == LEASE_MS == ben.runs.downtime(odd.run, ODD)
    moved = await append(ben, even.id, 3)
    assert ben.runs.downtime(moved.run, EVEN) == 0
    fleet.turn(3_000)
    await ben.shards.give_up([0], fleet.time.at)
    fleet.turn(2_000)
    await fleet.renew(ben)
    await fleet.take(ben, 0)
    assert (ben.runs.downtime(even.run, EVEN), ben.runs.downtime(moved.run, EVEN)) == (LEASE_MS + 2_000, 2_000)


async def test_a_shard_is_handed_over_without_a_gap(fleet: Fleet):
    ann, ben, cleo = [await fleet.process() for _ in range(3)]
    await fleet.take(ann, 0)
    row = await table(ann)
    await ann.shards.stop()
    fleet.turn(2_000)
    assert not await ann.shards.request(0) and not await ben.shards.take_over(0, fleet.time.at)
    assert await ben.shards.request(0) and await ben.shards.request(0) and not await cleo.shards.request(0)
    await ann.shards.refresh()
    assert ann.shards.leases[0].wanted_by == ben.shards.process and ann.shards.holds(EVEN)
    assert ben.shards.processes[ann.shards.process].stopping
    assert not await cleo.shards.hand_over(0, fleet.time.at) and await ann.shards.hand_over(0, fleet.time.at)
    assert not ann.shards.holds(EVEN) and not await ann.shards.hand_over(0, fleet.time.at)
    assert await fleet.renew(ben) == [] and await fleet.renew(ann) == []
    assert ben.shards.holds(EVEN) and ben.runs.downtime(row.run, EVEN) == 0
    assert ben.shards.ours_from(EVEN) == fleet.time.at == ann.shards.ours_from(EVEN)
    assert (await append(ann, row.id, 3)).run == ben.shards.runs.present(EVEN)  # a click that arrived earlier


async def test_a_shard_that_a_dead_process_requested_may_be_requested_by_another(fleet: Fleet):
    ann, ben, cleo = [await fleet.process() for _ in range(3)]
    await fleet.take(ann, 0)
    assert await ben.shards.request(0)
    fleet.turn(LEASE_MS - 1)
    await fleet.renew(ann)
    await fleet.renew(cleo)
    assert not await cleo.shards.request(0)
    fleet.turn(1)
    assert await cleo.shards.request(0)
    assert await ann.shards.hand_over(0, fleet.time.at)
    await fleet.renew(cleo)
    assert cleo.shards.holds(EVEN)


async def test_a_shard_is_taken_from_a_process_that_does_not_give_it_away(fleet: Fleet):
    ann, ben = await fleet.process(), await fleet.process()
    await fleet.take(ann, 0)
    row = await table(ann)
    fleet.turn(2_000)
    assert await ben.shards.request(0) and await ben.shards.take_over(0, fleet.time.at)
    assert ben.shards.holds(EVEN) and ben.runs.downtime(row.run, EVEN) == 0
    assert ben.shards.ours_from(EVEN) == fleet.time.at + HANDED_OVER_MS
    with pytest.raises(NotShardOwner):
        await append(ann, row.id, 3)
    assert await fleet.renew(ann) == [0]


async def test_downtime_of_a_process_counts_also_if_its_shard_is_taken_from_it(fleet: Fleet):
    ann, ben = await fleet.process(), await fleet.process()
    await fleet.take(ann, 0)
    row = await table(ann)
    fleet.turn(LEASE_MS - 1_000)
    await fleet.renew(ben)
    assert await ben.shards.request(0) and await ben.shards.take_over(0, fleet.time.at)
    assert ben.runs.downtime(row.run, EVEN) == LEASE_MS - 1_000 and ben.shards.ours_from(EVEN) == 0


async def test_a_successor_finds_what_was_given_up_meanwhile_and_not_what_another_has_taken(fleet: Fleet):
    ann, ben, cleo = [await fleet.process() for _ in range(3)]
    await fleet.take(ann, 0)
    await fleet.take(ann, 1)
    assert await ben.shards.request(0) and await ben.shards.request(1)
    await ann.shards.give_up([0, 1], fleet.time.at)
    assert await fleet.take(cleo, 1)
    assert await ben.shards.take_over(0, fleet.time.at) and not await ben.shards.take_over(1, fleet.time.at)


async def test_a_process_that_leaves_frees_its_shards_at_once(fleet: Fleet):
    ben = await fleet.process()
    async with open_postgres(fleet.url, now=fleet.time.now, process_info=ProcessInfo()) as ann:
        await ann.shards.join(2, None)
        await fleet.take(ann, 0)
        row = await table(ann)
        fleet.turn(2_000)
    fleet.turn(1_000)
    await fleet.renew(ben)
    assert len(ben.shards.processes) == 1 and await fleet.take(ben, 0) and ben.runs.downtime(row.run, EVEN) == 1_000


HERE = ProcessInfo("1", "here", os.getpid(), "this machine", started_at(os.getpid()))
CRASHED = replace(HERE, pid=2**22 + 1, born=5)
"""This process, and one that has exited: no machine gives this number to any."""

linux = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="it is told by Linux alone")


@linux
@pytest.mark.parametrize(
    ("before", "free"),
    [
        (CRASHED, True),
        (replace(HERE, born=HERE.born + 1), True),
        (HERE, False),
        (replace(CRASHED, host="there"), False),
        (replace(CRASHED, machine="another machine"), False),
        (replace(CRASHED, machine=""), False),
        (replace(CRASHED, born=0), False),
    ],
    ids=["ended", "another of its number", "there", "another host", "another machine", "unknown", "never told"],
)
async def test_a_crashed_process_keeps_nobody_waiting_who_starts_on_its_machine(
    fleet: Fleet, before: ProcessInfo, free: bool
):
    ann = await fleet.stranger(before)
    await ann.shards.join(2, None)
    await fleet.take(ann, 0)
    row = await table(ann)
    fleet.time.at = Moment(fleet.time.at + 2_000)
    ben = await fleet.stranger(HERE if before.machine else replace(HERE, machine=""))
    await ben.shards.join(2, None)
    assert await fleet.take(ben, 0) is free
    assert ben.runs.downtime(row.run, EVEN) == (2_000 if free else 0)


@linux
async def test_a_crashed_process_is_noticed_by_the_others_on_its_machine(fleet: Fleet):
    there = await fleet.stranger(replace(HERE, machine="another machine"))
    ben = await fleet.stranger(HERE)
    ann = await fleet.stranger(replace(HERE, pid=CRASHED.pid))
    for each in (there, ben, ann):
        await each.shards.join(2, None)
    await fleet.take(ann, 0)
    await fleet.renew(there)
    assert not await fleet.take(there, 0)
    await fleet.renew(ben)
    assert ann.shards.process not in ben.shards.processes and there.shards.process in ben.shards.processes
    assert await fleet.take(ben, 0)


@linux
async def test_a_process_thought_to_have_crashed_writes_nothing_and_learns_what_it_has_lost(fleet: Fleet):
    ann = await fleet.stranger(CRASHED)
    await ann.shards.join(2, None)
    await fleet.take(ann, 0)
    await fleet.take(ann, 1)
    row = await table(ann)
    ben = await fleet.stranger(HERE)
    await ben.shards.join(2, None)
    assert await fleet.take(ben, 0)
    with pytest.raises(LeaseExpired):
        await append(ann, row.id, 3)
    assert await fleet.renew(ann) == [0, 1] and not ann.shards.held
    with pytest.raises(Conflict):
        await append(ann, row.id, 2)
    assert (await append(ben, row.id, 3)).run == ben.shards.runs.present(EVEN)


async def test_a_process_knows_on_which_machine_it_is(postgres: Cluster, time: Time):
    url = postgres.fresh()
    async with open_postgres(url, now=time.now, process_info=ProcessInfo.here("1")):
        assert Raw(url)("SELECT host, pid, machine, born FROM processes") == [
            (socket.gethostname(), os.getpid(), machine_id(), started_at(os.getpid()))
        ]


async def test_identifies_of_all_processes_are_paced(fleet: Fleet):
    ann, ben = await fleet.process(), await fleet.process()
    assert await ann.shards.slot(0) == 0 and await ben.shards.slot(1) == 0
    fleet.turn(1_000)
    assert await ben.shards.slot(0) == SLOT_MS - 1_000
    fleet.turn(SLOT_MS - 1_000)
    assert await ben.shards.slot(0) == 0 and await ann.shards.slot(0) == SLOT_MS


async def test_a_process_with_another_shard_count_is_refused_until_the_others_stop_and_then_takes_their_tables(
    fleet: Fleet,
):
    ann, ben = await fleet.process(), await fleet.stranger()
    await fleet.take(ann, 0)
    await fleet.take(ann, 1)
    row = await table(ann, ODD)
    with pytest.raises(ShardCountMismatch, match="counts with 2 shards, and this one with 4"):
        await ben.shards.join(4, None)
    await ann.shards.stop()
    assert not await ben.shards.join(4, None)
    assert not await fleet.take(ben, 1) and not await ben.shards.request(1)
    fleet.turn(1_000)
    await ann.shards.give_up([0, 1], fleet.time.at)
    fleet.turn(2_000)
    await fleet.renew(ben)
    assert await fleet.take(ben, shard_of(ODD, 4))
    assert ben.shards.count == 4 and ben.runs.downtime(row.run, ODD) == 2_000
    with pytest.raises(ShardCountMismatch):
        await (await fleet.stranger()).shards.join(2, None)
    with pytest.raises(StoreError):
        await append(ann, row.id, 3)


# Who may open the database


async def refused(url: str, time: Time, words: str, process_info: ProcessInfo | None = None) -> None:
    with pytest.raises(DatabaseLocked, match=words):
        async with open_store(url, now=time.now, process_info=process_info):
            raise AssertionError


async def test_exclusive_use_is_refused_while_processes_share_the_database(fleet: Fleet):
    await fleet.process()
    await refused(fleet.url, fleet.time, "Another bot is running")


async def test_processes_are_refused_while_a_bot_uses_the_database_exclusively(
    fleet: Fleet, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(opening, "WAITS_S", opening.ASKS_EVERY_S)
    async with open_store(fleet.url, now=fleet.time.now):
        await refused(fleet.url, fleet.time, "A bot that shares it with nobody", ProcessInfo())


async def test_nobody_changes_the_database_under_processes_of_another_version(
    fleet: Fleet, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(opening, "WAITS_S", opening.ASKS_EVERY_S)
    await fleet.process()
    fleet.raw("DELETE FROM schema_version WHERE number > 3")
    await refused(fleet.url, fleet.time, "processes of another version are running", ProcessInfo())


async def test_many_processes_make_a_new_database_together(postgres: Cluster, time: Time):
    url = postgres.fresh("template1")
    async with AsyncExitStack() as stack:
        opened = (
            stack.enter_async_context(open_store(url, now=time.now, process_info=ProcessInfo())) for _ in range(3)
        )
        stores = await asyncio.gather(*opened)
        assert len({store.shards.process for store in stores}) == 3


async def test_a_crashed_single_process_keeps_nobody_waiting(fleet: Fleet):
    async with open_store(fleet.url, now=fleet.time.now) as alone:
        await start_table(alone, guild=EVEN)
        fleet.raw(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
            " WHERE query LIKE '%advisory%' AND pid <> pg_backend_pid() AND datname = current_database()"
        )
        ben = await fleet.process()
        assert await fleet.take(ben, 0)
        with pytest.raises(DatabaseTakenOver):
            await alone.beat(NOON)
        with pytest.raises(DatabaseTakenOver):
            await alone.tables.update(1, TableChange(opener=5))


async def test_a_file_is_always_opened_exclusively(path: Path, time: Time):
    async with open_store(path, now=time.now, process_info=ProcessInfo()) as store:
        assert store.shards is None
        with pytest.raises(DatabaseLocked):
            async with open_sqlite(path, now=time.now):
                raise AssertionError


async def test_the_first_clock_of_each_shard_is_known_and_a_paused_one_has_none(fleet: Fleet):
    ann = await fleet.process()
    for shard in (0, 1):
        await fleet.take(ann, shard)
    assert await ann.shards.first_clocks() == {}
    first, second, third = [await table(ann, guild) for guild in (EVEN, EVEN, ODD)]
    fleet.raw(f"UPDATE tables SET due = due - 5 WHERE id = {second.id}")
    assert await ann.shards.first_clocks() == {0: NOON + 59_995, 1: NOON + 60_000}
    fleet.raw(f"UPDATE tables SET paused_at = 1 WHERE id = {second.id}")
    fleet.raw(f"UPDATE tables SET slept_at = 1 WHERE id = {third.id}")
    assert await ann.shards.first_clocks() == {0: NOON + 60_000} == {0: first.due}
