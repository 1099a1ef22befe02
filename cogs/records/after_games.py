"""After a game: its end tells what it has made of the players' ratings, once the leaderboards know."""

from cogs.core.tables.table_service import Tables
from cogs.core.tables.table_session import RatingChange, TableSession
from cogs.records.upkeep import Upkeep
from engine.contract import Seat
from engine.endings import Board
from engine.standings import BASE

MOST_WAITS = 20
"""So often the end of a game waits for the leaderboards to be brought up to date before it tells no ratings."""


LATELY = 10
"""Among so many of somebody's last games the one that has just ended is looked for."""


class AfterGames:
    """Hears of each game that ends."""

    def __init__(self, tables: Tables, upkeep: Upkeep) -> None:
        self._records = tables.store.records
        self._leaderboards = tables.store.leaderboards
        self._upkeep = upkeep

    async def __call__(self, session: TableSession) -> None:
        """Let the end of a game show how ratings have changed, as soon as it has been added up."""
        row = session.table.row
        board: Board = "ranked" if session.table.ranked else "casual"
        for _ in range(MOST_WAITS):
            charts = await self._upkeep.charts(row.guild, row.game, (board, "all"))
            if await self._leaderboards.is_complete(charts):
                break
        else:
            return
        if not await self._counted(session):
            return
        hidden = await self._records.hidden()
        changes = []
        for seat in session.table.seats:
            if seat.user is None or seat.user in hidden:
                continue
            place, _ = await self._leaderboards.place(charts[0], seat.user)
            if place is not None and place.standing.trace:
                before, after = (BASE, *place.standing.trace)[-2:]
                changes.append(RatingChange(Seat(seat.seat), before, after, place.standing.games))
        session.ratings = tuple(changes)
        session.message.changed()

    async def _counted(self, session: TableSession) -> bool:
        """Return whether the game stands on a board: one that ended before everybody moved does not."""
        row = session.table.row
        user = next((seat.user for seat in session.table.seats if seat.user is not None), None)
        if user is None:
            return False
        games = await self._records.games_of(user, row.guild, row.game, most=LATELY)
        return any(game.table == row.id and game.board is not None for game in games)
