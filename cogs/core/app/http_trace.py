"""What happens at each HTTP call of the bot: its ownership is checked at the last moment, and its answer is counted."""

from types import SimpleNamespace

import aiohttp

from cogs.core.cluster.ownership import NotOwner, check_call
from cogs.core.ops.rest_errors import RestErrors


def trace_calls(trace: aiohttp.TraceConfig, traffic: RestErrors) -> None:
    """Check and count the calls that are traced by `trace`."""

    async def answered(_: aiohttp.ClientSession, __: SimpleNamespace, call: aiohttp.TraceRequestEndParams) -> None:
        await traffic.answered(call.response)

    async def failed(_: aiohttp.ClientSession, __: SimpleNamespace, call: aiohttp.TraceRequestExceptionParams) -> None:
        if not isinstance(call.exception, NotOwner):
            traffic.broken(call.method, call.url.path)

    trace.on_request_headers_sent.append(check_ownership)
    trace.on_request_end.append(answered)
    trace.on_request_exception.append(failed)


async def check_ownership(
    _: aiohttp.ClientSession, __: SimpleNamespace, call: aiohttp.TraceRequestHeadersSentParams
) -> None:
    """Stop a call about a server that is no longer ours. Raises `NotOwner`.

    aiohttp calls this once it has a connection and has written nothing yet; by then discord.py has waited for Discord's
    rate limits. The connection is closed.
    """
    check_call()
