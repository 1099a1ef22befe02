"""The one method that changes a table: who is notified, what is retried, and what a deletion leaves."""

import logging

import msgspec
import pytest

from cogs.core.cluster.ownership import Ownership
from cogs.core.ops.timers import DiscordClock
from cogs.core.tables import absence, lobby, moves
from cogs.core.tables.snapshot import TableSnapshot
from cogs.core.tables.table import Table
from data.store import Conflict, SeatRow, Store
from data.store.cluster_notices import TableChanged
from engine.games import GAMES
from tests.cogs.core.tables.live_tables import again, mover, start_game
from tests.data.conftest import NOON, new, path, store, time

__all__ = ["path", "store", "time"]  # fixtures

ANN, BEN, CLEO = 10, 11, 12


def record_changes(table: Table) -> list[bool]:
    """Record what a listener of a table sees: whether each change is visible."""
    received: list[bool] = []
    table.listeners = [*table.listeners, lambda _, visible: received.append(visible)]
    return received


async def test_a_listener_that_fails_is_logged_and_the_next_ones_are_called(
    store: Store, caplog: pytest.LogCaptureFixture
):
    table = await start_game(store, "rope_wall")

    def broken(_: Table, visible: bool) -> None:
        raise RuntimeError("broken")

    table.listeners = [broken]
    received = record_changes(table)
    seat, action = mover(table)
    assert await table.act(moves.move, seat, action, NOON)
    assert received == [True] and "a listener failed" in caplog.text
    assert (await again(table)).snapshot.state == table.snapshot.state


async def test_the_owning_process_is_notified_of_a_change_to_its_table_and_local_components_are_not(
    store: Store, monkeypatch: pytest.MonkeyPatch
):
    table = await start_game(store, "rope_wall")
    told: list[object] = []
    received = record_changes(table)
    monkeypatch.setattr(table, "tell_owner", told.append)
    seat, action = mover(table)
    assert await table.act(moves.move, seat, action, NOON)
    assert (told, received) == ([], [True])
    table.elsewhere = True
    seat, action = mover(table)
    assert await table.act(moves.move, seat, action, NOON)
    assert (told, received) == ([TableChanged(table.id)], [True])


async def test_a_change_after_another_process_has_written_is_decided_once_more_and_then_given_up(
    store: Store, caplog: pytest.LogCaptureFixture
):
    caplog.set_level(logging.INFO)
    table = await start_game(store, "rope_wall")
    other = await again(table)
    seat, action = mover(other)
    await other.act(moves.move, seat, action, NOON)
    asked: list[int] = []

    def decide(present: TableSnapshot) -> None:
        asked.append(present.version)
        raise Conflict(table.id)

    with pytest.raises(Conflict):
        await table.act(decide)
    assert asked == [other.snapshot.version - 1, other.snapshot.version]


async def test_a_deletion_ends_a_game_at_which_no_person_is_left_and_no_other(store: Store):
    table = await start_game(store, "rope_wall")
    await absence.forget(table, ANN, NOON)
    assert table.snapshot.playing and table.snapshot.seat_of(ANN) is None
    casual = await start_game(store, "rope_wall", people=1, computers=1)
    for deserted, last in ((table, BEN), (casual, ANN)):
        await absence.forget(deserted, last, NOON)
        assert not deserted.snapshot.playing and not (await again(deserted)).snapshot.playing


# The lobby


async def gathering(store: Store, *users: int) -> Table:
    """Return a lobby with these users, the second of them as its host."""
    game = GAMES["prison_break"]
    seats = [SeatRow(number, user, f"User {user}") for number, user in enumerate(users)]
    row = await store.tables.create(new(game=game.key, opener=users[1]), seats)
    snapshot = TableSnapshot.of(game, row, await store.seats.of(row.id))
    return Table(store, Ownership(DiscordClock()), snapshot)


@pytest.mark.parametrize(("leaver", "host"), [(ANN, BEN), (BEN, ANN), (CLEO, BEN)])
async def test_a_table_has_a_new_host_only_if_its_host_leaves(store: Store, leaver: int, host: int):
    table = await gathering(store, ANN, BEN, CLEO)
    await table.act(lobby.leave, leaver, NOON)
    assert table.snapshot.row.opener == host and table.snapshot.seat_of(leaver) is None


async def test_those_who_sit_as_before_already_are_not_seated_again(store: Store):
    table = await gathering(store, ANN, BEN, CLEO)
    before, revision = table.snapshot.seats, table.snapshot.row.revision
    assert not await table.act(lobby.sit_as_before, before)
    assert table.snapshot.row.revision == revision
    shuffled = [msgspec.structs.replace(row, seat=(row.seat + 1) % 3) for row in before]
    assert await table.act(lobby.sit_as_before, shuffled)
    assert [row.user for row in table.snapshot.seats] == [CLEO, ANN, BEN]
