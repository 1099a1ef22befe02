"""Checkpoints of the log, by a connection in a separate thread. SQLite would make them within a commit, and a click
would wait for that, a tenth of a second on a busy disk.
"""

import asyncio
import logging
import sqlite3
from contextlib import closing
from pathlib import Path

log = logging.getLogger(__name__)

ROWS = 1_000
"""A checkpoint begins after this many rows have changed."""

PAGES_AT_MOST = 16_000
"""If the log has this many pages, a commit makes a checkpoint after all."""


class Checkpoints:
    """Makes checkpoints of one database, one after the other."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._carried = 0  # the changed rows at the last checkpoint
        self._running: asyncio.Task[None] | None = None

    def wrote(self, rows: int) -> None:
        """Record the number of rows that have changed so far. Does not block."""
        if rows - self._carried >= ROWS and (self._running is None or self._running.done()):
            self._carried = rows
            self._running = asyncio.create_task(self._checkpoint(), name="checkpoint")

    async def close(self) -> None:
        """Wait until a running checkpoint has ended."""
        if self._running is not None:
            await self._running

    async def _checkpoint(self) -> None:
        try:
            await asyncio.to_thread(checkpoint, self._path)
        except sqlite3.Error as error:  # the writer reports a disk that fails, if that lasts
            log.info("the log of %s could not be carried over: %s", self._path, error)


def checkpoint(path: Path) -> None:
    """Copy the log into the database, as far as nobody is reading or writing it. Raises `sqlite3.Error`."""
    with closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=rw", uri=True, isolation_level=None)) as db:
        db.execute("PRAGMA synchronous = FULL")  # pages are on the disk before the log is reused
        db.execute("PRAGMA wal_checkpoint(PASSIVE)")
