"""The statistics that a process shares with the others in its heartbeat; they contain nothing about people."""

import asyncio
from collections import deque
from collections.abc import Callable

import msgspec

from data.background import BackgroundTasks

LAG_EVERY_S = 0.25
"""How often the lag of the event loop is measured."""

WINDOW_S = 60.0
"""The window of which the worst lag is reported."""


class ProcessStats(msgspec.Struct, frozen=True):
    """The state of a process: its servers, its loaded tables, the questions that wait for a computer player, the worst
    recent lag of its event loop, its rate-limited calls (429) in ten minutes, and until when it cannot start a session
    because few starts are left that day (0: it can).
    """

    servers: int = 0
    tables: int = 0
    thinking: int = 0
    lag_ms: int = 0
    limited: int = 0
    waits_until: int = 0


def read_process_stats(text: str) -> ProcessStats:
    """Return the statistics of a process, which may run another version; those that cannot be read are 0."""
    try:
        return msgspec.json.decode(text, type=ProcessStats)
    except msgspec.DecodeError:
        return ProcessStats()


async def watch_lag(report: Callable[[float], None]) -> None:
    """Report the lag of the event loop in seconds, for ever."""
    loop = asyncio.get_running_loop()
    while True:
        wanted = loop.time() + LAG_EVERY_S
        await asyncio.sleep(LAG_EVERY_S)
        report(max(0.0, loop.time() - wanted))


class LoopLag:
    """How late the event loop has been lately."""

    def __init__(self, steady: Callable[[], float]) -> None:
        self._steady = steady
        self._worst: deque[tuple[float, float]] = deque()  # when, and how late: ever less late, the worst one first
        self._tasks = BackgroundTasks()

    def add(self, seconds: float) -> None:
        """Take note of how late it was just now."""
        while self._worst and self._worst[-1][1] <= seconds:
            self._worst.pop()
        self._worst.append((self._steady(), seconds))

    def worst_ms(self) -> int:
        """Return the worst of lately, in milliseconds."""
        since = self._steady() - WINDOW_S
        while self._worst and self._worst[0][0] < since:
            self._worst.popleft()
        return round(self._worst[0][1] * 1_000) if self._worst else 0

    def start(self) -> None:
        """Begin to look."""
        self._tasks.spawn(watch_lag(self.add), "looking at how late the event loop is")

    async def close(self) -> None:
        """Look no more."""
        await self._tasks.close()
