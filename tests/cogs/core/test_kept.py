"""A table as it is kept: what reading it anew makes of it, what closing it leaves behind, and old tables' own rules."""

import sqlite3
from pathlib import Path

import msgspec
import pytest

from cogs.core.errors import UserError
from cogs.core.session import presence
from cogs.core.session.live import LiveTable
from data.store import SeatRow, Store, TableChange
from engine.contract import Moment, Seat
from engine.games import GAMES
from engine.games.break_out import Next
from tests.cogs.core.sittings import MINUTE_MS, again, begun, mover, play_out
from tests.data.conftest import NOON, new, path, store, time
from tests.engine.playouts import material

__all__ = ["path", "store", "time"]  # fixtures

LATER = Moment(NOON + MINUTE_MS)


async def test_a_table_that_is_read_anew_runs_the_clocks_of_the_game_as_it_stands_then(store: Store):
    table = await begun(store, "rope_wall", clock=60)
    before = table.deadlines()
    twin = await again(table)
    await twin.act(*mover(twin), LATER)
    await table.reread()
    assert table.deadlines() == twin.deadlines() != before


async def test_a_table_that_is_read_anew_knows_how_its_game_has_ended_meanwhile(store: Store):
    table = await begun(store, "rope_wall")
    twin = await again(table)
    await play_out(twin, LATER)
    await table.reread()
    assert table.row.status == "over" and table.results == twin.results != ()


async def test_a_table_that_is_closed_falls_due_and_sleeps_no_more(store: Store):
    table = await begun(store, "rope_wall", people=1, computers=1)
    await presence.leave(table, Seat(0), LATER)
    assert table.row.due is not None and table.row.slept_at is not None
    await table.close("Enough.", LATER)
    assert (table.row.due, table.row.slept_at, table.row.ended_at) == (None, None, LATER)


async def test_a_game_begins_with_neither_too_few_nor_too_many(store: Store):
    game = GAMES["rope_wall"]
    for people in (1, 3):
        seats = [SeatRow(number, 10 + number, "Somebody") for number in range(people)]
        row = await store.create_table(new(options=msgspec.json.encode(game.options()).decode()), seats)
        table = LiveTable(store, game, row, await store.seats(row.id))
        with pytest.raises(UserError, match=f"takes 2 players; {people} sit here"):
            await table.begin(material(game), NOON)
        assert table.in_lobby and (await again(table)).in_lobby


async def test_nobody_forfeits_a_game_that_was_under_way_before_leaving_counted(store: Store, path: Path):
    table = await begun(store, "prison_break", people=3)
    with sqlite3.connect(path) as db:
        db.execute("UPDATE tables SET casual = 1")
    db.close()
    table = await again(table)
    await presence.leave(table, Seat(0), LATER)
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
    table = await begun(store, "break_out", people=3, clock=60)
    (turn,) = table.view(None).waiting
    await table.act(turn, Next(), LATER)
    while table.view(None).turn == turn:
        await table.expire(table.deadlines()[0].id, table.deadlines()[0].due)
    last = Seat((turn + 2) % 3)
    assert last not in table.view(None).waiting
    assert table.may_act(last) and table.question(last) is not None
    assert not table.may_act(turn) and table.question(turn) is None


async def test_the_options_of_a_table_are_those_that_were_set_last(store: Store):
    table = await begun(store, "rope_wall", clock=60)
    await table.change(TableChange(options=msgspec.json.encode(GAMES["rope_wall"].options(clock=300)).decode()))
    assert table.options.clock == 300 == (await again(table)).options.clock
