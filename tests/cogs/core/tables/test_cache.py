"""The cache of users and servers: read once, and never older than a later notice or change."""

import asyncio

import pytest

from cogs.core.tables.settings import Cache

ANN, BEN = 1, 2


class Shelf:
    """Values by number, with a count of reads; reading waits while the door is closed."""

    def __init__(self) -> None:
        self.words = {ANN: "old", BEN: "other"}
        self.reads = 0
        self.door = asyncio.Event()
        self.door.set()

    async def read(self, number: int) -> str:
        self.reads += 1
        found = self.words[number]
        await self.door.wait()
        return found


@pytest.fixture
def shelf() -> Shelf:
    return Shelf()


@pytest.fixture
def known(shelf: Shelf) -> Cache[str]:
    return Cache(shelf.read)


async def being_read(shelf: Shelf, known: Cache[str]) -> "asyncio.Task[str]":
    """Start a read about Ann that has its result but has not returned, since the door is closed."""
    shelf.door.clear()
    reading = asyncio.create_task(known.of(ANN))
    await asyncio.sleep(0)
    return reading


async def test_what_is_known_is_read_once(shelf: Shelf, known: Cache[str]):
    assert [await known.of(ANN) for _ in range(3)] == ["old"] * 3
    assert shelf.reads == 1


async def test_invalidated_entries_are_read_again_and_all_others_stay_cached(shelf: Shelf, known: Cache[str]):
    await known.of(ANN)
    await known.of(BEN)
    shelf.words = {ANN: "new", BEN: "newer"}
    known.forget(ANN)
    assert [await known.of(ANN), await known.of(BEN)] == ["new", "other"]
    known.forget()
    assert [await known.of(ANN), await known.of(BEN)] == ["new", "newer"]


async def test_a_read_in_progress_during_an_invalidation_is_not_cached(shelf: Shelf, known: Cache[str]):
    reading = await being_read(shelf, known)
    shelf.words[ANN] = "new"
    known.forget(ANN)
    shelf.door.set()
    assert await reading == "old"
    assert await known.of(ANN) == "new"


async def test_what_was_set_while_it_was_being_read_is_newer(shelf: Shelf, known: Cache[str]):
    reading = await being_read(shelf, known)
    known.set(ANN, "set")
    shelf.door.set()
    assert [await reading, await known.of(ANN)] == ["set", "set"]
