"""A table as it is kept: how it begins, is read anew, stands still, wakes and is closed; and old tables' own rules."""

import sqlite3
from pathlib import Path

import msgspec
import pytest

from cogs.core.ops.errors import UserError
from cogs.core.publishing.finished_games import export_of, recorded
from cogs.core.tables import absence
from cogs.core.tables.live import LiveTable
from data.store import SeatRow, Store, TableChange
from engine.contract import Moment, Seat
from engine.games import GAMES
from engine.verify import verify
from tests.cogs.core.tables.sittings import GAME_KEYS, MINUTE_MS, after_next, again, begun, mover, play_out
from tests.data.conftest import NOON, new, path, store, time
from tests.engine.playouts import material

__all__ = ["path", "store", "time"]  # fixtures

LATER = Moment(NOON + MINUTE_MS)


async def test_a_table_that_is_read_anew_runs_the_clocks_of_the_game_as_it_stands_then(store: Store):
    table = await begun(store, "rope_wall", clock=60)
    before = table.deadlines
    twin = await again(table)
    await twin.act(*mover(twin), LATER)
    await table.reread()
    assert table.deadlines == twin.deadlines != before


async def test_a_table_that_is_read_anew_knows_how_its_game_has_ended_meanwhile(store: Store):
    table = await begun(store, "rope_wall")
    twin = await again(table)
    await play_out(twin, LATER)
    await table.reread()
    assert table.row.status == "over" and table.results == twin.results != ()


async def test_a_table_that_is_closed_falls_due_and_sleeps_no_more(store: Store):
    table = await begun(store, "rope_wall", people=1, computers=1)
    await absence.leave(table, Seat(0), LATER)
    assert table.row.due is not None and table.row.slept_at is not None
    await table.close("Enough.", LATER)
    assert (table.row.due, table.row.slept_at, table.row.ended_at) == (None, None, LATER)


async def test_a_game_begins_with_neither_too_few_nor_too_many(store: Store):
    game = GAMES["rope_wall"]
    for people in (1, 3):
        seats = [SeatRow(number, 10 + number, "Somebody") for number in range(people)]
        row = await store.tables.create(new(options=msgspec.json.encode(game.options()).decode()), seats)
        table = LiveTable(store, game, row, await store.seats.of(row.id))
        with pytest.raises(UserError, match=f"takes 2 players; {people} sit here"):
            await table.begin(material(game), NOON)
        assert table.in_lobby and (await again(table)).in_lobby


async def test_nobody_forfeits_a_game_that_was_under_way_before_leaving_counted(store: Store, path: Path):
    table = await begun(store, "prison_break", people=3)
    with sqlite3.connect(path) as db:
        db.execute("UPDATE tables SET casual = 1")
    db.close()
    table = await again(table)
    await absence.leave(table, Seat(0), LATER)
    assert not table.ranked and table.seats[0].caretaker
    assert all(row.forfeit is None for row in (await again(table)).seats)


async def test_a_game_begins_once(store: Store):
    table = await begun(store, "rope_wall")
    before = table.row, table.state, table.version
    with pytest.raises(UserError, match="already begun"):
        await table.begin(material(table.game), LATER)
    assert (table.row, table.state, table.version) == before
    twin = await again(table)
    assert (twin.row, twin.state, twin.version) == before


async def test_a_seat_for_which_nobody_waits_is_asked_too_where_it_may_call(store: Store):
    table, turn = await after_next(store)
    last = Seat((turn + 2) % 3)
    assert last not in table.view(None).waiting
    assert table.may_act(last) and table.question(last) is not None
    assert not table.may_act(turn) and table.question(turn) is None


async def test_the_options_of_a_table_are_those_that_were_set_last(store: Store):
    table = await begun(store, "rope_wall", clock=60)
    await table.change(TableChange(options=msgspec.json.encode(GAMES["rope_wall"].options(clock=300)).decode()))
    assert table.options.clock == 300 == (await again(table)).options.clock


# Time that went by


@pytest.mark.parametrize(("clock", "told"), [(0, None), (60, "away for 30 minutes")])
async def test_that_clocks_were_extended_is_told_only_where_one_runs(store: Store, clock: int, told: str | None):
    table = await begun(store, "rope_wall", clock=clock)
    await table.make_up_for(30 * MINUTE_MS, LATER)
    assert (table.notice is None) == (told is None) and (told or "") in (table.notice or "")


@pytest.mark.parametrize("playing", [True, False])
async def test_a_table_that_stood_still_goes_on_with_all_the_time_that_was_left(store: Store, playing: bool):
    table = await begun(store, "rope_wall", clock=60) if playing else await gathering(store)
    due = table.row.due
    assert due is not None
    await table.change(TableChange(paused_at=LATER))
    await table.resume(Moment(LATER + 30 * MINUTE_MS))
    assert (table.row.due, table.row.paused_at) == (due + 30 * MINUTE_MS, None)
    assert not playing or table.earliest == table.row.due
    await table.resume(Moment(LATER + 90 * MINUTE_MS))  # it stands still no more
    assert table.row.due == due + 30 * MINUTE_MS


async def gathering(store: Store) -> LiveTable:
    row = await store.tables.create(new(), [SeatRow(0, 10, "Ann")])
    return LiveTable(store, GAMES["rope_wall"], row, await store.seats.of(row.id))


async def test_who_is_back_in_the_very_moment_in_which_they_left_wakes_the_table(store: Store):
    table = await begun(store, "rope_wall", people=1, computers=1, clock=60)
    await absence.leave(table, Seat(0), LATER)
    assert table.asleep
    await absence.back(table, Seat(0), LATER)
    assert not table.asleep and (table.row.slept_at, table.row.due) == (None, table.earliest)


@pytest.mark.parametrize("key", GAME_KEYS)
async def test_a_game_that_a_move_woke_is_proved_like_any_other(store: Store, key: str):
    table = await begun(store, key, people=1, computers=1, clock=3_600)
    while (moves := mover(table))[0] != 0:
        await table.play(*moves, table.version, LATER)
    await absence.leave(table, Seat(0), LATER)
    assert table.asleep
    at = Moment(LATER + 30 * MINUTE_MS)
    await table.act(*moves, at)
    await play_out(table, at)
    report = verify(export_of(table.game, await recorded(store, table.row)), table.game, material(table.game))
    assert report.proved, report.sentence()
