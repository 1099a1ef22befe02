"""The stored revision that each table's message is known to show, and paused tables."""

import sqlite3
from contextlib import closing
from pathlib import Path

import msgspec
import pytest

from data.store import PendingDeletion, SeatChange, SeatRow, Store, TableChange
from data.store.games import NewDecision
from data.store.sqlite.migrate import migrate, read_migrations
from engine.contract import Moment
from tests.data.both import database, store
from tests.data.conftest import NOON, new, start_table, two

__all__ = ["database", "store"]  # fixtures


async def revision(store: Store) -> int:
    row = await store.tables.get(1)
    assert row is not None
    return row.revision


@pytest.mark.parametrize(
    "change",
    [
        SeatChange(caretaker=True),
        SeatChange(forfeit=1),
        TableChange(status="closed"),
        TableChange(opener=99),
        TableChange(options='{"clock":60}'),
        TableChange(due=Moment(NOON + 1)),
        TableChange(slept_at=NOON),
        [SeatRow(0, 30, "Cleo")],
    ],
    ids=str,
)
async def test_every_change_of_what_a_table_shows_makes_its_message_lag(store: Store, change: object):
    await start_table(store)
    await store.tables.set_shown({1: await revision(store)})
    assert await store.tables.unshown() == []
    match change:
        case SeatChange():
            row = await store.seats.update(1, 0, change)
        case TableChange():
            row = await store.tables.update(1, change)
        case list():
            row = await store.seats.set(1, change)
        case _:
            raise AssertionError(change)
    assert row.revision == await revision(store) > row.shown
    assert await store.tables.unshown() == [(1, 1)]


async def test_an_event_makes_the_message_lag_and_what_nobody_sees_does_not(store: Store):
    await start_table(store)
    await store.games.append(1, NewDecision(number=2, seat=0, at=NOON, action="x", events=["c"], due=None))
    before = await revision(store)
    await store.seats.update(1, 0, SeatChange(dm_message=5, dm_state="x", dm_closed=True, lapses=1))
    await store.tables.replace_message(1, 77, NOON)
    await store.tables.update(1, TableChange(paused_at=NOON))
    await store.tables.set_shown({1: before})
    assert await revision(store) == before
    assert await store.tables.unshown() == []


async def test_a_message_that_is_replaced_is_among_the_lines_that_are_to_go_and_the_new_one_never(store: Store):
    await start_table(store)
    row = await store.tables.replace_message(1, 5, NOON)
    assert (row.message, row.message_at, await store.pending_deletions.of(1)) == (5, NOON, [])
    await store.tables.replace_message(1, 8, NOON)
    await store.tables.replace_message(1, 8, NOON)
    assert await store.pending_deletions.of(1) == [PendingDeletion(5, 2, showed_table=True)]


async def test_tables_that_ended_and_left_lines_are_found_and_open_ones_are_not(store: Store):
    for number in (1, 2):
        await start_table(store)
        await store.pending_deletions.add(number, PendingDeletion(number, 2))
    await store.tables.update(1, TableChange(status="closed"))
    await store.tables.set_shown({1: 99, 2: 99})
    assert await store.tables.unshown() == [(1, 1)]


async def test_an_open_table_with_an_old_message_to_delete_is_found(store: Store):
    await start_table(store)
    await store.pending_deletions.add(1, PendingDeletion(4, 2, showed_table=True))
    await store.tables.set_shown({1: 99})
    assert await store.tables.unshown() == [(1, 1)]
    await store.pending_deletions.remove(4)
    assert await store.tables.unshown() == []


async def test_a_decision_restarts_the_clocks_of_a_paused_table(store: Store):
    await start_table(store)
    await store.tables.update(1, TableChange(paused_at=NOON))
    (row,) = await store.tables.open()
    assert (row.paused_at, row.guild, row.channel) == (NOON, 1, 2)
    await store.games.append(1, NewDecision(number=2, seat=None, at=NOON, action="x", events=["c"], due=None))
    (row,) = await store.tables.open()
    assert row.paused_at is None


def test_open_tables_of_an_earlier_version_are_drawn_once_more_and_finished_ones_are_not(tmp_path: Path):
    steps, path = read_migrations(), tmp_path / "old.db"
    ours = next(number for number, step in enumerate(steps) if step.name.endswith("_shown.sql"))
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        migrate(db, steps[:ours], path, NOON)
        db.execute("INSERT INTO runs (started_at, alive_at) VALUES (0, 0)")
        for status in ("lobby", "playing", "over", "closed"):
            known = {name: value for name, value in msgspec.structs.asdict(new()).items() if value not in (None, "")}
            fields = {**known, "status": status, "run": 1}
            marks = ", ".join("?" * len(fields))
            db.execute(f"INSERT INTO tables ({', '.join(fields)}) VALUES ({marks})", tuple(fields.values()))
        migrate(db, steps, path, NOON)
        shown = db.execute("SELECT status FROM tables WHERE shown = revision ORDER BY id").fetchall()
    assert shown == [("over",), ("closed",)]


async def test_a_lobby_that_was_only_just_opened_is_not_shown_yet(store: Store):
    row = await store.tables.create(new(), two())
    assert row.shown < row.revision == await revision(store)
