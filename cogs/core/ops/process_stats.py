"""What a process tells the others of itself when it says that it is there: a few figures, and nothing about people."""

import asyncio
from collections import deque
from collections.abc import Callable

import msgspec

from data.background import BackgroundTasks

LAG_EVERY_S = 0.25
"""So often the event loop is asked how late it is."""

LATELY_S = 60.0
"""The worst of so long is told."""


class ProcessStats(msgspec.Struct, frozen=True):
    """How a process stands: its servers, its tables in memory, the questions that wait for a computer player, how late
    its event loop was at the worst lately, how often Discord has refused it as too fast (429) in ten minutes, and until
    which moment it can begin no session, since few starts are left that day (0 where it can).
    """

    servers: int = 0
    tables: int = 0
    thinking: int = 0
    lag_ms: int = 0
    limited: int = 0
    waits_until: int = 0


def read_process_stats(figures: str) -> ProcessStats:
    """Return what a process has told, which may be of another version than ours; what cannot be read counts as 0."""
    try:
        return msgspec.json.decode(figures, type=ProcessStats)
    except msgspec.DecodeError:
        return ProcessStats()


async def lagging(heard: Callable[[float], None]) -> None:
    """Let this hear, for ever, how many seconds later than asked the event loop gets to its work."""
    loop = asyncio.get_running_loop()
    while True:
        wanted = loop.time() + LAG_EVERY_S
        await asyncio.sleep(LAG_EVERY_S)
        heard(max(0.0, loop.time() - wanted))


class LoopLag:
    """How late the event loop has been lately."""

    def __init__(self, steady: Callable[[], float]) -> None:
        self._steady = steady
        self._seen: deque[tuple[float, float]] = deque()  # when, and how late: ever less late, the worst one first
        self._looking = BackgroundTasks()

    def heard(self, seconds: float) -> None:
        """Take note of how late it was just now."""
        while self._seen and self._seen[-1][1] <= seconds:
            self._seen.pop()
        self._seen.append((self._steady(), seconds))

    def worst_ms(self) -> int:
        """Return the worst of lately, in milliseconds."""
        since = self._steady() - LATELY_S
        while self._seen and self._seen[0][0] < since:
            self._seen.popleft()
        return round(self._seen[0][1] * 1_000) if self._seen else 0

    def start(self) -> None:
        """Begin to look."""
        self._looking.spawn(lagging(self.heard), "looking at how late the event loop is")

    async def close(self) -> None:
        """Look no more."""
        await self._looking.close()
