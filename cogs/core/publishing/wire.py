"""How a page goes to Discord by an interaction, and what Discord tells of the message that shows it.

The library makes objects of a whole message, which Discord sends back after every call: as much work again as sending
it. Nobody here asks for more than its number and those of its files. And a page with a picture it writes down as a
form, part by part, from files that it reads. So the calls are the library's, with its limits and its errors, but what
goes out is written down here, in one piece, and what comes back is read as it is. All that leans on its inside for that
is in this file: `tests/cogs/core/publishing/test_wire.py` says with which version that was tried.
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

TRIED_WITH = "2.7"
"""The version of the library whose inside this knows."""

ORIGINAL: Final = "@original"
"""Names the message by which an interaction was answered, or on which the press was."""

_GALLERY = discord.ComponentType.media_gallery.value
_V2 = discord.MessageFlags(components_v2=True).value
_V2_EPHEMERAL = discord.MessageFlags(components_v2=True, ephemeral=True).value

_NOBODY = discord.AllowedMentions.none().to_dict()
"""A page mentions people by their names, and calls nobody."""

_BOUNDARY = secrets.token_hex(16)
"""What stands between the parts of a form: no picture holds it, for nobody knows it."""

_PART = b"\r\n--" + _BOUNDARY.encode() + b"\r\nContent-Disposition: form-data; name=%b"
_JSON_PART = b"\r\nContent-Type: application/json\r\n\r\n"
_FILE_PART = b"\r\nContent-Type: application/octet-stream\r\n\r\n"
_END = b"\r\n--" + _BOUNDARY.encode() + b"--\r\n"
_JSON, _FORM = "application/json", f"multipart/form-data; boundary={_BOUNDARY}"

_NOTHING = MultipartParameters(payload=None, multipart=None, files=None)

Original = Literal["@original"]

Files = Sequence[Picture | int]
"""The pictures of a message: those that are sent with a call, and the numbers of those that it has already."""


class Sent(NamedTuple):
    """A message that a call has made or changed: its number, and what Discord has `told` of it, if it has."""

    number: int
    told: Any = None

    def files(self) -> tuple[int | None, ...]:
        """Return the numbers of the files that its pictures show, in order; None where Discord does not tell. Our pages
        have one frame, in which their pictures stand.
        """
        frames = () if self.told is None else self.told.get("components") or ()
        parts = (part for frame in frames for part in frame.get("components") or ())
        items = (item for part in parts if part["type"] == _GALLERY for item in part["items"])
        numbers = (item["media"].get("attachment_id") for item in items)
        return tuple(None if number is None else int(number) for number in numbers)


async def answer(
    interaction: discord.Interaction, page: Layout, *, anew: bool, ephemeral: bool = False, files: bool = True
) -> Sent | None:
    """Answer an interaction by changing the message that was pressed, or by another one (`anew`). Return None where
    Discord tells of no message. Raises what a call raises that fails. Who knows which message it is, and does not ask
    for its `files`, spares Discord and us the whole of it.
    """
    kind = InteractionResponseType.channel_message if anew else InteractionResponseType.message_update
    flags = _V2_EPHEMERAL if ephemeral else _V2
    asks = anew or (files and len(page.pictures) > 0)
    said: Any = _Said(interaction._state.http, page, page.pictures, flags, kind.value, asks=asks)
    told: Any = await async_context.get().create_interaction_response(
        interaction.id, interaction.token, session=said, params=_NOTHING
    )
    interaction.response._response_type = kind
    if told:
        message = (told.get("resource") or {}).get("message")
        if message is not None:
            return Sent(int(message["id"]), message)
        number = told["interaction"].get("response_message_id")
        if number is not None:
            return Sent(int(number))
    return None if interaction.message is None else Sent(interaction.message.id)


async def edit(
    client: discord.Client, application: int, token: str, message: int | Original, page: Layout, files: Files
) -> Sent:
    """Change a message by the token of an interaction; it has these `files` then. Raises what a call raises that
    fails.
    """
    said: Any = _Said(client.http, page, files)
    told: Any = await async_context.get().edit_webhook_message(
        application, token, cast(int, message), session=said, with_components=True
    )
    return Sent(int(told["id"]), told)


async def follow_up(interaction: discord.Interaction, page: Layout, *, ephemeral: bool) -> Sent:
    """Send another message after the answer. Raises what a call raises that fails."""
    said: Any = _Said(interaction._state.http, page, page.pictures, _V2_EPHEMERAL if ephemeral else _V2)
    told: Any = await async_context.get().execute_webhook(
        interaction.application_id, interaction.token, session=said, wait=True, with_components=True
    )
    return Sent(int(told["id"]), told)


class _Said:
    """What one call says: a page as a message that has these `files`, as the `answer` of that kind to an interaction
    where there is one. It is written down here, and goes out in the place of what the library would have written: to
    the library this is the session by which it makes the call. One that does not ask leaves out what the library asks
    for with it. Nothing here may hold itself: that would stay, with its pictures, for thousands of calls.
    """

    def __init__(
        self,
        http: Any,
        page: Layout,
        files: Files,
        flags: int = _V2,
        answer: int | None = None,
        *,
        asks: bool = True,
    ) -> None:
        self._session: aiohttp.ClientSession = http._HTTPClient__session
        self._proxy = {"proxy": http.proxy, "proxy_auth": http.proxy_auth}
        self._asks = asks
        sent = [file for file in files if isinstance(file, Picture)]
        named: list[dict[str, Any]] = [{"id": file} for file in files if isinstance(file, int)]
        named += ({"id": place, "filename": file.name, "description": file.alt} for place, file in enumerate(sent))
        message = {
            "components": page.to_components(),
            "attachments": named,
            "flags": flags,
            "allowed_mentions": _NOBODY,
        }
        self._kind = _JSON
        self._body = msgspec.json.encode(message if answer is None else {"type": answer, "data": message})
        if sent:
            parts = [_PART % b'"payload_json"', _JSON_PART, self._body]
            for place, file in enumerate(sent):
                name = f'"files[{place}]"; filename="{file.name}"'
                parts += (_PART % name.encode(), _FILE_PART, file.data)
            self._kind, self._body = _FORM, b"".join((*parts, _END))

    def request(
        self, method: str, url: str, *, params: dict[str, Any], headers: dict[str, str], **passed_over: None
    ) -> Any:
        """Make the call."""
        if self._asks:
            url = f"{url}?{'&'.join([f'{name}={value}' for name, value in params.items()])}"
        whole = yarl.URL(url, encoded=True)
        headers = {**headers, "Content-Type": self._kind}
        return self._session.request(method, whole, headers=headers, data=self._body, **self._proxy)
