"""Attempts at puzzles: saved from the first press on, and never twice by simultaneous presses."""

from msgspec.structs import replace

from data.store import Store
from engine.puzzles import Attempt
from tests.data.both import database, store
from tests.data.conftest import NOON

__all__ = ["database", "store"]  # fixtures

ANN, BEN = 11, 22
BEGUN = Attempt(ANN, "rope_wall", 6, "[1]", None, 1, True, NOON)


async def test_an_attempt_is_kept_from_its_first_press(store: Store):
    assert await store.puzzle_attempts.get(ANN, "rope_wall", 6) is None
    assert await store.puzzle_attempts.save(BEGUN, None)
    assert await store.puzzle_attempts.get(ANN, "rope_wall", 6) == BEGUN


async def test_an_attempt_cannot_be_begun_twice(store: Store):
    assert await store.puzzle_attempts.save(BEGUN, None)
    assert not await store.puzzle_attempts.save(replace(BEGUN, played="[2]", solved=True), None)
    assert await store.puzzle_attempts.get(ANN, "rope_wall", 6) == BEGUN


async def test_an_attempt_goes_on_from_what_was_known_of_it_only(store: Store):
    await store.puzzle_attempts.save(BEGUN, None)
    assert not await store.puzzle_attempts.save(replace(BEGUN, played="[1,3]"), "[2]")
    assert await store.puzzle_attempts.save(replace(BEGUN, played="[1,2]", solved=False), "[1]")
    assert await store.puzzle_attempts.get(ANN, "rope_wall", 6) == replace(BEGUN, played="[1,2]", solved=False)


async def test_what_has_ended_cannot_be_bettered(store: Store):
    await store.puzzle_attempts.save(replace(BEGUN, solved=False), None)
    assert not await store.puzzle_attempts.save(replace(BEGUN, played="[1,2]", solved=True), "[1]")


async def test_a_servers_day_has_the_attempts_begun_there_on_that_day(store: Store):
    others = [
        replace(BEGUN, user=BEN, solved=True),
        replace(BEGUN, user=33, guild=2),
        replace(BEGUN, user=44, guild=None),
        replace(BEGUN, user=55, timely=False),
        replace(BEGUN, number=7),
    ]
    for attempt in (BEGUN, *others):
        assert await store.puzzle_attempts.save(attempt, None)
    assert await store.puzzle_attempts.on_server(1, 6) == [BEGUN, others[0]]
    assert await store.puzzle_attempts.of(ANN) == [BEGUN, others[-1]]
