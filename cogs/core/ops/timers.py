"""Time for every table: one clock, and one task that sleeps to the earliest moment that anything is due.

No polling and no task per clock. Time can be handed in, so that tests turn the hands themselves.
"""

import asyncio
import heapq
import logging
import time
from collections import deque
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Literal, Protocol, get_args

import msgspec

from data.background import BackgroundTasks
from engine.contract import Moment

log = logging.getLogger(__name__)

What = Literal[
    "wake",
    "news",
    "anew",
    "compare",
    "deadline",
    "nudge",
    "mention",
    "computer",
    "messages",
    "aside",
    "begun",
    "sleep",
    "beat",
    "commands",
    "emoji",
    "puzzles",
]
"""What can fall due at a table (table 0 is the house itself)."""

CALLING: frozenset[What] = frozenset(("mention", "nudge", "sleep"))
"""What waits for calls of ours: after a start there may be thousands, and they go out at so many a second. They have
places of their own, so that no clock, no computer and no beat ever waits behind one of them.
"""

RETRY_FROM_MS, RETRY_AT_MOST_MS = 1_000, 60_000
"""What failed falls due again after such a time, twice as long after each failure in a row."""


DISCORD_EPOCH_MS = 1_420_070_400_000
"""When Discord's own time begins, in milliseconds since the Unix epoch."""


def snowflake_time(number: int) -> Moment:
    """Return when Discord received or made something, which its number tells."""
    return Moment((number >> 22) + DISCORD_EPOCH_MS)


class Clock(Protocol):
    """What tells the time, and waits."""

    def now(self) -> Moment:
        """Return the present moment as Discord would stamp it."""
        ...

    def received(self, at: Moment) -> None:
        """Take note that something that Discord received at this moment has just come in."""
        ...

    async def wait(self, until: Moment, bell: asyncio.Event) -> None:
        """Return when the moment has come or the bell rings."""
        ...


MS = 1_000_000
"""Nanoseconds."""


_steady_ns: Callable[[], int] = (
    partial(time.clock_gettime_ns, time.CLOCK_BOOTTIME)  # Linux: it also goes on while the machine is suspended
    if hasattr(time, "CLOCK_BOOTTIME")
    else time.monotonic_ns
)


