"""Messages of which each takes the place of the one before: a table's in the channel, somebody's direct ones."""

import discord

from cogs.core.pages.page import Page
from cogs.core.publishing import components_v2


class Succession:
    """Posts of which one is meant to follow each message, however often it is tried, also after a restart: Discord
    answers a nonce that it has just seen with the message that it has already. `first` is the nonce of the first.
    """

    def __init__(self, table: int, first: str) -> None:
        self._table = table
        self._first = first
        self._tried: str | None = None

    async def post(
        self,
        channel: discord.PartialMessageable,
        before: int | None,
        page: Page,
        stamp: int,
        *,
        silent: bool = False,
        called: tuple[int, ...] = (),
    ) -> tuple[discord.Message, bool]:
        """Post a page that takes the place of the message `before`, and mention only those who are `called`. Return the
        message, and whether it certainly shows that page: it may be one that was posted before. Raises what a call
        raises that fails.
        """
        nonce = self._first if before is None else str(before)
        again, self._tried = nonce == self._tried, nonce
        view = components_v2.Layout(page, self._table, stamp)
        message = await channel.send(
            view=view,
            files=view.files,
            silent=silent,
            nonce=nonce,
            allowed_mentions=discord.AllowedMentions(users=[discord.Object(user) for user in called]),
        )
        shows = components_v2.fingerprint_of(message) == components_v2.fingerprint(view.to_components())
        return message, shows and not again
