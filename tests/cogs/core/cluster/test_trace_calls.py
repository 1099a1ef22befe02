"""Each call is counted by its answer; a call is stopped at the last moment if another process may make it."""

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import aiohttp
import pytest
from aiohttp import web
from aiohttp.test_utils import TestServer

from cogs.core.cluster.ownership import NotOwner, Ownership, Superseded, before_each_call, trace_calls
from cogs.core.ops.timers import DiscordClock
from tools.harness.bot_harness import BotHarness


class Counting:
    """Records what the trace reports."""

    def __init__(self) -> None:
        self.heard: list[tuple[str, str, int | None]] = []

    async def count_answer(self, _: aiohttp.ClientSession, __: object, call: aiohttp.TraceRequestEndParams) -> None:
        self.heard.append((call.method, call.url.path, call.response.status))
        await call.response.read()

    def count_lost_call(self, method: str, path: str) -> None:
        self.heard.append((method, path, None))


class Serving(Ownership):
    """Serves every server or none, and records which ones it was asked about."""

    def __init__(self) -> None:
        super().__init__(DiscordClock())
        self.serves = True
        self.asked: list[int] = []

    def holds(self, guild: int) -> bool:
        self.asked.append(guild)
        return self.serves


class Server:
    """A server that records request paths, and a client session with the trace."""

    def __init__(self) -> None:
        self.came: list[str] = []
        self.ownership, self.counting = Serving(), Counting()
        self.session: aiohttp.ClientSession
        app = web.Application()
        app.router.add_patch("/told", self._tell)
        app.router.add_patch("/lost", self._hang_up)
        self.server = TestServer(app)

    async def _tell(self, request: web.Request) -> web.Response:
        self.came.append(request.path)
        return web.Response(status=403, text="no")

    async def _hang_up(self, request: web.Request) -> web.Response:
        assert request.transport is not None
        request.transport.abort()
        return web.Response()

    async def patch(self, path: str, **named: Any) -> str:
        """Make a call and return its answer."""
        async with self.session.patch(self.server.make_url(path), **named) as answer:
            return await answer.text()


@pytest.fixture
async def server() -> AsyncIterator[Server]:
    trace, server = aiohttp.TraceConfig(), Server()
    traffic: Any = server.counting
    trace_calls(trace, server.ownership, traffic)
    async with server.server, aiohttp.ClientSession(trace_configs=[trace]) as server.session:
        yield server


async def test_the_answer_to_each_call_is_recorded_and_can_still_be_read(server: Server):
    assert await server.patch("/told") == "no"
    with pytest.raises(aiohttp.ServerDisconnectedError):
        await server.patch("/lost")
    gone = server.server.make_url("/gone")
    await server.server.close()
    with pytest.raises(aiohttp.ClientConnectorError):
        await server.session.patch(gone)
    assert server.counting.heard == [("PATCH", "/told", 403), ("PATCH", "/lost", None), ("PATCH", "/gone", None)]


@pytest.mark.parametrize("reused", [False, True], ids=["on a new connection", "on a connection that is used again"])
@pytest.mark.parametrize("body", [None, b"x" * 100_000], ids=["without a body", "with a body"])
async def test_a_call_that_another_process_may_make_by_now_never_reaches_the_server(
    server: Server, reused: bool, body: bytes | None
):
    if reused:
        await server.patch("/told")
    received, came = list(server.counting.heard), list(server.came)
    server.ownership.serves = False
    with pytest.raises(NotOwner), server.ownership.guard(1):
        await server.patch("/told", data=body)
    assert server.counting.heard == received and server.came == came  # it was neither made nor failed
    await server.patch("/told", data=body)
    assert server.came == [*came, "/told"]


@pytest.mark.parametrize("body", [None, b"x" * 100_000], ids=["without a body", "with a body"])
async def test_a_call_that_waited_until_a_newer_one_had_begun_never_reaches_the_server(
    server: Server, body: bytes | None
):
    newer = False

    def check() -> None:
        if newer:
            raise Superseded

    with before_each_call(check):
        await server.patch("/told", data=body)
        newer = True
        with pytest.raises(Superseded):
            await server.patch("/told", data=body)
        await asyncio.create_task(server.patch("/told"))  # a task that was started meanwhile does something else
    await server.patch("/told")
    assert server.came == ["/told"] * 3 and server.counting.heard == [("PATCH", "/told", 403)] * 3


async def test_a_call_that_is_ours_to_make_goes_out(server: Server):
    with server.ownership.guard(1):
        assert await server.patch("/told") == "no"


async def test_it_is_asked_when_the_connection_is_there_and_not_before(server: Server):
    """Connecting takes a while, during which another process may take over."""
    connector = server.session.connector
    assert connector is not None
    connect = connector.connect

    async def slowly(*arguments: Any, **named: Any) -> Any:
        connection = await connect(*arguments, **named)
        assert server.ownership.asked == []
        return connection

    connector.connect = slowly  # type: ignore[method-assign]
    with server.ownership.guard(1):
        await server.patch("/told")
    assert server.ownership.asked == [1]


async def test_the_bot_checks_and_counts_its_calls(harness: BotHarness):
    client, trace = harness.client, harness.client.http.http_trace
    assert client.ownership.check_call in trace.on_request_headers_sent
    assert client.publishing.rest_errors.count_answer in trace.on_request_end and len(trace.on_request_exception) == 1
