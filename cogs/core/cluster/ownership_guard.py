"""What the bot says about a table unbidden, not as the answer to anybody: asked at the last moment whether a table
is still ours to speak about.

A process may stand still anywhere (a machine that is suspended, a stopped process, a call that waits for Discord's
limits), and another one may serve its tables when it goes on. What it writes late to the database is refused there;
nothing stands between it and Discord but this: `cogs.core.app.http_trace` asks `OURS` right before a call goes out,
whoever makes it, and by then our own clock tells whether we were silent for too long.
"""

import contextlib
from collections.abc import Callable, Iterator
from contextvars import ContextVar

import aiohttp

from data.store.shards import Shards

OURS: ContextVar[Callable[[], bool] | None] = ContextVar("ours", default=None)
"""Asked before each call of a task that speaks unbidden, and of those that it begins."""


class NotOurs(aiohttp.ClientError):
    """Another process may serve by now what a call was to be about: it did not go out."""


@contextlib.contextmanager
def unbidden(shards: Shards, guild: int) -> Iterator[None]:
    """While something is said on a server that nobody has just asked for: every call fails as one that does not
    get through, once the server is not ours to serve.
    """
    token = OURS.set(lambda: shards.holds(guild))
    try:
        yield
    finally:
        OURS.reset(token)
