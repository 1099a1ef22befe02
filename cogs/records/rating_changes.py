"""The rating changes at the end of a game, shown once the leaderboards are up to date."""

from cogs.core.ops.storage import BackgroundTasks, Store
from cogs.core.publishing.end_of_game import RatingChange
from cogs.core.publishing.publisher import Publisher
from cogs.core.tables.component import TableComponent
from cogs.core.tables.table import Table
from cogs.records.leaderboard_updater import LeaderboardUpdater
from engine.contract import Seat
from engine.results import Board

MOST_ATTEMPTS = 20
"""The attempts to wait for the leaderboards before the end of a game is shown without rating changes."""


class RatingChanges(TableComponent):
    """Shows rating changes once at the end of each game that has results."""

    def __init__(self, store: Store, publisher: Publisher, tasks: BackgroundTasks, updater: LeaderboardUpdater) -> None:
        self._tasks = tasks
        self._records = store.records
        self._leaderboards = store.leaderboards
        self._publisher = publisher
        self._updater = updater
        self._ended: set[Table] = set()

    async def load(self, table: Table, *, new: bool) -> None:
        """Skip a game that had ended when it was loaded."""
        if table.snapshot.ended:
            self._ended.add(table)

    def changed(self, table: Table, visible: bool) -> None:
        """Show rating changes if the game has ended."""
        ended = table.snapshot.ended and table.snapshot.results
        if ended and table not in self._ended and not table.silent:
            self._ended.add(table)
            self._tasks.spawn(self._show(table), f"booking-{table.id}")

    def unload(self, table: Table) -> None:
        """Forget a table."""
        self._ended.discard(table)

    async def close(self, table: Table) -> None:
        """Forget a table."""
        self._ended.discard(table)

    async def _show(self, table: Table) -> None:
        """Show the changes as soon as the game has been added to the leaderboards."""
        game = table.snapshot
        row = game.row
        board: Board = "ranked" if game.ranked else "casual"
        for _ in range(MOST_ATTEMPTS):
            charts = await self._updater.charts(row.guild, row.game, (board, "all"))
            if await self._leaderboards.is_complete(charts):
                break
        else:
            return
        hidden = await self._records.hidden()
        changes = []
        for seat in game.seats:
            place = None if seat.user is None else (await self._leaderboards.place(charts[0], seat.user))[0]
            if place is None:
                continue
            if place.standing.placing:
                return  # the first ratings move too much to tell anybody anything
            change = place.standing.change_at(row.id)
            if change is not None and seat.user not in hidden:
                changes.append(RatingChange(Seat(seat.seat), change))
        if not changes or table not in self._ended:
            return  # there is nothing to show, or the table was forgotten meanwhile
        messages = self._publisher.of(table)
        messages.ratings = tuple(changes)
        messages.message.invalidate()
