"""Carrying the log over into the database, beside the writer.

SQLite appends to a log and now and then writes what is in it to the database itself. Left to itself it does so within
a commit, every thousand pages: whoever has just clicked then waits for it, a tenth of a second where the disk is busy.
Here another connection does it, in a thread of its own. May import the standard library.
"""

import asyncio
import logging
import sqlite3
from contextlib import closing
from pathlib import Path

log = logging.getLogger(__name__)

ROWS = 1_000
"""After so many rows have changed the log is carried over."""

PAGES_AT_MOST = 16_000
"""Once the log has so many pages a commit carries it over after all: nobody else has come to it."""


class Checkpoints:
    """Carries the log of one database over, one time after the other."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._carried = 0  # of how many changed rows it was begun last
        self._running: asyncio.Task[None] | None = None

    def wrote(self, rows: int) -> None:
        """Hear how many rows have changed so far. Returns at once."""
        if rows - self._carried >= ROWS and (self._running is None or self._running.done()):
            self._carried = rows
            self._running = asyncio.create_task(self._carry_over(), name="checkpoint")

    async def close(self) -> None:
        """Return when nothing is carried over any more."""
        if self._running is not None:
            await self._running

    async def _carry_over(self) -> None:
        try:
            await asyncio.to_thread(carry_over, self._path)
        except sqlite3.Error as error:  # the writer will say what is wrong with the disk, if that lasts
            log.info("the log of %s could not be carried over: %s", self._path, error)


def carry_over(path: Path) -> None:
    """Write to the database what is in its log, as far as nobody reads or writes it just now; nobody waits for that.
    Raises `sqlite3.Error`.
    """
    with closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=rw", uri=True, isolation_level=None)) as db:
        db.execute("PRAGMA synchronous = FULL")  # what is taken out of the log is on the disk
        db.execute("PRAGMA wal_checkpoint(PASSIVE)")
