"""The store: what was acknowledged is there and complete; what was refused left nothing."""

import asyncio
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import msgspec
import pytest

from data.store import (
    Conflict,
    DatabaseLocked,
    DatabaseTakenOver,
    LimitReached,
    Limits,
    NewTable,
    PendingDeletion,
    Reminder,
    ResultRow,
    SeatChange,
    SeatRow,
    Store,
    StoreError,
    TableChange,
)
from data.store.games import NewDecision
from data.store.open_store import open_store
from data.store.sqlite_store import open_sqlite
from engine.contract import Moment
from sandbox import PATIENCE_S
from tests.data.both import database, raw, store
from tests.data.conftest import NOON, Time, new, start_table, two
from tools.harness.raw_database import Database, Raw

__all__ = ["database", "raw", "store"]  # fixtures


async def test_a_table_is_kept_with_its_seats(store: Store):
    row = await store.tables.create(new(invited=" 12 ", parent=3), two())
    assert (row.id, row.status, row.version, row.invited, row.parent) == (1, "lobby", 0, " 12 ", 3)
    assert await store.tables.get(1) == row
    assert await store.seats.of(1) == two()
    assert await store.tables.get(2) is None


async def test_tables_are_found_by_user_server_and_channel_while_they_are_open(store: Store):
    await store.tables.create(new(), two())
    await store.tables.create(new(channel=3), two(20, 21))
    await store.tables.create(new(guild=9, channel=4), two())
    assert [row.id for row in await store.tables.of(10)] == [1, 3]
    assert [row.id for row in await store.tables.of(10, guild=1)] == [1]
    assert [row.id for row in await store.tables.of(10, guild=1, channel=3)] == []
    assert [row.id for row in await store.tables.in_channel(3)] == [2]
    await store.tables.update(1, TableChange(status="over"))
    assert [row.id for row in await store.tables.of(10)] == [3]
    assert [row.id for row in await store.tables.open()] == [2, 3]


async def test_lobbies_are_found_by_the_users_for_whom_they_reserve_a_seat(store: Store):
    for invited in (" 12 ", " 7 12 9 ", " 112 ", ""):
        await store.tables.create(new(invited=invited), two())
    await store.tables.create(new(invited=" 12 ", guild=9), two())
    assert [row.id for row in await store.tables.inviting(12, 1)] == [1, 2]
    await store.tables.update(1, TableChange(status="playing"))
    assert [row.id for row in await store.tables.inviting(12, 1)] == [2]


async def test_open_tables_say_whether_a_computer_plays_there(store: Store):
    await store.tables.create(new(), two())
    await store.tables.create(new(), two(second=None))
    await store.tables.create(new(), two())
    await store.seats.update(3, 1, SeatChange(caretaker=True))
    assert [row.computers for row in await store.tables.open()] == [False, True, True]


async def test_events_are_kept_in_order_with_what_led_to_them(store: Store):
    row = await start_table(store)
    assert (row.status, row.version) == ("playing", 2)
    row = await store.games.append(
        1, NewDecision(number=2, seat=1, at=Moment(NOON + 5), action="push", events=["c"], due=Moment(NOON + 9))
    )
    assert (row.version, row.due) == (3, NOON + 9)
    assert await store.games.events(1) == ["a", "b", "c"]
    assert [(d.number, d.seat, d.action) for d in await store.games.decisions(1)] == [(0, None, None), (2, 1, "push")]


@pytest.mark.parametrize("number", [0, 1, 3, 99])
async def test_a_number_that_is_not_next_is_a_conflict_and_leaves_nothing(store: Store, number: int):
    await start_table(store)
    with pytest.raises(Conflict, match="is at event 2"):
        await store.games.append(
            1, NewDecision(number=number, seat=0, at=NOON, action="x", events=["late"], due=None, status="over")
        )
    assert await store.games.events(1) == ["a", "b"]
    row = await store.tables.get(1)
    assert row is not None and row.status == "playing"


async def test_one_of_two_simultaneous_writes_of_the_same_number_wins(store: Store):
    await start_table(store)

    async def write(what: str) -> bool:
        try:
            await store.games.append(1, NewDecision(number=2, seat=0, at=NOON, action="x", events=[what], due=None))
        except Conflict:
            return False
        return True

    assert sorted(await asyncio.gather(*(write(f"c{n}") for n in range(5)))) == [False] * 4 + [True]
    assert len(await store.games.events(1)) == 3


