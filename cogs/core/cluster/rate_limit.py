"""A limit for the calls of all processes together, so that Discord refuses none and nobody waits for too long.

Discord takes 50 calls a second from a bot, apart from those by an interaction's token, which it does not count. A start
or a takeover wakes many tables, each with calls of its own. A call that nobody has asked for waits here for its turn,
before discord.py queues it among those of its channel: so no call that somebody waits for has to wait behind it. Those
take a turn too, and go out at once. The processes do not ask each other: each has its share of the turns, as of the
shards.
"""

import asyncio
from collections.abc import Callable

from cogs.core.ops.timers import Clock
from engine.contract import Moment

CALLS_A_SECOND = 45
"""The number of turns a second, of all processes."""

AT_ONCE = 5
"""The number of turns at once after a while without any, of all processes; each process has at least one."""


class RateLimiter:
    """The turns of one process, which has the `share` of all turns."""

    def __init__(self, clock: Clock, share: Callable[[], float]) -> None:
        self._clock = clock
        self._share = share
        self._next = 0.0  # the moment of the next turn, if none ever came early

    async def turn(self) -> None:
        """Take the next turn, and return when it comes. Turns come in the order in which they are taken."""
        until = self.take()
        while self._clock.now() < until:
            await self._clock.wait(until, asyncio.Event())

    def take(self) -> Moment:
        """Take the next turn, and return when it comes."""
        share = self._share()
        apart_ms = 1_000 / CALLS_A_SECOND / share
        early_ms = apart_ms * max(0.0, AT_ONCE * share - 1)
        at = max(self._next, float(self._clock.now()))
        self._next = at + apart_ms
        return Moment(round(at - early_ms))
