"""Calls by an interaction and the parsing of their answers, without the library's objects."""

import gc
import inspect
import json
from types import SimpleNamespace
from typing import Any

import aiohttp
import discord
import pytest
from aiohttp import web
from aiohttp.test_utils import TestServer
from discord.http import handle_message_parameters
from discord.webhook.async_ import AsyncWebhookAdapter, interaction_message_response_params

from cogs.core.pages.page import Button, Page, Picture, Row, Text
from cogs.core.publishing import fast_discord
from cogs.core.publishing.components_v2 import Layout
from cogs.core.publishing.ephemeral_pages import CALM_MS
from cogs.core.publishing.fast_discord import SWITCH, TESTED_WITH, TOKEN_CALLS, FastTokenCalls, token_calls
from cogs.core.publishing.interaction_message import InteractionMessage
from cogs.core.publishing.token_calls import Files, TokenCalls
from sandbox import UserClient
from tools.harness.bot_harness import BotHarness

only_fast = pytest.mark.skipif(not isinstance(TOKEN_CALLS, FastTokenCalls), reason="these calls are switched off")


def test_these_calls_are_used_only_with_versions_they_were_tested_with_and_can_be_switched_off(
    monkeypatch: pytest.MonkeyPatch,
):
    monkeypatch.delenv(SWITCH, raising=False)
    assert isinstance(token_calls(f"{TESTED_WITH}.9"), FastTokenCalls)
    assert type(token_calls("3.0.0")) is TokenCalls
    monkeypatch.setenv(SWITCH, "0")
    assert type(token_calls()) is TokenCalls


def test_the_installed_library_is_the_reviewed_version():
    """For a new version, review what `fast_discord.py` relies on, run these tests, and update `TESTED_WITH`."""
    assert discord.__version__.startswith(TESTED_WITH)
    for call in ("create_interaction_response", "edit_webhook_message", "execute_webhook"):
        assert "session" in inspect.signature(getattr(AsyncWebhookAdapter, call)).parameters
    assert "self._response_type = InteractionResponseType.message_update" in inspect.getsource(
        discord.InteractionResponse.edit_message
    )
    # The session makes each call and nothing else; what it is told to send is not checked here.
    source = inspect.getsource(AsyncWebhookAdapter.request)
    assert source.count("session.") == source.count("session.request(\n") == 1
    assert "method, url, data=to_send, headers=headers, params=params, proxy=proxy, proxy_auth=proxy_auth" in source


PICTURES = (Picture(b"one\r\n--" * 9_000, "a.png", "Ä first"), Picture(b"two", "b.png", "second"))
PAGE = Page(
    (Text("Wörter"), *PICTURES, Row((Button("Go", "go", "1"), Button("Stay", "stay", disabled=True)))), 0xABCDEF
)


async def sent(page: Page, files: Files, *more: int) -> tuple[dict[str, Any], dict[str, bytes], list[int]]:
    """Return what arrives of a page: the payload, the files by name, and the parts of the body."""
    came: list[tuple[dict[str, Any], dict[str, bytes]]] = []
    pieces: list[int] = []

    async def take(request: web.Request) -> web.Response:
        assert dict(request.query) == {"wait": "1", "with": "2"} and request.headers["X-Kept"] == "yes"
        if request.content_type == "application/json":
            came.append((await request.json(), {}))
            return web.Response()
        said: dict[str, Any] = {}
        found: dict[str, bytes] = {}
        async for part in await request.multipart():
            assert isinstance(part, aiohttp.BodyPartReader)
            if part.name == "payload_json":
                said = json.loads(await part.text())
            else:
                found[f"{part.name} {part.filename}"] = bytes(await part.read())
        came.append((said, found))
        return web.Response()

    async def went(_: object, __: SimpleNamespace, params: aiohttp.TraceRequestChunkSentParams) -> None:
        pieces.append(len(params.chunk))

    app = web.Application()
    app.router.add_post("/a/", take)
    trace = aiohttp.TraceConfig()
    trace.on_request_chunk_sent.append(went)
    async with TestServer(app) as server, aiohttp.ClientSession(trace_configs=[trace]) as session:
        http: Any = SimpleNamespace(_HTTPClient__session=session, proxy=None, proxy_auth=None)
        said = fast_discord._Session(http, Layout(page, 7, 3), files, *more)
        url, params, headers = str(server.make_url("/a/")), {"wait": 1, "with": 2}, {"X-Kept": "yes"}
        call = said.request("POST", url, params=params, headers=headers, data=None, proxy=None, proxy_auth=None)
        async with call as answer:
            assert answer.status == 200
    ((told, found),) = came
    return told, found, pieces


def asked(params: Any) -> dict[str, Any]:
    """Return what the library would have sent, without defaults."""
    said: dict[str, Any] = json.loads(params.multipart[0]["value"]) if params.multipart else params.payload
    assert said.get("data", said).pop("tts") is False
    return said


