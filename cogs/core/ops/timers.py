"""The clock, and the scheduler of all timers: one task that sleeps until the earliest one. Tests pass in their own
time.
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

JobKind = Literal[
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
"""The kinds of timers. Table 0 stands for the whole bot."""

CALLS_DISCORD: frozenset[JobKind] = frozenset(("mention", "nudge", "sleep"))
"""Kinds that call Discord: after a start there may be thousands, at a limited rate. They have slots of their own, so no
clock, computer player or heartbeat waits behind them.
"""

RETRY_FROM_MS, RETRY_AT_MOST_MS = 1_000, 60_000
"""A timer that failed fires again after this long, doubled after each further failure."""


DISCORD_EPOCH_MS = 1_420_070_400_000
"""When Discord's own time begins, in milliseconds since the Unix epoch."""


def snowflake_time(number: int) -> Moment:
    """Return when Discord received or created something, which its id contains."""
    return Moment((number >> 22) + DISCORD_EPOCH_MS)


class Clock(Protocol):
    """Tells the time, and waits."""

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
    """Return how long to wait after this many failures in a row (from 1): doubled after each, up to `most_ms`."""
    return min(most_ms, first_ms << min(times - 1, 30))


class _Entry(msgspec.Struct, frozen=True, order=True):
    """Earlier is less; `order` differs, so that keys are never compared."""

    due: int
    order: int
    key: tuple[int, JobKind]


def _complain(table: int, kind: JobKind, error: Exception, times: int) -> None:
    log.error("table %s: its %s could not be served", table, kind, exc_info=error if times == 1 else None)


class Scheduler:
    """Calls `wake(table, kind)` when a timer of a table fires.

    There is one timer for each table and kind; the last setting counts. At most `at_once` run at a time, and as many of
    `CALLS_DISCORD` besides. A timer that fails fires again until it succeeds or is cleared; `failed` is called with the
    number of failures in a row.
    """

    def __init__(
        self,
        clock: Clock,
        wake: Callable[[int, JobKind], Awaitable[None]],
        failed: Callable[[int, JobKind, Exception, int], None] = _complain,
        at_once: int = 64,
    ) -> None:
        self._clock = clock
        self._wake = wake
        self._failed = failed
        self._failures: dict[tuple[int, JobKind], int] = {}
        self._heap: list[_Entry] = []
        self._due: dict[tuple[int, JobKind], _Entry] = {}
        self._count = 0
        self._bell = asyncio.Event()
        self._serving = BackgroundTasks()
        self._places = asyncio.Semaphore(at_once)
        self._calling = asyncio.Semaphore(at_once)

    def set(self, table: int, kind: JobKind, due: int | None) -> None:
        """Let `what` of this table fall due at the moment `due`, or never (None)."""
        key = (table, kind)
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
            # Replaced entries stay in the heap until they surface; remove them before they pile up.
            self._heap = list(self._due.values())
            heapq.heapify(self._heap)

    def due(self, table: int, kind: JobKind) -> Moment | None:
        """Return when this will fall due, if it will."""
        entry = self._due.get((table, kind))
        return None if entry is None else Moment(entry.due)

    def clear(self, table: int) -> None:
        """Forget all that was set for a table."""
        for kind in get_args(JobKind):
            self._due.pop((table, kind), None)
            self._failures.pop((table, kind), None)

    def _pop_due(self) -> tuple[int, JobKind] | None:
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

    async def _call(self, table: int, kind: JobKind) -> None:
        """Serve what has a place; what is calling waits here until it has one of its own."""
        if kind in CALLS_DISCORD:
            await self._calling.acquire()
        try:
            await self._wake(table, kind)
        except Exception as error:
            self._again(table, kind, error)
        else:
            self._failures.pop((table, kind), None)
        finally:
            (self._calling if kind in CALLS_DISCORD else self._places).release()

    def _again(self, table: int, kind: JobKind, error: Exception) -> None:
        """Set a timer that failed again, unless an earlier one was set meanwhile."""
        key = (table, kind)
        times = self._failures[key] = self._failures.get(key, 0) + 1
        self._failed(table, kind, error, times)
        due = self._clock.now() + backoff(times, RETRY_FROM_MS, RETRY_AT_MOST_MS)
        present = self._due.get(key)
        if present is None or present.due > due:
            self.set(table, kind, due)

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
        """Run due timers until cancelled. Those under way are finished first."""
        try:
            while True:
                self._bell.clear()
                while (key := self._pop_due()) is not None:
                    if key[1] not in CALLS_DISCORD:
                        await self._places.acquire()
                    self._serving.spawn(self._call(*key), f"table-{key[0]}-{key[1]}")
                if self._heap:
                    await self._clock.wait(Moment(self._heap[0].due), self._bell)
                else:
                    await self._bell.wait()
        finally:
            await self._serving.settle(at_most_s=5)
