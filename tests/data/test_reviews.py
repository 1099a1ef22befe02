"""Reviews in the store: one per game and version, deleted with the data of the players."""

from data.store import Store
from engine.games import GAMES
from tests.data.both import database, store
from tests.data.finished import played

__all__ = ["database", "store"]  # fixtures

ANN, BEN, CLEO = 11, 22, 33


async def test_a_review_is_kept_until_one_of_another_version_takes_its_place(store: Store):
    table = await played(store, ANN, BEN)
    assert await store.reviews.get(table, 1) is None
    await store.reviews.save(table, 1, b"first")
    assert await store.reviews.get(table, 1) == b"first" and await store.reviews.get(table, 2) is None
    await store.reviews.save(table, 2, b"second")
    assert await store.reviews.get(table, 1) is None and await store.reviews.get(table, 2) == b"second"


async def test_a_review_goes_with_the_data_of_who_played_and_of_nobody_else(store: Store):
    theirs, others = await played(store, ANN, BEN), await played(store, ANN, CLEO)
    for table in (theirs, others):
        await store.reviews.save(table, 1, b"judged")
    await store.user_data.forget(BEN, list(GAMES.values()))
    assert await store.reviews.get(theirs, 1) is None and await store.reviews.get(others, 1) == b"judged"
