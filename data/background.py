"""Tasks in the background: what goes on by itself, whose failure is never lost.

It stands here because the bot's rooms and the store's use it alike. May import the standard library only.
"""

import asyncio
import logging
from collections.abc import Callable, Coroutine
from typing import Any, TypeVar

log = logging.getLogger(__name__)

T = TypeVar("T")

Failed = Callable[[str, BaseException], None]
"""Hears the name of a task and why it failed."""


def _complain(name: str, error: BaseException) -> None:
    log.error("%s failed", name, exc_info=error)


class BackgroundTasks:
    """Tasks that begin whenever somebody asks, and are kept until they end: the event loop itself holds on to none.

    A failure is heard of once, by `failed`, as soon as the task has ended; it is logged unless something better is
    given. Being cancelled is no failure. Nothing is refused after `close`: whoever closes begins no more.

    An `asyncio.TaskGroup` is something else: whoever opens it waits inside it until all are done, and the first failure
    cancels all others. Here what begins them has long gone on, and none concerns another.
    """

    def __init__(self, failed: Failed = _complain) -> None:
        self._failed = failed
        self._tasks: set[asyncio.Task[Any]] = set()

    @property
    def running(self) -> list[asyncio.Task[Any]]:
        """Those that have not ended yet."""
        return [task for task in self._tasks if not task.done()]

    def spawn(self, work: Coroutine[Any, Any, Any], name: str) -> None:
        """Let this go on by itself. Returns at once."""
        self._begin(work, name).add_done_callback(self._hear)

    async def see_through(self, work: Coroutine[Any, Any, T], name: str) -> T:
        """Return what this comes to, or raise what it raises; `failed` hears nothing then. If the caller is cancelled,
        it goes on by itself as if spawned.
        """
        task = self._begin(work, name)
        try:
            return await asyncio.shield(task)
        except asyncio.CancelledError:
            task.add_done_callback(self._hear)
            raise

    async def settle(self, at_most_s: float | None = None) -> None:
        """Return when all have ended, those too that begin meanwhile; or after so many seconds, if any are named."""
        try:
            async with asyncio.timeout(at_most_s):
                while self._tasks:
                    await asyncio.wait(self._tasks)
        except TimeoutError:
            return

    async def close(self) -> None:
        """Cancel all, and return when they have ended."""
        while tasks := tuple(self._tasks):
            for task in tasks:
                task.cancel()
            await asyncio.wait(tasks)

    def _begin(self, work: Coroutine[Any, Any, T], name: str) -> "asyncio.Task[T]":
        task = asyncio.create_task(work, name=name)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

    def _hear(self, task: "asyncio.Task[Any]") -> None:
        if not task.cancelled() and (error := task.exception()) is not None:
            self._failed(task.get_name(), error)
