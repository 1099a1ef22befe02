"""Progress: finished lessons, and achievements, which are saved only once however often a game is judged."""

import asyncio

import pytest

from data.store import SeatChange, Store
from data.store.open_store import open_store
from data.store.progress import Earned
from engine.contract import Moment
from engine.games import GAMES
from tests.data.both import database, raw, store
from tests.data.conftest import NOON, Time
from tests.data.finished import played
from tools.harness.raw_database import Database, Raw

__all__ = ["database", "raw", "store"]  # fixtures

NAMES = {0: ["two-exits"], 1: ["clean-break", "cut-rope"]}


async def test_a_lesson_is_finished_once_and_by_one_person(store: Store):
    await store.progress.finish_lesson(10, "rope_wall", NOON)
    await store.progress.finish_lesson(10, "rope_wall", Moment(NOON + 1))
    await store.progress.finish_lesson(10, "match_five", NOON)
    assert await store.progress.lessons(10) == {"rope_wall", "match_five"}
    assert await store.progress.lessons(11) == frozenset()
    assert [row["at"] for row in (await store.user_data.export(10))["lessons"]] == [NOON, NOON]


async def test_a_game_that_is_judged_twice_gives_what_was_achieved_once(store: Store):
    table = await played(store)
    assert await store.progress.is_due(table)
    assert await store.progress.judge(table, NAMES)
    assert not await store.progress.judge(table, {0: ["clean-break"]})
    assert not await store.progress.is_due(table)
    assert await store.progress.earned(10, 1) == [Earned("rope_wall", "two-exits", table, NOON)]
    assert await store.progress.earned_at(table) == {10: ("two-exits",), 11: ("clean-break", "cut-rope")}


async def test_it_is_stored_who_was_notified_of_an_achievement_and_the_first_message_counts(store: Store):
    table = await played(store)
    assert await store.progress.judge(table, NAMES)
    assert await store.progress.told_at(table) == {}
    await store.progress.note_told(table, 11, "message")
    await store.progress.note_told(table, 11, "page")
    assert await store.progress.told_at(table) == {11: "message"}
    assert [row["told"] for row in (await store.user_data.export(11))["achievements"]] == ["message", "message"]


async def test_two_who_judge_a_game_at_the_same_moment_save_it_once(store: Store):
    table = await played(store)
    first = await asyncio.gather(*(store.progress.judge(table, NAMES) for _ in range(4)))
    assert sorted(first) == [False, False, False, True]
    assert len(await store.progress.earned(11, 1)) == 2


async def test_what_was_judged_is_kept_over_a_restart(database: Database, time: Time):
    async with open_store(database, now=time.now) as before:
        table = await played(before)
        assert await before.progress.judge(table, NAMES)
    async with open_store(database, now=time.now) as after:
        assert not await after.progress.judge(table, NAMES)
        assert await after.progress.earned_at(table) == {10: ("two-exits",), 11: ("clean-break", "cut-rope")}


async def test_an_achievement_belongs_to_the_earliest_game_in_any_order_of_judging(store: Store):
    early, late = await played(store, minutes=1), await played(store, minutes=2)
    for table in (late, early):
        assert await store.progress.judge(table, {0: ["two-exits"]})
    assert await store.progress.earned(10, 1) == [Earned("rope_wall", "two-exits", early, Moment(NOON + 60_000))]
    assert await store.progress.earned_at(late) == {}


async def test_each_server_has_its_own_achievements(store: Store):
    for guild in (1, 2):
        assert await store.progress.judge(await played(store, guild=guild), {0: ["two-exits"]})
    assert [len(await store.progress.earned(10, guild)) for guild in (1, 2, 3)] == [1, 1, 0]


async def test_a_game_that_counts_nowhere_is_not_judged(store: Store):
    table = await played(store, movers=(0,))
    assert not await store.progress.is_due(table)
    assert not await store.progress.judge(table, NAMES)
    assert await store.progress.unjudged(10, 1, most=9) == []


@pytest.mark.parametrize(
    "change",
    [SeatChange(caretaker=True), SeatChange(caretaker=True, forfeit=1)],
    ids=["a computer played to the end", "they left"],
)
async def test_a_player_who_left_before_the_end_has_achieved_nothing(store: Store, change: SeatChange):
    table = await played(store, seats={1: change})
    assert await store.progress.judge(table, NAMES)
    assert set(await store.progress.earned_at(table)) == {10}


async def test_the_oldest_games_are_judged_first(store: Store):
    tables = [await played(store, minutes=number) for number in range(3)]
    await played(store, guild=2)
    assert await store.progress.unjudged(10, 1, most=2) == [(table, "rope_wall") for table in tables[:2]]
    await store.progress.judge(tables[0], {})
    assert await store.progress.unjudged(10, 1, most=2) == [(table, "rope_wall") for table in tables[1:]]


async def test_a_user_who_turned_notifications_off_gets_none_but_keeps_achievements(store: Store):
    table = await played(store)
    assert await store.progress.tells(10)
    await store.progress.tell(10, False)
    await store.progress.tell(10, False)
    assert not await store.progress.tells(10)
    assert await store.progress.judge(table, NAMES)
    assert set(await store.progress.earned_at(table)) == {11}
    assert len(await store.progress.earned(10, 1)) == 1
    await store.progress.tell(10, True)
    assert set(await store.progress.earned_at(table)) == {10, 11}


async def test_a_deleted_person_has_achieved_nothing_and_a_later_judge_gives_them_nothing(store: Store, raw: Raw):
    judged, unjudged = await played(store), await played(store)
    assert await store.progress.judge(judged, NAMES)
    await store.user_data.forget(10, list(GAMES.values()))
    assert await store.progress.judge(unjudged, NAMES)
    assert await store.progress.earned(10, 1) == []
    assert {user for (user,) in raw('SELECT "user" FROM achievements')} == {11}


async def test_what_was_achieved_at_one_table_goes_with_who_is_deleted_there(store: Store):
    tables = [await played(store, minutes=number) for number in range(2)]
    for table, name in zip(tables, ("two-exits", "clean-break"), strict=True):
        assert await store.progress.judge(table, {0: [name]})
    await store.user_data.forget(10, list(GAMES.values()), tables[0])
    assert [one.name for one in await store.progress.earned(10, 1)] == ["clean-break"]
