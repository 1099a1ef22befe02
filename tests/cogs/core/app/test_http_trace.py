"""Each call is counted by its answer, and one is stopped at the last moment if another process may make it."""

from collections.abc import AsyncIterator
from typing import Any

import aiohttp
import pytest
from aiohttp import web
from aiohttp.test_utils import BaseTestServer, TestServer

from cogs.core.app.http_trace import trace_calls
from cogs.core.cluster.ownership import NotOwner, SingleProcess
from tools.harness.bot_harness import BotHarness


class Counting:
    """What is heard of calls."""

    def __init__(self) -> None:
        self.heard: list[tuple[str, str, int | None]] = []

    async def answered(self, answer: aiohttp.ClientResponse) -> None:
        self.heard.append((answer.method, answer.url.path, answer.status))
        await answer.read()

    def broken(self, method: str, path: str) -> None:
        self.heard.append((method, path, None))


class Serving(SingleProcess):
    """Holds every server or none, and notes which it was asked about."""

    def __init__(self, holds: bool) -> None:
        self._holds = holds
        self.asked: list[int] = []

    def holds(self, guild: int) -> bool:
        self.asked.append(guild)
        return self._holds


class Server:
    """A server, a client's session, how its calls were counted, and the paths of the requests that came in."""

    def __init__(
        self, server: BaseTestServer, session: aiohttp.ClientSession, counting: Counting, came: list[str]
    ) -> None:
        self.server, self.session, self.counting, self.came = server, session, counting, came

    async def patch(self, path: str, **named: Any) -> str:
        """Make a call and return what was answered."""
        async with self.session.patch(self.server.make_url(path), **named) as answer:
            return await answer.text()


@pytest.fixture
async def server() -> AsyncIterator[Server]:
    came = list[str]()

    async def tell(request: web.Request) -> web.Response:
        came.append(request.path)
        return web.Response(status=403, text="no")

    async def hang_up(request: web.Request) -> web.Response:
        assert request.transport is not None
        request.transport.abort()
        return web.Response()

    app = web.Application()
    app.router.add_patch("/told", tell)
    app.router.add_patch("/lost", hang_up)
    trace, counting = aiohttp.TraceConfig(), Counting()
    trace_calls(trace, counting)  # type: ignore[arg-type]
    async with TestServer(app) as found, aiohttp.ClientSession(trace_configs=[trace]) as session:
        yield Server(found, session, counting, came)


async def test_how_each_call_was_answered_is_heard_and_the_answer_can_still_be_read(server: Server):
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
    heard, came = list(server.counting.heard), list(server.came)
    with pytest.raises(NotOwner), Serving(False).guard(1):
        await server.patch("/told", data=body)
    assert server.counting.heard == heard and server.came == came  # it was neither made nor broken
    await server.patch("/told", data=body)
    assert server.came == [*came, "/told"]


async def test_a_call_that_is_ours_to_make_goes_out(server: Server):
    with Serving(True).guard(1):
        assert await server.patch("/told") == "no"


async def test_it_is_asked_when_the_connection_is_there_and_not_before(server: Server):
    """Making a connection takes a while, in which another process may take over."""
    ownership = Serving(True)
    connector = server.session.connector
    assert connector is not None
    connect = connector.connect

    async def slowly(*arguments: Any, **named: Any) -> Any:
        connection = await connect(*arguments, **named)
        assert ownership.asked == []
        return connection

    connector.connect = slowly  # type: ignore[method-assign]
    with ownership.guard(1):
        await server.patch("/told")
    assert ownership.asked == [1]


async def test_the_bot_counts_its_calls(harness: BotHarness, monkeypatch: pytest.MonkeyPatch):
    statuses = list[int]()
    answered = harness.client.tables.traffic.answered

    async def noted(answer: aiohttp.ClientResponse) -> None:
        statuses.append(answer.status)
        await answered(answer)

    monkeypatch.setattr(harness.client.tables.traffic, "answered", noted)
    await harness.two_at_the_wall()
    assert statuses and set(statuses) <= {200, 201, 204}
