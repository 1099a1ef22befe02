"""Cards and tiles as emoji of our own application, usable in every server without a permission.

They are uploaded in the background, found by name, and stand on controls and in texts once Discord has them; until
then, and where it takes none, plain text and Discord's own emoji do. A name ends with a hash of the picture: what is
drawn anew is uploaded anew, and the old one goes. May import discord and its neighbours.
"""

import asyncio
import hashlib
import logging
from collections.abc import Mapping

import discord

from cogs.core.messages.page import Page

log = logging.getLogger(__name__)

PAUSE_S = 0.5
"""Between two that are made: nobody waits for them, and others do for the calls that Discord allows in a second."""

MARK = "cb_"
"""How the names of ours begin."""


class OwnEmoji:
    """The emoji that our application has at Discord, by face: a short name such as `card_red_3`, in words that a
    screen reader can read.
    """

    def __init__(self) -> None:
        self._known: dict[str, str] = {}

    def of(self, face: str) -> str | None:
        """Return a face as text for Discord; None where it is not there."""
        return self._known.get(face)

    def page(self, page: Page) -> Page:
        """Return a page whose controls bear the faces that are known, and its texts too."""
        return page.with_emoji(self.of) if self._known else page

    async def upload(self, client: discord.Client, wanted: Mapping[str, bytes]) -> None:
        """Let Discord have these pictures and no older ones of ours. Raises what a call raises that fails; what is
        there by then is used, and the next call goes on from there.
        """
        names = {f"{MARK}{face}_{hashlib.sha256(data).hexdigest()[:8]}": face for face, data in wanted.items()}
        found = {one.name: one for one in await client.fetch_application_emojis() if one.name.startswith(MARK)}
        for name, face in names.items():
            emoji = found.get(name)
            if emoji is None:
                emoji = await client.create_application_emoji(name=name, image=wanted[face])
                await asyncio.sleep(PAUSE_S)
            self._known[face] = str(emoji)
        for name, emoji in found.items():
            if name not in names:
                await emoji.delete()
        log.info("%s emoji are there", len(names))
