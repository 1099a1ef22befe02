"""Presence at a table and the cost of leaving: derived from the seats, and stored with the consequences."""

import random

import msgspec
import pytest

from cogs.core.ops.errors import UserError
from cogs.core.tables import absence, changes, moves, seat_rules
from cogs.core.tables.changes import SLEEPS_FOR_MS
from cogs.core.tables.seat_rules import LAPSES_BEFORE_CARETAKER, Seats
from cogs.core.tables.table import Table
from data.store import SeatChange, SeatRow, Store
from engine.chance import SEED_BYTES, Chance
from engine.contract import Action, Expire, Moment, Seat, TimedOut
from engine.games.prison_break.types import Note
from engine.games.rope_wall.types import Push, Resign
from engine.turns import Ready
from tests.cogs.core.tables.live_tables import MINUTE_MS, again, move, mover, play_out, start_game, step
from tests.data.conftest import NOON, path, store, time

__all__ = ["path", "store", "time"]  # fixtures

PUSH = Push(1, "left")

LATER = Moment(NOON + MINUTE_MS)


def seats(*words: str) -> Seats:
    """Parse seats: "here", "away", "computer" or "gone" (deleted), then "left 1" or "lapsed 1" for a player who has
    forfeited as the first, or let one clock run out.
    """
    found = []
    for number, word in enumerate(words):
        who, *rest = word.split()
        row = SeatRow(number, None if who in ("computer", "gone") else 10 + number, f"User {number}")
        row = msgspec.structs.replace(row, level="rookie" if who == "computer" else None)
        row = msgspec.structs.replace(row, caretaker=who in ("away", "gone"))
        for name, value in zip(rest[::2], rest[1::2], strict=True):
            row = msgspec.structs.replace(row, **{{"left": "forfeit", "lapsed": "lapses"}[name]: int(value)})
        found.append(row)
    return tuple(found)


def forfeits(found: Seats) -> list[int | None]:
    return [row.forfeit for row in found]


# Worked out from the seats


def test_on_the_brink_is_whose_next_lapse_is_the_one_too_many():
    rows = seats("here", f"here lapsed {LAPSES_BEFORE_CARETAKER - 1}")
    assert [seat_rules.next_timeout_replaces(row) for row in rows] == [False, True]


def test_a_person_attends_who_is_known_and_for_whom_no_computer_plays():
    assert [seat_rules.is_present(row) for row in seats("here", "away", "computer", "gone")] == [
        True,
        False,
        False,
        False,
    ]
    nobody = msgspec.structs.replace(seats("gone")[0], caretaker=False)
    assert not seat_rules.is_present(nobody)


def test_as_many_lapses_as_the_limit_and_not_one_fewer_call_the_caretaker_each_counted_for_its_own_seat():
    before = seats("here", "here", "here lapsed 1")
    after = seat_rules.count_timeouts(before, [TimedOut(Seat(1), "turn"), TimedOut(Seat(2), "turn")])
    assert [(row.lapses, row.caretaker) for row in after] == [(0, False), (1, False), (2, True)]


def test_the_clocks_of_computers_and_of_people_who_were_deleted_are_not_counted():
    before = seats("computer", "gone lapsed 0")
    assert seat_rules.count_timeouts(before, [TimedOut(Seat(0), "turn"), TimedOut(Seat(1), "turn")]) == before


def test_later_leavers_get_later_numbers_and_simultaneous_ones_share_theirs():
    after = seat_rules.apply_forfeits(seats("here", "away left 1", "away", "away"))
    assert forfeits(after) == [None, 1, 2, 2]


def test_a_player_who_left_once_keeps_the_number_when_away_again():
    after = seat_rules.apply_forfeits(seats("here", "away left 1", "away left 2"))
    assert forfeits(after) == [None, 1, 2]
    back = seat_rules.take_back(after, Seat(1))
    assert forfeits(back) == [None, 1, 2] and not back[1].caretaker


def test_nobody_forfeits_where_nobody_who_is_still_in_stays():
    assert forfeits(seat_rules.apply_forfeits(seats("away", "away"))) == [None, None]
    assert forfeits(seat_rules.apply_forfeits(seats("here left 1", "away"))) == [1, None]


def test_every_place_is_certain_when_exactly_one_of_several_is_still_in():
    assert seat_rules.decided(seats("here", "away left 1"))
    assert not seat_rules.decided(seats("here left 1", "away left 1"))
    assert not seat_rules.decided(seats("here", "here", "away left 1"))
    assert not seat_rules.decided(seats("here"))


