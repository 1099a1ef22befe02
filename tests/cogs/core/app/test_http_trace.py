"""How calls go out: forms with pictures in one piece, and whole."""

from types import SimpleNamespace

import aiohttp
import pytest
from aiohttp import web
from aiohttp.test_utils import TestServer

from cogs.core.app.http_trace import AT_MOST_BYTES, Connector
from tools.harness.bot_harness import BotHarness


@pytest.mark.parametrize(("length", "whole"), [(40_000, True), (AT_MOST_BYTES, False)])
async def test_a_form_goes_out_in_one_piece_unless_it_is_large(length: int, whole: bool):
    came: list[tuple[str, bytes]] = []
    chunks: list[int] = []

    async def take(request: web.Request) -> web.Response:
        form = await request.post()
        picture = form["files[0]"]
        assert isinstance(picture, web.FileField)
        came.append((str(form["payload_json"]), picture.file.read()))
        return web.Response()

    async def sent(_: object, __: SimpleNamespace, params: aiohttp.TraceRequestChunkSentParams) -> None:
        chunks.append(len(params.chunk))

    app = web.Application(client_max_size=2 * AT_MOST_BYTES)
    app.router.add_post("/", take)
    trace = aiohttp.TraceConfig()
    trace.on_request_chunk_sent.append(sent)
    async with (
        TestServer(app) as server,
        aiohttp.ClientSession(connector=Connector(), trace_configs=[trace]) as session,
    ):
        form = aiohttp.FormData(quote_fields=False)
        form.add_field("payload_json", '{"a": "ü"}')
        form.add_field("files[0]", b"x" * length, filename="a.png", content_type="application/octet-stream")
        async with session.post(server.make_url("/"), data=form) as answer:
            assert answer.status == 200
    assert came == [('{"a": "ü"}', b"x" * length)] and (len(chunks) == 1) is whole


class Counting:
    """What is heard of calls."""

    def __init__(self) -> None:
        self.heard: list[tuple[str, str, int | None]] = []

    async def answered(self, answer: aiohttp.ClientResponse) -> None:
        self.heard.append((answer.method, answer.url.path, answer.status))
        await answer.read()

    def broken(self, method: str, path: str) -> None:
        self.heard.append((method, path, None))


async def test_how_each_call_was_answered_is_heard_and_the_answer_can_still_be_read():
    async def tell(request: web.Request) -> web.Response:
        return web.Response(status=403, text="no")

    async def hang_up(request: web.Request) -> web.Response:
        assert request.transport is not None
        request.transport.abort()
        return web.Response()

    app = web.Application()
    app.router.add_patch("/told", tell)
    app.router.add_patch("/lost", hang_up)
    connector, counting = Connector(), Counting()
    connector.hears = counting
    async with aiohttp.ClientSession(connector=connector) as session:
        async with TestServer(app) as server:
            gone = server.make_url("/gone")
            async with session.patch(server.make_url("/told")) as answer:
                assert await answer.text() == "no"
            with pytest.raises(aiohttp.ServerDisconnectedError):
                await session.patch(server.make_url("/lost"))
        with pytest.raises(aiohttp.ClientConnectorError):
            await session.patch(gone)
    assert counting.heard == [("PATCH", "/told", 403), ("PATCH", "/lost", None), ("PATCH", "/gone", None)]


async def test_the_bot_goes_out_by_it_and_counts_its_calls(harness: BotHarness):
    connector = harness.client.http.connector
    assert isinstance(connector, Connector) and connector.hears is harness.client.tables.traffic
