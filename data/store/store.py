"""The store: everything that has to outlast the process, whichever database keeps it.

Every write is on the disk when its method returns, and either whole or not there at all. Reads never wait for writes;
each sees everything that had been acknowledged before it began. What is asked of a store stands in the rooms `tables`,
`games`, `records`, `leaderboards`, `office`, `people`, `attempts`, `notices` and `shards`; the back ends in
`sqlite` and `postgres` answer it, each with its own SQL, and `opening` opens one of them. May import `engine.contract`,
the standard library and its neighbours.
"""

import asyncio
from abc import ABC, abstractmethod

from data.store.attempts import Attempts
from data.store.games import Games
from data.store.leaderboards import Leaderboards
from data.store.notices import Notices
from data.store.office import Office
from data.store.people import People
from data.store.records import Records
from data.store.shards import Shards
from data.store.tables import Mentions, Seats, Tables
from engine.contract import Moment


class Store(ABC):
    """The database of one bot, in one process or several. Made by `opening.open_store`.

    `overtaken` is set once another bot has opened it since: then every write raises `Overtaken`.
    """

    tables: Tables
    seats: Seats
    games: Games
    mentions: Mentions
    records: Records
    leaderboards: Leaderboards
    office: Office
    people: People
    attempts: Attempts
    notices: Notices
    shards: Shards
    overtaken: asyncio.Event

    def downtime(self, since_run: int, guild: int) -> int:
        """Return for how many milliseconds nobody served a server between that run and the present one, all gaps
        together.
        """
        return self.shards.runs.downtime(since_run, guild)

    @abstractmethod
    async def beat(self, at: Moment) -> None:
        """Take note that the bot is alive."""
