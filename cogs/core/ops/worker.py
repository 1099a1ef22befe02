"""Workers: what brings something up to date by itself, one task at a time."""

import asyncio
import logging
from abc import ABC, abstractmethod

log = logging.getLogger(__name__)


class Worker(ABC):
    """Something that is brought up to date by a task of this name, begun when it is wanted and none is at work. What
    fails in a way that nobody foresaw is logged, and begun anew when it is wanted next.
    """

    def __init__(self, name: str) -> None:
        self._name = name
        self._task: asyncio.Task[None] | None = None

    @abstractmethod
    async def _work(self) -> None:
        """Bring it up to date, until it is, or has failed for now."""

    def _begin(self) -> None:
        if self._task is None or self._task.done():
            self._task = asyncio.create_task(self._guarded(), name=self._name)

    async def _guarded(self) -> None:
        try:
            await self._work()
        except Exception:
            log.exception("%s failed", self._name)

    async def settle(self) -> None:
        """Return when everything that is wanted is shown, or has failed for now."""
        while self._task is not None and not self._task.done():
            await asyncio.wait({self._task})

    async def close(self) -> None:
        """Stop working."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)
