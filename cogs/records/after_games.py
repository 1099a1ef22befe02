"""After a game: its end tells what it has made of the players' ratings, once the leaderboards know."""

from cogs.core.inbound.table_service import TableService
from cogs.core.publishing.rating_changes import RatingChange
from cogs.core.tables.snapshot import TableSnapshot
from cogs.core.tables.table import Table
from cogs.records.upkeep import Upkeep
from engine.contract import Seat
from engine.results import Board
from engine.standings import BASE

MOST_WAITS = 20
"""So often the end of a game waits for the leaderboards to be brought up to date before it tells no ratings."""


LATELY = 10
"""Among so many of somebody's last games the one that has just ended is looked for."""


class AfterGames:
    """Hears of each game that ends."""

    def __init__(self, tables: TableService, upkeep: Upkeep) -> None:
        self._records = tables.store.records
        self._leaderboards = tables.store.leaderboards
        self._publisher = tables.publisher
        self._upkeep = upkeep

    async def __call__(self, table: Table) -> None:
        """Let the end of a game show how ratings have changed, as soon as it has been added up."""
        game = table.snapshot
        row = game.row
        board: Board = "ranked" if game.ranked else "casual"
        for _ in range(MOST_WAITS):
            charts = await self._upkeep.charts(row.guild, row.game, (board, "all"))
            if await self._leaderboards.is_complete(charts):
                break
        else:
            return
        if not await self._counted(game):
            return
        hidden = await self._records.hidden()
        changes = []
        for seat in game.seats:
            if seat.user is None or seat.user in hidden:
                continue
            place, _ = await self._leaderboards.place(charts[0], seat.user)
            if place is not None and place.standing.trace:
                before, after = (BASE, *place.standing.trace)[-2:]
                changes.append(RatingChange(Seat(seat.seat), before, after, place.standing.games))
        messages = self._publisher.of(table)
        messages.ratings = tuple(changes)
        messages.message.invalidate()

    async def _counted(self, game: TableSnapshot) -> bool:
        """Return whether the game stands on a board: one that ended before everybody moved does not."""
        row = game.row
        user = next((seat.user for seat in game.seats if seat.user is not None), None)
        if user is None:
            return False
        games = await self._records.games_of(user, row.guild, row.game, most=LATELY)
        return any(one.table == row.id and one.board is not None for one in games)