class DiscordClock:
    """Discord's time, as far as this machine can know it: never ahead of it, and behind by the shortest way here.

    Moments of actions are Discord's own; deadlines are kept by this machine. If the two disagree, calls that came in
    time are robbed, or windows stay open. So the machine's own time of day is believed only until Discord has stamped
    something. From then on a steady clock, which nobody can set, is read against those stamps: each came in later than
    it was made, so the smallest delay that was lately seen is the best known difference, and it always errs towards a
    window that is open a little longer.
    """

    LATELY_MS = 10 * 60_000
    """Older stamps are let go once there are younger ones: steady clocks drift apart too, by a few ms in this time."""

    def __init__(self, wall_ns: Callable[[], int] = time.time_ns, steady_ns: Callable[[], int] = _steady_ns) -> None:
        # In nanoseconds: a clock of whole milliseconds could be one ahead.
        self._steady_ns = steady_ns
        self._behind_ns = steady_ns() - wall_ns()  # what the steady clock shows beyond Discord's time
        self._delays: deque[tuple[int, int]] = deque()  # when seen, and how long; both grow from left to right
        self._bells: set[asyncio.Event] = set()

    def now(self) -> Moment:
        """Return the present moment, in milliseconds since the Unix epoch."""
        return Moment((self._steady_ns() - self._behind_ns) // MS)

    def received(self, at: Moment) -> None:
        """Take note of Discord's stamp on something that has just come in."""
        seen = self._steady_ns()
        delay = seen - at * MS
        while self._delays and self._delays[-1][1] >= delay:
            self._delays.pop()
        self._delays.append((seen, delay))
        while self._delays[0][0] < seen - self.LATELY_MS * MS:
            self._delays.popleft()
        before, self._behind_ns = self._behind_ns, self._delays[0][1]
        if self._behind_ns < before:  # it is later than those who wait believed
            for bell in self._bells:
                bell.set()

    async def wait(self, until: Moment, bell: asyncio.Event) -> None:
        """Return when the moment has come or the bell rings; it also rings when the clock is put forward."""
        self._bells.add(bell)
        try:
            async with asyncio.timeout(max(0.0, (until - self.now()) / 1_000)):
                await bell.wait()
        except TimeoutError:
            return
        finally:
            self._bells.discard(bell)


def backoff(times: int, first_ms: int, most_ms: int) -> int:
    """Return how long to wait after so many failures in a row (from 1): twice as long after each, up to `most_ms`."""
    return min(most_ms, first_ms << min(times - 1, 30))


class _Entry(msgspec.Struct, frozen=True, order=True):
    """Earlier is less; `order` differs, so that keys are never compared."""

    due: int
    order: int
    key: tuple[int, What]


def _complain(table: int, what: What, error: Exception, times: int) -> None:
    log.error("table %s: its %s could not be served", table, what, exc_info=error if times == 1 else None)


class Scheduler:
    """Calls `wake(table, what)` when what was set for a table falls due.

    One setting a table and kind: the last one counts. So many are served `at_once`, and as many of those beside them
    that are `CALLING`. What fails falls due again, until it does not fail or is set to never; `failed` hears of it, and
    how often it has failed in a row.
    """

    def __init__(
        self,
        clock: Clock,
        wake: Callable[[int, What], Awaitable[None]],
        failed: Callable[[int, What, Exception, int], None] = _complain,
        at_once: int = 64,
    ) -> None:
        self._clock = clock
        self._wake = wake
        self._failed = failed
        self._failures: dict[tuple[int, What], int] = {}
        self._heap: list[_Entry] = []
        self._due: dict[tuple[int, What], _Entry] = {}
        self._count = 0
        self._bell = asyncio.Event()
        self._serving = BackgroundTasks()
        self._places = asyncio.Semaphore(at_once)
        self._calling = asyncio.Semaphore(at_once)

    def set(self, table: int, what: What, due: int | None) -> None:
        """Let `what` of this table fall due at the moment `due`, or never (None)."""
        key = (table, what)
        if due is None:
            self._due.pop(key, None)
            return
        present = self._due.get(key)
        if present is not None and present.due == due:
            return
        self._count += 1
        entry = _Entry(due, self._count, key)
        self._due[key] = entry
        heapq.heappush(self._heap, entry)
        if self._heap[0] is entry:
            self._bell.set()
        if len(self._heap) > 64 and len(self._heap) > 4 * len(self._due):
            # Entries that were set anew stay in the heap until they surface: they are kept from piling up.
            self._heap = list(self._due.values())
            heapq.heapify(self._heap)

    def due(self, table: int, what: What) -> Moment | None:
        """Return when this will fall due, if it will."""
        entry = self._due.get((table, what))
        return None if entry is None else Moment(entry.due)

    def clear(self, table: int) -> None:
        """Forget all that was set for a table."""
        for what in get_args(What):
            self._due.pop((table, what), None)
            self._failures.pop((table, what), None)

    def _pop_due(self) -> tuple[int, What] | None:
        while self._heap:
            entry = self._heap[0]
            if self._due.get(entry.key) is not entry:
                heapq.heappop(self._heap)
            elif entry.due <= self._clock.now():
                heapq.heappop(self._heap)
                del self._due[entry.key]
                return entry.key
            else:
                return None
        return None

    async def _call(self, table: int, what: What) -> None:
        """Serve what has a place; what is calling waits here until it has one of its own."""
        if what in CALLING:
            await self._calling.acquire()
        try:
            await self._wake(table, what)
        except Exception as error:
            self._again(table, what, error)
        else:
            self._failures.pop((table, what), None)
        finally:
            (self._calling if what in CALLING else self._places).release()

    def _again(self, table: int, what: What, error: Exception) -> None:
        """Let fall due once more what has failed, or sooner if that was set meanwhile."""
        key = (table, what)
        times = self._failures[key] = self._failures.get(key, 0) + 1
        self._failed(table, what, error, times)
        due = self._clock.now() + backoff(times, RETRY_FROM_MS, RETRY_AT_MOST_MS)
        present = self._due.get(key)
        if present is None or present.due > due:
            self.set(table, what, due)

    async def idle(self) -> None:
        """Return when all that has fallen due by now has been served. Only while `run` runs."""
        while True:
            if self._serving.running:
                await self._serving.settle()
            elif any(entry.due <= self._clock.now() for entry in self._due.values()):
                self._bell.set()  # it has fallen due while `run` waited for something later, or for hands to be turned
                await asyncio.sleep(0)
            else:
                return

    async def run(self) -> None:
        """Serve what falls due until cancelled. What is under way then is finished first."""
        try:
            while True:
                self._bell.clear()
                while (key := self._pop_due()) is not None:
                    if key[1] not in CALLING:
                        await self._places.acquire()
                    self._serving.spawn(self._call(*key), f"table-{key[0]}-{key[1]}")
                if self._heap:
                    await self._clock.wait(Moment(self._heap[0].due), self._bell)
                else:
                    await self._bell.wait()
        finally:
            await self._serving.settle(at_most_s=5)
