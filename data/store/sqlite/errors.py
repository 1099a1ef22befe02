"""SQLite's errors as the store's."""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from data.store.errors import CorruptDatabase, DatabaseLocked, DiskFull, ReadOnlyDatabase, StoreError

PRIMARY = 0xFF
"""SQLite's extended result codes have the general one in their lowest byte."""


def translate_error(error: sqlite3.Error, path: Path) -> StoreError:
    """Return an error of SQLite as one of the store."""
    match getattr(error, "sqlite_errorcode", 0) & PRIMARY:
        case sqlite3.SQLITE_FULL | sqlite3.SQLITE_IOERR:
            return DiskFull(
                f"The database {path} could not be written ({error}): make room on its disk, or see whether it fails."
            )
        case sqlite3.SQLITE_CORRUPT | sqlite3.SQLITE_NOTADB:
            return damaged(path, str(error))
        case sqlite3.SQLITE_READONLY | sqlite3.SQLITE_CANTOPEN | sqlite3.SQLITE_PERM:
            return ReadOnlyDatabase(
                f"The database {path} cannot be opened for writing ({error}): "
                "let the bot write to the file and its folder, or set DATABASE to another place."
            )
        case sqlite3.SQLITE_BUSY | sqlite3.SQLITE_LOCKED:
            return DatabaseLocked(f"Another program holds the database {path}: close it, then try again.")
    return StoreError(f"The database {path} refused a statement ({error}): this is a bug, please report it.")


def damaged(path: Path, how: str) -> CorruptDatabase:
    """Return the error for a file that cannot be read as a database of Cellblock's."""
    return CorruptDatabase(
        f"The database {path} cannot be read ({how}): "
        "restore it from a copy, or move it away to begin with an empty one."
    )


@contextmanager
def translate_errors(path: Path) -> Iterator[None]:
    """Raise errors of SQLite inside the block as a `StoreError`."""
    try:
        yield
    except sqlite3.Error as error:
        raise translate_error(error, path) from error
