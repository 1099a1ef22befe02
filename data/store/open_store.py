"""Opens the store of a database: its address chooses the back end."""

from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from importlib.util import find_spec
from pathlib import Path

from data.store.errors import StoreError
from data.store.shards import ProcessInfo, steady_s
from data.store.store import Store
from engine.contract import Moment

Address = Path | str
"""The path of a SQLite file, or the `postgresql://` address of a database on a server."""


def check_driver() -> None:
    """Raise `StoreError` if the driver for PostgreSQL is not installed."""
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
    """Return a context manager for the store of a database, which is made or migrated first.

    `now` is the clock, and `steady` a monotonic one, in seconds, for the lease. With a `process_info`, a database on a
    server is shared with other processes; otherwise nobody else may have it open. At the end what is still waiting is
    written. Raises any `StoreError` but `Conflict`; then the database is as it was.
    """
    # A file needs no driver for a server.
    if isinstance(database, Path):
        from data.store.sqlite_store import open_sqlite

        return open_sqlite(database, now=now)
    check_driver()
    from data.store.postgres_store import open_postgres

    return open_postgres(database, now=now, process_info=process_info, steady=steady)
