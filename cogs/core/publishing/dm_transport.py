"""How a direct message gets to its reader: by an edit through the token of their last press on it, which is not
counted in the bot's 50 calls a second, else by one of ours; and where none stands any more, or their phone is to tell
them, by a new one in the place of the one before.
"""

import logging

import discord

from cogs.core.ops import discord_errors
from cogs.core.pages.custom_ids import dump_press
from cogs.core.pages.player_page import PlayerPage
from cogs.core.publishing import components_v2
from cogs.core.publishing.idempotent_post import Succession
from cogs.core.publishing.interaction_message import Landed
from cogs.core.publishing.services import PublishingServices
from cogs.core.tables.table import Table
from data.store import SeatChange, SeatRow

log = logging.getLogger(__name__)

READS = "="
"""What the key of a direct message begins with on which its reader reads what does not change with the game; nothing
follows before it is known what they must hear of. It is kept with their seat, since any process may have answered them.
"""


class Delivery:
    """The ways on which those of one table go out."""

    def __init__(self, services: PublishingServices, table: Table) -> None:
        self._client = services.client
        self._clock = services.clock
        self._table = table
        self._landed: dict[int, Landed] = {}  # by user: theirs, by the token of their last press on it
        self._successions: dict[int, Succession] = {}  # by user
        self._renewing: set[int] = set()  # users to whom a new one is to be written

    def pressed(self, user: int, landed: Landed) -> None:
        """Take note of where somebody's press on theirs was answered."""
        self._landed[user] = landed

    def renew(self, user: int) -> None:
        """Let the next one to somebody be a new one, so that their phone tells them."""
        self._renewing.add(user)

    def renews(self, user: int | None) -> bool:
        """Say whether the next one to somebody is a new one."""
        return user in self._renewing

    def token(self, row: SeatRow) -> Landed | None:
        """Return somebody's direct message with a token that lives, if they have pressed on it lately."""
        landed = self._landed.get(row.user or 0)
        if landed is None or landed.message != row.dm_message or not landed.lives(self._clock.now()):
            return None
        return landed

    async def deliver(self, row: SeatRow, found: PlayerPage) -> SeatChange:
        """Send or edit one; return what is to be kept of it: the key only of what it certainly shows.

        Raises what a call raises that fails.
        """
        assert row.user is not None
        anew = row.user in self._renewing
        if not anew and await self._edited_by_token(row, found):
            return placed(row.dm_channel, row.dm_message, found)
        channel_id = row.dm_channel
        if channel_id is None:
            channel_id = (await self._client.create_dm(discord.Object(row.user))).id
        channel = self._client.get_partial_messageable(channel_id)
        stands = not anew and await self._edited(channel, row, found)
        number = row.dm_message if stands else await self._post(channel, row, found)
        return placed(channel_id, number, found)

    async def _edited_by_token(self, row: SeatRow, found: PlayerPage) -> bool:
        """Edit one by the token of its reader's last press. Return False where there is none any more."""
        landed = self.token(row)
        if landed is None:
            return False
        if await landed.edited(self._client, self._clock.now(), found.page, self._table.id, found.stamp):
            return True
        self._landed.pop(row.user or 0, None)
        return False

    async def _edited(self, channel: discord.PartialMessageable, row: SeatRow, found: PlayerPage) -> bool:
        """Edit one. Return False where there is none, or none any more."""
        if row.dm_message is None:
            return False
        view = components_v2.Layout(found.page, self._table.id, found.stamp)
        try:
            await channel.get_partial_message(row.dm_message).edit(view=view, attachments=view.files)
        except discord.NotFound as error:
            if error.code not in (discord_errors.UNKNOWN_MESSAGE, discord_errors.UNKNOWN_CHANNEL):
                raise
            return False
        return True

    async def _post(self, channel: discord.PartialMessageable, row: SeatRow, found: PlayerPage) -> int:
        """Send one that takes the place of the one before it."""
        assert row.user is not None
        table = self._table.snapshot.row
        succession = self._successions.setdefault(row.user, Succession(table.id, f"{table.id}.{table.created_at}"))
        message, certain = await succession.post(channel, row.dm_message, found.page, found.stamp)
        if not certain:
            view = components_v2.Layout(found.page, table.id, found.stamp)
            await message.edit(view=view, attachments=view.files)
        if row.user in self._renewing:
            self._renewing.discard(row.user)
            await self._remove(channel, row.dm_message)
        return message.id

    async def _remove(self, channel: discord.PartialMessageable, message: int | None) -> None:
        if message is None:
            return
        try:
            await channel.get_partial_message(message).delete()
        except discord_errors.API_ERRORS as error:
            log.info("table %s: an old direct message stays: %s", self._table.id, error)


def placed(channel: int | None, message: int | None, found: PlayerPage) -> SeatChange:
    """Return what is kept of a direct message that stands here and shows this."""
    key = READS if found.still else found.key
    return SeatChange(dm_channel=channel, dm_message=message, dm_state=key, dm_look=dump_press(found.look))
