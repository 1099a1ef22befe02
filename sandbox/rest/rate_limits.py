"""Rate limits of REST calls, and faults that a test orders.

As Discord's headers tell bots: 5 messages and 5 edits per 5 s in a channel, 5 deletions per s, 5 calls per 2 s for an
interaction's token, one reaction per quarter of a second, and 50 calls a second in all (responses to interactions and
their follow-ups excepted). Besides, 3 edits per 20 s of messages older than an hour in a channel, and 30 follow-up
messages a minute in a channel, by any tokens.
"""

from __future__ import annotations

import hashlib
import math
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from typing import Any

from sandbox.world.settings import Settings

_MESSAGES = "/channels/{channel_id}/messages"
_MESSAGE = "/channels/{channel_id}/messages/{message_id}"
_REACTION = _MESSAGE + "/reactions/{emoji}/{user_id}"

_RATES: dict[tuple[str, str], tuple[int, float]] = {
    ("POST", _MESSAGES): (5, 5.0),
    ("PATCH", _MESSAGE): (5, 5.0),
    ("DELETE", _MESSAGE): (5, 1.0),
    ("POST", _MESSAGES + "/bulk-delete"): (1, 1.0),
    ("POST", "/channels/{channel_id}/typing"): (5, 5.0),
    ("PUT", _REACTION): (1, 0.25),
    ("DELETE", _REACTION): (1, 0.25),
    ("POST", "/users/@me/channels"): (10, 10.0),
    ("GET", _MESSAGES): (5, 1.0),
    ("GET", _MESSAGE): (30, 10.0),
}
_TOKEN_RATE = (5, 2.0)
_OLD_EDITS = (3, 20.0)
_FOLLOW_UPS = (30, 60.0)
_NEW_EMOJI = ("POST", "/applications/{application_id}/emojis")
_SLOW_EMOJI = (3, 60.0)
_GLOBAL_RATE = (50, 1.0)

_GRACE_S = 0.15
"""A call that was already in progress when a 429 was answered is not a violation; this is the time allowed for that."""

_KEPT_BUCKETS = 5_000


@dataclass(frozen=True, slots=True)
class _Refused:
    """When a call of a process was refused, and until when the process has to wait."""

    at: float = math.inf
    until: float = -math.inf