async def test_a_decision_without_events_is_no_decision(store: Store):
    await start_table(store)
    with pytest.raises(ValueError, match="at least one event"):
        await store.games.append(1, NewDecision(number=2, seat=0, at=NOON, action="x", events=[], due=None))


async def test_the_end_of_a_game_its_results_and_seats_are_one_write(store: Store):
    await start_table(store)
    results = [
        ResultRow(0, 10, 1, 3, "prisoners", NOON, 1, "rope_wall"),
        ResultRow(1, 11, 2, 1, "prisoners", NOON, 1, "rope_wall"),
    ]
    row = await store.games.append(
        1,
        NewDecision(
            number=2,
            seat=0,
            at=NOON,
            action="push",
            events=["won"],
            due=None,
            status="over",
            ended_at=NOON,
            results=results,
            seats={1: SeatChange(lapses=2, caretaker=True)},
        ),
    )
    assert (row.status, row.ended_at) == ("over", NOON)
    assert await store.games.results(1) == results
    seat = (await store.seats.of(1))[1]
    assert (seat.lapses, seat.caretaker) == (2, True)


async def test_a_write_that_fails_half_way_leaves_nothing(store: Store):
    await start_table(store)
    wrong = ResultRow(0, 10, 0, 3, "prisoners", NOON, 1, "rope_wall")  # there is no place 0
    with pytest.raises(StoreError):
        await store.games.append(
            1,
            NewDecision(number=2, seat=0, at=NOON, action="x", events=["c"], due=None, status="over", results=[wrong]),
        )
    assert await store.games.events(1) == ["a", "b"]
    assert await store.games.results(1) == []


async def test_a_failed_write_does_not_take_its_neighbours_with_it(store: Store):
    await start_table(store)

    async def fails() -> None:
        with pytest.raises(Conflict):
            await store.games.append(1, NewDecision(number=7, seat=0, at=NOON, action="x", events=["no"], due=None))

    async def works(number: int) -> None:
        await store.tables.update(1, TableChange(message=number))

    await asyncio.gather(works(5), fails(), works(6), fails())
    row = await store.tables.get(1)
    assert row is not None and row.message == 6


async def test_waiting_writes_share_a_transaction_in_sqlite(path: Path, time: Time):
    commits = []

    def trace(sql: str) -> None:
        if sql == "COMMIT":
            commits.append(sql)

    async with open_sqlite(path, now=time.now, trace=trace) as store:
        await store.tables.create(new(), two())
        before = len(commits)
        await asyncio.gather(*(store.tables.update(1, TableChange(message=n)) for n in range(50)))
        assert len(commits) - before <= 3


async def test_seats_are_numbered_in_their_order_and_nobody_sits_twice(store: Store):
    await store.tables.create(new(), two())
    await store.seats.set(1, [SeatRow(7, 30, "Cleo"), SeatRow(7, 10, "Ann")])
    assert [(row.seat, row.user) for row in await store.seats.of(1)] == [(0, 30), (1, 10)]
    with pytest.raises(StoreError):
        await store.seats.set(1, [SeatRow(0, 10, "Ann"), SeatRow(1, 10, "Ann again")])
    assert [row.user for row in await store.seats.of(1)] == [30, 10]


async def test_a_change_touches_what_it_names_only(store: Store):
    await start_table(store)
    row = await store.tables.update(1, TableChange(opener=11))
    assert msgspec.structs.replace(row, opener=10, revision=row.revision + 1) == await store.tables.update(
        1, TableChange(opener=10)
    )
    await store.seats.update(1, 0, SeatChange(dm_closed=True))
    assert (await store.seats.of(1))[0] == SeatRow(0, 10, "Ann", dm_closed=True)
    assert await store.tables.update(1, TableChange(due=None)) == await store.tables.get(1)


async def test_what_is_not_there_cannot_be_changed(store: Store):
    for work in (
        store.tables.update(9, TableChange(opener=1)),
        store.seats.set(9, two()),
        store.seats.update(9, 0, SeatChange(lapses=1)),
        store.games.append(9, NewDecision(number=0, seat=None, at=NOON, action=None, events=["a"], due=None)),
    ):
        with pytest.raises(StoreError, match="There is no"):
            await work


async def test_a_rematch_is_found_from_the_table_before_it(store: Store):
    await start_table(store)
    assert await store.tables.rematch_of(1) is None
    await store.tables.create(new(rematch_of=1), two())
    newest = await store.tables.create(new(rematch_of=1), two())
    assert await store.tables.rematch_of(1) == newest


