"""A table in the store: how it starts, is reloaded, pauses, continues and is closed; and the rules of old tables."""

import sqlite3
from pathlib import Path

import msgspec
import pytest

from cogs.core.cluster.ownership import Ownership
from cogs.core.ops.errors import UserError
from cogs.core.ops.timers import DiscordClock
from cogs.core.publishing.finished_games import export_of, load_record
from cogs.core.tables import absence, changes, moves
from cogs.core.tables.snapshot import TableSnapshot
from cogs.core.tables.table import Table
from data.store import SeatRow, Store, TableChange
from engine.contract import Moment, Seat
from engine.games import GAMES
from engine.verify import verify
from tests.cogs.core.tables.live_tables import GAME_KEYS, MINUTE_MS, after_next, again, mover, play_out, start_game
from tests.data.conftest import NOON, new, path, store, time
from tools.harness.playouts import material

__all__ = ["path", "store", "time"]  # fixtures

LATER = Moment(NOON + MINUTE_MS)


async def test_a_table_that_is_read_again_runs_the_clocks_of_the_game_as_it_is_then(store: Store):
    table = await start_game(store, "rope_wall", clock=60)
    before = table.snapshot.deadlines
    twin = await again(table)
    await twin.act(moves.move, *mover(twin), LATER)
    await table.reload()
    assert table.snapshot.deadlines == twin.snapshot.deadlines != before


async def test_a_table_that_is_read_again_knows_how_its_game_has_ended_meanwhile(store: Store):
    table = await start_game(store, "rope_wall")
    twin = await again(table)
    await play_out(twin, LATER)
    await table.reload()
    assert table.snapshot.row.status == "over" and table.snapshot.results == twin.snapshot.results != ()


async def test_a_table_that_is_closed_falls_due_and_sleeps_no_more(store: Store):
    table = await start_game(store, "rope_wall", people=1, computers=1)
    await table.act(absence.leave, Seat(0), LATER)
    assert table.snapshot.row.due is not None and table.snapshot.row.slept_at is not None
    await table.act(changes.close, lambda: "Enough.", LATER)
    assert (table.snapshot.row.due, table.snapshot.row.slept_at, table.snapshot.row.ended_at) == (None, None, LATER)


async def test_a_game_begins_with_neither_too_few_nor_too_many(store: Store):
    game = GAMES["rope_wall"]
    for people in (1, 3):
        seats = [SeatRow(number, 10 + number, "Somebody") for number in range(people)]
        row = await store.tables.create(new(options=msgspec.json.encode(game.options()).decode()), seats)
        table = Table(store, Ownership(DiscordClock()), TableSnapshot.of(game, row, await store.seats.of(row.id)))
        with pytest.raises(UserError, match=f"takes 2 players. There('s| are) {people} here"):
            await table.act(moves.begin, material(game), NOON)
        assert table.snapshot.in_lobby and (await again(table)).snapshot.in_lobby


async def test_nobody_forfeits_a_game_that_was_under_way_before_leaving_counted(store: Store, path: Path):
    table = await start_game(store, "prison_break", people=3)
    with sqlite3.connect(path) as db:
        db.execute("UPDATE tables SET casual = 1")
    db.close()
    table = await again(table)
    await table.act(absence.leave, Seat(0), LATER)
    assert not table.snapshot.ranked and table.snapshot.seats[0].caretaker
    assert all(row.forfeit is None for row in (await again(table)).snapshot.seats)


async def test_a_game_begins_once(store: Store):
    table = await start_game(store, "rope_wall")
    before = table.snapshot.row, table.snapshot.state, table.snapshot.version
    with pytest.raises(UserError, match="already started"):
        await table.act(moves.begin, material(table.game), LATER)
    assert (table.snapshot.row, table.snapshot.state, table.snapshot.version) == before
    twin = await again(table)
    assert (twin.snapshot.row, twin.snapshot.state, twin.snapshot.version) == before


async def test_a_seat_for_which_nobody_waits_is_asked_too_where_it_may_call(store: Store):
    table, turn = await after_next(store)
    last = Seat((turn + 2) % 3)
    assert last not in table.snapshot.view(None).to_act
    assert table.snapshot.may_act(last) and table.snapshot.question(last) is not None
    assert not table.snapshot.may_act(turn) and table.snapshot.question(turn) is None


async def test_the_options_of_a_table_are_those_that_were_set_last(store: Store):
    table = await start_game(store, "rope_wall", clock=60)
    options = msgspec.json.encode(GAMES["rope_wall"].options(clock=300)).decode()
    await table.act(lambda _: changes.RowChanged(TableChange(options=options)))
    assert table.snapshot.options.clock == 300 == (await again(table)).snapshot.options.clock


# Time that went by


