"""A message that answered an interaction, which can be edited by the interaction's token. Calls by token are not
counted in the bot's rate limit.
"""

import logging
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import cast

import discord

from cogs.core.ops import discord_errors
from cogs.core.pages.page import Page, Picture
from cogs.core.publishing import components_v2
from cogs.core.publishing.fast_discord import TOKEN_CALLS
from cogs.core.publishing.token_calls import ORIGINAL, Files, Original, SentMessage
from engine.contract import Moment

log = logging.getLogger(__name__)

TOKEN_LIFETIME_MS = 14 * 60_000
"""Discord takes edits by a token for 15 minutes; by our own clock it is given up before that."""


@dataclass(slots=True)
class InteractionMessage:
    """A message that answered an interaction, and the token by which it can be edited.

    `at` is when Discord received the interaction: its token lives for 15 minutes from then. `original` says that the
    message is the interaction's own, and not one that followed it. `files` are the numbers of the pictures that it
    shows, by their digests, in which their files' names count too: a page asks for one by its name, and what is kept
    keeps it. Those are named by an edit, and not sent again: their reader's client would load them once more.
    """

    application: int
    token: str = field(repr=False)
    message: int
    original: bool
    at: Moment
    files: dict[int, int] = field(default_factory=dict, repr=False)

    def token_valid(self, now: Moment) -> bool:
        """Return True if the token can still be used, by the bot's own clock."""
        return now - self.at < TOKEN_LIFETIME_MS

    def note_pictures(self, pictures: Sequence[Picture], sent: SentMessage | None) -> None:
        """Note which pictures a message shows, from the response to the call that sent or edited it."""
        numbers = () if sent is None else sent.file_ids()
        self.files = {}
        if len(numbers) == len(pictures):
            self.files = {one.digest: number for one, number in zip(pictures, numbers, strict=True) if number}

    async def edit(self, client: discord.Client, page: Page, table: int | str, stamp: int) -> None:
        """Show this page. Raises `API_ERRORS`."""
        written = components_v2.Layout(page, table, stamp)
        files = self._files(written.pictures)
        try:
            sent = await TOKEN_CALLS.edit(client, self.application, self.token, self._address(), written, files)
        except discord.HTTPException as error:
            if not self.files or error.code != discord_errors.INVALID_FORM:
                raise
            # Somebody else's press may have replaced a picture that it was to keep: they are all sent then.
            log.info("table %s: an edit by a token is made again with all pictures: %s", table, error)
            self.files = {}
            sent = await TOKEN_CALLS.edit(
                client, self.application, self.token, self._address(), written, written.pictures
            )
        self.note_pictures(written.pictures, sent)

    async def try_edit(self, client: discord.Client, now: Moment, page: Page, table: int, stamp: int) -> bool:
        """Show this page if the token is still valid. Return False if it is not, or the message is gone. Raises API
        errors that may be transient.
        """
        if not self.token_valid(now):
            return False
        try:
            await self.edit(client, page, table, stamp)
        except discord_errors.API_ERRORS as error:
            if discord_errors.is_transient(error):
                raise
            log.info("table %s: a message could not be edited by a token: %s", table, error)
            return False
        return True

    async def delete(self, client: discord.Client) -> None:
        """Take the message away. Raises what a call raises that fails."""
        webhook = discord.Webhook.partial(self.application, self.token, client=client)
        await webhook.delete_message(cast(int, self._address()))

    def _address(self) -> int | Original:
        return ORIGINAL if self.original else self.message

    def _files(self, pictures: Sequence[Picture]) -> Files:
        """Return these pictures, and in the place of those that the message has already their numbers."""
        return [self.files.get(picture.digest, picture) for picture in pictures]
