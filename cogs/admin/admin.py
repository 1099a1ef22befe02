"""`/admin`: what moderators may do to a table, announced in its channel, without access to secrets.

Discord offers the commands to moderators, or as the server's integrations say. Each is checked here again, since who
may end a table is a setting of the server.
"""

import io
from collections.abc import Collection
from dataclasses import dataclass

import discord
from discord import app_commands
from discord.ext import commands

from cogs.core.i18n.translation import Words, _, public_label
from cogs.core.inbound.access import is_moderator, no_table_here
from cogs.core.inbound.command_options import OpenTable, OverTable
from cogs.core.inbound.command_tree import CommandClient
from cogs.core.inbound.command_validation import number
from cogs.core.inbound.component_router import ComponentRouter
from cogs.core.inbound.request import Request
from cogs.core.inbound.table_finder import TableFinder
from cogs.core.ops.errors import UserError
from cogs.core.ops.storage import BackgroundTasks, TableRow
from cogs.core.pages import display_names
from cogs.core.pages.page import Button, Page, Row, Text
from cogs.core.publishing import agreement_pages, finished_games
from cogs.core.publishing.drawing_threads import DrawingThreads
from cogs.core.publishing.responder import responder_for
from cogs.core.publishing.table_messages import TableMessages
from cogs.core.tables.bots import Bots
from cogs.core.tables.settings import ServerSettings
from cogs.core.tables.stored_table import StoredTable, find_stored
from cogs.core.tables.table_registry import TableRegistry
from engine.contract import BrokenRecord
from engine.results import VOID

COLOUR = 0x8A8F98

END = "admin-end"
"""The verb of the button that ends a table."""


