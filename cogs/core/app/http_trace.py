"""The connection by which our calls go out: none does that is not ours to make any more, a form with a picture goes in
one piece, and whoever counts what Discord answers hears of it.

The HTTP library writes every line between the parts of a form by itself: nine times for one picture, each a call of the
system and a packet. And it lets calls be traced, at ten places of each, of which two would be used.
"""

from typing import Any, Protocol, cast

import aiohttp
from aiohttp.connector import Connection
from aiohttp.tracing import Trace

from cogs.core.cluster.ownership_guard import OURS, NotOurs

AT_MOST_BYTES = 512 * 1024
"""A larger form is left to the library, which lets others in between its parts."""


class Gathered:
    """What a form writes."""

    def __init__(self) -> None:
        self.parts: list[bytes] = []

    async def write(self, chunk: bytes) -> None:
        """Take a part."""
        self.parts.append(chunk)


class Hears(Protocol):
    """Hears of every call how it was answered: `answered` once the head of an answer is there, or `broken` where none
    came.
    """

    async def answered(self, answer: aiohttp.ClientResponse) -> None: ...

    def broken(self, method: str, path: str) -> None: ...


class Heard(aiohttp.ClientResponse):
    """The answer to a call of ours."""

    async def start(self, connection: Connection) -> "Heard":
        """Take the head of the answer."""
        hears = cast(Connector, connection._connector).hears
        try:
            await super().start(connection)
        except BaseException:
            if hears is not None:
                hears.broken(self.method, self.url.path)
            raise
        if hears is not None:
            await hears.answered(self)
        return self


class Connector(aiohttp.TCPConnector):
    """The connector of all our calls."""

    hears: Hears | None = None

    async def connect(
        self,
        req: aiohttp.ClientRequest,
        traces: list[Trace],
        timeout: aiohttp.ClientTimeout,  # noqa: ASYNC109 (it is the library's)
    ) -> Connection:
        """Return a connection for a call, right before it goes out: the library has waited for Discord's limits. Raises
        `NotOurs`.
        """
        req.response_class = Heard
        form = req.body
        if isinstance(form, aiohttp.MultipartWriter) and (form.size or AT_MOST_BYTES) < AT_MOST_BYTES:
            gathered = Gathered()
            await form.write(cast(Any, gathered))
            await req.update_body(b"".join(gathered.parts))
        try:
            connection = await super().connect(req, traces, timeout)
        except BaseException:
            if self.hears is not None:
                self.hears.broken(req.method, req.url.path)
            raise
        ours = OURS.get()
        if ours is not None and not ours():
            connection.release()
            raise NotOurs("Another process serves this server by now, and says how its tables stand.")
        return connection
