"""The store: everything that has to outlast the process, whichever database keeps it.

Every write is on the disk when its method returns, and either whole or not there at all. Reads never wait for writes;
each sees everything that had been acknowledged before it began. What is asked of a store stands in the rooms `tables`,
`games`, `records`, `leaderboards`, `office`, `people`, `attempts` and `notices`; the back ends in `sqlite` and
`postgres` answer it, each with its own SQL. May import `engine.contract`, the standard library and its neighbours.
"""

import asyncio
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from contextlib import AbstractAsyncContextManager
from importlib.util import find_spec
from pathlib import Path

from data.store.attempts import Attempts
from data.store.errors import StoreError
from data.store.games import Games
from data.store.leaderboards import Leaderboards
from data.store.notices import Notices
from data.store.office import Office
from data.store.people import People
from data.store.records import Records
from data.store.runs import Run, downtimes
from data.store.tables import Mentions, Seats, Tables
from engine.contract import Moment

Address = Path | str
"""Where a database is: the path of a SQLite file, or the `postgresql://` address of a database on a server."""


def check_driver() -> None:
    """Raise `StoreError` where the driver for PostgreSQL is not installed."""
    if find_spec("psycopg") is None:
        raise StoreError(
            "The driver for PostgreSQL is missing: install it (.venv/bin/pip install '.[postgres]' in its folder), "
            "or set DATABASE to the path of a file."
        )


class Store(ABC):
    """The database of one bot. Made by `Store.open`.

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
    overtaken: asyncio.Event

    def __init__(self, runs: Sequence[Run]) -> None:
        self._run = runs[-1].id
        self._downtime = downtimes(runs)

    @staticmethod
    def open(database: Address, *, now: Callable[[], Moment]) -> AbstractAsyncContextManager["Store"]:
        """Give the store of a database, made or brought up to date first; a new run of the bot begins.

        `now` tells the time. At the end what is still waiting is written. Raises any `StoreError` but `Conflict`; then
        the database is as it was.
        """
        # Who keeps a file needs no driver for a server.
        if isinstance(database, Path):
            from data.store.sqlite.store import open_sqlite

            return open_sqlite(database, now=now)
        check_driver()
        from data.store.postgres.store import open_postgres

        return open_postgres(database, now=now)

    @property
    def run(self) -> int:
        """The number of this run of the bot."""
        return self._run

    def downtime(self, since_run: int) -> int:
        """Return for how many milliseconds the bot was away between that run and this one, all gaps together."""
        return self._downtime.get(since_run, 0)

    @abstractmethod
    async def beat(self, at: Moment) -> None:
        """Take note that the bot is alive."""
