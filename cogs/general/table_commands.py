"""`/table`: what the buttons of tables do that are not a game's own, by commands."""

from typing import Literal

import discord
from discord import app_commands
from discord.ext import commands

from cogs.core.i18n.translation import N_, _
from cogs.core.inbound.access import find_readable, no_table_here, visible_channels
from cogs.core.inbound.agreement_handlers import AgreementHandlers
from cogs.core.inbound.command_options import TableNumber
from cogs.core.inbound.command_tree import client_of
from cogs.core.inbound.lobby_handlers import LobbyHandlers
from cogs.core.inbound.request import TableRequest
from cogs.core.inbound.table_finder import TableFinder
from cogs.core.ops.errors import UserError
from cogs.core.ops.storage import Store, TableRow
from cogs.core.ops.text_format import listed
from cogs.core.publishing import message_links
from cogs.core.publishing.responder import responder_for

OWN = "Only needed if you have several tables"

_NONE_OF_YOURS = {
    None: N_("You have no open table on this server. `/play` finds or opens one."),
    "lobby": N_("You have no table in its lobby on this server. `/play` finds or opens one."),
    "playing": N_("You have no game in progress on this server. `/play` finds or opens a table."),
}


async def _joinable(interaction: discord.Interaction) -> list[tuple[str, int]]:
    """Return the lobbies of the server in channels that the user sees."""
    open_tables = await client_of(interaction).store.tables.open(interaction.guild_id or 0)
    lobbies = [row for row in open_tables if row.status == "lobby"]
    seen = visible_channels(interaction, (row.channel for row in lobbies)).open
    return [(_("table {table}", table=row.id), row.id) for row in lobbies if row.channel in seen]


async def _own(interaction: discord.Interaction) -> list[tuple[str, int]]:
    """Return the user's open tables on the server."""
    rows = await client_of(interaction).store.tables.of(interaction.user.id, guild=interaction.guild_id)
    return [(_("table {table}", table=row.id), row.id) for row in rows]


JoinableTable = app_commands.Transform[int, TableNumber(_joinable)]
OwnTable = app_commands.Transform[int, TableNumber(_own)]


@app_commands.guild_only()
class TableCommands(
    commands.GroupCog, group_name="table", group_description="Join, leave, start or end a table without buttons."
):
    """The commands that do what a table's buttons do."""

    def __init__(self, store: Store, finder: TableFinder, lobby: LobbyHandlers, agreements: AgreementHandlers) -> None:
        self._store = store
        self._finder = finder
        self._lobby = lobby
        self._agreements = agreements
        super().__init__()

    @app_commands.command(description="Take a seat at a table that's waiting for players.")
    @app_commands.describe(table="Only needed if several tables in this channel are waiting for players")
    async def join(
        self,
        interaction: discord.Interaction,
        table: JoinableTable | None = None,
    ) -> None:
        """Join a table."""
        if table is None:
            here = await self._store.tables.in_channel(interaction.channel_id or 0)
            lobbies = [
                one
                for one in here
                if one.status == "lobby" and await self._lobby.rematches.is_open_to(one, interaction.user.id)
            ]
            row = _only(lobbies, _("No table in this channel is waiting for players."))
        else:
            row = await find_readable(self._store, table, interaction)
        request = await self._at(interaction, row)
        await self._lobby.join(request, elsewhere=row.channel != interaction.channel_id)

    @app_commands.command(description="Give up your seat. In a game, you're asked first.")
    @app_commands.describe(table=OWN)
    async def leave(self, interaction: discord.Interaction, table: OwnTable | None = None) -> None:
        """Leave a table."""
        await self._lobby.leave(await self._own_table(interaction, table))

    @app_commands.command(description="Start the game at the table you host.")
    @app_commands.describe(table=OWN)
    async def start(self, interaction: discord.Interaction, table: OwnTable | None = None) -> None:
        """Start the game."""
        await self._lobby.start(await self._own_table(interaction, table, status="lobby"))

    @app_commands.command(description="End a game by agreement: without a result, by the totals, or as a draw.")
    @app_commands.describe(table=OWN)
    async def end(self, interaction: discord.Interaction, table: OwnTable | None = None) -> None:
        """Show the page on which a game is ended by agreement."""
        await self._agreements.show(await self._own_table(interaction, table, status="playing"))

    @app_commands.command(description="Pardon an opponent who missed two turns in a row.")
    @app_commands.describe(table=OWN)
    async def pardon(self, interaction: discord.Interaction, table: OwnTable | None = None) -> None:
        """Show the page on which opponents are pardoned."""
        await self._agreements.show(await self._own_table(interaction, table, status="playing"))

    async def _own_table(
        self,
        interaction: discord.Interaction,
        number: int | None,
        *,
        status: Literal["lobby", "playing"] | None = None,
    ) -> TableRequest:
        """Return the command as a request about one of the user's tables: the one named, or the only one (of this
        status). Raises `UserError`.
        """
        if number is not None:
            return await self._at(interaction, await find_readable(self._store, number, interaction))
        user, guild = interaction.user.id, interaction.guild_id
        rows = [row for row in await self._store.tables.of(user, guild=guild) if status in (None, row.status)]
        here = [row for row in rows if row.channel == interaction.channel_id]
        row = _only(here or rows, _(_NONE_OF_YOURS[status]))
        return await self._at(interaction, row)

    async def _at(self, interaction: discord.Interaction, row: TableRow) -> TableRequest:
        messages = await self._finder.find(row.id)
        if messages is None or row.guild != interaction.guild_id:
            raise UserError(no_table_here(row.id))
        await self._finder.visit(messages, interaction.user.id)
        return TableRequest(responder_for(interaction), messages)


def _only(rows: list[TableRow], none: str) -> TableRow:
    """Return the only one of these tables. Raises `UserError` if there is `none`, or more than one."""
    if not rows:
        raise UserError(none)
    if len(rows) > 1:
        tables = listed(message_links.link(row) for row in rows)
        raise UserError(_("You could mean several tables: {tables}. Choose one with `table`.", tables=tables))
    return rows[0]