def test_exactly_the_changed_fields_of_a_seat_are_written():
    before = seats("here", "here", "here", "here")
    after = seats("here", "away", "here lapsed 1", "here left 1")
    found = seat_rules.changes(before, after)
    assert sorted(found) == [1, 2, 3] and seat_rules.changed(before, found) == after


# Stored, with the consequences


async def test_a_timeout_that_calls_the_caretaker_in_a_ranked_game_counts_as_leaving(store: Store):
    table = await start_game(store, "rope_wall", people=2, clock=60)
    seat = await lapsed(table, 2)
    assert table.snapshot.seats[seat].caretaker and forfeits(table.snapshot.seats) == [
        1 if row.seat == seat else None for row in table.snapshot.seats
    ]
    assert (await again(table)).snapshot.seats == table.snapshot.seats


async def about_to_end(store: Store, computers: int) -> Table:
    """Return a game that is over as soon as the clock of the user 10 has run out."""
    rng = random.Random(5)
    while True:
        table, at = await start_game(store, "rope_wall", people=2 - computers, computers=computers, clock=60), LATER
        while table.snapshot.playing:
            for deadline in table.snapshot.deadlines:
                due, chance = deadline.due, Chance(bytes(SEED_BYTES), str(table.id), table.snapshot.version)
                events = table.game.decide(table.snapshot.state, None, Expire(deadline.id), due, chance)
                ends = table.game.outcome(table.game.fold(events, table.snapshot.state)) is not None
                if ends and deadline.seats == (0,):
                    return table
            at = await step(table, rng, at)


@pytest.mark.parametrize(("computers", "places"), [(0, [2, 1]), (1, [1, 2])])
async def test_a_player_who_times_out_with_the_last_clock_of_a_ranked_game_takes_the_last_place(
    store: Store, computers: int, places: list[int]
):
    """On the board that push wins. A finished game does not pause, even if all players are absent."""
    table = await about_to_end(store, computers)
    (deadline,) = table.snapshot.deadlines
    await table.act(changes.change_seat_of, 10, SeatChange(lapses=LAPSES_BEFORE_CARETAKER - 1))
    await table.act(moves.expire, deadline.id, deadline.due)
    assert table.snapshot.seats[0].caretaker and [row.place for row in table.snapshot.results] == places
    assert (table.snapshot.row.status, table.snapshot.row.due, table.snapshot.row.slept_at) == ("over", None, None)


async def test_a_game_that_is_over_falls_due_no_more_and_keeps_its_results(store: Store):
    table = await start_game(store, "rope_wall", clock=60)
    at = await play_out(table, LATER)
    row = table.snapshot.row
    assert (row.status, row.due, row.slept_at, row.ended_at) == ("over", None, None, at)
    assert (
        [row.user for row in table.snapshot.results]
        == [10, 11]
        == [row.user for row in await store.games.results(table.id)]
    )
    assert (await again(table)).snapshot.results == table.snapshot.results


async def test_the_moment_of_a_move_is_kept_in_mind(store: Store):
    table = await start_game(store, "rope_wall", people=1, computers=1)
    await move(table, *mover(table), LATER)
    assert table.used == LATER


async def lapsed(table: Table, times: int) -> Seat:
    """Let a seat's clock run out this many times. Return the seat."""
    seat = None
    for _ in range(2 * times - 1):
        (deadline,) = table.snapshot.deadlines
        seat = seat if seat is not None else deadline.seats[0]
        await table.act(moves.expire, deadline.id, deadline.due)
    assert seat is not None
    return seat


async def test_doing_something_forgives_one_lapse_but_gives_no_seat_back(store: Store):
    table = await start_game(store, "rope_wall", clock=60)
    seat = await lapsed(table, 2)
    assert table.snapshot.seats[seat].caretaker and table.snapshot.seats[seat].lapses == 2
    await absence.forgive(table, 10 + seat)
    assert table.snapshot.seats[seat].caretaker and table.snapshot.seats[seat].lapses == 2
    other = Seat(1 - seat)
    assert table.snapshot.seats[other].lapses == 1
    await absence.forgive(table, 10 + other)
    assert (await again(table)).snapshot.seats[other].lapses == 0


