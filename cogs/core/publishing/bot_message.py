"""A message of the bot in a channel: edited in the cheapest way that works, and replaced by another one."""

from collections.abc import Sequence

import discord

from cogs.core.ops import discord_errors
from cogs.core.pages.page import StampedPage
from cogs.core.publishing import components_v2
from cogs.core.publishing.interaction_message import InteractionMessage
from cogs.core.publishing.services import PublishingServices
from cogs.core.tables.table import Table
from engine.contract import Moment

GONE = frozenset({discord_errors.UNKNOWN_MESSAGE, discord_errors.UNKNOWN_CHANNEL})


class BotMessage:
    """The present message of a succession, of which each takes the place of the one before.

    A post is tried as often as it takes, also after a restart: its nonce names the message before it (`first` if there
    was none), and Discord answers a nonce that it has just seen with the message that it has already.
    """

    def __init__(self, services: PublishingServices, table: Table, number: int | None) -> None:
        self.number = number  # None before the first
        self._client = services.client
        self._clock = services.clock
        self._table = table
        self._first = f"{table.id}.{table.snapshot.row.created_at}"
        self.answer: InteractionMessage | None = None  # the last answer to a press on it
        self._tried: str | None = None  # the nonce of the last post

    @property
    def token(self) -> InteractionMessage | None:
        """The message by the token of the last press that it answered, while that lives."""
        token = self.answer
        if token is None or token.message != self.number or not token.token_valid(self._clock.now()):
            return None
        return token

    async def edit(self, channel: discord.PartialMessageable, rendered: StampedPage, due: Moment | None = None) -> bool:
        """Show a page: by the token, which is not counted in the bot's 50 calls a second, else by the bot's own call.
        `due`: when people must have seen it. Return False if there is no message any more. Raises `API_ERRORS`.
        """
        if self.number is None:
            return False
        token = self.token
        if token is not None and await token.try_edit(
            self._client, self._clock.now(), rendered.page, self._table.id, rendered.stamp
        ):
            return True
        self.answer = None
        message = channel.get_partial_message(self.number)
        view = components_v2.Layout(rendered.page, self._table.id, rendered.stamp)
        try:
            try:
                async with self._table.unasked_call(due, channel.id):
                    await message.edit(view=view, attachments=view.files)
            except discord.HTTPException as error:
                archived = error.code == discord_errors.THREAD_ARCHIVED and channel.guild_id is not None
                if not archived or self._table.snapshot.ended:
                    raise
                await self._unarchive(channel.id, due)
                async with self._table.unasked_call(due, channel.id):
                    await message.edit(view=view, attachments=view.files)
        except discord.NotFound as error:
            if error.code not in GONE:
                raise
            return False
        return True

    async def _unarchive(self, channel: int, due: Moment | None) -> None:
        """Take a thread out of the archive, into which Discord puts it if nobody has written there for a while. Raises
        `API_ERRORS`.
        """
        async with self._table.unasked_call(due, channel):
            thread = await self._client.fetch_channel(channel)  # the library does not know archived ones
        if isinstance(thread, discord.Thread):
            async with self._table.unasked_call(due, channel):
                await thread.edit(archived=False)

    async def post(
        self,
        channel: discord.PartialMessageable,
        rendered: StampedPage,
        *,
        due: Moment | None = None,
        silent: bool = False,
        mentioned: Sequence[int] = (),
    ) -> tuple[discord.Message, bool]:
        """Post a page in a message that takes the place of the present one, and mention these users only. Return the
        message, and whether it certainly shows the page: an earlier try may have posted it. Raises `API_ERRORS`.
        """
        nonce = self._first if self.number is None else str(self.number)
        again, self._tried = nonce == self._tried, nonce
        view = components_v2.Layout(rendered.page, self._table.id, rendered.stamp)
        allowed = discord.AllowedMentions(users=[discord.Object(user) for user in mentioned])
        async with self._table.unasked_call(due, channel.id):
            message = await channel.send(
                view=view, files=view.files, silent=silent, nonce=nonce, allowed_mentions=allowed
            )
        shows = components_v2.fingerprint_of(message) == components_v2.fingerprint(view.to_components())
        return message, shows and not again
