"""`/admin`: what moderators may do to a table, announced in its channel, without access to secrets.

Who may end a table is a setting of the server, so the commands are offered to everybody and checked here.
"""

import io

import discord
from discord import app_commands
from discord.ext import commands

from cogs.core.inbound.command_options import OpenTable, OverTable
from cogs.core.inbound.service import Service
from cogs.core.inbound.table_service import TableService
from cogs.core.ops.errors import UserError
from cogs.core.pages import display_names
from cogs.core.publishing import finished_games
from cogs.core.publishing.responder import responder_for
from cogs.core.publishing.table_messages import TableMessages
from engine.contract import BrokenRecord


@app_commands.guild_only()
class Admin(commands.GroupCog, group_name="admin", group_description="End, repair or export a table: for moderators."):
    """The commands of moderators."""

    def __init__(self, tables: TableService, service: Service) -> None:
        self._tables = tables
        self._service = service
        super().__init__()

    @app_commands.command(description="End a table without a result. Everybody in the channel is told.")
    @app_commands.describe(table="The table's number")
    async def end(self, interaction: discord.Interaction, table: OpenTable) -> None:
        """End a table."""
        row = await self._tables.store.tables.get(table)
        if row is None or row.guild != interaction.guild_id:
            raise UserError(f"There is no table {table} on this server.")
        if not _is_moderator(interaction):
            settings = await self._tables.settings.of(row.guild)
            if settings.enders == "moderators":
                raise UserError("Moderators end tables here: for that you need the permission Manage Messages.")
            if row.opener != interaction.user.id:
                raise UserError("The host of a table may end it, and moderators (Manage Messages). You are neither.")
        name = _name(interaction)
        if not await self._tables.end(table, f"{name} ended it."):
            raise UserError(f"Table {table} has ended already.")
        await self._announce(interaction, row.channel, f"{name} ended table {table}.")

    @app_commands.command(description="Read a table anew from its record and post it again, when it hangs.")
    @app_commands.describe(table="The table's number")
    async def repair(self, interaction: discord.Interaction, table: OpenTable) -> None:
        """Repair a table."""
        if not _is_moderator(interaction):
            raise UserError("Moderators repair tables: for that you need the permission Manage Messages.")
        session = await self._session(interaction, table)
        if session.table.snapshot.ended:
            raise UserError(f"Table {table} has ended; there is nothing to repair.")
        await self._tables.repair(session)
        sentence = f"{_name(interaction)} repaired table {table}; it is posted anew below."
        await self._announce(interaction, session.table.snapshot.row.channel, sentence)

    @app_commands.command(description="The whole log of a finished game as a file, for you. The channel is told.")
    @app_commands.describe(table="The table's number")
    async def export(self, interaction: discord.Interaction, table: OverTable) -> None:
        """Export a finished game."""
        if not _is_moderator(interaction):
            raise UserError("Moderators export games here: for that you need the permission Manage Messages.")
        row = await finished_games.find_finished(self._tables.store, table, interaction.guild_id)
        game, record = self._tables.played(row.game), await finished_games.load_record(self._tables.store, row)
        body = await self._tables.at_leisure(finished_games.export_file, game, record)
        file = discord.File(io.BytesIO(body), f"{row.game}-{row.id}.json")
        sentence = f"{_name(interaction)} exported the finished game of table {table}."
        await responder_for(interaction).send_private(sentence, file)
        place = self._tables.client.get_partial_messageable(row.channel, guild_id=interaction.guild_id)
        self._tables.spawn(place.send(sentence, allowed_mentions=discord.AllowedMentions.none()), "announcement")

    async def _session(self, interaction: discord.Interaction, number: int) -> TableMessages:
        try:
            session = await self._tables.find(number)
        except BrokenRecord:
            raise UserError(f"The record of table {number} cannot be read any more. It can only be ended.") from None
        if session is None or session.table.snapshot.row.guild != interaction.guild_id:
            raise UserError(f"There is no table {number} on this server.")
        return session

    async def _announce(self, interaction: discord.Interaction, channel: int, sentence: str) -> None:
        """Post a sentence in the channel of the table, where its players read it."""
        reply = responder_for(interaction)
        if interaction.channel_id == channel and await reply.send_public(sentence):
            return
        await reply.send_private(f"{sentence} It is said in <#{channel}> too.")
        place = self._tables.client.get_partial_messageable(channel, guild_id=interaction.guild_id)
        self._tables.spawn(place.send(sentence, allowed_mentions=discord.AllowedMentions.none()), "announcement")


def _is_moderator(interaction: discord.Interaction) -> bool:
    return interaction.permissions.manage_messages or interaction.permissions.manage_guild


def _name(interaction: discord.Interaction) -> str:
    return display_names.bold(interaction.user.display_name)
