"""General commands that belong to no single game: `/play`, `/table`, `/tables`, `/rules`, `/help`."""

from collections.abc import Iterator

import discord
from discord import app_commands
from discord.ext import commands

from cogs.core.i18n.translation import N_, _
from cogs.core.inbound.access import visible_channels
from cogs.core.inbound.command_options import AnyGame, kind_of
from cogs.core.inbound.player_page_handlers import PlayerPageHandlers
from cogs.core.inbound.table_finder import TableFinder
from cogs.core.ops.errors import UserError
from cogs.core.ops.storage import OpenTable, Store, TableRow
from cogs.core.ops.text_format import span
from cogs.core.pages.game_catalog import GameCatalog
from cogs.core.pages.page import Button, Page, Row, Select, SelectOption, Text
from cogs.core.publishing.rematch import where_found
from cogs.core.publishing.responder import responder_for
from cogs.core.publishing.table_messages import TableMessages
from cogs.core.tables.settings import NOTIFY_LABELS, Preferences, notify_text
from cogs.general.play import COLOUR, PlayCommand
from cogs.general.table_commands import TableCommands

__all__ = ["GeneralCommands", "PlayCommand", "TableCommands"]

COMMANDS = (
    N_("`/play` starts any game with buttons; *Play* below a table opens your private view."),
    N_("`/table` joins, leaves or starts a table without buttons."),
    N_("`/play` in a DM to me starts a private game against a computer."),
    N_("`/learn` teaches you a game in a few minutes while you play; `/puzzle` has today's puzzles."),
    N_("`/tables` finds your tables, `/rules` explains a game, `/notify` sets how you're notified of your turn."),
    N_("`/table end` ends a game by agreement; `/table pardon` forgives an opponent's missed turns."),
    N_("`/leaderboard`, `/stats` and `/history` show ratings and results."),
    N_("`/replay` replays a finished game, `/review` shows its turning points, `/verify` proves it was fair."),
    N_("`/privacy export` gives you everything stored about you; `/privacy delete` deletes it."),
)
"""The commands that `/help` lists, a line each."""

MOST_LISTED = 20
"""The most tables that `/tables` lists: first one's own, then those of the channel."""

MODERATOR_COMMANDS = N_("For moderators: `/admin end` ends a table.")
MANAGER_COMMANDS = N_("For managers: `/settings show`, `/doctor`.")
"""The others, for members who may use them."""


def _office_commands(permissions: discord.Permissions) -> Iterator[str]:
    if permissions.manage_messages or permissions.manage_guild:
        yield MODERATOR_COMMANDS
    if permissions.manage_guild:
        yield MANAGER_COMMANDS


CLOCKS = N_(
    "Clocks stop while Discord is down, and while I'm offline or can't post in the channel. "
    "They keep running for a player who was timed out by a moderator."
)
"""When clocks stop, and when they do not."""


