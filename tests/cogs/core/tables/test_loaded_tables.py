"""A loaded table of every game: who may move when, and that nothing is shown before it is committed."""

import asyncio
from typing import Any

import pytest

from cogs.core.ops.errors import StaleControl, UserError
from cogs.core.tables import absence, changes, moves, seat_rules
from cogs.core.tables.changes import SLEEPS_FOR_MS
from cogs.core.tables.table import Table
from data.store import DiskFull, Store, TableRow
from engine.contract import ClockShift, Moment, Refusal, Seat
from tests.cogs.core.tables.live_tables import GAME_KEYS, MINUTE_MS, again, mover, other, start_game
from tests.data.conftest import NOON, path, store, time

__all__ = ["path", "store", "time"]  # fixtures

LATER = Moment(NOON + MINUTE_MS)

every_game = pytest.mark.parametrize("key", GAME_KEYS)


def standing(table: Table) -> tuple[Any, ...]:
    """Return all that a table shows of itself."""
    return (
        table.snapshot.state,
        table.snapshot.version,
        table.snapshot.row,
        table.snapshot.seats,
        table.snapshot.view(None),
        table.snapshot.deadlines,
    )


async def unchanged(table: Table, before: tuple[Any, ...]) -> None:
    """Check that nothing has changed, in memory or on disk."""
    assert standing(table) == before
    assert standing(await again(table)) == before


# Who may move


@every_game
async def test_a_move_that_a_caretaker_meant_is_dropped_once_the_person_is_back(store: Store, key: str):
    table = await start_game(store, key)
    seat, meant = mover(table)
    await table.act(absence.leave, seat, LATER)
    version = table.snapshot.version
    await table.act(absence.back, seat, LATER)
    before = standing(table)
    with pytest.raises(StaleControl):
        await table.act(moves.play, seat, meant, version, LATER)
    await unchanged(table, before)


@every_game
async def test_a_move_that_a_caretaker_meant_is_dropped_after_the_persons_own(store: Store, key: str):
    table = await start_game(store, key)
    seat, meant = mover(table)
    await table.act(absence.leave, seat, LATER)
    version = table.snapshot.version
    await table.act(moves.move, seat, table.snapshot.legal(seat)[-1], LATER)
    before = standing(table)
    with pytest.raises(StaleControl):
        await table.act(moves.play, seat, meant, version, LATER)
    await unchanged(table, before)
    assert not table.snapshot.seats[seat].caretaker


@every_game
async def test_a_refused_action_leaves_the_seat_and_the_move_to_the_caretaker(store: Store, key: str):
    table = await start_game(store, key)
    seat, meant = mover(table)
    await table.act(absence.leave, seat, LATER)
    before = standing(table)
    with pytest.raises(Refusal):
        await table.act(moves.move, seat, ClockShift(5), LATER)
    with pytest.raises(StaleControl):
        await table.act(moves.move, seat, meant, LATER, fresh=lambda view: False)
    await unchanged(table, before)
    await table.act(moves.play, seat, meant, table.snapshot.version, LATER)
    assert table.snapshot.seats[seat].caretaker and table.snapshot.version > before[1]


@every_game
async def test_an_action_that_is_taken_takes_the_seat_back(store: Store, key: str):
    table = await start_game(store, key)
    seat, action = mover(table)
    await table.act(absence.leave, seat, LATER)
    await table.act(moves.move, seat, action, LATER)
    assert not table.snapshot.seats[seat].caretaker
    assert standing(await again(table)) == standing(table)


@every_game
async def test_a_computers_move_is_dropped_once_the_game_has_gone_on(store: Store, key: str):
    table = await start_game(store, key, people=1, computers=1)
    seat, action = mover(table)
    version = table.snapshot.version
    await (
        table.act(moves.move, seat, action, LATER) if seat == 0 else table.act(moves.play, seat, action, version, LATER)
    )
    before = standing(table)
    with pytest.raises(StaleControl):
        await table.act(moves.play, Seat(1), action, version, LATER)
    await unchanged(table, before)


