"""What its owner does with a database, whether or not a bot runs on it: backups, health checks, and moving it."""

import socket
from contextlib import AbstractContextManager
from pathlib import Path

from data.store.downtime import Heard
from data.store.errors import StoreError
from data.store.open_store import Address, check_driver
from data.store.transfer import Source, Target, transfer
from engine.contract import Moment


def back_up(database: Address, target: Path, at: Moment) -> int:
    """Copy a database to the new file `target`; return its size in bytes. Raises `StoreError`."""
    # A file needs no driver for a server.
    if isinstance(database, Path):
        from data.store.sqlite.backup import backup as copy_file

        return copy_file(database, target, at)
    check_driver()
    from data.store.postgres.backup import backup as dump

    return dump(database, target, at)


def restore_backup(database: Address, copy: Path, at: Moment) -> Path | None:
    """Put a copy in place of a database that is a file; return where the old one is kept. Raises `StoreError`."""
    if not isinstance(database, Path):
        raise StoreError(
            "DATABASE is on a PostgreSQL server: restore it with pg_restore (docs/operating.md, 'PostgreSQL')."
        )
    from data.store.sqlite.backup import restore

    return restore(copy, database, at)


def last_heard(database: Address) -> Heard:
    """Return when a bot last noted the time in a database. Raises `StoreError`."""
    if isinstance(database, Path):
        from data.store.sqlite.backup import last_heard as heard

        return heard(database)
    check_driver()
    from data.store.postgres.backup import last_heard as answered

    return answered(database)


def last_heard_here(database: Address, at: Moment) -> Heard:
    """Return when a process of the bot on this host last renewed its lease, if there is one, by a clock that says `at`
    now. A file has only one process, on any host. Raises `StoreError`.
    """
    if isinstance(database, Path):
        return last_heard(database)
    check_driver()
    from data.store.postgres.backup import last_beat_of

    return Heard(last_beat_of(socket.gethostname(), database, at))


def move_database(source: Address, target: Address, at: Moment) -> dict[str, int]:
    """Copy everything from one database to another that is empty; return the number of rows of each table. No bot may
    run on either. Raises `MoveFailed`, `BackupFailed` or another `StoreError`; then the target is as it was.
    """
    with _source(source) as old, _target(target, at) as new:
        return transfer(old, new)


def _source(database: Address) -> AbstractContextManager[Source]:
    if isinstance(database, Path):
        from data.store.sqlite.transfer import source

        return source(database)
    check_driver()
    from data.store.postgres.transfer import source as there

    return there(database)


def _target(database: Address, at: Moment) -> AbstractContextManager[Target]:
    if isinstance(database, Path):
        from data.store.sqlite.transfer import target

        return target(database, at)
    check_driver()
    from data.store.postgres.transfer import target as there

    return there(database, at)


def display_name(database: Address) -> str:
    """Return a database's name for people and logs, without a password. Raises `StoreError` for an invalid address."""
    if isinstance(database, Path):
        return str(database)
    check_driver()
    from data.store.postgres.address import read_address

    return str(read_address(database))
