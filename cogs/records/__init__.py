"""Records: leaderboards, statistics and histories of a server. `/leaderboard`, `/stats`, `/history`.

All pages are private, and nobody is mentioned.
"""

from dataclasses import dataclass, replace
from functools import partial

import discord
from discord import app_commands
from discord.ext import commands

from cogs.core.i18n.translation import _
from cogs.core.inbound.command_options import AnyGame
from cogs.core.inbound.component_router import ComponentRouter
from cogs.core.inbound.request import Request
from cogs.core.ops.errors import UserError
from cogs.core.ops.storage import BackgroundTasks, Store
from cogs.core.ops.timers import Clock
from cogs.core.pages.custom_ids import USER_DIGITS, ComponentPress, is_number
from cogs.core.pages.game_catalog import GameCatalog
from cogs.core.pages.page import page_within, pages_of
from cogs.core.publishing.drawing_threads import DrawingThreads
from cogs.core.publishing.publisher import Publisher
from cogs.core.publishing.responder import responder_for
from cogs.core.tables.table_registry import TableRegistry
from cogs.records import leaderboard_pages, leaderboard_picture, practice, stats_pages
from cogs.records.leaderboard_updater import LeaderboardUpdater
from cogs.records.practice import PracticeHistory
from cogs.records.rating_changes import RatingChanges
from cogs.records.ratings import Strengths
from cogs.records.statistics import Statistics
from cogs.records.viewer import Viewer
from cogs.records.words import told_apart
from engine.standings import Listing

PERIOD_CHOICES: list[app_commands.Choice[str]] = [
    app_commands.Choice(name="All time", value="all"),
    app_commands.Choice(name="This season", value="season"),
    app_commands.Choice(name="Last season", value="last"),
]

BOARD_CHOICES: list[app_commands.Choice[str]] = [
    app_commands.Choice(name="Without computers", value="ranked"),
    app_commands.Choice(name="With computers", value="casual"),
]


