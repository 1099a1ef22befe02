"""One table in two hands, as of two processes: what one has done, the other judges by, and takes over."""

from collections.abc import Awaitable, Callable

import msgspec
import pytest

from cogs.core.ops.errors import UserError
from cogs.core.publishing.finished_games import export_of, recorded
from cogs.core.tables import absence, lobby
from cogs.core.tables.live import LiveTable
from data.store import SeatRow, Store, TableChange
from engine.contract import Moment, Seat
from engine.games import GAMES
from engine.verify import verify
from tests.cogs.core.tables.sittings import GAME_KEYS, MINUTE_MS, again, begun, mover, play_out
from tests.data.conftest import NOON, new, path, store, time
from tests.engine.playouts import material

__all__ = ["path", "store", "time"]  # fixtures

LATER = Moment(NOON + MINUTE_MS)


async def gathering(store: Store, key: str = "rope_wall", people: int = 2) -> LiveTable:
    """A table of a game at which people have sat down."""
    game = GAMES[key]
    seats = [SeatRow(number, 10 + number, f"User {number}") for number in range(people)]
    row = await store.tables.create(new(game=key, options=msgspec.json.encode(game.options()).decode()), seats)
    return LiveTable(store, game, row, await store.seats.of(row.id))


async def same(table: LiveTable, twin: LiveTable) -> None:
    """Both stand as is kept."""
    for one in (table, twin, await again(table)):
        assert (one.row, one.seats, one.state, one.version, one.results, one.options) == (
            twin.row,
            twin.seats,
            twin.state,
            twin.version,
            twin.results,
            twin.options,
        )


@pytest.mark.parametrize("key", GAME_KEYS)
async def test_a_table_catches_up_with_what_another_hand_has_done(store: Store, key: str):
    table = await begun(store, key)
    twin = await again(table)
    await twin.act(*mover(twin), LATER)
    assert await table.catch_up() and not await table.catch_up()
    await same(table, twin)
    await play_out(twin, LATER)
    assert await table.catch_up()
    await same(table, twin)
    assert table.row.status == "over"


async def test_a_lobby_catches_up_with_who_sits_there_and_what_is_set(store: Store):
    table = await gathering(store, people=1)
    twin = await again(table)
    await lobby.set_option(twin, table.row.opener, "clock", "300", LATER)
    await lobby.add_computer(twin, table.row.opener, "rookie", LATER)
    assert await table.catch_up()
    await same(table, twin)


async def test_a_game_that_two_hands_begin_at_once_begins_once_and_can_be_proved(store: Store):
    table = await gathering(store)
    twin = await again(table)
    await table.begin(material(table.game), NOON)
    with pytest.raises(UserError, match="already begun"):
        await twin.begin(material(twin.game), NOON)
    await same(table, twin)
    await play_out(table, LATER)
    export = export_of(table.game, await recorded(store, table.row))
    assert verify(export, table.game, material(table.game)).proved


async def test_a_game_begins_with_those_who_sit_there_then(store: Store):
    table = await gathering(store)
    twin = await again(table)
    gone = table.seats[-1].user
    assert gone is not None
    await lobby.leave(twin, gone, LATER)
    with pytest.raises(UserError, match="sit here"):
        await table.begin(material(table.game), LATER)
    assert table.in_lobby and not table.knows(gone)


async def test_who_sits_down_does_not_take_away_the_seat_of_somebody_who_did_so_elsewhere(store: Store):
    table = await gathering(store, "prison_break")
    twin = await again(table)
    await lobby.join(twin, 20, "Cleo", LATER)
    await lobby.join(table, 21, "Dan", LATER)
    assert {20, 21} <= {seat.user for seat in await store.seats.of(table.id)}
    with pytest.raises(UserError, match="already sit"):
        await lobby.join(twin, 21, "Dan", LATER)


