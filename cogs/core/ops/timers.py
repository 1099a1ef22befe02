"""The clock, and the scheduler of all timers: one task that sleeps until the earliest one."""

import asyncio
import heapq
import itertools
import logging
import time
from collections import deque
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Protocol

import msgspec

from data.background import BackgroundTasks
from engine.contract import Moment

log = logging.getLogger(__name__)

RETRY_FROM_MS, RETRY_AT_MOST_MS = 1_000, 60_000
"""A timer that failed fires again after this long, doubled after each further failure."""

WHOLE_BOT = 0
"""The number that jobs are set for. Tables count from 1."""

DISCORD_EPOCH_MS = 1_420_070_400_000
"""When Discord's own time begins, in milliseconds since the Unix epoch."""


def snowflake_time(number: int) -> Moment:
    """Return when Discord received or created something, which its id contains."""
    return Moment((number >> 22) + DISCORD_EPOCH_MS)


class Clock(Protocol):
    """Tells the time, and waits."""

    def now(self) -> Moment:
        """Return the present moment as Discord would stamp it."""

    def received(self, at: Moment) -> None:
        """Take note of Discord's stamp on something that has just come in."""

    async def wait(self, until: Moment, bell: asyncio.Event) -> None:
        """Wait until the moment has come or the bell rings."""


MS = 1_000_000
"""Nanoseconds."""

_steady_ns: Callable[[], int] = (
    partial(time.clock_gettime_ns, time.CLOCK_BOOTTIME)  # Linux: it does not stop while the machine is suspended
    if hasattr(time, "CLOCK_BOOTTIME")
    else time.monotonic_ns
)


class DiscordClock:
    """Discord's time, as well as this machine can know it: never ahead, and behind by the shortest latency seen lately.

    Actions are stamped by Discord, but deadlines are kept by this machine. If the two disagree, calls that were made in
    time are refused, or windows stay open. So the machine's time of day is used only until the first stamp. From then
    on a steady clock, which nobody can set, is compared with the stamps: each arrives later than it was made, so the
    smallest recent delay is the best estimate of the difference, and it errs towards windows that stay open a little
    longer.
    """

    LATELY_MS = 10 * 60_000
    """Older stamps are dropped once there are newer ones, since steady clocks drift by a few ms in this time."""

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
        if self._behind_ns < before:  # it is later than those who wait assumed
            for bell in self._bells:
                bell.set()

    async def wait(self, until: Moment, bell: asyncio.Event) -> None:
        """Wait until the moment has come or the bell rings; it also rings when the clock is put forward."""
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


class Timer:
    """Calls `run` with a number, such as a table's, at the moment that was set for it. Made by `Scheduler.timer`."""

    def __init__(
        self, scheduler: "Scheduler", name: str, run: Callable[[int], Awaitable[None]], calls_discord: bool
    ) -> None:
        self._scheduler = scheduler
        self.name = name
        self.run = run
        self.calls_discord = calls_discord

    def set(self, number: int, due: int | None) -> None:
        """Fire for this number at the moment `due` (None: never), in place of an earlier setting."""
        scheduler, key = self._scheduler, (self, number)
        if due is None:
            scheduler.due.pop(key, None)
            return
        present = scheduler.due.get(key)
        if present is not None and present.due == due:
            return
        entry = scheduler.due[key] = _Entry(due, next(scheduler.order), key)
        heapq.heappush(scheduler.heap, entry)
        if scheduler.heap[0] is entry:
            scheduler.bell.set()
        if len(scheduler.heap) > 64 and len(scheduler.heap) > 4 * len(scheduler.due):
            # Replaced entries stay in the heap until they surface; remove them before they pile up.
            scheduler.heap = list(scheduler.due.values())
            heapq.heapify(scheduler.heap)

    def set_in(self, number: int, ms: int) -> None:
        """Fire for this number after this many milliseconds, in place of an earlier setting."""
        self.set(number, self._scheduler.clock.now() + ms)

    def due(self, number: int) -> Moment | None:
        """Return when it will fire for this number, if it will."""
        entry = self._scheduler.due.get((self, number))
        return None if entry is None else Moment(entry.due)


class Job:
    """Something that the bot does once, or from time to time, whenever it is set. Made by `Scheduler.job`."""

    def __init__(self, timer: Timer) -> None:
        self._timer = timer

    def set(self, due: int) -> None:
        """Run at this moment, in place of an earlier setting."""
        self._timer.set(WHOLE_BOT, due)

    def set_in(self, ms: int) -> None:
        """Run after this many milliseconds, in place of an earlier setting."""
        self._timer.set_in(WHOLE_BOT, ms)