@dataclass(eq=False)
class Records(commands.Cog):
    """Leaderboards, statistics and histories, and the buttons on their pages."""

    games: GameCatalog
    store: Store
    clock: Clock
    registry: TableRegistry
    publisher: Publisher
    tasks: BackgroundTasks
    drawing: DrawingThreads
    router: ComponentRouter
    strengths: Strengths

    def __post_init__(self) -> None:
        self._records = self.store.records
        self._leaderboards = self.store.leaderboards
        self._updater = LeaderboardUpdater(self.games, self.store, self.clock, self.strengths)
        self._rating_changes = RatingChanges(self.store, self.publisher, self.tasks, self._updater)
        self._statistics = Statistics(self.games, self.store, self.clock, self.drawing, self._updater)
        self.router.add_handler("leaderboard", self._press_leaderboard)
        self.router.add_handler("stats", self._press_stats)
        self.router.add_handler("history", self._press_history)
        self._practice = PracticeHistory(self.games, self.store)
        self.router.add_handler(practice.VERB, self._press_practice)

    async def cog_load(self) -> None:
        """Start updating leaderboards, and showing rating changes at the end of games."""
        self._updater.start()
        self.registry.components.append(self._rating_changes)

    async def cog_unload(self) -> None:
        """Stop updating."""
        self.registry.components.remove(self._rating_changes)
        await self._updater.close()

    # Leaderboards

    @app_commands.command(name="leaderboard", description="The best players of a game on this server.")
    @app_commands.describe(
        game="Which game",
        period="All time, or one season",
        board="Games without or with computers; leave it out for the one that has games",
    )
    @app_commands.choices(period=PERIOD_CHOICES, board=BOARD_CHOICES)
    @app_commands.guild_only()
    async def leaderboard(
        self, interaction: discord.Interaction, game: AnyGame, period: str = "all", board: str | None = None
    ) -> None:
        """Show the first page of a leaderboard."""
        control = ComponentPress(0, 0, "leaderboard", f"{game}.{period}.{board or 'ranked'}.0.first")
        if board is None:
            query = await self._played(interaction, leaderboard_pages.read_leaderboard_query(control, self.games))
            control = ComponentPress(0, 0, "leaderboard", query.argument("first"))
        await self._press_leaderboard(Request(responder_for(interaction), control))

    async def _played(
        self, interaction: discord.Interaction, query: leaderboard_pages.LeaderboardQuery
    ) -> leaderboard_pages.LeaderboardQuery:
        """Return the requested leaderboard, or the one that includes computers if only that has entries."""
        own = await self._first_of(interaction, query)
        if own.places or not own.whole:
            return query
        other = replace(query, board="casual")
        return other if (await self._first_of(interaction, other)).places else query

    async def _first_of(self, interaction: discord.Interaction, query: leaderboard_pages.LeaderboardQuery) -> Listing:
        """Return the first place of a leaderboard."""
        viewer = Viewer(self.store, interaction)
        (chart,) = await self._updater.charts(viewer.guild, query.game, (query.board, query.period))
        return await self._leaderboards.listing(chart, viewer.reader, 0, 1)

    async def _press_leaderboard(self, request: Request) -> None:
        viewer = Viewer(self.store, request.interaction)
        guild = viewer.guild
        query = leaderboard_pages.read_leaderboard_query(request.control, self.games)
        (chart,) = await self._updater.charts(guild, query.game, (query.board, query.period))
        spans = {period: stretch.name for period, stretch in (await self._updater.spans(guild)).items()}
        reader = leaderboard_pages.Reader(viewer.reader, viewer.server)
        first = None if query.page is None else query.page * leaderboard_pages.PLACES_PER_PAGE
        found = await self._leaderboards.listing(chart, reader.user, first, leaderboard_pages.PLACES_PER_PAGE)
        listing = told_apart(found)
        drawn = None
        if leaderboard_picture.drawable(listing.places):
            scored = self.games[query.game].game.scored
            drawn = await self.drawing.run(
                partial(leaderboard_picture.draw, listing.places, reader.user, scored=scored)
            )
        await request.responder.show(leaderboard_pages.leaderboard(query, listing, reader, self.games, spans, drawn))

    # Statistics

    @app_commands.command(name="stats", description="A player's rating, results and opponents.")
    @app_commands.describe(
        user="Whose statistics; leave it out for your own",
        game="Which game; leave it out to see all games",
        against="Compare with someone else, in one game",
    )
    @app_commands.guild_only()
    async def stats(
        self,
        interaction: discord.Interaction,
        user: discord.User | None = None,
        game: AnyGame | None = None,
        against: discord.User | None = None,
    ) -> None:
        """Show a user's statistics, or how they did against somebody else."""
        query = stats_pages.StatsQuery((user or interaction.user).id, game, None if against is None else against.id)
        await self._show_stats(interaction, query)

    async def _press_stats(self, request: Request) -> None:
        query = stats_pages.read_stats_query(request.control)
        if query.game is not None:
            self.games.key_of(query.game)
        await self._show_stats(request.interaction, query)

    async def _show_stats(self, interaction: discord.Interaction, query: stats_pages.StatsQuery) -> None:
        page = await self._statistics.page(Viewer(self.store, interaction), query)
        await responder_for(interaction).show(page)

    # Histories

    @app_commands.command(name="history", description="A player's latest finished games on this server.")
    @app_commands.describe(user="Whose games; leave it out for your own")
    @app_commands.guild_only()
    async def history(self, interaction: discord.Interaction, user: discord.User | None = None) -> None:
        """Show the first page of a user's games."""
        await self._show_history(interaction, (user or interaction.user).id, 0)

    async def _press_history(self, request: Request) -> None:
        user, page, *_rest = [*request.control.argument.split("."), ""]
        if not (is_number(user, USER_DIGITS) and is_number(page)):
            raise UserError(_("That page doesn't exist. Use `/history`."))
        await self._show_history(request.interaction, int(user), int(page))

    async def _press_practice(self, request: Request) -> None:
        """Show the practice games of the person who presses, never of another one."""
        number, _dot, _slot = request.control.argument.partition(".")
        if not is_number(number):
            raise UserError(_("That page doesn't exist. Use `/history`."))
        await request.responder.show(await self._practice.page(request.user.id, int(number)))

    async def _show_history(self, interaction: discord.Interaction, user: int, number: int) -> None:
        viewer = Viewer(self.store, interaction)
        await viewer.check_seen(user)
        shut = await viewer.hidden_channels(user)
        total = sum((await self._records.played(user, viewer.guild, without=shut)).values())
        number = page_within(number, pages_of(total, leaderboard_pages.GAMES_PER_PAGE))
        skip = number * leaderboard_pages.GAMES_PER_PAGE
        games = await self._records.games_of(
            user, viewer.guild, most=leaderboard_pages.GAMES_PER_PAGE, skip=skip, without=shut
        )
        name, links = viewer.name(user, games), await viewer.message_links(games)
        own = user == viewer.reader
        page = leaderboard_pages.history(user, name, games, links, self.games.titles, number, total, own=own)
        await responder_for(interaction).show(page)
