"""One table in two processes: each takes over what the other has stored, and decides by it."""

from collections.abc import Awaitable, Callable

import msgspec
import pytest

from cogs.core.cluster.ownership import Ownership
from cogs.core.ops.errors import UserError
from cogs.core.ops.timers import DiscordClock
from cogs.core.publishing.finished_games import export_of, load_record
from cogs.core.tables import absence, changes, lobby, moves
from cogs.core.tables.snapshot import TableSnapshot
from cogs.core.tables.table import Table
from data.store import SeatRow, Store, TableChange
from engine.contract import Moment, Seat
from engine.games import GAMES
from engine.verify import verify
from tests.cogs.core.tables.live_tables import GAME_KEYS, MINUTE_MS, again, mover, play_out, start_game
from tests.data.conftest import NOON, new, path, store, time
from tools.harness.playouts import material

__all__ = ["path", "store", "time"]  # fixtures

LATER = Moment(NOON + MINUTE_MS)


async def gathering(store: Store, key: str = "rope_wall", people: int = 2) -> Table:
    """Return a table of a game at which people have sat down."""
    game = GAMES[key]
    seats = [SeatRow(number, 10 + number, f"User {number}") for number in range(people)]
    row = await store.tables.create(new(game=key, options=msgspec.json.encode(game.options()).decode()), seats)
    return Table(store, Ownership(DiscordClock()), TableSnapshot.of(game, row, await store.seats.of(row.id)))


async def same(table: Table, twin: Table) -> None:
    """Check that both match the store."""
    for one in (table, twin, await again(table)):
        assert (
            one.snapshot.row,
            one.snapshot.seats,
            one.snapshot.state,
            one.snapshot.version,
            one.snapshot.results,
            one.snapshot.options,
        ) == (
            twin.snapshot.row,
            twin.snapshot.seats,
            twin.snapshot.state,
            twin.snapshot.version,
            twin.snapshot.results,
            twin.snapshot.options,
        )


@pytest.mark.parametrize("key", GAME_KEYS)
async def test_a_table_catches_up_with_what_another_process_has_done(store: Store, key: str):
    table = await start_game(store, key)
    twin = await again(table)
    await twin.act(moves.move, *mover(twin), LATER)
    assert await table.catch_up() and not await table.catch_up()
    await same(table, twin)
    await play_out(twin, LATER)
    assert await table.catch_up()
    await same(table, twin)
    assert table.snapshot.row.status == "over"


async def test_a_lobby_catches_up_with_who_sits_there_and_what_is_set(store: Store):
    table = await gathering(store, people=1)
    twin = await again(table)
    await twin.act(lobby.set_option, table.snapshot.row.opener, "clock", "300", LATER)
    await twin.act(lobby.add_bot, table.snapshot.row.opener, "rookie", LATER)
    assert await table.catch_up()
    await same(table, twin)


async def test_a_game_that_two_processes_begin_at_once_begins_once_and_can_be_proved(store: Store):
    table = await gathering(store)
    twin = await again(table)
    await table.act(moves.begin, material(table.game), NOON)
    with pytest.raises(UserError, match="already started"):
        await twin.act(moves.begin, material(twin.game), NOON)
    await same(table, twin)
    await play_out(table, LATER)
    export = export_of(table.game, await load_record(store, table.snapshot.row))
    assert verify(export, table.game, material(table.game)).proved


async def test_a_game_begins_with_those_who_sit_there_then(store: Store):
    table = await gathering(store)
    twin = await again(table)
    gone = table.snapshot.seats[-1].user
    assert gone is not None
    await twin.act(lobby.leave, gone, LATER)
    with pytest.raises(UserError, match="There's 1 here"):
        await table.act(moves.begin, material(table.game), LATER)
    assert table.snapshot.in_lobby and not table.snapshot.knows(gone)


async def test_joining_does_not_overwrite_a_seat_taken_through_another_process(store: Store):
    table = await gathering(store, "prison_break")
    twin = await again(table)
    await twin.act(lobby.join, 20, "Cleo", LATER)
    await table.act(lobby.join, 21, "Dan", LATER)
    assert {20, 21} <= {seat.user for seat in await store.seats.of(table.id)}
    with pytest.raises(UserError, match="already have a seat"):
        await twin.act(lobby.join, 21, "Dan", LATER)


DECISIONS: dict[str, Callable[[Table, int], Awaitable[object]]] = {
    "join": lambda table, user: table.act(lobby.join, 30, "Dan", LATER),
    "leave": lambda table, user: table.act(lobby.leave, user, LATER),
    "invite": lambda table, user: table.act(lobby.invite, user, 30, bot=False, at=LATER),
    "send out": lambda table, user: table.act(lobby.kick, user, 11, LATER),
    "computer": lambda table, user: table.act(lobby.add_bot, user, "rookie", LATER),
    "option": lambda table, user: table.act(lobby.set_option, user, "clock", "300", LATER),
    "heir": lambda table, user: table.act(lobby.hand_over, user, 11, LATER),
    "cancel": lambda table, user: table.act(lobby.cancel, user, LATER),
}


