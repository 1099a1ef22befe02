"""The records that one reader may see: whose, of which games, and by which names."""

from collections.abc import Sequence

import discord

from cogs.core.i18n.translation import _
from cogs.core.inbound.access import visible_channels
from cogs.core.ops.errors import UserError
from cogs.core.ops.storage import Store
from cogs.core.pages import display_names
from cogs.core.publishing import message_links
from engine.results import FinishedGame


class Viewer:
    """A reader's access to records. Raises `UserError` outside a server."""

    def __init__(self, store: Store, interaction: discord.Interaction) -> None:
        if interaction.guild_id is None:
            raise UserError(_("Records belong to a server. Use this command on a server."))
        self._store = store
        self._interaction = interaction
        self.reader = interaction.user.id
        self.guild = interaction.guild_id
        self.server = interaction.guild.name if interaction.guild is not None else _("this server")

    async def check_seen(self, *users: int | None) -> None:
        """Raise `UserError` if one of these users, other than the reader, hides their games."""
        hidden = await self._store.records.hidden()
        for user in users:
            if user in hidden and user != self.reader:
                raise UserError(_("{player} keeps their games private.", player=f"<@{user}>"))

    def name(self, user: int, games: Sequence[FinishedGame]) -> str:
        """Return a user's name: the current one if Discord sent it, otherwise the last one at a table."""
        options = (getattr(self._interaction.namespace, name, None) for name in ("user", "against"))
        for named in (self._interaction.user, *options):
            if isinstance(named, discord.User | discord.Member) and named.id == user:
                return display_names.sanitize(named.display_name)
        side = games[0].side_of(user) if games else None
        return display_names.sanitize("" if side is None else side.name)

    async def visible_games(self, games: Sequence[FinishedGame]) -> list[FinishedGame]:
        """Return those of these games whose channels the reader sees."""
        channel_of = await self._store.server_admin.channels_of([game.table for game in games])
        visible = visible_channels(self._interaction, channel_of.values()).open
        return [game for game in games if channel_of.get(game.table) in visible]

    async def hidden_channels(self, user: int) -> frozenset[int]:
        """Return the channels of a user's games that the reader does not see.

        Games of deleted channels are shown to their own players only.
        """
        channel_of = await self._store.records.channels_of(user, self.guild)
        channels = visible_channels(self._interaction, channel_of)
        return channels.shut if user == self.reader else frozenset(channel_of) - channels.open

    async def message_links(self, games: Sequence[FinishedGame]) -> dict[int, str | None]:
        """Return the addresses of the games' table messages, by table."""
        found: dict[int, str | None] = {}
        for game in games:
            row = await self._store.tables.get(game.table)
            if row is not None:
                found[game.table] = message_links.address(row, row.message)
        return found
