"""Calls by an interaction's token, which answer it and edit the answer, by the library's public methods."""

from collections.abc import Sequence
from typing import Any, Final, Literal, NamedTuple, cast

import discord

from cogs.core.pages.page import Picture
from cogs.core.publishing.components_v2 import Layout

ORIGINAL: Final = "@original"
"""Names the message by which an interaction was answered, or on which the press was."""

Original = Literal["@original"]

Files = Sequence[Picture | int]
"""The pictures of a message: those that are sent with a call, and the numbers of those that it has already."""


class SentMessage(NamedTuple):
    """A message that a call has created or changed: its id, and Discord's `payload`, if it is known."""

    number: int
    payload: Any = None

    def file_ids(self) -> Sequence[int | None]:
        """Return the ids of the files that its pictures show, in order; None if Discord did not send them. Every page
        has one container with all of its pictures.
        """
        frames = () if self.payload is None else self.payload.get("components") or ()
        numbers: list[int | None] = []
        for part in (part for frame in frames for part in frame.get("components") or ()):
            for item in part.get("items", [part["accessory"]] if "accessory" in part else []):
                number = item["media"].get("attachment_id")
                numbers.append(None if number is None else int(number))
        return numbers


class TokenCalls:
    """The calls as the library makes them; all raise `API_ERRORS`. It does not tell the ids of files, so an edit sends
    every picture again.
    """

    async def answer(
        self,
        interaction: discord.Interaction,
        page: Layout,
        *,
        new_message: bool,
        ephemeral: bool = False,
        files: bool = True,
    ) -> SentMessage | None:
        """Answer an interaction by changing the message that was pressed, or by a new one. Return None if Discord names
        no message. A caller that knows the message and does not need the ids of its `files` saves Discord from sending
        it.
        """
        if not new_message:
            await interaction.response.edit_message(view=page, attachments=page.files)
            return None if interaction.message is None else SentMessage(interaction.message.id)
        response = await interaction.response.send_message(view=page, files=page.files, ephemeral=ephemeral)
        return None if response.message_id is None else SentMessage(response.message_id)

    async def edit(
        self, client: discord.Client, application: int, token: str, message: int | Original, page: Layout, files: Files
    ) -> SentMessage:
        """Change a message; it has these `files` then."""
        webhook = discord.Webhook.partial(application, token, client=client)
        changed = await webhook.edit_message(cast(int, message), view=page, attachments=page.files)
        return SentMessage(changed.id)

    async def follow_up(self, interaction: discord.Interaction, page: Layout, *, ephemeral: bool) -> SentMessage:
        """Send another message after the answer."""
        sent = await interaction.followup.send(view=page, files=page.files, ephemeral=ephemeral, wait=True)
        return SentMessage(sent.id)
