"""General commands that belong to no single game: `/play`, `/table`, `/tables`, `/rules`, `/help`."""

from collections.abc import Iterator

import discord
from discord import app_commands
from discord.ext import commands

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
from cogs.core.tables.settings import IF_CLOSED, NOTIFY_WORDS, Preferences
from cogs.general.play import COLOUR, PlayCommand
from cogs.general.table_commands import TableCommands

__all__ = ["GeneralCommands", "PlayCommand", "TableCommands"]

COMMANDS = (
    "`/play` leads to every game by buttons; *Play* below a table opens your own page there.",
    "`/table` joins, leaves and starts a table without its buttons.",
    "In a direct message to me, `/play` begins a game against the computer that nobody sees.",
    "`/learn` teaches a game in a few minutes while you play it; `/puzzle` has the puzzles of the day.",
    "`/tables` finds your tables again, `/rules` explains the games, `/notify` sets how you hear of your move.",
    "`/table end` ends a game by agreement, `/table pardon` forgives an opponent who missed turns.",
    "`/leaderboard`, `/stats` and `/history` tell how everybody fares.",
    "`/replay` shows a finished game again, `/review` tells its turning points, `/verify` proves that it was fair.",
    "`/privacy export` hands you what is kept about you, `/privacy delete` deletes it.",
)
"""The commands that `/help` lists, a line each."""

MOST_LISTED = 20
"""The most tables that `/tables` lists: first one's own, then those of the channel."""

MODERATOR_COMMANDS = "For moderators: `/admin end` closes a table."
MANAGER_COMMANDS = "For those who manage this server: `/settings show`, `/doctor`."
"""The others, for members who may use them."""


def _office_commands(permissions: discord.Permissions) -> Iterator[str]:
    if permissions.manage_messages or permissions.manage_guild:
        yield MODERATOR_COMMANDS
    if permissions.manage_guild:
        yield MANAGER_COMMANDS


CLOCKS = (
    "Clocks stop while Discord or the bot is away, and while the bot may not post in the channel. They run on for a "
    "player whom a moderator has timed out."
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

    @app_commands.command(name="help", description="What can be played here, and how.")
    @app_commands.allowed_installs(guilds=True, users=True)
    @app_commands.allowed_contexts(guilds=True, dms=True, private_channels=True)
    async def help(self, interaction: discord.Interaction) -> None:
        """Show the games and how to start."""
        games = [
            f"**{screen.game.title}**\n-# {span(screen.game.player_counts)} players · "
            f"{kind_of(interaction, screen.command)}"
            for screen in self._games.values()
        ]
        lines = [*COMMANDS, *_office_commands(interaction.permissions)]
        rules = tuple(SelectOption(screen.game.title, key) for key, screen in self._games.items())
        page = Page(
            (
                Text("\n".join(["### Cellblock: prison-break games", *games])),
                Row(
                    (
                        Button("Play", "play", style="primary"),
                        Button("Learn by playing", "learn"),
                        Button("Puzzles", "puzzle"),
                    )
                ),
                Select("rules", rules, "Rules of a game …"),
                Text("\n".join(f"-# {line}" for line in (*lines, CLOCKS))),
            ),
            COLOUR,
        )
        await responder_for(interaction).show(page)

    @app_commands.command(name="notify", description="How you hear that it is your move.")
    @app_commands.describe(how="For all tables on all servers")
    @app_commands.choices(how=[app_commands.Choice(name=words, value=how) for how, words in NOTIFY_WORDS.items()])
    async def notify(self, interaction: discord.Interaction, how: app_commands.Choice[str]) -> None:
        """Set how the user wants to be notified."""
        chosen = next(known for known in NOTIFY_WORDS if known == how.value)
        await self._preferences.change(interaction.user.id, chosen)
        await responder_for(interaction).send_private(
            f"From now on you get {NOTIFY_WORDS[chosen]} when it is your move.{IF_CLOSED.get(chosen, '')}"
        )

    @app_commands.command(name="rules", description="A game's rules in short, with pictures.")
    @app_commands.describe(game="Which game")
    @app_commands.allowed_installs(guilds=True, users=True)
    @app_commands.allowed_contexts(guilds=True, dms=True, private_channels=True)
    async def rules(self, interaction: discord.Interaction, game: AnyGame) -> None:
        """Show the first page of a game's rules."""
        screen = self._games.get(game)
        if screen is None:
            names = ", ".join(known.game.title for known in self._games.values())
            raise UserError(f"There is no game called {game!r} here. There are: {names}.")
        await responder_for(interaction).show(await self._player_pages.rules_page(screen, 0))

    @app_commands.command(
        name="tables", description="Your open tables, and all others of this server that you can see."
    )
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
            raise UserError("There are no open tables here that you can see. `/play` opens one.")
        lines = ["### Open tables", *[await self._line(interaction, session) for session in shown]]
        lines += [f"table {number} · its record cannot be read; `/admin end` closes it" for number in broken[:5]]
        if len(rows) > MOST_LISTED:
            lines.append(f"-# and {len(rows) - MOST_LISTED} more")
        buttons = tuple(
            Button(f"Show table {session.table.id} here", "repost", str(session.table.id))
            for session in shown
            if session.table.snapshot.row.channel == interaction.channel_id
            and session.table.snapshot.seat_of(interaction.user.id) is not None
        )
        below = tuple(Row(buttons[i : i + 5]) for i in range(0, len(buttons), 5))
        await responder_for(interaction).show(Page((Text("\n".join(lines)), *below), COLOUR))

    async def _line(self, interaction: discord.Interaction, session: TableMessages) -> str:
        table = session.table
        link = session.message.link()
        name = f"[table {table.id}]({link})" if link else await where_found(self._store, table.snapshot.row)
        seat = table.snapshot.seat_of(interaction.user.id)
        if table.snapshot.in_lobby:
            what = f"gathering, {len(table.snapshot.seats)} of {table.game.player_counts[-1]} seats taken"
        elif table.snapshot.asleep:
            what = "sleeps, since nobody is here to play"
        elif seat is not None and seat in table.snapshot.view(None).to_act:
            what = "**your turn**"
        else:
            what = "waiting for " + (
                ", ".join(table.snapshot.seated_players[s].bold for s in table.snapshot.view(None).to_act) or "nobody"
            )
        return f"{name} · {table.game.title} · <#{table.snapshot.row.channel}> · {what}"