async def test_mentions_are_remembered_until_they_are_gone(store: Store):
    await start_table(store)
    three, five, seven = PendingDeletion(3, 2), PendingDeletion(5, 2, True), PendingDeletion(7, 9)
    for one in (seven, five, three, seven):
        await store.pending_deletions.add(1, one)
    assert await store.pending_deletions.of(1) == [three, five, seven]
    await store.pending_deletions.remove(5)
    assert await store.pending_deletions.of(1) == [three, seven]


async def test_the_reminders_of_a_turn_are_stored_and_change_nothing_that_the_table_shows(store: Store):
    row = await start_table(store)
    assert await store.pending_deletions.reminders(1) == ()
    reminders = (Reminder("mention", 3, (0, 2), NOON, 77), Reminder("nudge", 3, (2,), NOON))
    await store.pending_deletions.set_reminders(1, reminders)
    assert await store.pending_deletions.reminders(1) == reminders
    assert await store.tables.get(1) == row


async def test_everything_is_there_after_a_restart(database: Database, time: Time):
    async with open_store(database, now=time.now) as store:
        row = await start_table(store)
    async with open_store(database, now=time.now) as store:
        assert await store.tables.get(1) == row
        assert await store.games.events(1) == ["a", "b"]


def run_of(store: Store) -> int:
    """Return the run that serves the server of these tests."""
    return store.runs.present(1)


async def test_downtime_adds_up_over_the_runs_since(database: Database, time: Time):
    async with open_store(database, now=time.now) as store:
        first = run_of(store)
        await store.beat(Moment(NOON + 1_000))
    time.at = Moment(NOON + 61_000)  # away for a minute
    async with open_store(database, now=time.now) as store:
        second = run_of(store)
        assert store.runs.downtime(first, 1) == 60_000 and store.runs.downtime(second, 1) == 0
        await store.beat(Moment(NOON + 90_000))
    time.at = Moment(NOON + 100_000)  # and for ten seconds
    async with open_store(database, now=time.now) as store:
        assert (
            store.runs.downtime(first, 1),
            store.runs.downtime(second, 1),
            store.runs.downtime(run_of(store), 1),
        ) == (
            70_000,
            10_000,
            0,
        )
        assert store.runs.downtime(999, 1) == 0


async def test_a_run_that_crashed_lasted_at_least_until_somebody_acted(database: Database, time: Time):
    async with open_store(database, now=time.now) as store:
        first = run_of(store)
        await store.beat(Moment(NOON + 15_000))
    time.at = Moment(NOON + 75_000)
    async with open_store(database, now=time.now) as store:
        for acted_ms, away_ms in ((10_000, 60_000), (15_000, 60_000), (29_000, 46_000), (76_000, 0)):
            assert store.runs.downtime(first, 1, Moment(NOON + acted_ms)) == away_ms
        assert store.runs.downtime(run_of(store), 1, Moment(NOON + 80_000)) == 0


async def test_a_clock_that_goes_back_makes_no_negative_downtime(database: Database, time: Time):
    async with open_store(database, now=time.now) as store:
        first = run_of(store)
        await store.beat(Moment(NOON + 5_000))
    time.at = Moment(NOON - 5_000)
    async with open_store(database, now=time.now) as store:
        assert store.runs.downtime(first, 1) == 0


async def test_a_clock_that_goes_back_does_not_make_the_bot_less_lately_alive(database: Database, time: Time):
    async with open_store(database, now=time.now) as store:
        first = run_of(store)
        await store.beat(Moment(NOON + 5_000))
        await store.beat(Moment(NOON + 2_000))
    time.at = Moment(NOON + 65_000)
    async with open_store(database, now=time.now) as store:
        assert store.runs.downtime(first, 1) == 60_000


async def test_a_run_that_began_by_a_clock_that_was_ahead_counts_from_when_it_was_put_right(
    database: Database, time: Time
):
    async with open_store(database, now=time.now) as store:
        first = run_of(store)
        await store.beat(Moment(NOON + 1_000))
    time.at = Moment(NOON + 86_400_000)
    async with open_store(database, now=time.now) as store:
        second = run_of(store)
        await store.beat(Moment(NOON + 61_000))
        await store.beat(Moment(NOON + 90_000))
    time.at = Moment(NOON + 100_000)
    async with open_store(database, now=time.now) as store:
        assert (store.runs.downtime(first, 1), store.runs.downtime(second, 1)) == (70_000, 10_000)


