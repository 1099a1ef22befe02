"""The limits on starting sessions: a number per day, and one per five seconds in each bucket of shards.

Source: "Identifying", "Max Concurrency" and "Session Start Limit Object" in Discord's documentation of the gateway. An
identify that comes too soon is answered with "invalid session" and still counts for the day (discord-api-docs, issue
1328); resumes do not count.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable

from sandbox.world.models import Json
from sandbox.world.settings import Settings

_DAY_MS = 86_400_000
_PACE_S = 5.0


class StartsExhausted(Exception):
    """One start more than a day allows: Discord ends every session and resets the bot's token."""


class Starts:
    """The session starts of a bot. ``now_ms`` is the sandbox's clock and limits the day; ``now``, in seconds, sets the
    pace.
    """

    def __init__(
        self, settings: Settings, now_ms: Callable[[], int], now: Callable[[], float] = time.monotonic
    ) -> None:
        self._settings = settings
        self._now_ms = now_ms
        self._now = now
        self._used = 0
        self._day_ends_ms = 0
        self._buckets: dict[int, float] = {}

    def json(self) -> Json:
        """Return the session start limit object of /gateway/bot."""
        self._reset_after_a_day()
        total = self._settings.session_starts
        left_ms = self._day_ends_ms - self._now_ms() if self._used else _DAY_MS
        return {
            "total": total,
            "remaining": max(0, total - self._used),
            "reset_after": left_ms,
            "max_concurrency": self._settings.max_concurrency,
        }

    def take(self, shard: int) -> bool:
        """Count one identify of a shard. Return True if it is allowed, False if it came too soon. Raises
        `StartsExhausted`.
        """
        self._reset_after_a_day()
        if self._used >= self._settings.session_starts:
            raise StartsExhausted
        if not self._used:
            self._day_ends_ms = self._now_ms() + _DAY_MS
        self._used += 1
        bucket = shard % self._settings.max_concurrency
        now = self._now()
        if self._settings.paced_identifies and now < self._buckets.get(bucket, -math.inf):
            return False
        self._buckets[bucket] = now + _PACE_S * self._settings.window_scale
        return True

    def _reset_after_a_day(self) -> None:
        """Reset the count a day after the first start."""
        if self._used and self._now_ms() >= self._day_ends_ms:
            self._used = 0