async def test_an_answer_says_what_the_librarys_would_and_goes_out_in_one_piece():
    said, found, pieces = await sent(PAGE, PICTURES, fast_discord._V2_EPHEMERAL, 7)
    view, none = Layout(PAGE, 7, 3), discord.AllowedMentions.none()
    flags = discord.MessageFlags(ephemeral=True)
    theirs = interaction_message_response_params(
        type=7, view=view, attachments=view.files, flags=flags, previous_allowed_mentions=none
    )
    assert said == asked(theirs)
    assert found == {"files[0] a.png": PICTURES[0].data, "files[1] b.png": PICTURES[1].data} and len(pieces) == 1


async def test_an_edit_says_what_the_librarys_would_and_names_the_files_that_are_kept():
    said, found, _ = await sent(PAGE, [70, PICTURES[1]])
    nobody: Any = SimpleNamespace(http=None)
    kept: Any = {"id": 70, "filename": "a.png", "size": 0, "url": "", "proxy_url": ""}
    attachment = discord.Attachment(data=kept, state=nobody)
    files: list[discord.Attachment | discord.File] = [attachment, Layout(PAGE, 7, 3).files[1]]
    theirs = handle_message_parameters(
        view=Layout(PAGE, 7, 3), attachments=files, previous_allowed_mentions=discord.AllowedMentions.none()
    )
    wanted = asked(theirs)
    wanted["attachments"][0] = {"id": 70}  # the rest of it Discord knows
    assert said == wanted and found == {"files[0] b.png": PICTURES[1].data}


async def test_a_page_without_pictures_is_said_without_a_form():
    page = Page(PAGE.blocks[:1])
    said, found, _ = await sent(page, ())
    theirs = handle_message_parameters(
        view=Layout(page, 7, 3), attachments=[], previous_allowed_mentions=discord.AllowedMentions.none()
    )
    assert said == asked(theirs) and not found


def landed_of(harness: BotHarness, person: UserClient) -> InteractionMessage:
    """Return where a person's page is."""
    landed = harness.messages().pages.message_of(int(person.id)).message
    assert landed is not None
    return landed


def files_of(message: dict[str, Any]) -> list[int]:
    """Return the numbers of the files that a message's pictures show."""
    galleries = [part["items"] for part in message["components"][0]["components"] if "items" in part]
    return [int(item["media"]["attachment_id"]) for items in galleries for item in items]


@only_fast
async def test_the_message_that_an_answer_or_an_edit_made_is_known_with_its_files(harness: BotHarness):
    await harness.begin("break-out", harness.ben, referee="strict")
    await harness.press(harness.ann, "Play")
    await harness.settle()
    (panel,) = harness.ann.ephemerals(harness.yard)
    landed = landed_of(harness, harness.ann)
    assert landed.message == int(panel["id"]) and sorted(landed.files.values()) == sorted(files_of(panel))
    assert len(landed.files) == 2  # the table's picture and the hand
    first = files_of(panel)
    await harness.press(harness.awaited(), "Take a card")  # on the table message: the panel is edited by its token
    await harness.advance(CALM_MS)
    (panel,) = harness.ann.ephemerals(harness.yard)
    assert sorted(landed_of(harness, harness.ann).files.values()) == sorted(files_of(panel)) != sorted(first)
    assert landed_of(harness, harness.ann).message == int(panel["id"])


@only_fast
async def test_discord_need_not_return_a_message_whose_files_are_not_needed(harness: BotHarness):
    def answers() -> list[int]:
        return [call.status for call in harness.sandbox.calls if call.path.endswith("/callback")]

    await harness.two_at_the_wall()
    await harness.push()  # on the table message
    assert answers()[-1] == 204
    await harness.press(harness.awaited(), "Play")
    await harness.settle()
    panel = harness.awaited().ephemerals(harness.yard)[-1]
    await harness.awaited().press(panel, label="More …")
    assert answers()[-2:] == [200, 204]  # a new message, and one without a picture
    panel = harness.awaited().ephemerals(harness.yard)[-1]
    await harness.awaited().press(panel, label="◀ Back to the game")
    assert answers()[-1] == 200


@only_fast
async def test_nothing_of_a_call_stays_once_it_is_answered(harness: BotHarness):
    """Objects in reference cycles would hold a picture each until the garbage collector runs, which is rarely."""
    await harness.ann.command(harness.yard, "rope-wall start")
    await harness.press(harness.ben, "Join")
    await harness.press(harness.ann, "Start")
    await harness.settle()
    gc.collect()
    gc.disable()
    try:
        await harness.press(harness.ann, "Play")
        await harness.settle()
        assert not [each for each in gc.get_objects() if type(each) is fast_discord._Session]
    finally:
        gc.enable()
