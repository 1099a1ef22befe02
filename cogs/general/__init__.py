"""General commands that belong to no single game: `/play`, `/table`, `/tables`, `/notify`, `/rules`, `/help`."""

from dataclasses import dataclass
from typing import Literal

import discord
from discord import app_commands
from discord.ext import commands

from cogs.core.i18n.translation import N_, _
from cogs.core.inbound.access import visible_channels
from cogs.core.inbound.table_finder import TableFinder
from cogs.core.ops.errors import UserError
from cogs.core.ops.storage import OpenTable, Store, TableRow
from cogs.core.ops.text_format import listed
from cogs.core.pages.achievements import told_text
from cogs.core.pages.display_names import game_title
from cogs.core.pages.game_catalog import EDGE
from cogs.core.pages.page import Button, Page, Text, rows
from cogs.core.publishing.message_links import table_link, where_found
from cogs.core.publishing.responder import responder_for
from cogs.core.publishing.table_messages import TableMessages
from cogs.core.tables.settings import NOTIFY_LABELS, Preferences, notify_text
from cogs.general.help import HelpCommand
from cogs.general.play import PlayCommand
from cogs.general.rules import RulesCommand
from cogs.general.table_commands import TableCommands

__all__ = ["GeneralCommands", "HelpCommand", "PlayCommand", "RulesCommand", "TableCommands"]

MOST_LISTED = 20
"""The most tables that `/tables` lists: first one's own, then those of the channel."""


@dataclass(eq=False)
class GeneralCommands(commands.Cog):
    """The commands `/tables` and `/notify`, which serve every game."""

    store: Store
    preferences: Preferences
    finder: TableFinder

    @app_commands.command(name="notify", description="Choose how you're notified of your turn, and of achievements.")
    @app_commands.describe(
        how="When it's your turn, for all tables on all servers",
        achievements="Whether you're told of new achievements",
    )
    @app_commands.choices(how=[app_commands.Choice(name=label, value=how) for how, label in NOTIFY_LABELS.items()])
    async def notify(
        self,
        interaction: discord.Interaction,
        how: app_commands.Choice[str] | None = None,
        achievements: Literal["on", "off"] | None = None,
    ) -> None:
        """Set how the user wants to be notified, or show it."""
        user, progress = interaction.user.id, self.store.progress
        if how is not None:
            await self.preferences.change(user, next(known for known in NOTIFY_LABELS if known == how.value))
        if achievements is not None:
            await progress.tell(user, achievements == "on")
        words = []
        if how is not None or achievements is None:
            words.append(notify_text(await self.preferences.of(user)))
        if achievements is not None or how is None:
            words.append(told_text(told=await progress.tells(user)))
        await responder_for(interaction).send_private("\n".join(words))

    @app_commands.command(name="tables", description="Your open tables, and others on this server that you can see.")
    @app_commands.guild_only()
    async def tables(self, interaction: discord.Interaction) -> None:
        """List open tables with links; each can be posted again."""
        mine = await self.store.tables.of(interaction.user.id, guild=interaction.guild_id)
        here = await self.store.tables.in_channel(interaction.channel_id or 0)
        known = {row.id for row in (*mine, *here)}
        others = [row for row in await self.store.tables.open(interaction.guild_id or 0) if row.id not in known]
        seen = visible_channels(interaction, (row.channel for row in others)).open
        tables: list[TableRow | OpenTable] = [*mine, *here, *(row for row in others if row.channel in seen)]
        tables = list({row.id: row for row in tables}.values())
        found, broken = await self.finder.readable(tables[:MOST_LISTED])
        shown = [messages for messages in found if not messages.table.snapshot.ended]
        if not shown and not broken:
            raise UserError(_("There are no open tables here that you can see. `/play` opens one."))
        lines = [_("### Open tables"), *[await self._line(interaction, messages) for messages in shown]]
        unreadable = N_("table {table} · its record can't be read; `/admin end` ends it")
        lines += [_(unreadable, table=number) for number in broken[:5]]
        if len(tables) > MOST_LISTED:
            lines.append(_("-# and {n} more", n=len(tables) - MOST_LISTED))
        buttons = tuple(
            Button(_("Show table {table} here", table=messages.table.id), "repost", str(messages.table.id))
            for messages in shown
            if messages.table.snapshot.row.channel == interaction.channel_id
            and messages.hidden_rematch_of is None
            and messages.table.snapshot.seat_of(interaction.user.id) is not None
        )
        await responder_for(interaction).show(Page((Text("\n".join(lines)), *rows(buttons)), EDGE))

    async def _line(self, interaction: discord.Interaction, messages: TableMessages) -> str:
        table = messages.table
        link = messages.link()
        name = table_link(table.id, link) if link else await where_found(self.store, table.snapshot.row)
        seat = table.snapshot.seat_of(interaction.user.id)
        if table.snapshot.in_lobby:
            taken, most = len(table.snapshot.seats), table.game.player_counts[-1]
            what = _("waiting for players, {taken}/{most} here", taken=taken, most=most)
        elif table.snapshot.asleep:
            what = _("on hold, because no one is here")
        elif seat is not None and seat in table.snapshot.view(None).to_act:
            what = _("**your turn**")
        else:
            awaited = [table.snapshot.seated_players[one].bold for one in table.snapshot.view(None).to_act]
            what = _("waiting for {players}", players=listed(awaited)) if awaited else _("waiting for no one")
        return f"{name} · {game_title(table.game)} · <#{table.snapshot.row.channel}> · {what}"