@every_game
async def test_a_persons_seat_is_never_played_by_a_computer(store: Store, key: str):
    table = await start_game(store, key)
    seat, action = mover(table)
    before = standing(table)
    with pytest.raises(StaleControl):
        await table.act(moves.play, seat, action, table.snapshot.version, LATER)
    await unchanged(table, before)


async def test_a_player_who_returns_while_the_computers_move_waits_for_the_lock_is_not_played_for(store: Store):
    table = await start_game(store, "rope_wall")
    seat, meant = mover(table)
    await table.act(absence.leave, seat, LATER)
    back = asyncio.create_task(table.act(absence.back, seat, LATER))
    played = asyncio.create_task(table.act(moves.play, seat, meant, table.snapshot.version, LATER))
    await asyncio.wait({back, played})
    assert isinstance(played.exception(), StaleControl) and not table.snapshot.seats[seat].caretaker


async def test_a_condition_is_asked_again_after_another_process_has_written_to_the_table(store: Store):
    table = await start_game(store, "rope_wall", people=1, computers=1)
    seat, action = mover(table)
    twin = await again(table)
    if seat == 0:  # then it is the computer's turn
        await table.act(moves.move, seat, action, LATER)
        twin = await again(table)
        seat, action = mover(table)
    await twin.act(moves.play, seat, action, twin.snapshot.version, LATER)
    before = standing(twin)
    with pytest.raises(StaleControl):
        await table.act(moves.play, seat, action, table.snapshot.version, LATER)
    assert standing(table) == before == standing(await again(table))


# Nothing is shown before it is committed


