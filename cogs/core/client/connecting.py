"""The connection by which our calls go out: a form with a picture goes in one piece.

The HTTP library writes every line between the parts of a form by itself: nine times for one picture, each a call of the
system, a packet, and a round through whoever traces calls. May import aiohttp.
"""

from typing import Any, cast

import aiohttp
from aiohttp.connector import Connection
from aiohttp.tracing import Trace

AT_MOST_BYTES = 512 * 1024
"""A larger form is left to the library, which lets others in between its parts."""


class Gathered:
    """What a form writes."""

    def __init__(self) -> None:
        self.parts: list[bytes] = []

    async def write(self, chunk: bytes) -> None:
        """Take a part."""
        self.parts.append(chunk)


class WholeForms(aiohttp.TCPConnector):
    """A connector that puts the parts of a form together before they go out."""

    async def connect(
        self,
        req: aiohttp.ClientRequest,
        traces: list[Trace],
        timeout: aiohttp.ClientTimeout,  # noqa: ASYNC109 (it is the library's)
    ) -> Connection:
        """Return a connection for a call."""
        form = req.body
        if isinstance(form, aiohttp.MultipartWriter) and (form.size or AT_MOST_BYTES) < AT_MOST_BYTES:
            gathered = Gathered()
            await form.write(cast(Any, gathered))
            await req.update_body(b"".join(gathered.parts))
        return await super().connect(req, traces, timeout)
