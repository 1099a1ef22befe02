"""How calls go out: forms with pictures in one piece, and whole."""

from types import SimpleNamespace

import aiohttp
import pytest
from aiohttp import web
from aiohttp.test_utils import TestServer

from cogs.core.client.connecting import AT_MOST_BYTES, Connector
from tests.cogs.conftest import House


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


async def test_the_bot_goes_out_by_it(house: House):
    assert isinstance(house.client.http.connector, Connector)
