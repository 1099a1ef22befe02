"""Health: whether the database takes what it is given; one line a minute in the log while it does not.

A full disk refuses every click, clock and note of the bot, often for hours. Each caller tries again by itself; whoever
looks after the house reads one line a minute here, and in `/doctor`.
"""

import logging
from collections.abc import Mapping

from cogs.core.ops import discord_errors
from cogs.core.ops.timers import Clock
from data.background import BackgroundTasks
from data.store import CorruptDatabase, DatabaseLocked, DiskFull, ReadOnlyDatabase, StoreError, Unreachable
from engine.contract import Moment

log = logging.getLogger(__name__)

LINE_EVERY_MS = 60_000

WELL_AFTER_MS = 5_000
"""A write that fits proves little while others are refused: so long none may have been."""

IN_SHORT: Mapping[type[StoreError], str] = {
    DiskFull: "the database could not be written",
    ReadOnlyDatabase: "the database may not be written",
    CorruptDatabase: "the database cannot be read",
    DatabaseLocked: "another program holds the database",
    Unreachable: "the database cannot be reached",
}
"""What others than the owner are told. The whole sentence names a file or a server, also in the words of a library."""


class DatabaseStatus:
    """What the database has refused since it last took everything."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._since: Moment | None = None
        self._last = Moment(0)
        self._logged: Moment | None = None
        self._unlogged = 0
        self._words = self._short = ""

    def failed(self, error: StoreError) -> None:
        """Take note that a write was refused."""
        now = self._clock.now()
        self._since = self._since or now
        self._last, self._words = now, str(error)
        self._short = IN_SHORT.get(type(error), "the database refused what it was given")
        self._unlogged += 1
        if self._logged is None or now - self._logged >= LINE_EVERY_MS:
            log.error("%s (refused: %s)", error, self._unlogged)
            self._logged, self._unlogged = now, 0

    def took(self) -> None:
        """Take note that a write was taken."""
        if self._since is not None and self._clock.now() - self._last >= WELL_AFTER_MS:
            log.info("the database takes writes again")
            self._since = None

    def complaint(self, *, to_owner: bool = False) -> str | None:
        """Return what ails the database, and since when; None if nothing does. Only the owner is told where it is."""
        if self._since is None:
            return None
        words = self._words if to_owner else f"{self._short}; to the bot's owner this page and the log tell more."
        return f"Since <t:{self._since // 1_000}:R>: {words}"


def background_tasks(health: DatabaseStatus) -> BackgroundTasks:
    """Return a group of tasks whose failures are noted: of the database in `health`, all others in the log."""

    def failed(name: str, error: BaseException) -> None:
        if isinstance(error, StoreError):
            health.failed(error)
        elif isinstance(error, discord_errors.API_ERRORS):
            log.warning("%s failed: %s", name, error)
        else:
            log.error("%s failed", name, exc_info=error)

    return BackgroundTasks(failed)