class Held:
    """Holds the next commit of a store until it is released, or made to fail."""

    def __init__(self, store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
        self._append = store.games.append
        self.asked = asyncio.Event()
        self.answer: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        monkeypatch.setattr(store.games, "append", self.append)

    async def append(self, *args: Any, **more: Any) -> TableRow:
        self.asked.set()
        await self.answer
        return await self._append(*args, **more)


@every_game
async def test_what_is_not_committed_yet_is_not_shown(store: Store, key: str, monkeypatch: pytest.MonkeyPatch):
    table = await start_game(store, key, clock=60)
    seat, action = mover(table)
    before = standing(table)
    held = Held(store, monkeypatch)
    moving = asyncio.create_task(table.act(moves.move, seat, action, LATER))
    await held.asked.wait()
    assert standing(table) == before
    held.answer.set_result(None)
    await moving
    assert table.snapshot.version > before[1] and standing(await again(table)) == standing(table)


@every_game
async def test_a_move_that_could_not_be_committed_has_not_happened(
    store: Store, key: str, monkeypatch: pytest.MonkeyPatch
):
    table = await start_game(store, key, clock=60)
    seat, action = mover(table)
    before = standing(table)
    held = Held(store, monkeypatch)
    held.answer.set_exception(DiskFull("full"))
    with pytest.raises(DiskFull):
        await table.act(moves.move, seat, action, LATER)
    monkeypatch.undo()
    await unchanged(table, before)
    await table.act(moves.move, seat, action, LATER)


# A deadline's exact moment


@every_game
async def test_a_deadline_passes_at_its_very_millisecond_and_not_one_before(store: Store, key: str):
    table = await start_game(store, key, clock=60)
    (deadline, *_) = table.snapshot.deadlines
    before = standing(table)
    with pytest.raises(StaleControl):
        await table.act(moves.expire, deadline.id, Moment(deadline.due - 1))
    await unchanged(table, before)
    await table.act(moves.expire, deadline.id, deadline.due)
    assert table.snapshot.version > before[1]


async def test_a_deadline_that_has_gone_is_stale(store: Store):
    table = await start_game(store, "rope_wall", clock=60)
    (deadline,) = table.snapshot.deadlines
    seat, action = mover(table)
    await table.act(moves.move, seat, action, LATER)
    with pytest.raises(StaleControl):
        await table.act(moves.expire, deadline.id, deadline.due)


# A table without anybody


@every_game
async def test_an_empty_table_pauses_and_its_clocks_are_extended_by_that_time(store: Store, key: str):
    table = await start_game(store, key, computers=0, clock=60)
    running = {deadline.id: deadline.due for deadline in table.snapshot.deadlines}
    seat, action = mover(table)
    await sleep(table)
    assert table.snapshot.asleep and table.snapshot.deadlines == () and table.snapshot.info().due is None
    with pytest.raises(StaleControl):
        await table.act(moves.play, seat, action, table.snapshot.version, LATER)
    with pytest.raises(StaleControl):
        await table.act(moves.expire, next(iter(running)), Moment(LATER + 10 * MINUTE_MS))
    table = await again(table)  # also after a restart
    before = standing(table)
    row = table.snapshot.row
    at = Moment(LATER + 60 * MINUTE_MS)
    await table.act(moves.make_up_for, 30 * MINUTE_MS, (row.run, row.paused_at), at)  # which the time slept comprises
    await unchanged(table, before)
    assert table.snapshot.asleep and table.snapshot.row.due == LATER + SLEEPS_FOR_MS
    await table.act(absence.back, seat, Moment(LATER + 90 * MINUTE_MS))
    extended = {deadline.id: deadline.due for deadline in table.snapshot.deadlines}
    assert extended == {name: due + 90 * MINUTE_MS for name, due in running.items()}
    assert standing(await again(table)) == standing(table) and table.snapshot.row.due == min(extended.values())


async def sleep(table: Table) -> None:
    """Make all players absent at once, as if their clocks had run out."""
    seats = table.snapshot.seats
    for row in seats:
        seats = seat_rules.leave(seats, Seat(row.seat))
    await table.act(absence._settled, seats, LATER)


async def test_a_table_pauses_at_the_very_moment_at_which_the_last_persons_clock_runs_out(store: Store):
    table = await start_game(store, "rope_wall", people=1, computers=1, clock=60)
    at = NOON
    while not table.snapshot.asleep:
        seat, action = mover(table)
        if seat == 0:
            (deadline,) = table.snapshot.deadlines
            at = deadline.due
            await table.act(moves.expire, deadline.id, at)
        else:
            await table.act(moves.play, seat, action, table.snapshot.version, at)
    assert (table.snapshot.row.slept_at, table.snapshot.row.due) == (at, at + SLEEPS_FOR_MS)
    table = await again(table)
    await table.act(absence.back, Seat(0), Moment(at + 90 * MINUTE_MS))
    (deadline,) = table.snapshot.deadlines
    assert deadline.due == at + 91 * MINUTE_MS


@every_game
async def test_a_move_resumes_the_table_and_happens_with_the_clocks_extended(store: Store, key: str):
    table = await start_game(store, key, clock=60)
    seat, action = mover(table)
    await sleep(table)
    at = Moment(LATER + 90 * MINUTE_MS)
    with pytest.raises(Refusal):
        await table.act(moves.move, seat, ClockShift(5), at)
    assert table.snapshot.asleep and table.snapshot.row.slept_at == LATER
    await table.act(moves.move, seat, action, at)
    assert not table.snapshot.asleep and table.snapshot.row.slept_at is None
    assert all(deadline.due >= at for deadline in table.snapshot.deadlines)
    assert standing(await again(table)) == standing(table)


async def test_a_table_without_a_clock_resumes_without_one(store: Store):
    table = await start_game(store, "rope_wall")
    await sleep(table)
    await table.act(absence.back, Seat(0), Moment(LATER + MINUTE_MS))
    assert not table.snapshot.asleep and (table.snapshot.row.slept_at, table.snapshot.row.due) == (None, None)


async def test_a_table_that_was_empty_before_pauses_existed_is_paused_when_it_is_read(store: Store):
    table = await start_game(store, "rope_wall", clock=60)
    for seat in (0, 1):  # as it was written then
        await table.act(
            changes.change_seat_of,
            10 + seat,
            seat_rules.changes(table.snapshot.seats, seat_rules.leave(table.snapshot.seats, Seat(seat)))[seat],
        )
    await table.act(absence.fall_asleep, LATER)
    table = await again(table)
    assert (table.snapshot.row.slept_at, table.snapshot.row.due) == (LATER, LATER + SLEEPS_FOR_MS)


async def test_nobody_coming_back_for_long_ends_the_table_at_its_very_moment_without_a_result(store: Store):
    table = await start_game(store, "rope_wall", people=1, computers=1)
    await table.act(absence.leave, Seat(0), LATER)
    await table.act(absence.give_up, Moment(LATER + SLEEPS_FOR_MS - 1))
    assert table.snapshot.asleep
    await table.act(absence.give_up, Moment(LATER + SLEEPS_FOR_MS))
    assert (
        table.snapshot.row.status == "closed"
        and table.snapshot.notice is not None
        and "7 days" in table.snapshot.notice
    )
    assert await store.games.results(table.id) == []


# Presence


async def test_a_person_who_does_anything_at_the_table_is_not_taken_for_away(store: Store):
    table = await start_game(store, "rope_wall", clock=60)
    seat, _ = mover(table)
    await lapse(table)
    assert table.snapshot.seats[seat].lapses == 1
    await absence.forgive(table, 10 + seat)
    assert table.snapshot.seats[seat].lapses == 0 == (await again(table)).snapshot.seats[seat].lapses
    await table.act(moves.move, other(table, seat), table.snapshot.legal(other(table, seat))[0], LATER)
    await lapse(table)
    assert table.snapshot.seats[seat].lapses == 1 and not table.snapshot.seats[seat].caretaker


async def lapse(table: Table) -> None:
    """Let the turn's clock run out."""
    (deadline,) = table.snapshot.deadlines
    await table.act(moves.expire, deadline.id, deadline.due)


async def test_looking_does_not_take_a_seat_back_from_the_caretaker(store: Store):
    table = await start_game(store, "rope_wall", clock=60)
    seat, _ = mover(table)
    await lapse(table)
    await table.act(absence.leave, seat, LATER)
    before = standing(table)
    await absence.forgive(table, 10 + seat)
    await unchanged(table, before)


async def test_strangers_and_finished_games_have_no_presence_to_keep(store: Store):
    table = await start_game(store, "rope_wall", clock=60)
    seat, _ = mover(table)
    await lapse(table)
    before = standing(table)
    await absence.forgive(table, 99)
    await unchanged(table, before)
    await table.act(changes.close, lambda: "Enough.", LATER)
    before = standing(table)
    await absence.forgive(table, 10 + seat)
    await unchanged(table, before)


async def test_presence_counts_although_the_disk_is_full(store: Store, monkeypatch: pytest.MonkeyPatch):
    table = await start_game(store, "rope_wall", clock=60)
    seat, _ = mover(table)
    await lapse(table)

    async def full(*_: Any) -> TableRow:
        raise DiskFull("full")

    monkeypatch.setattr(store.seats, "update_many", full)
    await absence.forgive(table, 10 + seat)
    assert table.snapshot.seats[seat].lapses == 0


async def test_a_request_of_a_user_deleted_meanwhile_is_not_carried_out(store: Store):
    table = await start_game(store, "rope_wall")
    seat, action = mover(table)
    forgetting = asyncio.create_task(absence.forget(table, 10 + seat, LATER))
    moving = asyncio.create_task(table.act(moves.move, seat, action, LATER))
    coming = asyncio.create_task(table.act(absence.back, seat, LATER))
    await asyncio.wait({forgetting, moving, coming})
    assert isinstance(moving.exception(), UserError) and isinstance(coming.exception(), UserError)
    assert table.snapshot.seats[seat].caretaker and not table.snapshot.asleep
    await table.act(moves.play, seat, action, table.snapshot.version, LATER)


async def test_leaving_or_returning_without_a_game_is_explained(store: Store):
    table = await start_game(store, "rope_wall")
    with pytest.raises(UserError, match="You're already back"):
        await table.act(absence.back, Seat(0), LATER)
    await table.act(changes.close, lambda: "Enough.", LATER)
    for moved in (absence.leave, absence.back):
        with pytest.raises(UserError, match="No game is in progress"):
            await table.act(moved, Seat(0), LATER)


async def test_moves_in_a_finished_game_are_refused_with_an_explanation(store: Store):
    table = await start_game(store, "rope_wall")
    seat, action = mover(table)
    await table.act(changes.close, lambda: "Enough.", LATER)
    with pytest.raises(UserError, match="over"):
        await table.act(moves.move, seat, action, LATER)
