"""The lobby's transitions on a store: who may join, leave and decide, and that a refusal changes nothing."""

from collections.abc import Callable, Coroutine
from typing import Any

import msgspec
import pytest

from cogs.core.cluster.ownership import Ownership
from cogs.core.ops.errors import UserError
from cogs.core.ops.timers import DiscordClock
from cogs.core.publishing.lobby_pages import lobby_page
from cogs.core.tables import changes, lobby, moves
from cogs.core.tables.lobby import CLOSES_AFTER_MS
from cogs.core.tables.snapshot import TableSnapshot
from cogs.core.tables.table import Table
from cogs.prison_break.ui import PrisonBreakUI
from data.store import SeatRow, Store, user_list
from engine.contract import Moment, Seat
from engine.games import GAMES
from engine.players import LEVELS
from tests.cogs.core.tables.live_tables import MINUTE_MS, start_game
from tests.data.conftest import NOON, new, path, store, time
from tools.harness.pages import text_of
from tools.harness.playouts import material

__all__ = ["path", "store", "time"]  # fixtures

LATER = Moment(NOON + MINUTE_MS)
ANN, BEN, CLEO, DORA, EVE = 10, 11, 12, 13, 14

Transition = Callable[[Table], Coroutine[Any, Any, object]]


async def gathering(store: Store, *people: int, invited: int | None = None, key: str = "prison_break") -> Table:
    """Return a lobby at which these users sit, opened by the first; Prison Break has seats for four."""
    game = GAMES[key]
    options = msgspec.json.encode(game.options()).decode()
    seats = [SeatRow(number, user, f"User {user}") for number, user in enumerate(people)]
    row = await store.tables.create(
        new(game=key, options=options, opener=people[0], invited=user_list([] if invited is None else [invited])), seats
    )
    return Table(store, Ownership(DiscordClock()), TableSnapshot.of(game, row, await store.seats.of(row.id)))


def sitting(table: Table) -> list[int | str | None]:
    """Return the users in the seats, and the levels of computers, by seat."""
    assert [row.seat for row in table.snapshot.seats] == list(range(len(table.snapshot.seats)))
    return [row.user or row.level for row in table.snapshot.seats]


async def refused(table: Table, transition: Coroutine[Any, Any, object], words: str) -> None:
    """Check that the transition is refused with these words, and that nothing has changed."""
    before = table.snapshot.row, table.snapshot.seats
    with pytest.raises(UserError, match=words):
        await transition
    assert (table.snapshot.row, table.snapshot.seats) == before
    assert await table.store.seats.of(table.id) == list(table.snapshot.seats)


# Sitting down and getting up


async def test_everybody_sits_down_once_and_as_many_as_there_are_seats(store: Store):
    table = await gathering(store, ANN)
    await refused(table, table.act(lobby.join, ANN, "Ann", LATER), "already have a seat")
    for user in (BEN, CLEO, DORA):
        await table.act(lobby.join, user, "Somebody", LATER)
    assert sitting(table) == [ANN, BEN, CLEO, DORA]
    await refused(table, table.act(lobby.join, EVE, "Eve", LATER), "full")
    await refused(table, table.act(lobby.add_bot, ANN, "rookie", LATER), "full")


async def test_the_last_seat_is_kept_for_who_was_invited_until_they_sit_and_no_longer(store: Store):
    table = await gathering(store, ANN, BEN, invited=EVE)
    await table.act(lobby.add_bot, ANN, "rookie", LATER)
    await refused(table, table.act(lobby.join, CLEO, "Cleo", LATER), f"reserved for <@{EVE}>")
    await refused(table, table.act(lobby.add_bot, ANN, "rookie", LATER), "Withdraw an invite")
    await table.act(lobby.drop_bot, ANN, LATER)
    await table.act(lobby.join, EVE, "Eve", LATER)
    await table.act(lobby.join, CLEO, "Cleo", LATER)
    assert sitting(table) == [ANN, BEN, EVE, CLEO]
    await refused(table, table.act(lobby.withdraw, ANN, None, LATER), "No seat is reserved")


