"""The reviews that were made: kept in the database, the latest ones also in memory."""

import logging
import zlib
from typing import Any

import msgspec
from cachetools import LRUCache

from cogs.core.ops.storage import Store, StoreError
from cogs.core.publishing.drawing_threads import DrawingThreads
from cogs.core.tables.leaving import Leaving
from engine.review import VERSION, JudgedDecision, Note, Point, Review

log = logging.getLogger(__name__)

MOST_CACHED = 50
"""The number of reviews kept in memory; one takes some ten kilobytes."""

DAMAGED = (zlib.error, msgspec.DecodeError, LookupError, TypeError)
"""What reading a damaged review raises."""


class ReviewArchive:
    """Finds and keeps reviews, by the number of the table."""

    def __init__(self, store: Store, leisure: DrawingThreads, leaving: Leaving) -> None:
        self._store = store
        self._leisure = leisure
        self._cached = LRUCache[int, Review](MOST_CACHED)
        leaving.caches.append(self._cached.clear)  # a review goes with the data of those who played

    async def get(self, table: int) -> Review | None:
        """Return the review of a game, None if it must be made (again)."""
        found = self._cached.get(table)
        if found is not None:
            return found
        body = await self._store.reviews.get(table, VERSION)
        if body is None:
            return None
        try:
            found = await self._leisure.run(unpacked, body)
        except DAMAGED as error:
            log.warning("table %s: its review cannot be read, and is made again: %s", table, error)
            return None
        self._cached[table] = found
        return found

    async def keep(self, table: int, review: Review) -> None:
        """Keep a review; only in memory if it cannot be saved."""
        self._cached[table] = review
        try:
            await self._store.reviews.save(table, VERSION, await self._leisure.run(packed, review))
        except StoreError as error:
            log.warning("table %s: its review could not be saved: %s", table, error)


def packed(review: Review) -> bytes:
    """Return a review as it is saved."""
    return zlib.compress(msgspec.json.encode(review))


def unpacked(body: bytes) -> Review:
    """Return a review that was saved. Raises one of `DAMAGED`."""
    kept = msgspec.json.decode(zlib.decompress(body))
    return Review(
        tuple(Point(one["step"], tuple(one["chances"])) for one in kept["points"]),
        tuple(JudgedDecision(**_with_facts(one)) for one in kept["judged"]),
        tuple(Note(**_with_facts(one)) for one in kept["notes"]),
    )


def _with_facts(kept: dict[str, Any]) -> dict[str, Any]:
    """Return the fields of a struct, with tuples among its facts, which msgspec cannot tell apart itself."""
    facts = {name: tuple(fact) if isinstance(fact, list) else fact for name, fact in kept["facts"].items()}
    return {**kept, "facts": facts}
