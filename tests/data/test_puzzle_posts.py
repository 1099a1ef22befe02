"""The puzzles of a day are posted once per server, whichever process starts and whatever interrupts it."""

from data.store import Store
from data.store.server_admin import POST_AGAIN_MS, PuzzlePost
from engine.contract import Moment
from tests.data.both import database, store
from tests.data.conftest import NOON

__all__ = ["database", "store"]  # fixtures

GUILD, OTHER, MESSAGE = 7, 8, 918_273_645_546_372_819


async def test_a_day_is_begun_once_and_the_next_one_again(store: Store):
    assert await store.server_admin.puzzle_post(GUILD) is None
    assert await store.server_admin.begin_puzzle_post(GUILD, 5, NOON)
    assert not await store.server_admin.begin_puzzle_post(GUILD, 5, NOON)
    assert await store.server_admin.begin_puzzle_post(OTHER, 5, NOON)
    await store.server_admin.end_puzzle_post(GUILD, 5, MESSAGE, None)
    assert await store.server_admin.puzzle_post(GUILD) == PuzzlePost(5, NOON, MESSAGE, None)
    later = Moment(NOON + 10 * POST_AGAIN_MS)
    assert not await store.server_admin.begin_puzzle_post(GUILD, 5, later)
    assert await store.server_admin.begin_puzzle_post(GUILD, 6, later)
    assert not await store.server_admin.begin_puzzle_post(GUILD, 5, later)
    assert await store.server_admin.puzzle_post(GUILD) == PuzzlePost(6, later, None, None)


async def test_one_that_was_cut_short_is_begun_again_after_a_while(store: Store):
    assert await store.server_admin.begin_puzzle_post(GUILD, 5, NOON)
    assert not await store.server_admin.begin_puzzle_post(GUILD, 5, Moment(NOON + POST_AGAIN_MS - 1))
    assert await store.server_admin.begin_puzzle_post(GUILD, 5, Moment(NOON + POST_AGAIN_MS))


async def test_one_that_may_work_in_a_moment_is_begun_again_at_once(store: Store):
    await store.server_admin.begin_puzzle_post(GUILD, 5, NOON)
    await store.server_admin.end_puzzle_post(GUILD, 5, None, None)
    assert await store.server_admin.begin_puzzle_post(GUILD, 5, NOON)


async def test_one_that_was_refused_is_not_tried_again_that_day(store: Store):
    await store.server_admin.begin_puzzle_post(GUILD, 5, NOON)
    await store.server_admin.end_puzzle_post(GUILD, 5, None, "forbidden")
    assert not await store.server_admin.begin_puzzle_post(GUILD, 5, Moment(NOON + 10 * POST_AGAIN_MS))
    assert await store.server_admin.puzzle_post(GUILD) == PuzzlePost(5, NOON, None, "forbidden")
    assert await store.server_admin.begin_puzzle_post(GUILD, 6, NOON)


async def test_the_servers_with_a_setting_are_found(store: Store):
    await store.server_admin.set(GUILD, "puzzle.channel", "12")
    await store.server_admin.set(OTHER, "mentions", "quiet")
    assert await store.server_admin.set_on("puzzle.channel") == {GUILD: "12"}
    await store.server_admin.set(GUILD, "puzzle.channel", None)
    assert await store.server_admin.set_on("puzzle.channel") == {}
