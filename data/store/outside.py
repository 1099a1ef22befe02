"""What its owner asks of a database from outside, whether or not a bot runs on it: copies, and signs of life.

May import the standard library and its neighbours.
"""

from pathlib import Path

from data.store.store import Address, check_driver
from engine.contract import Moment


def back_up(database: Address, target: Path, at: Moment) -> int:
    """Copy a database to the new file `target`; return its size in bytes. Raises `StoreError`."""
    # Who keeps a file needs no driver for a server.
    if isinstance(database, Path):
        from data.store.sqlite.backup import backup as copy_file

        return copy_file(database, target, at)
    check_driver()
    from data.store.postgres.backup import backup as dump

    return dump(database, target, at)


def last_beat(database: Address) -> Moment | None:
    """Return when a bot last noted the time in a database; None if none ever did. Raises `StoreError`."""
    if isinstance(database, Path):
        from data.store.sqlite.alive import last_beat as heard

        return heard(database)
    check_driver()
    from data.store.postgres.backup import last_beat as answered

    return answered(database)


def shown(database: Address) -> str:
    """Return a database's name for people and logs: without a password. Raises `StoreError` for an unsound address."""
    if isinstance(database, Path):
        return str(database)
    check_driver()
    from data.store.postgres.address import read_address

    return str(read_address(database))
