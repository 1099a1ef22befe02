"""Copies of the database, made while a bot is playing on it, and health checks."""

import contextlib
import sqlite3
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

from data.store.atomic_files import (
    check_folder,
    file_exists,
    new_copy,
    partial_file,
    publish_file,
    require_free,
    sync_file,
    sync_folder,
)
from data.store.downtime import Heard
from data.store.errors import BackupFailed, ReadOnlyDatabase, StoreError
from data.store.sqlite.database_file import BUSY_TIMEOUT_S, check_file, locked, orphaned_row, real_path
from data.store.sqlite.errors import PRIMARY, translate_errors
from data.store.sqlite.migrate import read_migrations
from engine.contract import Moment

_HEARD = "SELECT max(alive_at) FILTER (WHERE stopped_at IS NULL), max(stopped_at) FROM runs"

_HEARD_BEFORE = "SELECT max(alive_at), NULL FROM runs"
"""The same in a database of an earlier version."""


def backup(source: Path, target: Path, at: Moment) -> int:
    """Copy the database `source` to the new file `target`, and note the time `at` in it; return its size in bytes.

    The copy is of the moment at which it began, checked, and readable by its owner only, since it holds the seeds of
    running games. An existing file that is not empty is never touched. Blocks. Raises `BackupFailed` or
    `ReadOnlyDatabase`; then nothing is left under its name.
    """
    source, target = Path(source), Path(target)
    if not file_exists(source):
        raise BackupFailed(f"There is no database {source} to copy: start the bot once, or set DATABASE to it.")
    with new_copy(target) as fresh:
        _copy(source, fresh)
        _check(fresh)
    size = target.stat().st_size
    # The copy is good even if it cannot be noted, as when the database is on a read-only disk.
    with contextlib.suppress(sqlite3.Error), closing(_open(source, "rw")) as db:
        db.execute("INSERT INTO backups (at, bytes) VALUES (?, ?)", (at, size))
    return size


def restore(copy: Path, path: Path, at: Moment) -> Path | None:
    """Put a checked copy in place of the database, on which no bot may run; return where the old one is kept, if there
    was one. Raises `DatabaseLocked`, `BackupFailed`, or another `StoreError`; then everything is as it was.
    """
    path = real_path(path)
    if not file_exists(copy):
        raise BackupFailed(f"There is no copy {copy}: name a file that was made by backup.")
    check_file(copy, read_migrations())
    existed = file_exists(path)
    if existed and path.samefile(copy):
        raise BackupFailed(f"{copy} is the database itself: name a copy of it.")
    existed = existed or path.with_name(path.name + "-wal").exists()  # a log alone may have all the data
    check_folder(path)
    with locked(path), partial_file(path) as fresh:
        try:
            _copy(copy, fresh)
            with closing(_open(fresh, "rw")) as db:
                end_runs(db)  # a bot may have run when the copy was made
            _check(fresh)
            sync_file(fresh)
            aside = _set_aside(path, at)
            try:
                publish_file(fresh, path)
            except BaseException:
                _rename(aside, path)
                raise
            if not existed:
                aside.unlink()  # it was made to be locked
            sync_folder(path.parent)
        except OSError as error:
            raise BackupFailed(f"{copy} could not be put in place ({error.strerror}): check the disk.") from error
    return aside if existed else None


def last_heard(path: Path) -> Heard:
    """Return when a bot last noted the time in this database. Raises `StoreError`."""
    if not file_exists(path):
        raise ReadOnlyDatabase(f"There is no database {path}: start the bot once, or set DATABASE to it.")
    address = f"{path.absolute().as_uri()}?mode=ro"
    with translate_errors(path), closing(sqlite3.connect(address, uri=True, timeout=BUSY_TIMEOUT_S)) as db:
        return Heard(*db.execute(_HEARD if _tells_stops(db) else _HEARD_BEFORE).fetchone())


def end_runs(db: sqlite3.Connection) -> None:
    """Record that no bot runs on a database that was just made out of another one."""
    if _tells_stops(db):
        db.execute("UPDATE runs SET stopped_at = alive_at WHERE stopped_at IS NULL")


def _tells_stops(db: sqlite3.Connection) -> bool:
    """Return False for a database of an earlier version, which records only when a bot was alive."""
    return bool(db.execute("SELECT 1 FROM pragma_table_info('runs') WHERE name = 'stopped_at'").fetchall())


def _set_aside(path: Path, at: Moment) -> Path:
    """Rename a database to keep it, with its log if it is too damaged to take that in; return its new path."""
    moment = datetime.fromtimestamp(at / 1_000, UTC)
    aside = path.with_name(f"{path.name}-{moment:%Y-%m-%d-%H%M%S}")
    require_free(aside)
    # The log is written into the old database: beside the new one, it would be taken for the new one's.
    with contextlib.suppress(StoreError, sqlite3.Error):
        check_file(path, read_migrations())  # SQLite would delete the log of a damaged database
        with closing(_open(path, "rw")) as db:
            db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    _rename(path, aside)
    return aside


def _rename(old: Path, new: Path) -> None:
    """Rename a database and its log."""
    old.rename(new)
    log = old.with_name(old.name + "-wal")
    if log.exists():
        log.rename(new.with_name(new.name + "-wal"))
    old.with_name(old.name + "-shm").unlink(missing_ok=True)


def _open(path: Path, mode: str) -> sqlite3.Connection:
    return sqlite3.connect(
        f"{path.absolute().as_uri()}?mode={mode}", uri=True, timeout=BUSY_TIMEOUT_S, isolation_level=None
    )


def _copy(source: Path, fresh: Path) -> None:
    try:
        # Not read-only: a log that a crash left must be written into the file first.
        with closing(_open(source, "rw")) as db:
            known = db.execute("SELECT 1 FROM sqlite_master WHERE name = 'schema_version'").fetchone()
            if known is None:
                raise BackupFailed(f"{source} is no database of Cellblock's: set DATABASE to the right file.")
            # One read of everything without free pages, so that the copy has nothing that was deleted.
            db.execute("VACUUM INTO ?", (str(fresh),))
    except sqlite3.Error as error:
        raise _in_words(error, source, fresh) from error


def _in_words(error: sqlite3.Error, source: Path, fresh: Path) -> BackupFailed:
    match getattr(error, "sqlite_errorcode", 0) & PRIMARY:
        case sqlite3.SQLITE_FULL | sqlite3.SQLITE_IOERR:
            return BackupFailed(
                f"There is no room for the copy in {fresh.absolute().parent} ({error}): make room on its disk, "
                "or copy to another one."
            )
        case sqlite3.SQLITE_CORRUPT | sqlite3.SQLITE_NOTADB:
            return BackupFailed(
                f"The database {source} cannot be read ({error}): keep the file and your older copies, and restore one."
            )
        case sqlite3.SQLITE_BUSY | sqlite3.SQLITE_LOCKED:
            return BackupFailed(f"Another program holds the database {source}: close it, then try again.")
    return BackupFailed(f"The database {source} could not be copied ({error}): see whether it may be read and written.")


def _check(fresh: Path) -> None:
    try:
        with closing(_open(fresh, "ro")) as db:
            (finding,) = db.execute("PRAGMA integrity_check(1)").fetchone()
            lost = orphaned_row(db)
    except sqlite3.Error as error:
        raise BackupFailed(f"The copy could not be read back ({error}): check its disk.") from error
    if finding != "ok" or lost is not None:
        how = finding if finding != "ok" else lost
        raise BackupFailed(f"The copy was not whole ({how}): check the disks, and keep your older copies.")