@pytest.mark.parametrize("way", ["table", "seats"])
async def test_a_table_is_extended_up_to_the_run_that_sets_when_it_falls_due_and_by_nothing_else(
    database: Database, time: Time, way: str
):
    async with open_store(database, now=time.now) as store:
        await start_table(store)
        first = run_of(store)
    time.at = Moment(NOON + 60_000)
    async with open_store(database, now=time.now) as store:

        async def changed(change: TableChange) -> int:
            if way == "table":
                return (await store.tables.update(1, change)).run
            return (await store.seats.update_many(1, {0: SeatChange(lapses=1)}, change)).run

        assert await changed(TableChange(message=7)) == first
        assert await changed(TableChange(due=Moment(NOON + 90_000))) == run_of(store) != first


async def test_a_table_counts_from_the_run_that_last_wrote_to_it(database: Database, time: Time):
    async with open_store(database, now=time.now) as store:
        await start_table(store)
        first = run_of(store)
    time.at = Moment(NOON + 60_000)
    async with open_store(database, now=time.now) as store:
        row = await store.tables.get(1)
        assert row is not None and row.run == first
        row = await store.games.append(
            1, NewDecision(number=2, seat=None, at=NOON, action="delay", events=["c"], due=None)
        )
        assert row.run == run_of(store)
        assert (await store.tables.update(1, TableChange(message=1))).run == run_of(store)


async def test_after_the_end_the_store_takes_nothing_more(database: Database, time: Time):
    async with open_store(database, now=time.now) as store:
        await start_table(store)
    with pytest.raises(StoreError, match="closed"):
        await store.tables.update(1, TableChange(opener=3))
    with pytest.raises(StoreError, match="closed"):
        await store.tables.get(1)


async def test_cancelling_a_caller_takes_nothing_back(store: Store):
    await start_table(store)
    task = asyncio.create_task(store.tables.update(1, TableChange(opener=77)))
    await asyncio.sleep(0)
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)
    await store.tables.update(1, TableChange(message=1))
    row = await store.tables.get(1)
    assert row is not None and row.opener == 77


async def test_reads_go_on_while_a_write_is_under_way(store: Store, raw: Raw):
    await start_table(store)
    with raw.writing("UPDATE tables SET opener = 5"):
        row = await asyncio.wait_for(store.tables.get(1), PATIENCE_S)
        assert row is not None and row.opener == 10


@pytest.mark.parametrize(
    ("query", "index"),
    [
        ("SELECT id FROM tables WHERE status IN ('lobby', 'playing') ORDER BY id", "tables_open"),
        ("SELECT id FROM tables WHERE channel = 1 AND status IN ('lobby', 'playing')", "tables_open_in_channel"),
        ("SELECT table_id FROM seats WHERE user = 1", "seats_user"),
        ("SELECT id FROM tables WHERE rematch_of = 1", "tables_rematch"),
        ("SELECT message FROM mentions WHERE table_id = 1", "mentions_of_table"),
        ("SELECT place FROM results WHERE guild = 1 AND game = 'x' AND user = 2", "results_of_game"),
    ],
)
async def test_what_is_looked_up_often_has_an_index_in_sqlite(path: Path, time: Time, query: str, index: str):
    async with open_store(path, now=time.now):
        pass
    with closing(sqlite3.connect(path)) as db:
        plan = " ".join(row[3] for row in db.execute(f"EXPLAIN QUERY PLAN {query}"))
    assert f"INDEX {index}" in plan
    assert "SCAN" not in plan.replace(f"SCAN tables USING INDEX {index}", "")  # a partial index is read unchanged


def test_a_new_table_needs_an_opener():
    with pytest.raises(TypeError):
        NewTable(game="rope_wall")  # type: ignore[call-arg]  # that is the point


