"""Threads for drawing pages."""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from functools import partial
from typing import Any, TypeVar

T = TypeVar("T")


class DrawingThreads:
    """This many threads, which start with the first job."""

    def __init__(self, count: int, name: str = "drawing") -> None:
        self._pool = ThreadPoolExecutor(count, name)

    async def run(self, work: Callable[..., T], *args: Any) -> T:
        """Return what `work` returns, which is run outside the event loop. Raises what it raises."""
        return await asyncio.get_running_loop().run_in_executor(self._pool, partial(copy_context().run, work, *args))

    def close(self) -> None:
        """Start no more jobs; callers that wait for one that has not started are cancelled."""
        self._pool.shutdown(wait=False, cancel_futures=True)
