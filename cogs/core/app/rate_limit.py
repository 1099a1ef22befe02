"""The counted calls of all processes together keep below what Discord takes of a bot, and who has asked for something
waits for none of it.

Discord takes 50 calls a second, but for those by an interaction's token, which it does not count. A start or a takeover
wakes many tables, each with calls of its own. Whoever speaks `unbidden` waits here for their turn, before the library
gives the call its place among those of its channel: so nobody who has asked for something waits behind it. What
somebody waits for takes a turn too, and goes out at once. The processes do not ask each other: each has its share of
the turns, as it has of the shards.
"""

import asyncio
from typing import Any

import discord

from cogs.core.cluster.ownership import Ownership, is_guarded
from cogs.core.ops.timers import Clock
from engine.contract import Moment

A_SECOND = 45
"""So many turns a second, of all processes."""

AT_ONCE = 5
"""So many of them at once, after a while without any, and one of each process at least."""


class RateLimiter:
    """The turns of one process."""

    def __init__(self, clock: Clock, ownership: Ownership) -> None:
        self._clock = clock
        self._ownership = ownership
        self._next = 0.0  # the moment of the next turn, if none ever came before its own

    async def turn(self) -> None:
        """Return when one more call may go out; who asks first has the first turn."""
        until = self.take()
        while self._clock.now() < until:
            await self._clock.wait(until, asyncio.Event())

    def take(self) -> Moment:
        """Take the next turn, and return when it is."""
        share = self._ownership.share
        apart_ms = 1_000 / A_SECOND / share
        early_ms = apart_ms * max(0.0, AT_ONCE * share - 1)
        at = max(self._next, float(self._clock.now()))
        self._next = at + apart_ms
        return Moment(round(at - early_ms))


def paced(client: discord.Client, pace: RateLimiter) -> None:
    """Let a client's counted calls take their turns, and wait for them where nobody has asked for them."""
    http: Any = client.http

    async def request(route: discord.http.Route, **what: Any) -> Any:
        if is_guarded():
            await pace.turn()
        else:
            pace.take()
        return await type(http).request(http, route, **what)

    http.request = request
