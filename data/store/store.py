"""The store: everything that outlasts the process, in either database."""

from abc import ABC, abstractmethod
from collections.abc import Iterable
from typing import TYPE_CHECKING

from data.store.database import Database
from data.store.downtime import Run, Runs
from data.store.games import Games
from data.store.leaderboards import Leaderboards
from data.store.postgres.shards import Shards
from data.store.progress import Progress
from data.store.puzzle_attempts import PuzzleAttempts
from data.store.records import Records
from data.store.reviews import Reviews
from data.store.server_admin import ServerAdmin
from data.store.tables import PendingDeletions, Seats, Tables
from data.store.user_data import UserData
from data.store.watchers import Watchers
from engine.contract import Moment

if TYPE_CHECKING:  # psycopg may be missing
    from data.store.postgres.cluster_notices import Notices


class Store(ABC):
    """The database of one bot, in one process or several: see `open_store`.

    A write is on the disk when its method returns, or it was not made. Reads never wait for writes, and see everything
    that was acknowledged before. `overtaken` is set once another bot has opened the database: then every write raises
    `DatabaseTakenOver`. `shards` and `notices` are None for a single process, which has `runs`.
    """

    def __init__(
        self,
        database: Database,
        runs: Iterable[Run] = (),
        shards: Shards | None = None,
        notices: "Notices | None" = None,
    ) -> None:
        self._runs = Runs(runs)
        self.shards = shards
        self.notices = notices
        self.overtaken = database.overtaken
        self.records = Records(database)
        self.leaderboards = Leaderboards(database, self.records)
        self.tables = Tables(database)
        self.seats = Seats(database, self.leaderboards.changed.set)
        self.games = Games(database, self.leaderboards.changed.set)
        self.pending_deletions = PendingDeletions(database)
        self.server_admin = ServerAdmin(database)
        self.user_data = UserData(database, self.leaderboards.changed.set)
        self.puzzle_attempts = PuzzleAttempts(database)
        self.watchers = Watchers(database)
        self.progress = Progress(database)
        self.reviews = Reviews(database)

    @property
    def runs(self) -> Runs:
        """The runs of the bot, as far as they are known."""
        return self._runs if self.shards is None else self.shards.runs

    @abstractmethod
    async def beat(self, at: Moment) -> None:
        """Record that the bot is alive."""