async def test_nobody_can_return_to_an_empty_seat(store: Store):
    table = await start_game(store, "rope_wall")
    await absence.forget(table, 10, LATER)
    with pytest.raises(UserError, match="no longer have a seat"):
        await table.act(absence.back, Seat(0), LATER)
    assert table.snapshot.seats[0].caretaker and table.snapshot.seats[0].forfeit == 1


async def test_a_deleted_user_has_left_the_ranked_game_and_the_other_plays_on(store: Store):
    table = await start_game(store, "rope_wall")
    await absence.forget(table, 10, LATER)
    assert (
        table.snapshot.playing and forfeits(table.snapshot.seats) == [1, None] and table.snapshot.seats[0].user is None
    )
    await table.act(absence.leave, Seat(1), LATER)
    assert table.snapshot.row.status == "closed" and [(row.place, row.score) for row in table.snapshot.results] == [
        (2, None),
        (1, None),
    ]
    assert (await store.games.results(table.id)) == list(table.snapshot.results)


async def test_a_table_to_which_a_player_can_still_return_survives_a_deletion(store: Store):
    table = await start_game(store, "prison_break", people=2, computers=1)
    await table.act(absence.leave, Seat(1), LATER)
    await absence.forget(table, 10, LATER)
    assert table.snapshot.playing and table.snapshot.asleep
    await absence.forget(table, 11, LATER)
    assert table.snapshot.row.status == "closed" and table.snapshot.notice == "Everyone left."


async def test_a_player_whose_place_is_certain_may_play_on_alone(store: Store):
    table = await start_game(store, "rope_wall")
    await table.act(absence.leave, Seat(0), LATER)
    assert table.snapshot.playing and not table.snapshot.asleep and table.snapshot.results == ()


@pytest.mark.parametrize("computers", [0, 1])
async def test_when_nobody_comes_back_a_ranked_game_that_is_decided_has_results_and_any_other_has_none(
    store: Store, computers: int
):
    table = await start_game(store, "rope_wall", people=2 - computers, computers=computers, clock=60)
    if computers:
        await table.act(absence.leave, Seat(0), LATER)
    else:
        await table.act(absence.leave, Seat(0), LATER)
        at = LATER
        while not table.snapshot.asleep:  # the other player's clock runs out until a computer plays for them, too
            deadline = table.snapshot.deadlines[0]
            at = max(at, deadline.due)
            await table.act(moves.expire, deadline.id, at)
    assert table.snapshot.asleep and table.snapshot.row.due is not None
    await table.act(absence.give_up, Moment(table.snapshot.row.due - 1))
    assert table.snapshot.playing
    await table.act(absence.give_up, table.snapshot.row.due)
    assert table.snapshot.row.status == "closed" and table.snapshot.row.due is None
    assert [row.place for row in table.snapshot.results] == ([] if computers else [2, 1])


async def test_a_table_is_asleep_since_the_first_moment_without_a_player(store: Store):
    table = await start_game(store, "rope_wall", people=1, computers=1)
    await table.act(absence.leave, Seat(0), LATER)
    await table.act(absence.leave, Seat(0), Moment(LATER + MINUTE_MS))  # they had left
    await table.act(absence.fall_asleep, Moment(LATER + 2 * MINUTE_MS))
    assert (table.snapshot.row.slept_at, table.snapshot.row.due) == (LATER, LATER + SLEEPS_FOR_MS)


@pytest.mark.parametrize(
    "action", [Note("mind the guard"), Ready(), Resign()], ids=lambda action: type(action).__name__
)
def test_a_note_being_ready_and_giving_up_are_no_moves_and_a_push_is_one(action: Action):
    before = seats("here", "here")
    assert seat_rules.record_move(before, Seat(1), action) is before
    after = seat_rules.record_move(before, Seat(1), PUSH)
    assert [row.moved for row in after] == [False, True] and seat_rules.record_move(after, Seat(1), PUSH) is after


async def test_only_accepted_moves_and_not_notes_count_as_moving_even_after_a_restart(store: Store):
    table = await start_game(store, "prison_break")
    seat, action = mover(table)
    for other in (Seat(0), Seat(1)):
        await move(table, other, Note("mind the guard"), NOON)
    assert not any(row.moved for row in await store.seats.of(table.id))
    await move(table, seat, action, NOON)
    assert [row.moved for row in (await again(table)).snapshot.seats] == [
        row.seat == seat for row in table.snapshot.seats
    ]
