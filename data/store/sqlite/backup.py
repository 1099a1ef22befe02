"""Copies of the database, made while a bot is playing on it: whole, of one moment, and proved to be readable.

A copy is a database like any other: set DATABASE to it, or put it in place of the lost one. May import `engine`, the
standard library and its neighbours.
"""

import contextlib
import sqlite3
from contextlib import closing
from pathlib import Path

from data.store.errors import BackupFailed
from data.store.files import is_there, new_copy
from data.store.sqlite.opening import BUSY_TIMEOUT_S, astray
from engine.contract import Moment

_PRIMARY = 0xFF
"""SQLite's extended result codes have the general one in their lowest byte."""


def backup(source: Path, target: Path, at: Moment) -> int:
    """Copy the database `source` to the new file `target`; return its size in bytes.

    The bot may go on meanwhile: the copy is of the moment at which it began. `at` is noted in the database as the time
    of its last backup. An existing file that holds anything is never touched; the copy can be read by its owner only,
    since it holds the seeds of running games. Blocks for as long as the disk needs. Raises `BackupFailed`, or
    `ReadOnlyDatabase` for a source in a folder that we may not enter; then nothing is left behind. A copy that is
    killed leaves nothing under its name, and the next one clears the rest away.
    """
    source, target = Path(source), Path(target)
    if not is_there(source):
        raise BackupFailed(f"There is no database {source} to copy: start the bot once, or set DATABASE to it.")
    with new_copy(target) as partial:
        _copy(source, partial)
        _check(partial)
    size = target.stat().st_size
    # The copy is good whether or not the note can be made, as when the database lies on a read-only disk.
    with contextlib.suppress(sqlite3.Error), closing(_open(source, "rw")) as db:
        db.execute("INSERT INTO backups (at, bytes) VALUES (?, ?)", (at, size))
    return size


def _open(path: Path, mode: str) -> sqlite3.Connection:
    return sqlite3.connect(
        f"{path.absolute().as_uri()}?mode={mode}", uri=True, timeout=BUSY_TIMEOUT_S, isolation_level=None
    )


def _copy(source: Path, partial: Path) -> None:
    try:
        # Not read-only: a log that a crash left behind has to be taken in first.
        with closing(_open(source, "rw")) as db:
            known = db.execute("SELECT 1 FROM sqlite_master WHERE name = 'schema_version'").fetchone()
            if known is None:
                raise BackupFailed(f"{source} is no database of Cellblock's: set DATABASE to the right file.")
            # One read of the whole, without free pages, so nothing that was deleted travels with the copy.
            db.execute("VACUUM INTO ?", (str(partial),))
    except sqlite3.Error as error:
        raise _in_words(error, source, partial) from error


def _in_words(error: sqlite3.Error, source: Path, partial: Path) -> BackupFailed:
    match getattr(error, "sqlite_errorcode", 0) & _PRIMARY:
        case sqlite3.SQLITE_FULL | sqlite3.SQLITE_IOERR:
            return BackupFailed(
                f"There is no room for the copy in {partial.absolute().parent} ({error}): make room on its disk, "
                "or copy to another one."
            )
        case sqlite3.SQLITE_CORRUPT | sqlite3.SQLITE_NOTADB:
            return BackupFailed(
                f"The database {source} cannot be read ({error}): keep the file and your older copies, and restore one."
            )
        case sqlite3.SQLITE_BUSY | sqlite3.SQLITE_LOCKED:
            return BackupFailed(f"Another program holds the database {source}: close it, then try again.")
    return BackupFailed(f"The database {source} could not be copied ({error}): see whether it may be read and written.")


def _check(partial: Path) -> None:
    try:
        with closing(_open(partial, "ro")) as db:
            (finding,) = db.execute("PRAGMA integrity_check(1)").fetchone()
            lost = astray(db)
    except sqlite3.Error as error:
        raise BackupFailed(f"The copy could not be read back ({error}): see whether its disk fails.") from error
    if finding != "ok" or lost is not None:
        how = finding if finding != "ok" else lost
        raise BackupFailed(f"The copy was not whole ({how}): see whether a disk fails, and keep your older copies.")