class _Entry(msgspec.Struct, frozen=True, order=True):
    """Earlier is less; `order` differs, so that keys are never compared."""

    due: int
    order: int
    key: tuple[Timer, int]


def _log_failure(name: str, error: Exception, times: int) -> None:
    log.error("%s failed, and is tried again", name, exc_info=error if times == 1 else None)


class Scheduler:
    """Runs timers when they are due, `at_once` at a time, and as many again of those that call Discord.

    A timer that fails fires again until it succeeds or is cleared; `failed` is called with its name, the error and the
    number of failures in a row.
    """

    def __init__(
        self, clock: Clock, failed: Callable[[str, Exception, int], None] = _log_failure, at_once: int = 64
    ) -> None:
        self.clock = clock
        self.timers: list[Timer] = []
        self.heap: list[_Entry] = []
        self.due: dict[tuple[Timer, int], _Entry] = {}  # those entries of the heap that count
        self.order = itertools.count()
        self.bell = asyncio.Event()  # rings when another entry has become the earliest
        self._failed = failed
        self._failures: dict[tuple[Timer, int], int] = {}
        self._running = BackgroundTasks()
        self._serving = BackgroundTasks()
        self._slots = asyncio.Semaphore(at_once)
        self._discord_slots = asyncio.Semaphore(at_once)

    def timer(self, name: str, run: Callable[[int], Awaitable[None]], *, calls_discord: bool = False) -> Timer:
        """Return a new timer; the log calls it by this name.

        After a start thousands may call Discord, at a limited rate. Timers that do (`calls_discord`) have slots of
        their own, so that no clock, computer player or heartbeat waits behind them.
        """
        timer = Timer(self, name, run, calls_discord)
        self.timers.append(timer)
        return timer

    def job(self, name: str, run: Callable[[], Awaitable[None]]) -> Job:
        """Return a new job of the whole bot; the log calls it by this name."""
        return Job(self.timer(name, lambda _: run()))

    def clear(self, number: int) -> None:
        """Clear all timers for a number."""
        for timer in self.timers:
            self.due.pop((timer, number), None)
            self._failures.pop((timer, number), None)

    def _pop_due(self) -> tuple[Timer, int] | None:
        while self.heap:
            entry = self.heap[0]
            if self.due.get(entry.key) is not entry:
                heapq.heappop(self.heap)
            elif entry.due <= self.clock.now():
                heapq.heappop(self.heap)
                del self.due[entry.key]
                return entry.key
            else:
                return None
        return None

    async def _run_timer(self, timer: Timer, number: int) -> None:
        """Run a timer that has a slot; one that calls Discord waits here for its own."""
        if timer.calls_discord:
            await self._discord_slots.acquire()
        try:
            await timer.run(number)
        except Exception as error:
            self._retry(timer, number, error)
        else:
            self._failures.pop((timer, number), None)
        finally:
            (self._discord_slots if timer.calls_discord else self._slots).release()

    def _retry(self, timer: Timer, number: int, error: Exception) -> None:
        """Set a timer that failed again, unless an earlier moment was set meanwhile."""
        key = (timer, number)
        times = self._failures[key] = self._failures.get(key, 0) + 1
        self._failed(timer.name if number == WHOLE_BOT else f"table {number}: its {timer.name}", error, times)
        due = self.clock.now() + backoff(times, RETRY_FROM_MS, RETRY_AT_MOST_MS)
        present = self.due.get(key)
        if present is None or present.due > due:
            timer.set(number, due)

    async def idle(self) -> None:
        """Wait until all that is due by now has run. Only while the scheduler runs."""
        while True:
            if self._serving.running:
                await self._serving.settle()
            elif any(entry.due <= self.clock.now() for entry in self.due.values()):
                self.bell.set()  # it has become due while `run` waited for something later, or for the clock to move
                await asyncio.sleep(0)
            else:
                return

    def start(self) -> None:
        """Run due timers in the background until `close`."""
        self._running.spawn(self.run(), "the scheduler")

    async def close(self) -> None:
        """Stop. Timers that are running are finished first."""
        await self._running.close()

    async def run(self) -> None:
        """Run due timers until cancelled. Those that are running then are finished first."""
        try:
            while True:
                self.bell.clear()
                while (key := self._pop_due()) is not None:
                    timer, number = key
                    if not timer.calls_discord:
                        await self._slots.acquire()
                    self._serving.spawn(self._run_timer(timer, number), f"{timer.name}-{number}")
                if self.heap:
                    await self.clock.wait(Moment(self.heap[0].due), self.bell)
                else:
                    await self.bell.wait()
        finally:
            await self._serving.settle(at_most_s=5)
