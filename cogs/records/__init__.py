"""Records: leaderboards, statistics and histories of a server. `/leaderboard`, `/stats`, `/history`.

All pages are shown to the one who asks alone, and nobody is mentioned. May import discord, `cogs.core` and `engine`.
"""

from collections.abc import Sequence
from typing import cast

import discord
from discord import app_commands
from discord.ext import commands

from cogs.core.errors import UserError
from cogs.core.leafing import page_within, pages_of
from cogs.core.messages import links, names
from cogs.core.messages.page import Page
from cogs.core.router.access import sight
from cogs.core.router.commands import AnyGame
from cogs.core.router.custom_ids import Control
from cogs.core.router.service import Service
from cogs.core.session.table_session import RatingChange, TableSession
from cogs.core.session.tables import Tables
from cogs.records import boards, person, picture
from cogs.records.seasons import Period
from cogs.records.upkeep import Upkeep
from engine.contract import Seat
from engine.endings import Board, Ended, Rival
from engine.standings import BASE, Chart, Standing

COLOUR = 0xE8A33D

MEETINGS = 5

MOST_WAITS = 20
"""So often the end of a game waits for the leaderboards to be brought up to date before it tells no ratings."""

PERIOD_CHOICES: list[app_commands.Choice[str]] = [
    app_commands.Choice(name="All time", value="all"),
    app_commands.Choice(name="This season", value="season"),
    app_commands.Choice(name="Last season", value="last"),
]

BOARD_CHOICES: list[app_commands.Choice[str]] = [
    app_commands.Choice(name="Ranked: people only", value="ranked"),
    app_commands.Choice(name="Casual: tables with computer players", value="casual"),
]