class GeneralCommands(commands.Cog):
    """Commands that serve every game."""

    def __init__(
        self,
        games: GameCatalog,
        store: Store,
        preferences: Preferences,
        finder: TableFinder,
        player_pages: PlayerPageHandlers,
    ) -> None:
        self._games = games
        self._store = store
        self._preferences = preferences
        self._finder = finder
        self._player_pages = player_pages

    @app_commands.command(name="help", description="What you can play here, and how.")
    @app_commands.allowed_installs(guilds=True, users=True)
    @app_commands.allowed_contexts(guilds=True, dms=True, private_channels=True)
    async def help(self, interaction: discord.Interaction) -> None:
        """Show the games and how to start."""
        games = [
            f"**{screen.game.title}**\n"
            + _(
                "-# {players} players · {kind}",
                players=span(screen.game.player_counts),
                kind=kind_of(interaction, screen.command),
            )
            for screen in self._games.values()
        ]
        lines = [*COMMANDS, *_office_commands(interaction.permissions), CLOCKS]
        rules = tuple(SelectOption(screen.game.title, key) for key, screen in self._games.items())
        page = Page(
            (
                Text("\n".join([_("### Cellblock: prison-break games"), *games])),
                Row(
                    (
                        Button(_("Play"), "play", style="primary"),
                        Button(_("Learn by playing"), "learn"),
                        Button(_("Puzzles"), "puzzle"),
                    )
                ),
                Select("rules", rules, _("Rules of a game …")),
                Text("\n".join(f"-# {_(line)}" for line in lines)),
            ),
            COLOUR,
        )
        await responder_for(interaction).show(page)

    @app_commands.command(name="notify", description="Choose how you're notified when it's your turn.")
    @app_commands.describe(how="For all tables on all servers")
    @app_commands.choices(how=[app_commands.Choice(name=label, value=how) for how, label in NOTIFY_LABELS.items()])
    async def notify(self, interaction: discord.Interaction, how: app_commands.Choice[str]) -> None:
        """Set how the user wants to be notified."""
        chosen = next(known for known in NOTIFY_LABELS if known == how.value)
        await self._preferences.change(interaction.user.id, chosen)
        await responder_for(interaction).send_private(notify_text(chosen))

    @app_commands.command(name="rules", description="A game's rules, short and with pictures.")
    @app_commands.describe(game="Which game")
    @app_commands.allowed_installs(guilds=True, users=True)
    @app_commands.allowed_contexts(guilds=True, dms=True, private_channels=True)
    async def rules(self, interaction: discord.Interaction, game: AnyGame) -> None:
        """Show the first page of a game's rules."""
        screen = self._games.get(game)
        if screen is None:
            names = ", ".join(known.game.title for known in self._games.values())
            raise UserError(
                _("There's no game called {name} here. Choose one of: {games}.", name=f"“{game}”", games=names)
            )
        await responder_for(interaction).show(await self._player_pages.rules_page(screen, 0))

    @app_commands.command(name="tables", description="Your open tables, and others on this server that you can see.")
    @app_commands.guild_only()
    async def tables(self, interaction: discord.Interaction) -> None:
        """List open tables with links; each can be posted again."""
        mine = await self._store.tables.of(interaction.user.id, guild=interaction.guild_id)
        here = await self._store.tables.in_channel(interaction.channel_id or 0)
        known = {row.id for row in (*mine, *here)}
        others = [row for row in await self._store.tables.open(interaction.guild_id or 0) if row.id not in known]
        seen = visible_channels(interaction, (row.channel for row in others)).open
        rows: list[TableRow | OpenTable] = [*mine, *here, *(row for row in others if row.channel in seen)]
        rows = list({row.id: row for row in rows}.values())
        found, broken = await self._finder.readable(rows[:MOST_LISTED])
        shown = [session for session in found if not session.table.snapshot.ended]
        if not shown and not broken:
            raise UserError(_("There are no open tables here that you can see. `/play` opens one."))
        lines = [_("### Open tables"), *[await self._line(interaction, session) for session in shown]]
        unreadable = N_("table {table} · its record can't be read; `/admin end` ends it")
        lines += [_(unreadable, table=number) for number in broken[:5]]
        if len(rows) > MOST_LISTED:
            lines.append(_("-# and {n} more", n=len(rows) - MOST_LISTED))
        buttons = tuple(
            Button(_("Show table {table} here", table=session.table.id), "repost", str(session.table.id))
            for session in shown
            if session.table.snapshot.row.channel == interaction.channel_id
            and session.table.snapshot.seat_of(interaction.user.id) is not None
        )
        below = tuple(Row(buttons[i : i + 5]) for i in range(0, len(buttons), 5))
        await responder_for(interaction).show(Page((Text("\n".join(lines)), *below), COLOUR))

    async def _line(self, interaction: discord.Interaction, session: TableMessages) -> str:
        table = session.table
        link = session.message.link()
        linked = _("[table {table}]({link})", table=table.id, link=link)
        name = linked if link else await where_found(self._store, table.snapshot.row)
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
            what = _("waiting for {players}", players=", ".join(awaited)) if awaited else _("waiting for no one")
        return f"{name} · {table.game.title} · <#{table.snapshot.row.channel}> · {what}"
