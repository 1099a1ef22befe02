"""Background tasks: each is referenced until it ends, and its failure is reported."""

import asyncio
import logging
from collections.abc import Callable, Coroutine
from typing import Any, TypeVar

log = logging.getLogger(__name__)

T = TypeVar("T")

Failed = Callable[[str, BaseException], None]
"""Called with the name of a task and its error."""


def _complain(name: str, error: BaseException) -> None:
    log.error("%s failed", name, exc_info=error)


class BackgroundTasks:
    """Tasks that are kept until they end: the event loop itself holds no reference to them.

    `failed` is called with each failure; by default it is logged. Unlike in an `asyncio.TaskGroup`, nobody waits for
    them inside a block, and a failure cancels no other task.
    """

    def __init__(self, failed: Failed = _complain) -> None:
        self._failed = failed
        self._tasks: set[asyncio.Task[Any]] = set()

    @property
    def running(self) -> list[asyncio.Task[Any]]:
        """The tasks that have not ended yet."""
        return [task for task in self._tasks if not task.done()]

    def spawn(self, work: Coroutine[Any, Any, Any], name: str) -> None:
        """Start a task. Does not block."""
        self._begin(work, name).add_done_callback(self._report)

    async def see_through(self, work: Coroutine[Any, Any, T], name: str) -> T:
        """Return the result of a task, or raise its error; `failed` is not called then. If the caller is cancelled, the
        task continues as if spawned.
        """
        task = self._begin(work, name)
        try:
            return await asyncio.shield(task)
        except asyncio.CancelledError:
            task.add_done_callback(self._report)
            raise

    async def settle(self, at_most_s: float | None = None) -> None:
        """Wait until all tasks have ended, also those that start meanwhile, or until this many seconds have passed."""
        if not self._tasks:
            return
        try:
            async with asyncio.timeout(at_most_s):
                while self._tasks:
                    await asyncio.wait(self._tasks)
        except TimeoutError:
            return

    async def close(self) -> None:
        """Cancel all tasks, and wait until they have ended."""
        while tasks := tuple(self._tasks):
            for task in tasks:
                task.cancel()
            await asyncio.wait(tasks)

    def _begin(self, work: Coroutine[Any, Any, T], name: str) -> "asyncio.Task[T]":
        task = asyncio.create_task(work, name=name)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

    def _report(self, task: "asyncio.Task[Any]") -> None:
        if not task.cancelled() and (error := task.exception()) is not None:
            self._failed(task.get_name(), error)
