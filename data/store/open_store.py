"""Which database is meant, and its store: where a back end is chosen, by its address.

May import `engine.contract`, the standard library and its neighbours.
"""

from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from importlib.util import find_spec
from pathlib import Path

from data.store.errors import StoreError
from data.store.shards import ProcessInfo, steady_s
from data.store.store import Store
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


def open_store(
    database: Address,
    *,
    now: Callable[[], Moment],
    process_info: ProcessInfo | None = None,
    steady: Callable[[], float] = steady_s,
) -> AbstractAsyncContextManager[Store]:
    """Give the store of a database, made or brought up to date first; a new run of the bot begins.

    `now` tells the time, and `steady` the seconds by which we know that we were not heard of. With a `process_info`, a
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

    return open_postgres(database, now=now, process_info=process_info, steady=steady)
