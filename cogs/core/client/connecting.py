"""The connection by which our calls go out: none does that is not ours to make any more, and a form with a picture goes
in one piece.

The HTTP library writes every line between the parts of a form by itself: nine times for one picture, each a call of the
system, a packet, and a round through whoever traces calls. May import aiohttp and its neighbours.
"""

from typing import Any, cast

import aiohttp
from aiohttp.connector import Connection
from aiohttp.tracing import Trace

from cogs.core.messages.unbidden import OURS, NotOurs

AT_MOST_BYTES = 512 * 1024
"""A larger form is left to the library, which lets others in between its parts."""


class Gathered:
    """What a form writes."""

    def __init__(self) -> None:
        self.parts: list[bytes] = []

    async def write(self, chunk: bytes) -> None:
        """Take a part."""
        self.parts.append(chunk)


class Connector(aiohttp.TCPConnector):
    """The connector of all our calls."""

    async def connect(
        self,
        req: aiohttp.ClientRequest,
        traces: list[Trace],
        timeout: aiohttp.ClientTimeout,  # noqa: ASYNC109 (it is the library's)
    ) -> Connection:
        """Return a connection for a call, right before it goes out: the library has waited for Discord's limits. Raises
        `NotOurs`.
        """
        form = req.body
        if isinstance(form, aiohttp.MultipartWriter) and (form.size or AT_MOST_BYTES) < AT_MOST_BYTES:
            gathered = Gathered()
            await form.write(cast(Any, gathered))
            await req.update_body(b"".join(gathered.parts))
        connection = await super().connect(req, traces, timeout)
        ours = OURS.get()
        if ours is not None and not ours():
            connection.release()
            raise NotOurs("Another process serves this server by now, and says how its tables stand.")
        return connection
