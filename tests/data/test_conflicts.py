"""Conflicts: how the store answers when another process has changed something; on both databases."""

import pytest

from data.store import Conflict, SeatChange, Store, StoreError, TableChange
from data.store.games import NewDecision
from tests.data.both import database, store
from tests.data.conftest import NOON, new, start_table, two
from tests.data.finished import played

__all__ = ["database", "store"]  # fixtures


async def test_what_happened_at_a_table_is_read_from_any_event_on(store: Store):
    await start_table(store)
    await store.games.append(1, NewDecision(number=2, seat=0, at=NOON, action="x", events=["c", "d"], due=None))
    assert [await store.games.events(1, first) for first in range(6)] == [
        ["a", "b", "c", "d"],
        ["b", "c", "d"],
        ["c", "d"],
        ["d"],
        [],
        [],
    ]


async def test_what_happened_in_a_game_that_is_over_is_read_from_any_event_on(store: Store):
    table = await played(store)
    events = await store.games.events(table)
    assert events and [await store.games.events(table, first) for first in (0, 1, len(events))] == [
        events,
        events[1:],
        [],
    ]


async def test_versions_of_many_tables_are_read_at_once(store: Store):
    first, second = await start_table(store), await store.tables.create(new(), two())
    assert await store.tables.versions([]) == {}
    assert await store.tables.versions([first.id, second.id, 99]) == {
        first.id: (2, first.revision),
        second.id: (0, second.revision),
    }
    row = await store.seats.set(second.id, two()[:1])
    assert await store.tables.versions([second.id]) == {second.id: (0, row.revision)} and row.revision > second.revision


async def test_a_table_is_changed_only_as_it_was_read(store: Store):
    row = await store.tables.create(new(), two())
    for change in (TableChange(opener=5), TableChange(message=7), TableChange()):
        with pytest.raises(Conflict, match=f"is at revision {row.revision}"):
            await store.tables.update(row.id, change, row.revision - 1)
    assert await store.tables.get(row.id) == row
    changed = await store.tables.update(row.id, TableChange(opener=5), row.revision)
    assert changed.opener == 5 and changed == await store.tables.get(row.id)
    with pytest.raises(Conflict):
        await store.tables.update(row.id, TableChange(opener=6), row.revision)


async def test_seats_and_what_follows_for_the_table_are_saved_together_or_not_at_all(store: Store):
    row = await store.tables.create(new(), two())
    change = TableChange(opener=5, due=NOON)
    with pytest.raises(Conflict):
        await store.seats.set(row.id, two()[:1], row.revision - 1, change)
    assert await store.tables.get(row.id) == row and len(await store.seats.of(row.id)) == 2
    after = await store.seats.set(row.id, two()[:1], row.revision, change)
    assert (after.opener, after.due) == (5, NOON) and after == await store.tables.get(row.id)
    assert len(await store.seats.of(row.id)) == 1


@pytest.mark.parametrize("who", ["set", "update_many"])
async def test_seats_are_changed_only_as_they_were_read(store: Store, who: str):
    row = await store.tables.create(new(), two())

    async def change(revision: int | None) -> None:
        if who == "set":
            await store.seats.set(row.id, two()[:1], revision)
        else:
            await store.seats.update_many(row.id, {0: SeatChange(caretaker=True)}, TableChange(), (), revision)

    before = await store.seats.of(row.id)
    with pytest.raises(Conflict, match=f"is at revision {row.revision}"):
        await change(row.revision - 1)
    assert await store.seats.of(row.id) == before
    await change(row.revision)
    assert await store.seats.of(row.id) != before
    with pytest.raises(Conflict):
        await change(row.revision)
    await change(None)


async def test_a_decision_that_changes_seats_returns_the_table_after_both(store: Store):
    await start_table(store)
    change = {0: SeatChange(caretaker=True), 1: SeatChange(lapses=1)}
    row = await store.games.append(
        1, NewDecision(number=2, seat=0, at=NOON, action="x", events=["c"], due=None, seats=change, slept_at=NOON)
    )
    assert row == await store.tables.get(1) and row.version == 3
    assert [(seat.caretaker, seat.lapses) for seat in await store.seats.of(1)] == [(True, 0), (False, 1)]
    settled = await store.seats.update_many(
        1, {0: SeatChange(caretaker=False)}, TableChange(slept_at=None), (), row.revision
    )
    assert settled == await store.tables.get(1) and settled.revision > row.revision and settled.slept_at is None


async def test_nothing_is_kept_of_what_changes_a_seat_that_is_not_there(store: Store):
    before = await start_table(store)
    change = {0: SeatChange(caretaker=True), 5: SeatChange(lapses=1)}
    with pytest.raises(StoreError, match="no seat 5 at table 1"):
        await store.games.append(
            1, NewDecision(number=2, seat=0, at=NOON, action="x", events=["c"], due=None, seats=change)
        )
    with pytest.raises(StoreError, match="no seat 5 at table 1"):
        await store.seats.update_many(1, change, TableChange(slept_at=NOON))
    assert await store.tables.get(1) == before and await store.games.events(1) == ["a", "b"]
    assert not any(seat.caretaker for seat in await store.seats.of(1))
