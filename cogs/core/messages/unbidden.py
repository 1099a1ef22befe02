"""What the bot says about a table unbidden, not as the answer to anybody: asked at the last moment whether a table
is still ours to speak about.

A process may stand still anywhere (a machine that is suspended, a stopped process, a call that waits for Discord's
limits), and another one may serve its tables when it goes on. What it writes late to the database is refused there;
nothing stands between it and Discord but this: each call passes here right before it goes out, whoever makes it, and by
then our own clock tells whether we were silent for too long. May import aiohttp, discord and `data`.
"""

import contextlib
from collections.abc import Callable, Iterator
from contextvars import ContextVar
from types import SimpleNamespace

import aiohttp
import discord

from data.store.shards import Shards

_OURS: ContextVar[Callable[[], bool] | None] = ContextVar("ours", default=None)
"""Asked before each call of a task that speaks unbidden, and of those that it begins."""


class NotOurs(ConnectionError):
    """Another process may serve by now what a call was to be about: it did not go out."""


@contextlib.contextmanager
def unbidden(shards: Shards, guild: int) -> Iterator[None]:
    """While something is said on a server that nobody has just asked for: every call raises `NotOurs`, or an error of
    the library's for a call that does not get through, once the server is not ours to serve.
    """
    token = _OURS.set(lambda: shards.holds(guild))
    try:
        yield
    finally:
        _OURS.reset(token)


def watch(client: discord.Client) -> None:
    """Ask before every call of this client. To be called before it logs in, and once its calls are traced."""
    trace = client.http.http_trace
    assert trace is not None
    # The library waits for Discord's limits before the first, and connects before the second.
    trace.on_request_start.append(_check)
    trace.on_connection_create_end.append(_check)


async def _check(session: aiohttp.ClientSession, context: SimpleNamespace, params: object) -> None:
    ours = _OURS.get()
    if ours is not None and not ours():
        raise NotOurs("Another process serves this server by now, and says how its tables stand.")
