"""What happens at each HTTP call of the bot: its ownership is checked at the last moment, and its answer is counted."""

from types import SimpleNamespace

import aiohttp

from cogs.core.cluster.ownership_guard import OURS, NotOurs
from cogs.core.ops.rest_errors import RestErrors


def trace_calls(trace: aiohttp.TraceConfig, traffic: RestErrors) -> None:
    """Check and count the calls that are traced by `trace`."""

    async def answered(_: aiohttp.ClientSession, __: SimpleNamespace, call: aiohttp.TraceRequestEndParams) -> None:
        await traffic.answered(call.response)

    async def failed(_: aiohttp.ClientSession, __: SimpleNamespace, call: aiohttp.TraceRequestExceptionParams) -> None:
        if not isinstance(call.exception, NotOurs):
            traffic.broken(call.method, call.url.path)

    trace.on_request_headers_sent.append(check_ownership)
    trace.on_request_end.append(answered)
    trace.on_request_exception.append(failed)


async def check_ownership(
    _: aiohttp.ClientSession, __: SimpleNamespace, call: aiohttp.TraceRequestHeadersSentParams
) -> None:
    """Stop a call that another process may make by now. Raises `NotOurs`.

    aiohttp calls this once it has a connection and has written nothing yet; by then discord.py has waited for Discord's
    rate limits. The connection is closed.
    """
    ours = OURS.get()
    if ours is not None and not ours():
        raise NotOurs("Another process serves this server by now, and says how its tables stand.")