@pytest.mark.parametrize(("clock", "told"), [(0, None), (60, "offline for 30 minutes")])
async def test_extended_clocks_are_announced_only_where_one_runs(store: Store, clock: int, told: str | None):
    table = await start_game(store, "rope_wall", clock=clock)
    row = table.snapshot.row
    await table.act(moves.make_up_for, 30 * MINUTE_MS, (row.run, row.paused_at), LATER)
    assert (table.snapshot.notice is None) == (told is None) and (told or "") in (table.snapshot.notice or "")


@pytest.mark.parametrize("playing", [True, False])
async def test_a_paused_table_continues_with_all_the_time_that_was_left(store: Store, playing: bool):
    table = await start_game(store, "rope_wall", clock=60) if playing else await gathering(store)
    due = table.snapshot.row.due
    assert due is not None
    await table.act(lambda _: changes.RowChanged(TableChange(paused_at=LATER)))
    row = table.snapshot.row
    await table.act(moves.make_up_for, 30 * MINUTE_MS, (row.run, row.paused_at), Moment(LATER + 30 * MINUTE_MS))
    await table.act(moves.unpause, 30 * MINUTE_MS)
    assert (table.snapshot.row.due, table.snapshot.row.paused_at) == (due + 30 * MINUTE_MS, None)
    assert not playing or table.snapshot.earliest == table.snapshot.row.due
    assert not await table.act(moves.unpause, 60 * MINUTE_MS)  # its clocks run again
    assert table.snapshot.row.due == due + 30 * MINUTE_MS


async def test_a_window_in_which_time_was_lost_opens_again_in_full(store: Store):
    table, _ = await after_next(store)
    row, opened = table.snapshot.row, table.snapshot.state.last_next
    at = Moment(opened + 30 * MINUTE_MS)
    await table.act(moves.make_up_for, at - opened - 4_000, (row.run, row.paused_at), at)
    assert table.snapshot.state.last_next == at
    assert (await again(table)).snapshot.state.last_next == at


async def test_a_table_that_is_left_while_it_is_paused_loses_no_time_when_somebody_returns(store: Store):
    table = await start_game(store, "rope_wall", people=1, computers=1, clock=60)
    due = table.snapshot.earliest
    assert due is not None
    await table.act(moves.pause, Moment(NOON + 10_000), "api", Moment(NOON + 10_000))
    await table.act(absence.leave, Seat(0), Moment(NOON + 40_000))
    await table.act(moves.unpause, 30 * MINUTE_MS)
    assert table.snapshot.asleep and table.snapshot.row.slept_at == NOON + 10_000
    back = Moment(NOON + 60 * MINUTE_MS)
    await table.act(absence.back, Seat(0), back)
    assert table.snapshot.earliest == back + due - NOON - 10_000


async def gathering(store: Store) -> Table:
    row = await store.tables.create(new(), [SeatRow(0, 10, "Ann")])
    return Table(
        store, Ownership(DiscordClock()), TableSnapshot.of(GAMES["rope_wall"], row, await store.seats.of(row.id))
    )


async def test_a_player_who_returns_in_the_moment_of_leaving_wakes_the_table(store: Store):
    table = await start_game(store, "rope_wall", people=1, computers=1, clock=60)
    await table.act(absence.leave, Seat(0), LATER)
    assert table.snapshot.asleep
    await table.act(absence.back, Seat(0), LATER)
    assert not table.snapshot.asleep and (table.snapshot.row.slept_at, table.snapshot.row.due) == (
        None,
        table.snapshot.earliest,
    )


@pytest.mark.parametrize("key", GAME_KEYS)
async def test_a_game_that_a_move_woke_is_proved_like_any_other(store: Store, key: str):
    table = await start_game(store, key, people=1, computers=1, clock=3_600)
    while (mine := mover(table))[0] != 0:
        await table.act(moves.play, *mine, table.snapshot.version, LATER)
    await table.act(absence.leave, Seat(0), LATER)
    assert table.snapshot.asleep
    at = Moment(LATER + 30 * MINUTE_MS)
    await table.act(moves.move, *mine, at)
    await play_out(table, at)
    report = verify(
        export_of(table.game, await load_record(store, table.snapshot.row)), table.game, material(table.game)
    )
    assert report.proved, report.difference


async def test_nobody_gives_up_a_table_whose_clocks_have_just_been_stopped(store: Store):
    table = await start_game(store, "rope_wall", people=1, computers=1, clock=60)
    await table.act(absence.leave, Seat(0), NOON)
    due = table.snapshot.row.due
    assert table.snapshot.asleep and due is not None
    await table.act(moves.pause, NOON, "connection", NOON)
    assert not await table.act(absence.give_up, due)
    await table.act(moves.unpause, 0)
    assert await table.act(absence.give_up, due) and table.snapshot.ended