@app_commands.guild_only()
@app_commands.default_permissions(manage_messages=True)
@dataclass(eq=False)
class Admin(commands.GroupCog, group_name="admin", group_description="End, repair or export a table (for moderators)."):
    """The commands of moderators."""

    client: CommandClient
    settings: ServerSettings
    finder: TableFinder
    registry: TableRegistry
    bots: Bots
    leisure: DrawingThreads
    tasks: BackgroundTasks
    router: ComponentRouter

    def __post_init__(self) -> None:
        self.router.add_handler(END, self._end_for_sure)

    @app_commands.command(description="End a table. You see first what happens to its result.")
    @app_commands.describe(table="The table's number")
    async def end(self, interaction: discord.Interaction, table: OpenTable) -> None:
        """Ask whether the table should end, and say what follows."""
        await responder_for(interaction).show(_question(await self._endable(interaction, table)))

    async def _end_for_sure(self, request: Request) -> None:
        argument, asked, consequences = request.control.argument.partition(".")
        table = number(argument)
        if table is None:
            raise UserError(_("This button no longer works."))
        found = await self._endable(request.interaction, table)
        if asked and consequences != _consequences(found):
            await request.responder.show(_question(found, changed=True))
            return
        name = _name(request.interaction)
        if not await self.registry.end(table, lambda: _("{moderator} ended it.", moderator=name)):
            raise UserError(_("Table {table} has already ended.", table=table))
        channel = f"<#{found.row.channel}>"
        words = _("You ended table {table}. I've announced it in {channel}.", table=table, channel=channel)
        await request.responder.show(Page((Text(words),), COLOUR))

        def said() -> str:
            return _("{moderator} ended table {table}.", moderator=name, table=table)

        await self._say(found.row.guild, found.row.channel, said)

    async def _endable(self, interaction: discord.Interaction, table: int) -> StoredTable:
        """Return the table with this number. Raises `UserError` for somebody who may not end it."""
        found = await find_stored(self.client.store, self.registry, table)
        if found is None or found.row.guild != interaction.guild_id:
            raise UserError(no_table_here(table))
        if not is_moderator(interaction):
            settings = await self.settings.of(found.row.guild)
            if settings.enders == "moderators":
                raise UserError(_("Only moderators (Manage Messages) can end tables here."))
            if found.row.opener != interaction.user.id:
                raise UserError(_("Only the table's host and moderators (Manage Messages) can end it."))
        if not found.open:
            raise UserError(_("Table {table} has already ended.", table=table))
        if found.ranked and interaction.user.id in found.players:
            if not found.broken:
                raise UserError(
                    _(
                        "You're playing in this rated game, so you can't end it alone. All players can agree to end "
                        "it: *{more}*, then *End by agreement …*. A moderator who isn't playing can end it too.",
                        more=public_label("More …"),
                    )
                )
            if _other_managers(interaction, found.players):
                raise UserError(
                    _(
                        "You're playing in this rated game, and its record can't be read any more. Ask a moderator "
                        "who isn't playing to end it."
                    )
                )
        return found

    @app_commands.command(description="Reload a stuck table from its record and post it again.")
    @app_commands.describe(table="The table's number")
    async def repair(self, interaction: discord.Interaction, table: OpenTable) -> None:
        """Repair a table."""
        if not is_moderator(interaction):
            raise UserError(_("Only moderators (Manage Messages) can repair tables."))
        messages = await self._messages(interaction, table)
        if messages.table.snapshot.ended:
            raise UserError(_("Table {table} has ended, so there is nothing to repair.", table=table))
        self.bots.of(messages.table).forget()
        await messages.table.reload()
        messages.message.repost()
        name = _name(interaction)

        def said() -> str:
            return _("{moderator} repaired table {table}. It's posted again below.", moderator=name, table=table)

        await self._announce(interaction, messages.table.snapshot.row, said)

    @app_commands.command(
        description="Get the full log of a finished game as a file. This is announced in its channel."
    )
    @app_commands.describe(table="The table's number")
    async def export(self, interaction: discord.Interaction, table: OverTable) -> None:
        """Export a finished game."""
        if not is_moderator(interaction):
            raise UserError(_("Only moderators (Manage Messages) can export games here."))
        row = await self.client.store.tables.get(table)
        if row is None or row.guild != interaction.guild_id:
            raise UserError(no_table_here(table))
        finished_games.require_finished(row)
        game = self.client.games.require(row.game).game
        record = await finished_games.load_record(self.client.store, row)
        body = await self.leisure.run(finished_games.export_file, game, record)
        file = discord.File(io.BytesIO(body), f"{row.game}-{row.id}.json")
        name = _name(interaction)

        def said() -> str:
            return _("{moderator} exported the finished game of table {table}.", moderator=name, table=table)

        await responder_for(interaction).send_private(said(), file)
        await self._say(row.guild, row.channel, said)

    async def _messages(self, interaction: discord.Interaction, number: int) -> TableMessages:
        try:
            messages = await self.finder.find(number)
        except BrokenRecord:
            raise UserError(
                _("The record of table {table} can't be read any more. The table can only be ended.", table=number)
            ) from None
        if messages is None or messages.table.snapshot.row.guild != interaction.guild_id:
            raise UserError(no_table_here(number))
        return messages

    async def _announce(self, interaction: discord.Interaction, row: TableRow, said: Words) -> None:
        """Post a sentence in the channel of the table, where its players read it."""
        responder = responder_for(interaction)
        with await self.client.language_choice.for_all(row.guild):
            sentence = said()
        if interaction.channel_id == row.channel and await responder.send_public(sentence):
            return
        also = _("This is also announced in {channel}.", channel=f"<#{row.channel}>")
        await responder.send_private(f"{said()} {also}")
        await self._say(row.guild, row.channel, said)

    async def _say(self, guild: int, channel: int, said: Words) -> None:
        """Post a sentence in a channel in the server's language. It notifies nobody."""
        place = self.client.get_partial_messageable(channel, guild_id=guild)
        with await self.client.language_choice.for_all(guild):
            sentence = said()
        self.tasks.spawn(place.send(sentence, allowed_mentions=discord.AllowedMentions.none()), "announcement")


def _question(found: StoredTable, *, changed: bool = False) -> Page:
    """Return the question whether a table should end, with what follows; `changed`: something else than when it was
    asked before.
    """
    table = found.row.id
    title, note = _("### End table {table}?", table=table), _("-# This is announced in its channel.")
    again = [_("This has changed since you asked:")] if changed else []
    words = "\n".join((title, *again, agreement_pages.result_if_ended(found), note))
    sure = Button(_("End table {table}", table=table), END, f"{table}.{_consequences(found)}", style="danger")
    return Page((Text(words), Row((sure,))), COLOUR)


def _consequences(found: StoredTable) -> str:
    """Return what would become of a table that ended now, as a part of its control: its status, and the places that are
    certain, by seat.
    """
    places = ("-" if one.reason == VOID else str(one.place) for one in found.results_if_ended())
    return f"{found.row.status}{''.join(places)}"


def _other_managers(interaction: discord.Interaction, players: Collection[int]) -> bool:
    """Return True if the server has, as far as is known, a manager who does not play at the table."""
    guild = interaction.guild
    if guild is None:
        return False
    if guild.owner_id and guild.owner_id not in players:
        return True
    others = (member for member in guild.members if not member.bot and member.id not in players)
    return any(member.guild_permissions.manage_messages or member.guild_permissions.manage_guild for member in others)


def _name(interaction: discord.Interaction) -> str:
    return display_names.bold(interaction.user.display_name)
