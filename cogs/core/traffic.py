"""Traffic: how often Discord has refused us lately, counted as the answers come in.

Too many refusals within ten minutes shut an address out, so whoever looks after the house has to see them coming. The
answers' dates set the clock, to the second, before the first click does it better. May import discord, aiohttp,
`engine.contract` and its neighbours.
"""

import contextlib
from collections import deque
from email.utils import parsedate_to_datetime
from types import SimpleNamespace
from typing import Literal

import aiohttp
import discord

from cogs.core.timers import Clock
from engine.contract import Moment

WINDOW_MS = 10 * 60_000
"""Discord counts invalid requests over ten minutes."""

SHUT_OUT_AT = 10_000
"""So many invalid requests within the window shut an address out for a while."""

Trouble = Literal["forbidden", "limited", "failed", "closed"]
"""403, 429, 5xx, and a direct message that its reader does not take (one of the 403)."""


class Traffic:
    """Counts troubles of the last ten minutes."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._seen: dict[Trouble, deque[Moment]] = {
            kind: deque(maxlen=SHUT_OUT_AT) for kind in ("forbidden", "limited", "failed", "closed")
        }

    def watch(self, client: discord.Client) -> None:
        """Count what this client is answered. To be called before it logs in."""
        trace = aiohttp.TraceConfig()
        trace.on_request_end.append(self._ended)
        client.http.http_trace = trace

    async def _ended(
        self, session: aiohttp.ClientSession, context: SimpleNamespace, params: aiohttp.TraceRequestEndParams
    ) -> None:
        date = params.response.headers.get("Date")
        if date is not None:
            with contextlib.suppress(ValueError):  # whatever a proxy writes there
                self._clock.received(Moment(int(parsedate_to_datetime(date).timestamp()) * 1_000))
        status = params.response.status
        if status == 403:
            self.note("forbidden")
        elif status == 429:
            self.note("limited")
        elif status >= 500:
            self.note("failed")

    def note(self, kind: Trouble) -> None:
        """Count one."""
        self._seen[kind].append(self._clock.now())

    def lately(self, kind: Trouble) -> int:
        """Return how many there were in the last ten minutes."""
        seen, since = self._seen[kind], self._clock.now() - WINDOW_MS
        while seen and seen[0] < since:
            seen.popleft()
        return len(seen)