DECISIONS: dict[str, Callable[[LiveTable, int], Awaitable[object]]] = {
    "join": lambda table, user: lobby.join(table, 30, "Dan", LATER),
    "leave": lambda table, user: lobby.leave(table, user, LATER),
    "invite": lambda table, user: lobby.invite(table, user, 30, bot=False, at=LATER),
    "send out": lambda table, user: lobby.send_out(table, user, 11, LATER),
    "computer": lambda table, user: lobby.add_computer(table, user, "rookie", LATER),
    "option": lambda table, user: lobby.set_option(table, user, "clock", "300", LATER),
    "heir": lambda table, user: lobby.hand_over(table, user, 11, LATER),
    "cancel": lambda table, user: lobby.cancel(table, user, LATER),
}


@pytest.mark.parametrize("decide", DECISIONS.values(), ids=DECISIONS)
async def test_what_was_decided_in_a_lobby_changes_nothing_of_a_game_that_another_hand_has_begun(
    store: Store, decide: Callable[[LiveTable, int], Awaitable[object]]
):
    table = await gathering(store, "prison_break", 3)
    twin = await again(table)
    await twin.begin(material(twin.game), NOON)
    with pytest.raises(UserError, match="already begun"):
        await decide(table, table.row.opener)
    await same(table, twin)
    assert table.playing


async def test_options_that_two_hands_set_at_once_hold_both(store: Store):
    table = await gathering(store)
    twin = await again(table)
    await lobby.set_option(twin, table.row.opener, "clock", "300", LATER)
    await lobby.set_option(table, table.row.opener, "pace", "quick", LATER)
    assert (table.options.clock, table.options.pace) == (300, "quick")
    await twin.catch_up()
    await same(table, twin)


async def test_a_lobby_in_which_another_hand_has_done_something_does_not_close_yet(store: Store):
    table = await gathering(store)
    twin = await again(table)
    await lobby.set_option(twin, table.row.opener, "clock", "300", LATER)
    await lobby.expire(table, Moment(LATER + 1))
    assert table.in_lobby
    await lobby.expire(table, Moment(LATER + lobby.CLOSES_AFTER_MS))
    assert table.row.status == "closed" and (await again(table)).row == table.row


async def test_a_game_that_another_hand_has_played_to_its_end_is_not_closed(store: Store):
    table = await begun(store, "rope_wall")
    twin = await again(table)
    await play_out(twin, LATER)
    assert not await table.close("Its channel was deleted.", LATER)
    await same(table, twin)
    assert table.row.status == "over"


async def test_who_leaves_a_game_that_has_just_ended_elsewhere_changes_nothing_of_its_end(store: Store):
    table = await begun(store, "rope_wall")
    twin = await again(table)
    await play_out(twin, LATER)
    before = await store.seats.of(table.id), await store.games.results(table.id)
    with pytest.raises(UserError, match="no game under way"):
        await absence.leave(table, Seat(0), LATER)
    assert (await store.seats.of(table.id), await store.games.results(table.id)) == before
    await same(table, twin)


@pytest.mark.parametrize("key", GAME_KEYS)
async def test_of_somebody_who_was_deleted_by_another_hand_nothing_more_is_kept(store: Store, key: str):
    table = await begun(store, key)
    seat, action = mover(table)
    gone = table.seats[seat].user
    assert gone is not None
    await store.user_data.forget(gone, [table.game], table.id)
    with pytest.raises(UserError, match="do not sit at this table any more"):
        await table.act(seat, action, LATER)
    assert not any((await store.user_data.export(gone)).values())
    await same(table, await again(table))
    assert not table.knows(gone) and table.seats[seat].caretaker


async def test_clocks_that_stood_still_are_extended_once(store: Store):
    table = await begun(store, "rope_wall", clock=60)
    due = table.earliest
    await table.change(TableChange(paused_at=LATER))
    twin = await again(table)
    await table.resume(Moment(LATER + 30 * MINUTE_MS))
    await twin.resume(Moment(LATER + 30 * MINUTE_MS))
    await same(table, twin)
    assert due is not None and twin.earliest == Moment(due + 30 * MINUTE_MS)
