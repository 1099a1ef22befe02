"""What happens at each HTTP call of the bot: its ownership is checked at the last moment, and its answer is counted."""

from types import SimpleNamespace

import aiohttp

from cogs.core.cluster.ownership import NotOwner, Ownership
from cogs.core.ops.rest_errors import RestErrors


def trace_calls(trace: aiohttp.TraceConfig, ownership: Ownership, traffic: RestErrors) -> None:
    """Check and count the calls that are traced by `trace`."""

    async def failed(_: aiohttp.ClientSession, __: SimpleNamespace, call: aiohttp.TraceRequestExceptionParams) -> None:
        if not isinstance(call.exception, NotOwner):
            traffic.broken(call.method, call.url.path)

    trace.on_request_headers_sent.append(ownership.check_call)
    trace.on_request_end.append(traffic.answered)
    trace.on_request_exception.append(failed)
