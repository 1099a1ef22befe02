"""The calls by an interaction's token without the library's costly encoding and decoding.

discord.py parses the whole message that comes back after every call, which costs as much as sending it, although only
the ids are needed; and it builds forms with pictures part by part. So calls go through the library, with its limits and
errors, but their body is encoded here in one piece, and the response is not parsed. This depends on private parts of
the library, so it is used only with versions that it was tested with.
"""

import os
import secrets
from typing import Any, cast

import aiohttp
import discord
import msgspec
import yarl
from discord import InteractionResponseType
from discord.http import MultipartParameters
from discord.webhook.async_ import async_context

from cogs.core.pages.page import Picture
from cogs.core.publishing.components_v2 import Layout
from cogs.core.publishing.token_calls import Files, Original, SentMessage, TokenCalls

TESTED_WITH = "2.7"
"""The version of the library whose inside this knows."""

SWITCH = "FAST_DISCORD"
"""The environment variable that switches these calls off (0)."""

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


class FastTokenCalls(TokenCalls):
    """The calls with bodies of our own."""

    async def answer(
        self,
        interaction: discord.Interaction,
        page: Layout,
        *,
        new_message: bool,
        ephemeral: bool = False,
        files: bool = True,
    ) -> SentMessage | None:
        """Answer an interaction."""
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

    async def edit(
        self, client: discord.Client, application: int, token: str, message: int | Original, page: Layout, files: Files
    ) -> SentMessage:
        """Change a message."""
        request: Any = _Session(client.http, page, files)
        payload: Any = await async_context.get().edit_webhook_message(
            application, token, cast(int, message), session=request, with_components=True
        )
        return SentMessage(int(payload["id"]), payload)

    async def follow_up(self, interaction: discord.Interaction, page: Layout, *, ephemeral: bool) -> SentMessage:
        """Send another message."""
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
            "components": [page.frame],
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


def token_calls(version: str = discord.__version__) -> TokenCalls:
    """Return these calls if the library has a version that they were tested with and they are not switched off, and
    otherwise the library's own.
    """
    known = version.startswith(TESTED_WITH) and os.environ.get(SWITCH) != "0"
    return FastTokenCalls() if known else TokenCalls()


TOKEN_CALLS = token_calls()
"""The calls that everything uses."""
