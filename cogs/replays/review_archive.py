"""The reviews that were made, kept in the database."""

import logging
import zlib
from typing import Any

import msgspec

from cogs.core.ops.storage import Store, StoreError
from cogs.core.publishing.drawing_threads import DrawingThreads
from engine.review import VERSION, JudgedDecision, Note, Point, Review

log = logging.getLogger(__name__)

DAMAGED = (zlib.error, msgspec.DecodeError, LookupError, TypeError)
"""What reading a damaged review raises."""


class ReviewArchive:
    """Finds and keeps reviews, by the number of the table."""

    def __init__(self, store: Store, leisure: DrawingThreads) -> None:
        self._store = store
        self._leisure = leisure

    async def get(self, table: int) -> Review | None:
        """Return the review of a game, None if it must be made (again)."""
        body = await self._store.reviews.get(table, VERSION)
        if body is None:
            return None
        try:
            return await self._leisure.run(unpacked, body)
        except DAMAGED as error:
            log.warning("table %s: its review cannot be read, and is made again: %s", table, error)
            return None

    async def keep(self, table: int, review: Review) -> None:
        """Keep a review; if it cannot be saved, it is made again for who asks next."""
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
