"""The lobby's transitions on a store: who may sit down, get up, and decide, and what a refused one leaves as it was."""

from collections.abc import Callable, Coroutine
from typing import Any

import msgspec
import pytest

from cogs.core.ops.errors import UserError
from cogs.core.tables import lobby
from cogs.core.tables.live import LiveTable
from cogs.core.tables.lobby import CLOSES_AFTER_MS
from data.store import SeatRow, Store
from engine.contract import Moment, Seat
from engine.games import GAMES
from tests.cogs.core.tables.sittings import MINUTE_MS, begun
from tests.data.conftest import NOON, new, path, store, time
from tests.engine.playouts import material

__all__ = ["path", "store", "time"]  # fixtures

LATER = Moment(NOON + MINUTE_MS)
ANN, BEN, CLEO, DORA, EVE = 10, 11, 12, 13, 14

Transition = Callable[[LiveTable], Coroutine[Any, Any, None]]


async def gathering(store: Store, *people: int, invited: int | None = None, key: str = "prison_break") -> LiveTable:
    """A lobby at which these users sit, opened by the first; Prison Break has seats for four."""
    game = GAMES[key]
    options = msgspec.json.encode(game.options()).decode()
    seats = [SeatRow(number, user, f"User {user}") for number, user in enumerate(people)]
    row = await store.tables.create(new(game=key, options=options, opener=people[0], invited=invited), seats)
    return LiveTable(store, game, row, await store.seats.of(row.id))


def sitting(table: LiveTable) -> list[int | str | None]:
    """The users who sit there, and the levels of computers, by their numbers."""
    assert [row.seat for row in table.seats] == list(range(len(table.seats)))
    return [row.user or row.level for row in table.seats]


async def refused(table: LiveTable, transition: Coroutine[Any, Any, None], words: str) -> None:
    """The transition is refused in these words, and nothing has changed."""
    before = table.row, table.seats
    with pytest.raises(UserError, match=words):
        await transition
    assert (table.row, table.seats) == before
    assert await table.store.seats.of(table.id) == list(table.seats)


# Sitting down and getting up


async def test_everybody_sits_down_once_and_as_many_as_there_are_seats(store: Store):
    table = await gathering(store, ANN)
    await refused(table, lobby.join(table, ANN, "Ann", LATER), "already sit")
    for user in (BEN, CLEO, DORA):
        await lobby.join(table, user, "Somebody", LATER)
    assert sitting(table) == [ANN, BEN, CLEO, DORA]
    await refused(table, lobby.join(table, EVE, "Eve", LATER), "full")
    await refused(table, lobby.add_computer(table, ANN, "rookie", LATER), "full")


async def test_the_last_seat_is_kept_for_who_was_invited_until_they_sit_and_no_longer(store: Store):
    table = await gathering(store, ANN, BEN, invited=EVE)
    await lobby.add_computer(table, ANN, "rookie", LATER)
    await refused(table, lobby.join(table, CLEO, "Cleo", LATER), f"kept for <@{EVE}>")
    await refused(table, lobby.add_computer(table, ANN, "rookie", LATER), "Withdraw the invitation")
    await lobby.drop_computer(table, ANN, LATER)
    await lobby.join(table, EVE, "Eve", LATER)
    await lobby.join(table, CLEO, "Cleo", LATER)
    assert sitting(table) == [ANN, BEN, EVE, CLEO]
    await refused(table, lobby.withdraw(table, ANN, LATER), "No seat is kept")


async def test_a_withdrawn_invitation_leaves_the_seat_to_anybody(store: Store):
    table = await gathering(store, ANN, BEN, CLEO, invited=EVE)
    await lobby.withdraw(table, ANN, LATER)
    assert table.row.invited is None
    await lobby.join(table, DORA, "Dora", LATER)
    assert len(table.seats) == 4


async def test_no_seat_is_kept_where_all_are_taken_and_nobody_declines_a_seat_that_they_have_taken(store: Store):
    table = await gathering(store, ANN, BEN, CLEO, DORA)
    await refused(table, lobby.invite(table, ANN, EVE, False, LATER), "no seat to keep")
    await lobby.leave(table, DORA, LATER)
    await lobby.invite(table, ANN, EVE, False, LATER)
    await refused(table, lobby.decline(table, BEN, LATER), "no invitation for you")
    await lobby.join(table, EVE, "Eve", LATER)
    await refused(table, lobby.decline(table, EVE, LATER), "no invitation for you")


async def test_who_gets_up_leaves_the_others_in_their_order_and_the_table_to_the_first_person(store: Store):
    table = await gathering(store, ANN, BEN, CLEO)
    await lobby.add_computer(table, ANN, "warden", LATER)
    await lobby.leave(table, BEN, LATER)
    assert sitting(table) == [ANN, CLEO, "warden"] and table.row.opener == ANN
    await lobby.leave(table, ANN, LATER)
    assert sitting(table) == [CLEO, "warden"] and table.row.opener == CLEO
    await refused(table, lobby.leave(table, ANN, LATER), "do not sit")
    await lobby.leave(table, CLEO, LATER)
    assert table.row.status == "closed" and table.notice == "Everybody has left."


