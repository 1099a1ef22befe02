"""A few threads for drawing pages. The standard library's pool passes each result through a second future with locks,
which costs a tenth of a move.
"""

import asyncio
import contextlib
from collections.abc import Callable
from contextvars import Context, copy_context
from queue import Empty, SimpleQueue
from threading import Thread
from typing import Any, NamedTuple, TypeVar

T = TypeVar("T")


class _Job(NamedTuple):
    """A function to run in a context, which has the language of the page, and the future for its result."""

    context: Context
    work: Callable[..., Any]
    args: tuple[Any, ...]
    done: asyncio.Future[Any]


class DrawingThreads:
    """This many threads, which start with the first job."""

    def __init__(self, count: int, name: str = "drawing") -> None:
        self._count, self._name = count, name
        self._jobs: SimpleQueue[_Job | None] = SimpleQueue()
        self._started = False

    async def run(self, work: Callable[..., T], *args: Any) -> T:
        """Return what `work` returns, which is run outside the event loop. Raises what it raises."""
        if not self._started:
            self._started = True
            for number in range(self._count):
                Thread(target=_draw, args=(self._jobs,), name=f"{self._name}-{number}", daemon=True).start()
        done: asyncio.Future[T] = asyncio.get_running_loop().create_future()
        self._jobs.put(_Job(copy_context(), work, args, done))
        return await done

    def close(self) -> None:
        """Start no more jobs; callers that wait for one that has not started are cancelled."""
        with contextlib.suppress(Empty):
            while (job := self._jobs.get_nowait()) is not None:
                job.done.cancel()
        for _ in range(self._count):
            self._jobs.put(None)


def _draw(jobs: "SimpleQueue[_Job | None]") -> None:
    while (job := jobs.get()) is not None:
        if job.done.cancelled():
            continue
        outcome: Any = None
        failure: BaseException | None = None
        try:
            outcome = job.context.run(job.work, *job.args)
        except BaseException as error:
            failure = error
        with contextlib.suppress(RuntimeError):  # the loop is closed: nobody waits any more
            job.done.get_loop().call_soon_threadsafe(_tell, job.done, outcome, failure)
        del job, outcome, failure  # nothing is kept while it waits


def _tell(done: asyncio.Future[Any], outcome: Any, failure: BaseException | None) -> None:
    if done.done():  # the caller was cancelled
        return
    if failure is None:
        done.set_result(outcome)
    else:
        done.set_exception(failure)
