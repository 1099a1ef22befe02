"""The store: everything that has to outlast the process, whichever database keeps it.

Every write is on the disk when its method returns, and either whole or not there at all. Reads never wait for writes;
each sees everything that had been acknowledged before it began. What is asked of a store stands in the rooms `tables`,
`games`, `records`, `leaderboards`, `office`, `people`, `attempts`, `notices` and `shards`; the back ends in
`sqlite` and `postgres` answer it, each with its own SQL. May import `engine.contract`, the standard library and its
neighbours.
"""

import asyncio
from abc import ABC, abstractmethod
from collections.abc import Callable
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
from data.store.shards import Newcomer, Shards, steady_s
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
    """The database of one bot, in one process or several. Made by `Store.open`.

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

    @staticmethod
    def open(
        database: Address,
        *,
        now: Callable[[], Moment],
        newcomer: Newcomer | None = None,
        steady: Callable[[], float] = steady_s,
    ) -> AbstractAsyncContextManager["Store"]:
        """Give the store of a database, made or brought up to date first; a new run of the bot begins.

        `now` tells the time, and `steady` the seconds by which we know that we were not heard of. With a `newcomer`, a
        database on a server is opened beside other processes that do the same, and a run begins with each shard that is
        taken; else nobody else may have it open. At the end what is still waiting is written. Raises any `StoreError`
        but `Conflict`; then the database is as it was.
        """
        # Who keeps a file needs no driver for a server.
        if isinstance(database, Path):
            from data.store.sqlite.store import open_sqlite

            return open_sqlite(database, now=now)
        check_driver()
        from data.store.postgres.store import open_postgres

        return open_postgres(database, now=now, newcomer=newcomer, steady=steady)

    def downtime(self, since_run: int, guild: int) -> int:
        """Return for how many milliseconds nobody served a server between that run and the present one, all gaps
        together.
        """
        return self.shards.runs.downtime(since_run, guild)

    @abstractmethod
    async def beat(self, at: Moment) -> None:
        """Take note that the bot is alive."""