@pytest.mark.parametrize("decide", DECISIONS.values(), ids=DECISIONS)
async def test_what_was_decided_in_a_lobby_changes_nothing_of_a_game_that_another_process_has_begun(
    store: Store, decide: Callable[[Table, int], Awaitable[object]]
):
    table = await gathering(store, "prison_break", 3)
    twin = await again(table)
    await twin.act(moves.begin, material(twin.game), NOON)
    with pytest.raises(UserError, match="already started"):
        await decide(table, table.snapshot.row.opener)
    await same(table, twin)
    assert table.snapshot.playing


async def test_options_that_two_processes_set_at_once_hold_both(store: Store):
    table = await gathering(store)
    twin = await again(table)
    await twin.act(lobby.set_option, table.snapshot.row.opener, "clock", "300", LATER)
    await table.act(lobby.set_option, table.snapshot.row.opener, "pace", "quick", LATER)
    assert (table.snapshot.options.clock, table.snapshot.options.pace) == (300, "quick")
    await twin.catch_up()
    await same(table, twin)


async def test_a_lobby_in_which_another_process_has_done_something_does_not_close_yet(store: Store):
    table = await gathering(store)
    twin = await again(table)
    await twin.act(lobby.set_option, table.snapshot.row.opener, "clock", "300", LATER)
    await table.act(lobby.expire, Moment(LATER + 1))
    assert table.snapshot.in_lobby
    await table.act(lobby.expire, Moment(LATER + lobby.CLOSES_AFTER_MS))
    assert table.snapshot.row.status == "closed" and (await again(table)).snapshot.row == table.snapshot.row


async def test_a_game_that_another_process_has_played_to_its_end_is_not_closed(store: Store):
    table = await start_game(store, "rope_wall")
    twin = await again(table)
    await play_out(twin, LATER)
    assert not await table.act(changes.close, lambda: "Its channel was deleted.", LATER)
    await same(table, twin)
    assert table.snapshot.row.status == "over"


async def test_leaving_a_game_that_another_process_has_just_ended_does_not_change_its_end(store: Store):
    table = await start_game(store, "rope_wall")
    twin = await again(table)
    await play_out(twin, LATER)
    before = await store.seats.of(table.id), await store.games.results(table.id)
    with pytest.raises(UserError, match="No game is in progress"):
        await table.act(absence.leave, Seat(0), LATER)
    assert (await store.seats.of(table.id), await store.games.results(table.id)) == before
    await same(table, twin)


@pytest.mark.parametrize("key", GAME_KEYS)
async def test_nothing_more_is_stored_of_a_user_deleted_by_another_process(store: Store, key: str):
    table = await start_game(store, key)
    seat, action = mover(table)
    gone = table.snapshot.seats[seat].user
    assert gone is not None
    await store.user_data.forget(gone, [table.game], table.id)
    with pytest.raises(UserError, match="no longer have a seat"):
        await table.act(moves.move, seat, action, LATER)
    assert not any((await store.user_data.export(gone)).values())
    await same(table, await again(table))
    assert not table.snapshot.knows(gone) and table.snapshot.seats[seat].caretaker


async def test_paused_clocks_are_extended_once(store: Store):
    table = await start_game(store, "rope_wall", clock=60)
    due = table.snapshot.earliest
    await table.act(lambda _: changes.RowChanged(TableChange(paused_at=LATER)))
    twin = await again(table)
    for hand in (table, twin):
        await hand.act(moves.make_up_for, 30 * MINUTE_MS, (1, LATER), Moment(LATER + 30 * MINUTE_MS))
        await hand.act(moves.unpause, 30 * MINUTE_MS)
    await same(table, twin)
    assert due is not None and twin.snapshot.earliest == Moment(due + 30 * MINUTE_MS)


async def test_a_change_between_two_reads_of_one_check_is_detected(store: Store, monkeypatch: pytest.MonkeyPatch):
    table = await start_game(store, "rope_wall")
    twin = await again(table)
    seats, told = store.seats.of, list[bool]()
    table.listeners = [lambda _, visible: told.append(visible)]

    async def of(number: int) -> list[SeatRow]:
        if not told and twin.snapshot.version == table.snapshot.version and not twin.snapshot.seats[0].caretaker:
            await twin.act(absence.leave, Seat(0), LATER)  # after the row was read, and before the seats are
        return await seats(number)

    monkeypatch.setattr(store.seats, "of", of)
    await table.catch_up()
    await table.catch_up()
    assert told == [True] and table.snapshot.seats[0].caretaker and table.snapshot.row == twin.snapshot.row


async def test_a_sentence_about_the_table_stays_until_the_game_goes_on_elsewhere(store: Store):
    table = await start_game(store, "rope_wall", clock=60)
    row = table.snapshot.row
    await table.act(moves.make_up_for, MINUTE_MS, (row.run, row.paused_at), LATER)
    said = table.snapshot.notice
    twin = await again(table)
    await twin.act(absence.leave, Seat(0), LATER)
    assert await table.catch_up() and table.snapshot.notice == said is not None
    await twin.act(absence.back, Seat(0), LATER)
    await twin.act(moves.move, *mover(twin), Moment(LATER + 1_000))
    assert await table.catch_up() and table.snapshot.notice is None