@dataclass(slots=True)
class _Bucket:
    """What remains of a limit. All processes of a bot share it, but each knows only the responses to its own calls, so
    ``refused`` (when a call was refused) and ``spent`` (calls since the last reset) are kept by process.
    """

    limit: int
    window: float
    name: str
    remaining: int = 0
    reset: float = -math.inf
    refused: dict[str, _Refused] = field(default_factory=dict)
    spent: dict[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Limited:
    """A 429: seconds to wait, the limit's scope ("user", "shared", "global"), and an optional error code."""

    retry_after: float
    scope: str
    code: int | None = None
    message: str = "You are being rate limited."

    def body(self) -> dict[str, Any]:
        """Return the body of the response."""
        body: dict[str, Any] = {
            "message": self.message,
            "retry_after": self.retry_after,
            "global": self.scope == "global",
        }
        if self.code is not None:
            body["code"] = self.code
        return body

    def headers(self) -> dict[str, str]:
        """Return the headers of the response; ``Via`` makes discord.py treat it as Discord's own."""
        headers = {
            "Retry-After": str(math.ceil(self.retry_after)),
            "X-RateLimit-Scope": self.scope,
            "Via": "1.1 sandbox",
        }
        if self.scope == "global":
            headers["X-RateLimit-Global"] = "true"
        return headers


class RateLimits:
    """The rate-limit buckets of a bot. ``now`` is a monotonic clock in seconds; ``on_violation`` is called for a
    call made too soon.
    """

    def __init__(
        self,
        settings: Settings,
        on_violation: Callable[[str, str], None],
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        self._settings = settings
        self._on_violation = on_violation
        self._now = now
        self._buckets: OrderedDict[str, _Bucket] = OrderedDict()

    def take(
        self, method: str, template: str, params: dict[str, str], by: str = ""
    ) -> tuple[dict[str, str], Limited | None]:
        """Count one call of a process. Return the headers of its response, and the refusal if there are too many."""
        if not self._settings.limits_on or template.startswith("/interactions/"):
            return {}, None
        token = params.get("webhook_token")
        where = f"{method} {template}"
        if token is None:
            bucket = self._bucket("global", *_GLOBAL_RATE)
            limited = self._spend(bucket, "global", where, by)
            if limited is not None:
                if bucket.spent[by] == bucket.limit + 1:  # once per window
                    self._on_violation(where, f"more than {_GLOBAL_RATE[0]} requests in a second")
                return {}, limited
            rate = _RATES.get((method, template))
            if (method, template) == _NEW_EMOJI and self._settings.slow_emoji:
                rate = _SLOW_EMOJI
            if rate is None:
                return {}, None
            key = f"{where} {params.get('channel_id', '')}"
        else:
            rate = _TOKEN_RATE
            key = f"token {token}"
        bucket = self._bucket(key, *rate)
        limited = self._spend(bucket, "shared" if "reactions" in template else "user", where, by)
        return self._headers(bucket), limited

    def old_edit(self, channel_id: str) -> Limited | None:
        """Count one edit of a message older than an hour. Return the refusal if there are too many."""
        if not self._settings.limits_on:
            return None
        limited = self._spend(self._bucket(f"old {channel_id}", *_OLD_EDITS), "shared", "an edit of an old message")
        if limited is None:
            return None
        text = "Maximum number of edits to messages older than 1 hour reached. Try again later."
        return Limited(limited.retry_after, "shared", 30046, text)

    def follow_up(self, channel_id: str) -> Limited | None:
        """Count one follow-up message in a channel. Return the refusal if there are too many."""
        if not self._settings.limits_on:
            return None
        return self._spend(self._bucket(f"follow-up {channel_id}", *_FOLLOW_UPS), "shared", "a follow-up message")

    def refuse(self, method: str, template: str, params: dict[str, str], retry_after: float, by: str) -> Limited:
        """Close a bucket for a while for an ordered fault, which one process gets."""
        key = f"{method} {template} {params.get('channel_id', '')}"
        if "webhook_token" in params:
            key = f"token {params['webhook_token']}"
        limit, window = _RATES.get((method, template), (5, 5.0))
        bucket = self._bucket(key, limit, window)
        now = self._now()
        bucket.remaining = 0
        bucket.reset = now + retry_after
        bucket.refused[by] = _Refused(now, now + retry_after)
        return Limited(retry_after, "user")

    def _bucket(self, key: str, limit: int, window: float) -> _Bucket:
        bucket = self._buckets.get(key)
        if bucket is None:
            name = hashlib.sha256(key.rpartition(" ")[0].encode()).hexdigest()[:32]
            bucket = self._buckets[key] = _Bucket(limit, window * self._settings.window_scale, name)
            if len(self._buckets) > _KEPT_BUCKETS:
                self._buckets.popitem(last=False)
        return bucket

    def _spend(self, bucket: _Bucket, scope: str, where: str, by: str = "") -> Limited | None:
        now = self._now()
        if now >= bucket.reset:
            bucket.remaining, bucket.reset = bucket.limit, now + bucket.window
            bucket.spent.clear()
        bucket.spent[by] = bucket.spent.get(by, 0) + 1
        if bucket.remaining > 0:
            bucket.remaining -= 1
            return None
        last = bucket.refused.get(by, _Refused())
        if last.at + _GRACE_S < now < last.until:
            self._on_violation(where, f"called again {last.until - now:.3f} s before the 429 said it might")
        bucket.refused[by] = _Refused(now if now >= last.until else last.at, bucket.reset)
        return Limited(math.ceil((bucket.reset - now) * 1000) / 1000, scope)

    def _headers(self, bucket: _Bucket) -> dict[str, str]:
        after = max(0.0, bucket.reset - self._now())
        return {
            "X-RateLimit-Limit": str(bucket.limit),
            "X-RateLimit-Remaining": str(max(0, bucket.remaining)),
            "X-RateLimit-Reset": f"{time.time() + after:.3f}",
            "X-RateLimit-Reset-After": f"{math.ceil(after * 1000) / 1000:.3f}",
            "X-RateLimit-Bucket": bucket.name,
        }


@dataclass(slots=True)
class Fault:
    """An ordered fault of the next matching calls.

    With ``drop`` the call is handled and only its response is lost: the bot gets ``status`` instead, or for 0 a cut
    connection. The first ``after`` matching calls succeed.
    """

    method: str
    pattern: str
    status: int
    times: int
    body: dict[str, Any] | str | None
    drop: bool
    after: int = 0

    def matches(self, method: str, template: str, path: str) -> bool:
        """Return True for a matching call; the pattern is a template or a path with ``*``."""
        if self.times <= 0 or self.method not in ("*", method):
            return False
        return self.pattern == template or fnmatchcase(path, self.pattern)
