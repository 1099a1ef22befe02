"""Whether the database accepts writes. While it does not, one log line a minute and `/doctor` say why."""

import logging
from collections.abc import Mapping

from cogs.core.i18n.translation import N_, _
from cogs.core.ops import discord_errors
from cogs.core.ops.timers import Clock
from data.store import (
    CorruptDatabase,
    DatabaseLocked,
    DiskFull,
    NotShardOwner,
    ReadOnlyDatabase,
    StoreError,
    Unreachable,
)
from engine.contract import Moment

log = logging.getLogger(__name__)

LOG_EVERY_MS = 60_000

RECOVERED_AFTER_MS = 5_000
"""The database is well again after this long without a refusal: some writes may succeed while others fail."""

SHORT_TEXTS: Mapping[type[StoreError], str] = {
    DiskFull: N_("the database could not be written"),
    ReadOnlyDatabase: N_("the database is read-only"),
    CorruptDatabase: N_("the database can't be read"),
    DatabaseLocked: N_("another program has locked the database"),
    Unreachable: N_("the database can't be reached"),
}
"""What people other than the owner read; the error itself names a file or a server."""


class DatabaseStatus:
    """Records what the database has refused since it last accepted every write."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._since: Moment | None = None
        self._last = Moment(0)
        self._logged: Moment | None = None
        self._unlogged = 0
        self._words = self._short = ""

    def failed(self, error: StoreError) -> None:
        """Record that a write was refused."""
        now = self._clock.now()
        self._since = self._since or now
        self._last, self._words = now, str(error)
        self._short = SHORT_TEXTS.get(type(error), N_("the database refused a write"))
        self._unlogged += 1
        if self._logged is None or now - self._logged >= LOG_EVERY_MS:
            log.error("%s (refused: %s)", error, self._unlogged)
            self._logged, self._unlogged = now, 0

    def succeeded(self) -> None:
        """Record that a write succeeded."""
        if self._since is not None and self._clock.now() - self._last >= RECOVERED_AFTER_MS:
            log.info("the database takes writes again")
            self._since = None

    def report(self, name: str, error: BaseException, times: int = 0) -> None:
        """Note or log the failure of a background task, or of a timer that has failed this many `times` in a row and is
        tried again.
        """
        if isinstance(error, NotShardOwner) and times:
            log.info("%s is another process's to serve by now", name)
        elif isinstance(error, StoreError):
            self.failed(error)
        elif isinstance(error, discord_errors.API_ERRORS):
            log.warning("%s failed%s: %s", name, ", and is tried again" if times else "", error)
        else:
            log.error(
                "%s failed%s", name, ", and is tried again" if times else "", exc_info=error if times <= 1 else None
            )

    def complaint(self, *, to_owner: bool = False) -> str | None:
        """Return what is wrong with the database and since when, if anything is. Only the owner reads where it is."""
        if self._since is None:
            return None
        when = f"<t:{self._since // 1_000}:f>"
        if to_owner:
            return _("Since {when}: {error}", when=when, error=self._words)
        return _(
            "Since {when}: {problem}; the bot's owner sees more here and in the log.", when=when, problem=_(self._short)
        )
