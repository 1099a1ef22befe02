"""The sandbox's clock, and snowflake ids."""

from __future__ import annotations

import time
from datetime import UTC, datetime

EPOCH_MS = 1_420_070_400_000
"""The first millisecond of 2015, where Discord's snowflakes begin."""

_SEQUENCE_BITS = 22


class Clock:
    """Wall time in milliseconds, which a test may move or stop, and ids that contain it.

    ``offset_ms`` is added to the machine's time. It changes later ids and timestamps and the age of tokens, but not how
    long anything takes: response deadlines and rate limits use the event loop's own clock.
    """

    def __init__(self) -> None:
        self.offset_ms = 0
        self._sequence = 0
        self._stopped_at: int | None = None

    def stop(self) -> None:
        """Stop the time: from now on only ``offset_ms`` moves it, however busy the machine is."""
        self._stopped_at = time.time_ns() // 1_000_000

    def now_ms(self) -> int:
        """Return milliseconds since 1970, offset included."""
        running = time.time_ns() // 1_000_000 if self._stopped_at is None else self._stopped_at
        return running + self.offset_ms

    def snowflake(self) -> str:
        """Return a new id for this millisecond; ids of the same millisecond increase."""
        self._sequence = (self._sequence + 1) & ((1 << _SEQUENCE_BITS) - 1)
        return str((self.now_ms() - EPOCH_MS) << _SEQUENCE_BITS | self._sequence)


def snowflake_at(moment_ms: int, number: int = 0) -> str:
    """Return the id of a millisecond, for worlds that must have the same ids after a restart."""
    return str((moment_ms - EPOCH_MS) << _SEQUENCE_BITS | number)


def snowflake_ms(snowflake: str) -> int:
    """Return the millisecond that an id contains."""
    return (int(snowflake) >> _SEQUENCE_BITS) + EPOCH_MS


def iso(moment_ms: int) -> str:
    """Format a moment as Discord does: ISO 8601 in UTC with microseconds."""
    return datetime.fromtimestamp(moment_ms / 1000, UTC).isoformat(timespec="microseconds")
