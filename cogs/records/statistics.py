"""Statistics: how a user has played, and how two users did against each other, as pages."""

import asyncio
from dataclasses import dataclass

from cogs.core.i18n.translation import _
from cogs.core.ops.errors import UserError
from cogs.core.ops.storage import Store
from cogs.core.ops.timers import Clock
from cogs.core.pages.game_catalog import GameCatalog
from cogs.core.pages.page import Page, Picture
from cogs.core.publishing.drawing_threads import DrawingThreads
from cogs.records import overview, overview_picture, stats_pages, stats_picture, words
from cogs.records.leaderboard_updater import LeaderboardUpdater
from cogs.records.overview import GameSummary, Overview, OwnProgress
from cogs.records.viewer import Viewer
from engine.puzzles import days_in_a_row, puzzle_number
from engine.results import Board, Rival
from engine.standings import Leaderboard, Standing

MEETINGS = 5


@dataclass(eq=False)
class Statistics:
    """Builds pages of statistics."""

    games: GameCatalog
    store: Store
    clock: Clock
    drawing: DrawingThreads
    updater: LeaderboardUpdater

    def __post_init__(self) -> None:
        self._records = self.store.records
        self._progress = self.store.progress
        self._puzzles = self.store.puzzle_attempts
        self._leaderboards = self.store.leaderboards

    async def page(self, viewer: Viewer, query: stats_pages.StatsQuery) -> Page:
        """Return the page for a query. Raises `UserError` if nothing may be shown of a user."""
        await viewer.check_seen(query.user, query.against)
        if query.user == query.against:
            raise UserError(_("Choose two different people to compare."))
        played = await self._records.played(query.user, viewer.guild)
        most_played = next((game for game in played if game in self.games), None)
        own = query.user == viewer.reader
        if query.game is None and query.against is None and (own or most_played is not None):
            return await self._overview(viewer, query.user, played)
        game = query.game or most_played
        if game is None:
            raise UserError(
                _(
                    "{player} hasn't finished a game on this server yet. `/help` shows how to start one.",
                    player=f"<@{query.user}>",
                )
            )
        query = stats_pages.StatsQuery(query.user, game, query.against)
        if query.against is None:
            return await self._person(viewer, query, game, played)
        return await self._pair(viewer, query, game, query.against, played)

    async def _overview(self, viewer: Viewer, user: int, played: dict[str, int]) -> Page:
        """Return the page with all games of a user; what they have learnt is shown to themselves only."""
        games, summaries = await asyncio.gather(
            self._records.games_of(user, viewer.guild, most=overview.STREAK_GAMES),
            asyncio.gather(*(self._summary(viewer.guild, user, key, played.get(key, 0)) for key in self.games)),
        )
        data = Overview(
            viewer.name(user, games),
            tuple(summary for summary, _whole in summaries),
            overview.streak_of(stats_pages.results_of(user, games)),
            await self._own_progress(user, viewer.guild) if user == viewer.reader else None,
            all(whole for _summary, whole in summaries),
        )
        drawn = await self.drawing.run(overview_picture.draw, data)
        return overview.page(user, data, viewer.server, drawn)

    async def _summary(self, guild: int, user: int, game: str, played: int) -> tuple[GameSummary, bool]:
        """Return how a user has done in a game, and whether everything is counted."""
        title, colour = self.games[game].title, self.games[game].colour
        if not played:
            return GameSummary(game, title, colour), True
        charts = await self.updater.charts(guild, game, ("ranked", "all"), ("casual", "all"))
        whole, recent, standings = await asyncio.gather(
            self._leaderboards.is_complete(charts),
            self._records.games_of(user, guild, game, most=overview.RESULTS),
            asyncio.gather(*(self._standings(chart, user) for chart in charts)),
        )
        ranked, casual = (found for (found,) in standings)
        counted = [standing for standing in (ranked, casual) if standing is not None]
        summary = GameSummary(
            game,
            title,
            colour,
            sum(standing.games for standing in counted),
            sum(standing.wins for standing in counted),
            stats_pages.results_of(user, recent),
            ranked or casual,
            casual=ranked is None and casual is not None,
        )
        return summary, whole

    async def _own_progress(self, user: int, guild: int) -> OwnProgress:
        """Return what a user has learnt, solved, and achieved on a server."""
        lessons, attempts, earned, achievements = await asyncio.gather(
            self._progress.lessons(user),
            self._puzzles.of(user),
            self._progress.earned(user, guild),
            self._records.setting(guild, "achievements"),
        )
        listed = {(key, one.name) for key, known in self.games.achievements.items() for one in known.listed}
        courses = self.games.courses
        days = {one.number for one in attempts if one.solved and one.timely}
        return OwnProgress(
            (sum(key in lessons for key in courses), len(courses)),
            sum(one.solved is True for one in attempts),
            days_in_a_row(days, puzzle_number(self.clock.now())),
            None if achievements == "off" else (sum((one.game, one.name) in listed for one in earned), len(listed)),
        )

    async def _person(self, viewer: Viewer, query: stats_pages.StatsQuery, game: str, played: dict[str, int]) -> Page:
        user, guild = query.user, viewer.guild
        charts = await self.updater.charts(guild, game, ("ranked", "all"), ("ranked", "season"), ("casual", "all"))
        # The requests run at once: the store answers them together, without a round trip each.
        (spans, whole, recent, rivals), standings = await asyncio.gather(
            asyncio.gather(
                self.updater.spans(guild),
                self._leaderboards.is_complete(charts),
                self._records.games_of(user, guild, game, most=stats_picture.RECENT),
                self._records.rivals(user, guild, game, most=stats_picture.RIVALS),
            ),
            asyncio.gather(*(self._leaderboards.place(chart, user) for chart in charts)),
        )
        people, computers = _(words.BOARD_WORDS["ranked"]), _(words.BOARD_WORDS["casual"])
        titles = (people, _("{board}, {season}", board=people, season=spans["season"].name), computers)
        found = dict(zip(titles, standings, strict=True))
        places = {title: (place, ranked) for title, (place, ranked) in found.items() if place is not None}
        name = viewer.name(user, recent)
        board: Board = "casual" if titles[0] not in places and titles[2] in places else "ranked"
        place, _ranked = found[titles[2] if board == "casual" else titles[0]]
        standing = None if place is None else place.standing
        data = stats_pages.stats_data(name, board, [standing], stats_pages.results_of(user, recent), rivals)
        drawn = await self.drawing.run(stats_picture.draw, data)
        frame, scored = self._frame(viewer, query, game, drawn, played), self.games.require(game).game.scored
        return stats_pages.person_page(frame, name, places, rivals, whole=whole, scored=scored)

    async def _pair(
        self, viewer: Viewer, query: stats_pages.StatsQuery, game: str, other: int, played: dict[str, int]
    ) -> Page:
        guild = viewer.guild
        charts = await self.updater.charts(guild, game, ("ranked", "all"), ("casual", "all"))
        ranked, casual = [await self._standings(chart, query.user, other) for chart in charts]
        score = await self._records.score(query.user, other, guild, game)
        meetings = await self._records.meetings(query.user, other, guild, game, most=stats_picture.RECENT)
        shown = (await viewer.visible_games(meetings))[:MEETINGS]
        own = await self._records.games_of(query.user, guild, game, most=1)
        theirs = await self._records.games_of(other, guild, game, most=1)
        names = (viewer.name(query.user, own), viewer.name(other, theirs))
        board: Board = "ranked" if any(ranked) else "casual"
        standings = ranked if board == "ranked" else casual
        rivals = [Rival(other, names[1], score)]
        data = stats_pages.stats_data(names[0], board, standings, stats_pages.results_of(query.user, meetings), rivals)
        drawn = await self.drawing.run(stats_picture.draw, data)
        frame = self._frame(viewer, query, game, drawn, played)
        return stats_pages.pair_page(frame, names, score, shown, await viewer.message_links(shown))

    def _frame(
        self, viewer: Viewer, query: stats_pages.StatsQuery, game: str, drawn: Picture, played: dict[str, int]
    ) -> stats_pages.StatsFrame:
        colour = self.games[game].colour
        return stats_pages.StatsFrame(query, viewer.server, drawn, played, self.games.titles, colour)

    async def _standings(self, chart: Leaderboard, *users: int) -> list[Standing | None]:
        """Return the standings of these users on a leaderboard."""
        places = [await self._leaderboards.place(chart, user) for user in users]
        return [None if place is None else place.standing for place, _ranked in places]
