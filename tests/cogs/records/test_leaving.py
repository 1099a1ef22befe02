"""The effect of leaving a rated game on results, boards and ratings: tables of two and of four, played to the end."""

import random

import pytest

from cogs.core.tables import absence, changes, moves, seat_rules
from cogs.core.tables.changes import Seated
from cogs.core.tables.table import Table
from cogs.records.ratings import new_standing, standings_after
from data.store import Store
from engine.contract import Moment, Seat
from engine.results import Board, FinishedGame, Score, placed
from engine.standings import Leaderboard
from tests.cogs.core.tables.live_tables import MINUTE_MS, again, play_out, start_game, step
from tests.data.conftest import NOON, path, store, time

__all__ = ["path", "store", "time"]  # fixtures


async def on_board(table: Table, board: Board = "ranked") -> FinishedGame:
    """Return the only game that has ended, on this board."""
    (game,) = await table.store.records.ended(Leaderboard(1, table.game.key, board), most=9)
    return game


async def some_moves(table: Table, at: Moment, moves: int) -> Moment:
    rng = random.Random(7)
    for _ in range(moves):
        at = await step(table, rng, at)
    assert table.snapshot.playing
    return at


async def check(table: Table, forfeits: tuple[int | None, ...]) -> list[int]:
    """Results, on disk as in memory, and ratings are the game's own with these forfeits. Return the places."""
    outcome = table.game.outcome(table.snapshot.state)
    assert outcome is not None and tuple(row.forfeit for row in table.snapshot.seats) == forfeits
    results = await table.store.games.results(table.id)
    assert results == list(table.snapshot.results) == list((await again(table)).snapshot.results)
    places = [result.place for result in results]
    assert tuple(places) == placed(outcome.places, forfeits)
    assert [result.score for result in results] == list(outcome.scores)
    game = await on_board(table)
    assert [side.place for side in game.sides] == places
    standings = standings_after({}, [game])
    rated = [standings[10 + seat].mu for seat in range(len(places))]
    for seat, place in enumerate(places):
        for other, better in enumerate(places):
            assert (place < better) <= (rated[seat] > rated[other])
    return places


@pytest.mark.parametrize("key", ["rope_wall", "match_five", "ausbrecher", "prison_break", "break_out"])
async def test_the_first_of_two_to_leave_has_lost_whatever_the_caretaker_achieved(store: Store, key: str):
    table = await start_game(store, key)
    at = await some_moves(table, NOON, 6)
    await table.act(absence.leave, Seat(0), at)
    await play_out(table, at)
    assert await check(table, (1, None)) == [2, 1]


async def test_one_of_two_players_who_left_has_lost_even_after_an_immediate_return(store: Store):
    table = await start_game(store, "rope_wall")
    at = await some_moves(table, NOON, 6)
    await table.act(absence.leave, Seat(1), at)
    await table.act(absence.back, Seat(1), at)
    await play_out(table, at)
    assert await check(table, (None, 1)) == [1, 2]


async def test_two_of_four_who_leave_come_last_in_the_order_of_leaving(store: Store):
    table = await start_game(store, "prison_break", people=4)
    await table.act(absence.leave, Seat(2), NOON)  # before anybody has moved
    at = await some_moves(table, NOON, 8)
    await table.act(absence.leave, Seat(0), at)
    at = await some_moves(table, at, 4)
    await table.act(absence.back, Seat(2), at)
    await play_out(table, at)
    places = await check(table, (2, None, 1, None))
    assert (places[0], places[2]) == (3, 4)


async def test_one_of_four_who_times_out_twice_comes_last_and_a_single_timeout_costs_nothing(store: Store):
    table = await start_game(store, "prison_break", people=4, clock=60)
    at, slow = NOON, Seat(3)
    rng = random.Random(1)
    while not table.snapshot.seats[slow].caretaker:
        assert table.snapshot.playing and at < NOON + 60 * MINUTE_MS * 60
        if slow in table.snapshot.view(None).to_act and len(table.snapshot.view(None).to_act) == 1:
            (deadline,) = table.snapshot.deadlines
            at = deadline.due
            await table.act(moves.expire, deadline.id, at)
        else:
            at = await step(table, rng, at)
    assert [row.lapses for row in table.snapshot.seats] == [0, 0, 0, seat_rules.LAPSES_BEFORE_CARETAKER]
    await play_out(table, at)
    assert (await check(table, (None, None, None, 1)))[slow] == 4


async def test_two_of_four_who_leave_at_the_same_moment_share_the_last_place(store: Store):
    table = await start_game(store, "prison_break", people=4)
    at = await some_moves(table, NOON, 8)
    seats = seat_rules.leave(seat_rules.leave(table.snapshot.seats, Seat(0)), Seat(1))
    await table.act(lambda present: Seated(present.with_forfeits(seats)))
    await play_out(table, at)
    assert (await check(table, (1, 1, None, None)))[:2] == [3, 3]


async def test_a_deleted_user_comes_last_and_remains_anonymous(store: Store):
    table = await start_game(store, "prison_break", people=4)
    at = await some_moves(table, NOON, 8)
    await absence.forget(table, 11, at)
    assert [row.forfeit for row in (await again(table)).snapshot.seats] == [None, 1, None, None]
    await play_out(table, at)
    results = await store.games.results(table.id)
    assert (results[1].user, results[1].place) == (None, 4)
    assert (await on_board(table)).board == "ranked"


async def test_a_game_with_computers_stays_casual_and_without_forfeits(store: Store):
    table = await start_game(store, "prison_break", people=2, computers=1)
    at = await some_moves(table, NOON, 6)
    await table.act(absence.leave, Seat(0), at)
    await play_out(table, at)
    outcome = table.game.outcome(table.snapshot.state)
    assert outcome is not None
    assert tuple(side.place for side in (await on_board(table, "casual")).sides) == outcome.places


async def test_a_game_ended_without_a_result_costs_who_left_and_gives_the_others_nothing(store: Store):
    table = await start_game(store, "prison_break", people=4)
    at = await some_moves(table, NOON, 8)
    await table.act(absence.leave, Seat(2), at)
    await table.act(changes.close, lambda: "Somebody ended it.", at)
    game = await on_board(table)
    assert [(side.place, side.void) for side in game.sides] == [(1, True), (1, True), (4, False), (1, True)]
    standings = standings_after({}, [game])
    assert list(standings) == [12] and standings[12].mu < new_standing(12, "").mu and standings[12].games == 1
    assert not any(game.won(side) for side in game.sides)
    assert await store.records.score(10, 11, 1) == Score() and await store.records.score(10, 12, 1) == Score(won=1)
    assert (await again(table)).snapshot.results == table.snapshot.results