@pytest.mark.parametrize(
    ("limits", "whose", "other"),
    [
        (Limits(person=2, channel=9, server=9), "person", {"opener": 99}),
        (Limits(person=9, channel=2, server=9), "channel", {"channel": 99}),
        (Limits(person=9, channel=9, server=2), "server", {"guild": 99}),
    ],
)
async def test_as_many_tables_are_open_as_the_limits_say_and_not_one_more(
    store: Store, limits: Limits, whose: str, other: dict[str, int]
):
    first, second = [(await store.tables.create(new(), two(), limits)).id for _ in range(2)]
    with pytest.raises(LimitReached) as refused:
        await store.tables.create(new(), two(), limits)
    assert (refused.value.whose, refused.value.most, refused.value.tables) == (whose, 2, (first, second))
    with pytest.raises(LimitReached) as asked:
        await store.tables.check_limits(new(), two(), limits)
    assert vars(asked.value) == vars(refused.value)
    await store.tables.check_limits(new(**other), two(), limits)  # of another person, in another channel or server
    await store.tables.create(new(**other), two(), limits)
    await store.tables.update(first, TableChange(slept_at=NOON))
    await store.tables.create(new(), two(), limits)  # a table that sleeps counts nowhere


async def test_tables_in_threads_of_one_channel_are_counted_together(store: Store):
    limits = Limits(person=9, channel=3, server=9)
    for place in ({"channel": 2}, {"channel": 20, "parent": 2}, {"channel": 21, "parent": 2}):
        await store.tables.create(new(**place), two(), limits)
    for place in ({"channel": 2}, {"channel": 20, "parent": 2}, {"channel": 22, "parent": 2}):
        with pytest.raises(LimitReached) as refused:
            await store.tables.create(new(**place), two(), limits)
        assert (refused.value.whose, refused.value.tables) == ("channel", (1, 2, 3))
    for place in ({"channel": 3}, {"channel": 30, "parent": 3}):
        await store.tables.create(new(**place), two(), limits)


async def test_a_second_bot_is_kept_off_until_the_first_one_has_gone(database: Database, time: Time):
    async with open_store(database, now=time.now) as store:
        await start_table(store)
        with pytest.raises(DatabaseLocked, match="Another bot is running"):
            async with open_store(database, now=time.now):
                raise AssertionError
        assert await store.games.events(1) == ["a", "b"]
    async with open_store(database, now=time.now) as store:
        assert await store.games.events(1) == ["a", "b"]


async def test_a_bot_that_was_overtaken_writes_nothing_any_more_and_says_so(store: Store, database: Database, raw: Raw):
    """The actions of a second process that no lock has kept out."""
    await start_table(store)
    await store.beat(NOON)
    assert not store.overtaken.is_set()
    alone = "INSERT INTO runs (started_at, alive_at) VALUES (1, 1)"
    raw(alone if isinstance(database, Path) else "UPDATE processes SET until = 0")
    late = [
        lambda: store.games.append(1, NewDecision(number=2, seat=0, at=NOON, action="x", events=["c"], due=None)),
        lambda: store.tables.update(1, TableChange(opener=5)),
        lambda: store.tables.create(new(), two()),
        lambda: store.seats.update(1, 0, SeatChange(lapses=1)),
        lambda: store.server_admin.set(1, "mentions", "quiet"),
        lambda: store.beat(NOON),
    ]
    for write in late:
        with pytest.raises(DatabaseTakenOver, match="Another bot has opened the database"):
            await write()
    assert store.overtaken.is_set()
    assert await store.games.events(1) == ["a", "b"] and await store.tables.get(2) is None


async def test_writes_to_one_table_are_done_in_the_order_in_which_they_were_asked_for(store: Store):
    await start_table(store)
    done = []

    async def write(number: int) -> None:
        if number % 2:
            await store.tables.replace_message(1, number, NOON)
        else:
            await store.tables.update(1, TableChange(message=number))
        done.append(number)

    await asyncio.gather(*(write(number) for number in range(40)))
    row = await store.tables.get(1)
    assert row is not None and row.message == 39 and done == list(range(40))


async def test_many_writes_at_once_all_get_through(store: Store):
    rows = await asyncio.gather(*(store.tables.create(new(), two()) for _ in range(30)))
    assert sorted(row.id for row in rows) == list(range(1, 31))
    begin: dict[str, Any] = {"number": 0, "seat": None, "at": NOON, "action": None, "due": None}
    await asyncio.gather(*(store.games.append(row.id, NewDecision(events=[str(row.id)], **begin)) for row in rows))
    assert [await store.games.events(row.id) for row in rows] == [[str(row.id)] for row in rows]


async def test_a_table_that_is_paused_already_stays_so_since_then_and_for_the_same_reason(store: Store):
    await start_table(store)
    await store.tables.pause({1: NOON}, "api")
    await store.tables.pause({1: Moment(NOON + 60_000)}, "connection")
    row = await store.tables.get(1)
    assert row is not None and (row.paused_at, row.paused_by) == (NOON, "api")