class Records(commands.Cog):
    """Leaderboards, statistics and histories, and the buttons on their pages."""

    def __init__(self, tables: Tables, service: Service) -> None:
        self._tables = tables
        self._service = service
        self._records = tables.store.records
        self._leaderboards = tables.store.leaderboards
        self._upkeep = Upkeep(tables)
        self._titles = {key: screen.game.title for key, screen in tables.screens.items()}
        service.answer_to("leaderboard", self._press_leaderboard)
        service.answer_to("stats", self._press_stats)
        service.answer_to("history", self._press_history)

    async def cog_load(self) -> None:
        """Begin to add up, and to tell at the end of a game what it has made of ratings."""
        self._upkeep.start()
        self._tables.follow_up.at_end = self._tell_ratings

    async def _tell_ratings(self, session: TableSession) -> None:
        """Let the end of a game show how ratings have changed, as soon as it has been added up."""
        row, board = session.table.row, "ranked" if session.table.ranked else "casual"
        charts = await self._upkeep.charts(row.guild, row.game, (cast(Board, board), "all"))
        for _ in range(MOST_WAITS):
            if await self._leaderboards.whole(charts):
                break
            await self._upkeep.charts(row.guild, row.game, (cast(Board, board), "all"))
        else:
            return
        hidden = await self._records.hidden()
        changes = []
        for seat in session.table.seats:
            if seat.user is None or seat.user in hidden:
                continue
            place, _ = await self._leaderboards.place(charts[0], seat.user)
            if place is not None and place.standing.trace:
                before, after = (BASE, *place.standing.trace)[-2:]
                changes.append(RatingChange(Seat(seat.seat), before, after))
        session.ratings = tuple(changes)
        session.message.changed()

    async def cog_unload(self) -> None:
        """Stop adding up."""
        self._tables.follow_up.at_end = None
        await self._upkeep.close()

    # Leaderboards

    @app_commands.command(name="leaderboard", description="Who plays a game best on this server.")
    @app_commands.describe(
        game="Which game",
        period="All time, or one season",
        board="Tables of people only, or those with computer players",
    )
    @app_commands.choices(period=PERIOD_CHOICES, board=BOARD_CHOICES)
    @app_commands.guild_only()
    async def leaderboard(
        self, interaction: discord.Interaction, game: AnyGame, period: str = "all", board: str = "ranked"
    ) -> None:
        """Show the first page of a leaderboard."""
        control = Control(0, 0, "leaderboard", f"{self._known(game)}.{period}.{board}.0.first")
        await self._press_leaderboard(interaction, control)

    async def _press_leaderboard(self, interaction: discord.Interaction, control: Control) -> None:
        guild = _guild(interaction)
        ask = boards.read_ask(control, self._titles)
        (chart,) = await self._upkeep.charts(guild, ask.game, (ask.board, ask.period))
        spans: dict[Period, str] = {
            "all": (await self._upkeep.span(guild, "all")).name,
            "season": (await self._upkeep.span(guild, "season")).name,
            "last": (await self._upkeep.span(guild, "last")).name,
        }
        reader = boards.Reader(interaction.user.id, _server(interaction))
        first = None if ask.page is None else ask.page * boards.A_PAGE
        listing = await self._leaderboards.listing(chart, reader.user, first, boards.A_PAGE)
        scored = self._tables.played(ask.game).scored
        page = boards.leaderboard(ask, listing, reader, self._titles, spans, self._colour(ask.game), scored=scored)
        await self._service.show(interaction, page)

    # Statistics

    @app_commands.command(name="stats", description="How somebody has played: rating, results, against whom.")
    @app_commands.describe(
        user="Whose statistics; yours if left out",
        game="Which game; the most played if left out",
        against="Compare with somebody else",
    )
    @app_commands.guild_only()
    async def stats(
        self,
        interaction: discord.Interaction,
        user: discord.User | None = None,
        game: AnyGame | None = None,
        against: discord.User | None = None,
    ) -> None:
        """Show somebody's statistics, or how they did against somebody else."""
        wanted = None if game is None else self._known(game)
        query = person.Query((user or interaction.user).id, wanted, None if against is None else against.id)
        await self._show_stats(interaction, query)

    async def _press_stats(self, interaction: discord.Interaction, control: Control) -> None:
        query = person.read_query(control)
        if query.game is not None:
            self._known(query.game)
        await self._show_stats(interaction, query)

    async def _show_stats(self, interaction: discord.Interaction, query: person.Query) -> None:
        guild = _guild(interaction)
        hidden = await self._records.hidden()
        for user in (query.user, query.against):
            self._check_seen(interaction, user, hidden)
        if query.user == query.against:
            raise UserError("Nobody plays against themselves. Choose two people.")
        played = await self._records.played(query.user, guild)
        game = query.game or next((game for game in played if game in self._titles), None)
        if game is None:
            raise UserError(
                f"<@{query.user}> has not finished a game on this server yet. `/help` says how to begin one."
            )
        query = person.Query(query.user, game, query.against)
        if query.against is None:
            page = await self._person(interaction, guild, query, game, played)
        else:
            page = await self._pair(interaction, guild, query, game, query.against, played)
        await self._service.show(interaction, page)

    async def _person(
        self,
        interaction: discord.Interaction,
        guild: int,
        query: person.Query,
        game: str,
        played: dict[str, int],
    ) -> Page:
        user = query.user
        charts = await self._upkeep.charts(guild, game, ("ranked", "all"), ("ranked", "season"), ("casual", "all"))
        titles = ("Ranked", f"Ranked, {(await self._upkeep.span(guild, 'season')).name}", "With computers")
        found = {
            title: await self._leaderboards.place(chart, user) for title, chart in zip(titles, charts, strict=True)
        }
        places = {title: (place, ranked) for title, (place, ranked) in found.items() if place is not None}
        whole = await self._leaderboards.whole(charts)
        recent = await self._records.games_of(user, guild, game, most=picture.RECENT)
        rivals = await self._records.rivals(user, guild, game, most=picture.RIVALS)
        name = self._name(interaction, user, recent)
        board: Board = "casual" if titles[0] not in places and titles[2] in places else "ranked"
        place, _ = found[titles[2] if board == "casual" else titles[0]]
        standing = None if place is None else place.standing
        drawn = await self._tables.draw(
            picture.draw,
            person.portrait(name, board, [standing], person.finishes(user, recent), rivals),
        )
        server, colour = _server(interaction), self._colour(game)
        scored = self._tables.played(game).scored
        return person.person_page(
            query, name, server, places, whole, rivals, drawn, played, self._titles, colour, scored=scored
        )

    async def _pair(
        self,
        interaction: discord.Interaction,
        guild: int,
        query: person.Query,
        game: str,
        other: int,
        played: dict[str, int],
    ) -> Page:
        charts = await self._upkeep.charts(guild, game, ("ranked", "all"), ("casual", "all"))
        ranked, casual = [await self._standings(chart, query.user, other) for chart in charts]
        score = await self._records.score(query.user, other, guild, game)
        meetings = await self._records.meetings(query.user, other, guild, game, most=picture.RECENT)
        shown = await self._seen(interaction, meetings)
        own = await self._records.games_of(query.user, guild, game, most=1)
        theirs = await self._records.games_of(other, guild, game, most=1)
        names = (self._name(interaction, query.user, own), self._name(interaction, other, theirs))
        board: Board = "ranked" if any(ranked) else "casual"
        standings = ranked if board == "ranked" else casual
        rival = Rival(other, names[1], score)
        drawn = await self._tables.draw(
            picture.draw,
            person.portrait(names[0], board, standings, person.finishes(query.user, meetings), [rival]),
        )
        links = await self._links(shown)
        server, colour = _server(interaction), self._colour(game)
        return person.pair_page(query, names, server, score, shown, links, drawn, played, self._titles, colour)

    async def _standings(self, chart: Chart, *users: int) -> list[Standing | None]:
        """Return what these users have achieved on a leaderboard."""
        places = [await self._leaderboards.place(chart, user) for user in users]
        return [None if place is None else place.standing for place, _ in places]

    # Histories

    @app_commands.command(name="history", description="The last games that somebody has finished here.")
    @app_commands.describe(user="Whose games; yours if left out")
    @app_commands.guild_only()
    async def history(self, interaction: discord.Interaction, user: discord.User | None = None) -> None:
        """Show the first page of somebody's games."""
        await self._show_history(interaction, (user or interaction.user).id, 0)

    async def _press_history(self, interaction: discord.Interaction, control: Control) -> None:
        user, page, *_ = [*control.argument.split("."), ""]
        if not all(part.isascii() and part.isdecimal() and len(part) < 20 for part in (user, page)):
            raise UserError("That page does not exist. `/history` shows those that do.")
        await self._show_history(interaction, int(user), int(page))

    async def _show_history(self, interaction: discord.Interaction, user: int, number: int) -> None:
        guild = _guild(interaction)
        self._check_seen(interaction, user, await self._records.hidden())
        shut = await self._shut(interaction, user, guild)
        total = sum((await self._records.played(user, guild, without=shut)).values())
        number = page_within(number, pages_of(total, boards.GAMES_A_PAGE))
        skip = number * boards.GAMES_A_PAGE
        games = await self._records.games_of(user, guild, most=boards.GAMES_A_PAGE, skip=skip, without=shut)
        name = self._name(interaction, user, games)
        links = await self._links(games)
        page = boards.history(user, name, games, links, self._titles, number, total, COLOUR)
        await self._service.show(interaction, page)

    async def _shut(self, interaction: discord.Interaction, user: int, guild: int) -> frozenset[int]:
        """Return the channels of somebody's games that the reader does not see.

        Of a channel that is gone, only one's own games are shown.
        """
        rooms = await self._records.rooms_of(user, guild)
        seen = sight(interaction, rooms)
        return seen.shut if user == interaction.user.id else frozenset(rooms) - seen.open

    # What they share

    def _known(self, game: str) -> str:
        """Return the key of the game that was typed: its key or its title."""
        for key, title in self._titles.items():
            if game.strip().lower() in (key, title.lower()):
                return key
        raise UserError(f"There is no game called {game!r} here. There are: {', '.join(self._titles.values())}.")

    def _colour(self, game: str) -> int:
        return self._tables.screens[game].colour

    def _check_seen(self, interaction: discord.Interaction, user: int | None, hidden: frozenset[int]) -> None:
        if user in hidden and user != interaction.user.id:
            raise UserError(f"<@{user}> does not want their games to be shown.")

    def _name(self, interaction: discord.Interaction, user: int, games: Sequence[Ended]) -> str:
        """Return what somebody is called: here and now where Discord told us, else at the table last."""
        told = (interaction.user, *(getattr(interaction.namespace, name, None) for name in ("user", "against")))
        for named in told:
            if isinstance(named, discord.User | discord.Member) and named.id == user:
                return names.plain(named.display_name)
        side = games[0].side_of(user) if games else None
        return names.plain("" if side is None else side.name)

    async def _seen(self, interaction: discord.Interaction, games: Sequence[Ended]) -> list[Ended]:
        """Return the first of these games whose channels the reader sees."""
        rooms = await self._tables.store.office.rooms([game.table for game in games])
        seen = sight(interaction, rooms.values())
        return [game for game in games if rooms.get(game.table) in seen.open][:MEETINGS]

    async def _links(self, games: Sequence[Ended]) -> dict[int, str | None]:
        """Return the addresses of the games' table messages, by table."""
        found: dict[int, str | None] = {}
        for game in games:
            row = await self._tables.store.table(game.table)
            if row is not None:
                found[game.table] = links.address(row, row.message)
        return found


def _guild(interaction: discord.Interaction) -> int:
    if interaction.guild_id is None:
        raise UserError("Records belong to a server. Use this command there.")
    return interaction.guild_id


def _server(interaction: discord.Interaction) -> str:
    return interaction.guild.name if interaction.guild is not None else "this server"