async def test_a_withdrawn_invitation_opens_the_seat_to_everyone(store: Store):
    table = await gathering(store, ANN, BEN, CLEO, invited=EVE)
    await table.act(lobby.withdraw, ANN, None, LATER)
    assert not table.snapshot.row.invited
    await table.act(lobby.join, DORA, "Dora", LATER)
    assert len(table.snapshot.seats) == 4


async def test_no_seat_is_kept_where_all_are_taken_and_nobody_declines_a_seat_that_they_have_taken(store: Store):
    table = await gathering(store, ANN, BEN, CLEO, DORA)
    await refused(table, table.act(lobby.invite, ANN, EVE, False, LATER), "no seat can be reserved")
    await table.act(lobby.leave, DORA, LATER)
    await table.act(lobby.invite, ANN, EVE, False, LATER)
    await refused(table, table.act(lobby.decline, BEN, LATER), "You have no invite here")
    await table.act(lobby.join, EVE, "Eve", LATER)
    await refused(table, table.act(lobby.decline, EVE, LATER), "You have no invite here")


async def test_after_a_player_gets_up_the_others_keep_their_order_and_the_first_person_is_host(store: Store):
    table = await gathering(store, ANN, BEN, CLEO)
    await table.act(lobby.add_bot, ANN, "warden", LATER)
    await table.act(lobby.leave, BEN, LATER)
    assert sitting(table) == [ANN, CLEO, "warden"] and table.snapshot.row.opener == ANN
    await table.act(lobby.leave, ANN, LATER)
    assert sitting(table) == [CLEO, "warden"] and table.snapshot.row.opener == CLEO
    await refused(table, table.act(lobby.leave, ANN, LATER), "have no seat")
    await table.act(lobby.leave, CLEO, LATER)
    assert table.snapshot.row.status == "closed" and table.snapshot.notice == "Everyone left."


async def test_computers_of_one_level_have_names_of_their_own_and_the_last_one_goes_first(store: Store):
    table = await gathering(store, ANN)
    for level in ("rookie", "warden", "rookie"):
        await table.act(lobby.add_bot, ANN, level, LATER)
    assert [row.name for row in table.snapshot.seats[1:]] == ["Trainee", "Master", "Trainee 2"]
    await table.act(lobby.drop_bot, ANN, LATER)
    assert sitting(table) == [ANN, "rookie", "warden"]
    await refused(table, table.act(lobby.add_bot, ANN, "genius", LATER), "no computer called `genius`")
    for _ in range(2):
        await table.act(lobby.drop_bot, ANN, LATER)
    await refused(table, table.act(lobby.drop_bot, ANN, LATER), "no computer at this table")


# Who decides

DECISIONS: dict[str, Callable[[Table, int], Coroutine[Any, Any, object]]] = {
    "add computers": lambda table, user: table.act(lobby.add_bot, user, "rookie", LATER),
    "remove computers": lambda table, user: table.act(lobby.drop_bot, user, LATER),
    "withdraw invites": lambda table, user: table.act(lobby.withdraw, user, None, LATER),
    "change the options": lambda table, user: table.act(lobby.set_option, user, "clock", "300", LATER),
    "make someone else host": lambda table, user: table.act(lobby.hand_over, user, BEN, LATER),
    "close this table": lambda table, user: table.act(lobby.cancel, user, LATER),
}


@pytest.mark.parametrize("what", list(DECISIONS))
async def test_only_the_opener_decides_and_only_before_the_game(store: Store, what: str):
    table = await gathering(store, ANN, BEN, invited=EVE)
    await table.act(lobby.add_bot, ANN, "rookie", LATER)
    await refused(table, DECISIONS[what](table, BEN), f"Only <@{ANN}>, the host, can {what}")
    other = await gathering(store, ANN, BEN)
    await other.act(moves.begin, material(other.game), LATER)
    await refused(other, DECISIONS[what](other, ANN), "already started")
    await table.act(changes.close, lambda: "Enough.", LATER)
    await refused(table, DECISIONS[what](table, ANN), "closed")


