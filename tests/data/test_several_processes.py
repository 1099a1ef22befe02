"""Several processes on one database: shared limits, copies, health checks and personal data."""

import asyncio
from pathlib import Path

from data.store import LimitReached, Limits, ProcessInfo, SeatChange, Store
from data.store.maintenance import back_up, last_heard
from data.store.open_store import open_store
from data.store.postgres.backup import last_beat_of
from data.store.shards import LEASE_MS
from engine.contract import Moment
from tests.data.conftest import NOON, new, start_table, two
from tests.data.test_shards import EVEN, ODD, Fleet, append, fleet
from tools.harness.raw_database import Raw
from tools.postgres import Cluster

__all__ = ["fleet"]  # a fixture


async def pair(fleet: Fleet) -> tuple[Store, Store]:
    """Two processes with a shard each."""
    ann, ben = await fleet.process(), await fleet.process()
    assert await fleet.take(ann, 0) and await fleet.take(ben, 1)
    for store in (ann, ben):
        await store.shards.refresh()
    return ann, ben


async def test_limits_hold_over_all_processes_however_many_tables_are_opened_at_the_same_time(fleet: Fleet):
    ann, ben = await pair(fleet)
    limits = Limits(person=3, channel=99, server=99)
    outcomes = await asyncio.gather(
        *(store.tables.create(new(guild=ODD), two(), limits) for store in (ann, ben) * 5), return_exceptions=True
    )
    assert sum(isinstance(outcome, LimitReached) for outcome in outcomes) == 7
    assert len(await ann.tables.open(ODD)) == 3


async def test_a_copy_has_all_that_every_process_had_acknowledged_and_can_be_opened_by_any_number_of_them(
    fleet: Fleet, postgres: Cluster, tmp_path: Path
):
    ann, ben = await pair(fleet)
    ours, theirs = await start_table(ann, guild=EVEN), await start_table(ben, guild=ODD)
    await append(ann, theirs.id, 2)  # each acts at any table
    copy = tmp_path / "copy.dump"
    back_up(fleet.url, copy, NOON)
    for store in (ann, ben):
        assert (last := await store.server_admin.last_backup()) is not None and last.at == NOON
    await append(ben, ours.id, 2)  # both play on
    readable = postgres.folder / "together.dump"
    readable.write_bytes(copy.read_bytes())
    target = postgres.fresh("template1")
    postgres.program("pg_restore", "--no-owner", f"--dbname={target}", str(readable))
    async with (
        open_store(target, now=fleet.time.now, process_info=ProcessInfo("1")) as first,
        open_store(target, now=fleet.time.now, process_info=ProcessInfo("1")) as second,
    ):
        assert await second.games.events(theirs.id) == ["a", "b", "x"]
        assert await first.games.events(ours.id) == ["a", "b"]


async def test_a_bot_is_alive_as_long_as_one_of_its_processes_is(fleet: Fleet):
    ann, ben = await pair(fleet)
    await ann.shards.renew(Moment(NOON + 3_000), "{}")
    await ben.shards.renew(Moment(NOON + 7_000), "{}")
    assert last_heard(fleet.url).alive_at == NOON + 7_000
    await ben.shards.give_up([1], Moment(NOON + 8_000))
    await ann.shards.renew(Moment(NOON + 90_000), "{}")
    assert last_heard(fleet.url) == (NOON + 90_000, NOON + 8_000)
    await ann.shards.give_up([0], Moment(NOON + 91_000))
    assert last_heard(fleet.url) == (None, NOON + 91_000)


async def test_after_a_handover_no_bot_looks_alive_once_all_have_stopped(fleet: Fleet):
    ann, ben = await pair(fleet)
    await ben.shards.request(0)
    await ann.shards.renew(Moment(NOON + 3_000), "{}")
    assert await ann.shards.hand_over(0, Moment(NOON + 4_000))
    await ben.shards.refresh()
    assert last_heard(fleet.url).alive_at is not None
    await ben.shards.give_up([0, 1], Moment(NOON + 5_000))
    assert last_heard(fleet.url) == (None, NOON + 5_000)


async def test_the_process_of_one_host_may_be_gone_while_another_one_lives(fleet: Fleet):
    """A container is not well because another one is."""
    at = Moment(NOON + 100_000)
    async with open_store(fleet.url, now=fleet.time.now, process_info=ProcessInfo(host="one")) as one:
        async with open_store(fleet.url, now=fleet.time.now, process_info=ProcessInfo(host="other")):
            for host in ("one", "other"):
                received = last_beat_of(host, fleet.url, at)
                assert received is not None and 0 <= at - received < LEASE_MS
        await one.shards.renew(at, "{}")
        assert last_beat_of("other", fleet.url, at) is None and last_beat_of("one", fleet.url, at) is not None
        Raw(fleet.url)("UPDATE processes SET beat_at = beat_at - 61000")  # it hangs
        received = last_beat_of("one", fleet.url, at)
        assert received is not None and at - received >= 61_000


async def test_a_persons_data_is_the_same_in_every_process(fleet: Fleet):
    ann, ben = await pair(fleet)
    await start_table(ann, guild=EVEN)
    await start_table(ben, guild=ODD)
    kept = await ann.user_data.export(10)
    assert kept == await ben.user_data.export(10) and len(kept["seats"]) == 2
    await ben.user_data.forget(10, [])
    assert not any((await ann.user_data.export(10)).values())


async def test_the_place_of_a_direct_message_is_not_saved_once_another_process_has_deleted_its_user(fleet: Fleet):
    ann, ben = await pair(fleet)
    row = await start_table(ben, guild=ODD)
    await ben.seats.update(row.id, 0, SeatChange(dm_channel=777_777, dm_message=888_888, dm_state="before"))
    await ann.user_data.forget(10, [])
    late = SeatChange(dm_channel=777_777, dm_message=999_999, dm_state="after")
    await ben.seats.update(row.id, 0, late)
    assert fleet.raw.leftovers(777_777, 888_888, 999_999) == []
    await ben.seats.update(row.id, 1, late)
    assert (await ann.seats.of(row.id))[1].dm_message == 999_999