async def test_computers_of_one_level_have_names_of_their_own_and_the_last_one_goes_first(store: Store):
    table = await gathering(store, ANN)
    for level in ("rookie", "warden", "rookie"):
        await lobby.add_computer(table, ANN, level, LATER)
    assert [row.name for row in table.seats[1:]] == ["Trainee", "Master", "Trainee 2"]
    await lobby.drop_computer(table, ANN, LATER)
    assert sitting(table) == [ANN, "rookie", "warden"]
    await refused(table, lobby.add_computer(table, ANN, "genius", LATER), "no computer player called 'genius'")
    for _ in range(2):
        await lobby.drop_computer(table, ANN, LATER)
    await refused(table, lobby.drop_computer(table, ANN, LATER), "No computer player sits here")


# Who decides

DECISIONS: dict[str, Callable[[LiveTable, int], Coroutine[Any, Any, None]]] = {
    "add computer players": lambda table, user: lobby.add_computer(table, user, "rookie", LATER),
    "remove computer players": lambda table, user: lobby.drop_computer(table, user, LATER),
    "withdraw the invitation": lambda table, user: lobby.withdraw(table, user, LATER),
    "set the options": lambda table, user: lobby.set_option(table, user, "clock", "300", LATER),
    "hand it over": lambda table, user: lobby.hand_over(table, user, BEN, LATER),
    "close it": lambda table, user: lobby.cancel(table, user, LATER),
}


@pytest.mark.parametrize("what", list(DECISIONS))
async def test_only_the_opener_decides_and_only_before_the_game(store: Store, what: str):
    table = await gathering(store, ANN, BEN, invited=EVE)
    await lobby.add_computer(table, ANN, "rookie", LATER)
    await refused(table, DECISIONS[what](table, BEN), f"Only <@{ANN}>, the host of this table, can {what}")
    other = await gathering(store, ANN, BEN)
    await other.begin(material(other.game), LATER)
    await refused(other, DECISIONS[what](other, ANN), "already begun")
    await table.close("Enough.", LATER)
    await refused(table, DECISIONS[what](table, ANN), "closed")


async def test_a_moderator_closes_a_lobby_of_others_but_no_game(store: Store):
    table = await gathering(store, ANN)
    await lobby.cancel(table, BEN, LATER, moderator=True)
    assert table.row.status == "closed" and table.notice == f"<@{BEN}> closed it."
    playing = await begun(store, "rope_wall")
    await refused(playing, lobby.cancel(playing, BEN, LATER, moderator=True), "already begun")


async def test_a_table_is_handed_over_to_somebody_who_sits_there(store: Store):
    table = await gathering(store, ANN, BEN)
    await refused(table, lobby.hand_over(table, ANN, CLEO, LATER), "do not sit at this table any more")
    await lobby.hand_over(table, ANN, BEN, LATER)
    assert table.row.opener == BEN
    await refused(table, lobby.hand_over(table, ANN, ANN, LATER), f"Only <@{BEN}>")
    await lobby.join(table, CLEO, "Cleo", LATER)
    await lobby.leave(table, CLEO, LATER)
    assert table.row.opener == BEN  # whoever else gets up


async def test_an_option_is_set_to_one_of_its_values(store: Store):
    table = await gathering(store, ANN)
    await lobby.set_option(table, ANN, "clock", "300", LATER)
    assert table.options.clock == 300
    for name, value in (("clock", "7"), ("nothing", "300")):
        await refused(table, lobby.set_option(table, ANN, name, value, LATER), "does not exist any more")


# How long it stays open


@pytest.mark.parametrize(
    "transition",
    [
        lambda table: lobby.join(table, CLEO, "Cleo", LATER),
        lambda table: lobby.leave(table, BEN, LATER),
        lambda table: lobby.add_computer(table, ANN, "rookie", LATER),
        lambda table: lobby.withdraw(table, ANN, LATER),
        lambda table: lobby.set_option(table, ANN, "clock", "300", LATER),
        lambda table: lobby.hand_over(table, ANN, BEN, LATER),
    ],
    ids=["join", "leave", "add", "withdraw", "option", "hand over"],
)
async def test_whatever_is_done_in_a_lobby_keeps_it_open_for_a_quarter_of_an_hour(store: Store, transition: Transition):
    table = await gathering(store, ANN, BEN, invited=EVE)
    await transition(table)
    assert table.row.due == LATER + CLOSES_AFTER_MS and table.used == LATER


async def test_time_closes_a_lobby_and_never_a_game(store: Store):
    table = await gathering(store, ANN)
    await lobby.expire(table, Moment(NOON + CLOSES_AFTER_MS - 1))
    assert table.in_lobby
    await lobby.expire(table, Moment(NOON + CLOSES_AFTER_MS))
    assert table.row.status == "closed" and table.notice is not None and "15 minutes" in table.notice
    playing = await begun(store, "rope_wall")
    await lobby.expire(playing, LATER)
    assert playing.playing and playing.seat_of(10) == Seat(0)
