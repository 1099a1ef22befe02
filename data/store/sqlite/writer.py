"""The only writer: everything that is waiting is committed in one transaction, so a burst costs one sync."""

import asyncio
import contextlib
import logging
import sqlite3
from collections import deque
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

import aiosqlite

from data.store.errors import DatabaseTakenOver, StoreError
from data.store.sqlite.checkpoints import Checkpoints
from data.store.sqlite.errors import PRIMARY, translate_error

log = logging.getLogger(__name__)

T = TypeVar("T")

Work = Callable[[sqlite3.Connection], T]
"""A job's part of the transaction. It may be run again, and keeps nothing outside the database."""


class Connection(aiosqlite.Connection):
    """An aiosqlite connection that also runs a whole function in its thread: a transaction of many statements costs one
    trip there and back. aiosqlite offers this to its own methods only, as `_execute`.
    """

    def __init__(self, connect: Callable[[], sqlite3.Connection]) -> None:
        super().__init__(connect, iter_chunk_size=64)

    async def run(self, work: Callable[[sqlite3.Connection], T]) -> T:
        """Return the result of `work`, which runs to its end even if the caller is cancelled. Raises `StoreError` once
        the connection is closed.
        """
        if self._connection is None:
            raise StoreError("The store is closed: start the bot again.")
        execute: Callable[..., Awaitable[T]] = self._execute
        return await execute(work, self._connection)


@dataclass(frozen=True)
class Failed:
    """The outcome of a job that was not committed."""

    error: Exception


@dataclass(frozen=True)
class _Job:
    work: Work[Any]
    done: "asyncio.Future[Any]"

    def finish(self, outcome: object) -> None:
        if self.done.done():  # its caller was cancelled, but the write was made
            if isinstance(outcome, Failed):
                log.error("a write failed after its caller had gone: %s", outcome.error)
        elif isinstance(outcome, Failed):
            self.done.set_exception(outcome.error)
        else:
            self.done.set_result(outcome)


class Writer:
    """A queue of jobs and the task that commits them.

    Jobs that come in during a transaction are committed together after it, each in a savepoint: one that fails is
    rolled back alone. Background jobs, which take longer, are committed one by one, with all others in between.
    """

    def __init__(self, connection: Connection, path: Path, fence: Work[None]) -> None:
        """`fence` runs first in every transaction, and raises `DatabaseTakenOver` if we may no longer write."""
        self.overtaken = asyncio.Event()
        self._connection = connection
        self._path = path
        self._fence = fence
        self.checkpoints = Checkpoints(path)
        self._waiting: list[_Job] = []
        self._background: deque[_Job] = deque()
        self._wake = asyncio.Event()
        self._closing = False
        self._task = asyncio.create_task(self._run(), name="store-writer")

    async def write(self, work: Work[T], *, background: bool = False) -> T:
        """Return the result of `work`, once it is on the disk. A `background` job is committed by itself. Cancelling
        the caller takes nothing back. Raises what `work` raised, or a `StoreError`.
        """
        if self._closing:
            raise StoreError("The store is closed: start the bot again.")
        job = _Job(work, asyncio.get_running_loop().create_future())
        (self._background if background else self._waiting).append(job)
        self._wake.set()
        result: T = await job.done
        return result

    async def close(self) -> None:
        """Commit what is waiting, and accept no more."""
        self._closing = True
        self._wake.set()
        await self._task
        await self.checkpoints.close()

    async def _run(self) -> None:
        while self._waiting or self._background or not self._closing:
            await self._wake.wait()
            jobs, self._waiting = self._waiting, []
            if jobs:
                await self._commit(jobs)
            if self._background:
                await self._commit([self._background.popleft()])
            elif not self._waiting and not self._closing:
                self._wake.clear()

    async def _commit(self, jobs: Sequence[_Job]) -> None:
        works = [job.work for job in jobs]
        try:
            outcomes = await self._connection.run(partial(commit, works=works, path=self._path, fence=self._fence))
        except Exception as error:
            # Not a job's own failure: those are outcomes. The task lives on, so that later writes are answered too.
            outcomes = [Failed(error)] * len(jobs)
            if isinstance(error, DatabaseTakenOver):
                self.overtaken.set()
        for job, outcome in zip(jobs, outcomes, strict=True):
            job.finish(outcome)
        self.checkpoints.wrote(self._connection.total_changes)


def commit(db: sqlite3.Connection, works: Sequence[Work[Any]], path: Path, fence: Work[None]) -> list[object]:
    """Run the jobs in one transaction and commit it. Return the result of each, or `Failed`, in their order. Raises
    what `fence` raises; then nothing was written.
    """
    try:
        return _together(db, works, path, fence)
    except sqlite3.Error as error:
        _take_back(db)
        held_by_another = (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)
        if len(works) == 1 or getattr(error, "sqlite_errorcode", 0) & PRIMARY in held_by_another:
            return [Failed(_known(error, path))] * len(works)  # each alone would wait as long again
        # The whole transaction failed: the disk has no space for all of it. What still fits alone is written.
        return [outcome for work in works for outcome in commit(db, [work], path, fence)]
    except BaseException:
        _take_back(db)
        raise


def _together(db: sqlite3.Connection, works: Sequence[Work[Any]], path: Path, fence: Work[None]) -> list[object]:
    outcomes: list[object] = []
    if db.in_transaction:
        db.execute("ROLLBACK")  # one that could not be rolled back when its disk failed
    db.execute("BEGIN IMMEDIATE")
    fence(db)
    alone = len(works) == 1  # then the transaction is its savepoint
    for work in works:
        if not alone:
            db.execute("SAVEPOINT job")
        try:
            outcomes.append(work(db))
        except Exception as error:
            if not db.in_transaction:
                raise  # SQLite rolled back the whole transaction, as it may when there is no space
            failed = Failed(_known(error, path))
            if alone:
                db.execute("ROLLBACK")
                return [failed]
            db.execute("ROLLBACK TO job")
            outcomes.append(failed)
        if not alone:
            db.execute("RELEASE job")
    db.execute("COMMIT")
    return outcomes


def _take_back(db: sqlite3.Connection) -> None:
    with contextlib.suppress(sqlite3.Error):  # a failing disk may refuse that too; the next transaction tries again
        if db.in_transaction:
            db.execute("ROLLBACK")


def _known(error: Exception, path: Path) -> Exception:
    if not isinstance(error, sqlite3.Error):
        return error
    known = translate_error(error, path)
    known.__cause__ = error
    return known