async def test_a_moderator_closes_a_lobby_of_others_but_no_game(store: Store):
    table = await gathering(store, ANN)
    await table.act(lobby.cancel, BEN, LATER, moderator=True)
    assert table.snapshot.row.status == "closed" and table.snapshot.notice == f"<@{BEN}> closed it."
    playing = await start_game(store, "rope_wall")
    await refused(playing, playing.act(lobby.cancel, BEN, LATER, moderator=True), "already started")


async def test_a_table_is_handed_over_to_another_player_at_it(store: Store):
    table = await gathering(store, ANN, BEN)
    await refused(table, table.act(lobby.hand_over, ANN, CLEO, LATER), "no longer at this table")
    await table.act(lobby.hand_over, ANN, BEN, LATER)
    assert table.snapshot.row.opener == BEN
    await refused(table, table.act(lobby.hand_over, ANN, ANN, LATER), f"Only <@{BEN}>")
    await table.act(lobby.join, CLEO, "Cleo", LATER)
    await table.act(lobby.leave, CLEO, LATER)
    assert table.snapshot.row.opener == BEN  # if another player leaves


async def test_an_option_is_set_to_one_of_its_values(store: Store):
    table = await gathering(store, ANN)
    await table.act(lobby.set_option, ANN, "clock", "300", LATER)
    assert table.snapshot.options.clock == 300
    for name, value in (("clock", "7"), ("nothing", "300")):
        await refused(table, table.act(lobby.set_option, ANN, name, value, LATER), "no longer exists")


# How long it stays open


@pytest.mark.parametrize(
    "transition",
    [
        lambda table: table.act(lobby.join, CLEO, "Cleo", LATER),
        lambda table: table.act(lobby.leave, BEN, LATER),
        lambda table: table.act(lobby.add_bot, ANN, "rookie", LATER),
        lambda table: table.act(lobby.withdraw, ANN, None, LATER),
        lambda table: table.act(lobby.set_option, ANN, "clock", "300", LATER),
        lambda table: table.act(lobby.hand_over, ANN, BEN, LATER),
    ],
    ids=["join", "leave", "add", "withdraw", "option", "hand over"],
)
async def test_any_action_in_a_lobby_keeps_it_open_for_a_quarter_of_an_hour(store: Store, transition: Transition):
    table = await gathering(store, ANN, BEN, invited=EVE)
    await transition(table)
    assert table.snapshot.row.due == LATER + CLOSES_AFTER_MS and table.used == LATER


async def test_time_closes_a_lobby_and_never_a_game(store: Store):
    table = await gathering(store, ANN)
    await table.act(lobby.expire, Moment(NOON + CLOSES_AFTER_MS - 1))
    assert table.snapshot.in_lobby
    await table.act(lobby.expire, Moment(NOON + CLOSES_AFTER_MS))
    assert (
        table.snapshot.row.status == "closed"
        and table.snapshot.notice is not None
        and "15 minutes" in table.snapshot.notice
    )
    playing = await start_game(store, "rope_wall")
    await playing.act(lobby.expire, LATER)
    assert playing.snapshot.playing and playing.snapshot.seat_of(10) == Seat(0)


async def test_a_lobby_says_once_what_the_level_of_its_computers_means(store: Store):
    table = await gathering(store, ANN)
    for _ in range(2):
        await table.act(lobby.add_bot, ANN, LEVELS[0], NOON)
    await table.act(lobby.add_bot, ANN, LEVELS[1], NOON)
    page = lobby_page(PrisonBreakUI(), table.snapshot, None, None)
    text = text_of(page)
    assert text.count("plays for fun") == 1 and text.count("Trainee") == 2 and text.count("computer, ") == 2
