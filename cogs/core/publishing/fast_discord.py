"""Sends pages by an interaction's token without the library's costly encoding and decoding.

discord.py parses the whole message that comes back after every call, which costs as much as sending it, although only
the ids are needed; and it builds forms with pictures part by part. So calls go through the library, with its limits and
errors, but their body is encoded here in one piece, and the response is not parsed. This module depends on private
parts of the library: `tests/cogs/core/publishing/test_fast_discord.py` says which version it was tested with.
"""

import secrets
from collections.abc import Sequence
from typing import Any, Final, Literal, NamedTuple, cast

import aiohttp
import discord
import msgspec
import yarl
from discord import InteractionResponseType
from discord.http import MultipartParameters
from discord.webhook.async_ import async_context

from cogs.core.pages.page import Picture
from cogs.core.publishing.components_v2 import Layout

TESTED_WITH = "2.7"
"""The version of the library whose inside this knows."""

ORIGINAL: Final = "@original"
"""Names the message by which an interaction was answered, or on which the press was."""

_GALLERY = discord.ComponentType.media_gallery.value
_V2 = discord.MessageFlags(components_v2=True).value
_V2_EPHEMERAL = discord.MessageFlags(components_v2=True, ephemeral=True).value

_NOBODY = discord.AllowedMentions.none().to_dict()
"""A page mentions people by their names, and calls nobody."""

_BOUNDARY = secrets.token_hex(16)
"""The boundary between the parts of a form; it is random, so no picture contains it."""

_PART = b"\r\n--" + _BOUNDARY.encode() + b"\r\nContent-Disposition: form-data; name=%b"
_JSON_PART = b"\r\nContent-Type: application/json\r\n\r\n"
_FILE_PART = b"\r\nContent-Type: application/octet-stream\r\n\r\n"
_END = b"\r\n--" + _BOUNDARY.encode() + b"--\r\n"
_JSON, _FORM = "application/json", f"multipart/form-data; boundary={_BOUNDARY}"

_NOTHING = MultipartParameters(payload=None, multipart=None, files=None)

Original = Literal["@original"]

Files = Sequence[Picture | int]
"""The pictures of a message: those that are sent with a call, and the numbers of those that it has already."""


class SentMessage(NamedTuple):
    """A message that a call has created or changed: its id, and Discord's `payload`, if there was one."""

    number: int
    payload: Any = None

    def file_ids(self) -> tuple[int | None, ...]:
        """Return the ids of the files that its pictures show, in order; None if Discord did not send them. Every page
        has one container with all of its pictures.
        """
        frames = () if self.payload is None else self.payload.get("components") or ()
        parts = (part for frame in frames for part in frame.get("components") or ())
        items = (item for part in parts if part["type"] == _GALLERY for item in part["items"])
        numbers = (item["media"].get("attachment_id") for item in items)
        return tuple(None if number is None else int(number) for number in numbers)


async def answer_interaction(
    interaction: discord.Interaction, page: Layout, *, new_message: bool, ephemeral: bool = False, files: bool = True
) -> SentMessage | None:
    """Answer an interaction by changing the message that was pressed, or by a new one. Return None if Discord names no
    message. Raises `API_ERRORS`. A caller that knows the message and does not need the ids of its `files` saves Discord
    from sending it.
    """
    kind = InteractionResponseType.channel_message if new_message else InteractionResponseType.message_update
    flags = _V2_EPHEMERAL if ephemeral else _V2
    asks = new_message or (files and len(page.pictures) > 0)
    request: Any = _Session(interaction._state.http, page, page.pictures, flags, kind.value, asks=asks)
    payload: Any = await async_context.get().create_interaction_response(
        interaction.id, interaction.token, session=request, params=_NOTHING
    )
    interaction.response._response_type = kind
    if payload:
        message = (payload.get("resource") or {}).get("message")
        if message is not None:
            return SentMessage(int(message["id"]), message)
        number = payload["interaction"].get("response_message_id")
        if number is not None:
            return SentMessage(int(number))
    return None if interaction.message is None else SentMessage(interaction.message.id)


async def edit_message(
    client: discord.Client, application: int, token: str, message: int | Original, page: Layout, files: Files
) -> SentMessage:
    """Change a message by the token of an interaction; it has these `files` then. Raises what a call raises that
    fails.
    """
    request: Any = _Session(client.http, page, files)
    payload: Any = await async_context.get().edit_webhook_message(
        application, token, cast(int, message), session=request, with_components=True
    )
    return SentMessage(int(payload["id"]), payload)


async def send_follow_up(interaction: discord.Interaction, page: Layout, *, ephemeral: bool) -> SentMessage:
    """Send another message after the answer. Raises what a call raises that fails."""
    request: Any = _Session(interaction._state.http, page, page.pictures, _V2_EPHEMERAL if ephemeral else _V2)
    payload: Any = await async_context.get().execute_webhook(
        interaction.application_id, interaction.token, session=request, wait=True, with_components=True
    )
    return SentMessage(int(payload["id"]), payload)


class _Session:
    """The body of one call: a page as a message with these `files`, as the response of this type to an interaction if
    there is one.

    To the library, this is the session that makes the request; it replaces the body that the library would have sent.
    It must not refer to itself, or it would stay in memory with its pictures for thousands of calls.
    """

    def __init__(
        self,
        http: Any,
        page: Layout,
        files: Files,
        flags: int = _V2,
        response_type: int | None = None,
        *,
        asks: bool = True,
    ) -> None:
        self._session: aiohttp.ClientSession = http._HTTPClient__session
        self._proxy = {"proxy": http.proxy, "proxy_auth": http.proxy_auth}
        self._wants_message = asks
        sent = [file for file in files if isinstance(file, Picture)]
        named: list[dict[str, Any]] = [{"id": file} for file in files if isinstance(file, int)]
        named += ({"id": place, "filename": file.name, "description": file.alt} for place, file in enumerate(sent))
        message = {
            "components": page.to_components(),
            "attachments": named,
            "flags": flags,
            "allowed_mentions": _NOBODY,
        }
        self._content_type = _JSON
        self._body = msgspec.json.encode(message if response_type is None else {"type": response_type, "data": message})
        if sent:
            parts = [_PART % b'"payload_json"', _JSON_PART, self._body]
            for place, file in enumerate(sent):
                name = f'"files[{place}]"; filename="{file.name}"'
                parts += (_PART % name.encode(), _FILE_PART, file.data)
            self._content_type, self._body = _FORM, b"".join((*parts, _END))

    def request(
        self, method: str, url: str, *, params: dict[str, Any], headers: dict[str, str], **passed_over: None
    ) -> Any:
        """Make the call."""
        if self._wants_message:
            url = f"{url}?{'&'.join([f'{name}={value}' for name, value in params.items()])}"
        whole = yarl.URL(url, encoded=True)
        headers = {**headers, "Content-Type": self._content_type}
        return self._session.request(method, whole, headers=headers, data=self._body, **self._proxy)
