"""A fair queue for a few workers: tables take turns, and turns get shorter while many wait."""

import asyncio
import contextlib
import time
from collections import deque
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, field

LEAST_S = 0.01
"""No turn is shorter than this, however long the queue."""


@dataclass
class _Place:
    """A place in the queue: by when its turn should be over, and what is set when it begins."""

    due: float
    started: asyncio.Future[None] = field(default_factory=lambda: asyncio.get_running_loop().create_future())


class FairQueue:
    """The queue for `workers` workers. `usual`: the seconds of a turn while nobody else waits. `target`: the seconds
    after which a turn should be over, however many wait.
    """

    def __init__(self, workers: int, usual: float, target: float, now: Callable[[], float] = time.monotonic) -> None:
        self._workers = workers
        self._usual = usual
        self._target = target
        self._now = now
        self._busy = 0
        self._requests: deque[float] = deque()  # when turns were asked for of late
        self._tables: dict[int, deque[_Place]] = {}  # the table with the next turn comes first

    @contextlib.asynccontextmanager
    async def turn(self, table: int) -> AsyncIterator[float]:
        """Wait for a worker, and give the seconds for which it may be used; it is free again at the end."""
        now = self._now()
        self._requests.append(now)
        while self._requests[0] < now - self._target:
            self._requests.popleft()
        place = _Place(now + self._target)
        self._tables.setdefault(table, deque()).append(place)
        self._start_next()
        try:
            await place.started
        except asyncio.CancelledError:
            if place.started.done() and not place.started.cancelled():
                self._release()  # called and cancelled in the same moment
            raise
        try:
            yield self._seconds(place)
        finally:
            self._release()

    @property
    def waiting(self) -> int:
        """How many wait for a worker."""
        return sum(not place.started.done() for places in self._tables.values() for place in places)

    def _release(self) -> None:
        self._busy -= 1
        self._start_next()

    def _start_next(self) -> None:
        """Give every free worker to the table that waits for the longest since its last turn."""
        while self._busy < self._workers and self._tables:
            table = next(iter(self._tables))
            places = self._tables.pop(table)
            place = places.popleft()
            if places:
                self._tables[table] = places
            if not place.started.done():
                self._busy += 1
                place.started.set_result(None)

    def _seconds(self, own: _Place) -> float:
        """Return how long this turn may be so that all who wait can be served by the moment that is due to them, and
        as many again as have come of late.

        The first k of them need k turns, of which as many go on at once as there are workers.
        """
        now = self._now()
        waiting = (place.due for places in self._tables.values() for place in places if not place.started.done())
        dues = sorted([own.due, *waiting])
        shares = [self._share(due - now, count) for count, due in enumerate(dues, start=1)]
        return min(self._usual, max(LEAST_S, min(self._share(self._target, len(self._requests)), *shares)))

    def _share(self, seconds: float, turns: int) -> float:
        """Return the length of each turn if this many share these seconds."""
        return seconds * self._workers / max(turns, self._workers)
