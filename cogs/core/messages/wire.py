"""How a page goes to Discord by an interaction, and what Discord tells of the message that shows it.

The library makes objects of a whole message, which Discord sends back after every call: as much work again as sending
it. Nobody here asks for more than its number and those of its files. So the calls are the library's, with its limits
and its errors, and what comes back is read as it is. All that leans on its inside for that is in this file:
`tests/cogs/core/messages/test_wire.py` says with which version that was tried. May import discord and its neighbours.
"""

from collections.abc import Sequence
from typing import Any, Final, Literal, NamedTuple, cast

import discord
from discord import InteractionResponseType
from discord.http import handle_message_parameters
from discord.webhook.async_ import async_context, interaction_message_response_params

from cogs.core.messages.layout import Layout

TRIED_WITH = "2.7"
"""The version of the library whose inside this knows."""

ORIGINAL: Final = "@original"
"""Names the message by which an interaction was answered, or on which the press was."""

_GALLERY = discord.ComponentType.media_gallery.value

Original = Literal["@original"]

Files = Sequence[discord.File | discord.Attachment]


class Sent(NamedTuple):
    """A message that a call has made or changed: its number, and those of the files that its pictures show, in order;
    None where Discord does not tell.
    """

    number: int
    files: tuple[int | None, ...]


async def answer(interaction: discord.Interaction, view: Layout, *, anew: bool, ephemeral: bool = False) -> Sent | None:
    """Answer an interaction by changing the message that was pressed, or by another one (`anew`). Return None where
    Discord tells of no message. Raises what a call raises that fails.
    """
    kind = InteractionResponseType.channel_message if anew else InteractionResponseType.message_update
    flags = discord.MessageFlags(ephemeral=ephemeral)
    params = interaction_message_response_params(
        type=kind.value,
        view=view,
        attachments=view.files,
        flags=flags,
        previous_allowed_mentions=interaction._state.allowed_mentions,
    )
    told: Any = await async_context.get().create_interaction_response(
        interaction.id, interaction.token, **_way(interaction._state.http), params=params
    )
    interaction.response._response_type = kind
    message = (told.get("resource") or {}).get("message")
    if message is not None:
        return _sent(message)
    number = told["interaction"].get("response_message_id")
    if number is not None:
        return Sent(int(number), ())
    return None if interaction.message is None else Sent(interaction.message.id, ())


async def edit(
    client: discord.Client, application: int, token: str, message: int | Original, view: Layout, files: Files
) -> Sent:
    """Change a message by the token of an interaction. Raises what a call raises that fails."""
    params = handle_message_parameters(
        view=view, attachments=files, previous_allowed_mentions=client._connection.allowed_mentions
    )
    told = await async_context.get().edit_webhook_message(
        application,
        token,
        cast(int, message),
        **_way(client.http),
        payload=params.payload,
        multipart=params.multipart,
        files=params.files,
        with_components=True,
    )
    return _sent(told)


async def follow_up(interaction: discord.Interaction, view: Layout, *, ephemeral: bool) -> Sent:
    """Send another message after the answer. Raises what a call raises that fails."""
    params = handle_message_parameters(
        view=view,
        attachments=view.files,
        flags=discord.MessageFlags(ephemeral=ephemeral),
        previous_allowed_mentions=interaction._state.allowed_mentions,
    )
    told = await async_context.get().execute_webhook(
        interaction.application_id,
        interaction.token,
        **_way(interaction._state.http),
        payload=params.payload,
        multipart=params.multipart,
        files=params.files,
        wait=True,
        with_components=True,
    )
    return _sent(told)


def _way(http: Any) -> Any:
    """Return by what connection the library makes its calls."""
    return {"session": http._HTTPClient__session, "proxy": http.proxy, "proxy_auth": http.proxy_auth}


def _sent(message: Any) -> Sent:
    """Return what Discord tells of a message; our pages have one frame, in which their pictures stand."""
    parts = (part for frame in message.get("components") or () for part in frame.get("components") or ())
    items = (item for part in parts if part["type"] == _GALLERY for item in part["items"])
    numbers = (item["media"].get("attachment_id") for item in items)
    return Sent(int(message["id"]), tuple(None if number is None else int(number) for number in numbers))
