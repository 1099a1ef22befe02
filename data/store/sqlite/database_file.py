"""Opens the database file: checks that it is ours, complete and not newer before anything is written, locks it against
a second bot, and migrates it. It holds the seeds of running games, so only its owner may read it.
"""

import contextlib
import logging
import os
import sqlite3
import stat
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path

from data.store.atomic_files import LOCKS, check_folder, lock_file
from data.store.errors import CorruptDatabase, DatabaseLocked, ReadOnlyDatabase, StoreError
from data.store.migrations import Migration
from data.store.sqlite.checkpoints import PAGES_AT_MOST
from data.store.sqlite.errors import damaged, translate_errors
from data.store.sqlite.migrate import migrate, pending
from engine.contract import Moment

log = logging.getLogger(__name__)

Trace = Callable[[str], object]
"""Called with every SQL statement, in the thread of the connection that executes it."""

BUSY_TIMEOUT_S = 5.0
"""How long to wait for another program that holds the file, while it is being opened."""

BUSY_TIMEOUT_PLAYING_S = 1.0
"""The same while the bot plays: a click is answered within three seconds."""

OWNER_ONLY = 0o600

CHECKED_UP_TO_BYTES = 64 * 1024 * 1024
"""Files up to this size are checked completely at every start (about 0.1 s); of larger ones, what is read."""

_MAGIC = b"SQLite format 3\0"


def check_file(path: Path, migrations: Sequence[Migration]) -> None:
    """Check that the file may be opened for writing: it is ours, complete and not newer, or does not exist yet. Raises
    `CorruptDatabase`, `NewerDatabase`, `MigrationFailed` or `ReadOnlyDatabase`.
    """
    try:
        check_folder(path)
        if not stat.S_ISREG(path.stat().st_mode):  # opening a pipe would wait for its other end
            raise ReadOnlyDatabase(
                f"The database {path} is no file: set DATABASE to a file, or to where one can be made."
            )
        with path.open("rb") as file:
            head = file.read(len(_MAGIC))
        size = path.stat().st_size
    except FileNotFoundError:
        return
    except OSError as error:
        raise ReadOnlyDatabase(
            f"The database {path} cannot be opened ({error.strerror}): "
            "let the bot read and write it, or set DATABASE to another file."
        ) from error
    if head not in (b"", _MAGIC):
        raise damaged(path, "it is no SQLite database")
    if _beside(path, "-journal").exists():
        return  # its creation was interrupted; SQLite rolls that back when it opens the file for writing
    if not head:
        raise CorruptDatabase(
            f"The database {path} is an empty file: put a copy in its place, or delete it to begin with a new one."
        )
    # A plain read-only connection makes files beside the database; without a log it need not.
    mode = "mode=ro" if _beside(path, "-wal").exists() else "immutable=1"
    with translate_errors(path), closing(sqlite3.connect(f"{path.absolute().as_uri()}?{mode}", uri=True)) as db:
        pending(db, migrations, path)
        if size <= CHECKED_UP_TO_BYTES:
            (finding,) = db.execute("PRAGMA quick_check(1)").fetchone()
            if finding != "ok":
                raise damaged(path, " ".join(finding.replace("*", "").split()))


def orphaned_row(db: sqlite3.Connection) -> str | None:
    """Describe a row that refers to one that does not exist; None if there is none."""
    found = db.execute("PRAGMA foreign_key_check").fetchone()
    return None if found is None else f"a row of {found[0]} belongs to one of {found[2]} that is not there"


def real_path(path: Path) -> Path:
    """Return a file's path without symbolic links, so that what is kept beside it is in one place."""
    return Path(os.path.realpath(path))


@contextmanager
def locked(path: Path) -> Iterator[None]:
    """Keep other bots off this database, which is made if it does not exist. Raises `DatabaseLocked` if one runs.

    `path` is a `real_path`. There are two locks: SQLite's on an empty file beside the database, and the system's on the
    database itself, under any name. The system releases both when the process ends, however it ends.
    """
    beside = _beside(path, "-lock")
    with contextlib.suppress(OSError):  # it exists, or SQLite reports what is wrong
        os.close(os.open(beside, os.O_CREAT | os.O_EXCL | os.O_WRONLY, OWNER_ONLY))
    with translate_errors(path):
        lock = sqlite3.connect(beside, timeout=0, isolation_level=None)
    with closing(lock):
        try:
            with translate_errors(path):
                lock.execute("PRAGMA journal_mode = MEMORY")  # otherwise there would be a journal beside it
                lock.execute("BEGIN EXCLUSIVE")
        except DatabaseLocked:
            raise _in_use(path) from None
        _make(path)
        _restrict_permissions(path)
        with _held(path):
            yield


def _in_use(path: Path) -> DatabaseLocked:
    return DatabaseLocked(
        f"Another bot is running on the database {path}: stop it first, or set DATABASE to another file."
    )


@contextmanager
def _held(path: Path) -> Iterator[None]:
    """Hold the system's lock on the file itself, if the system has such locks there."""
    if not LOCKS:
        yield
        return
    try:
        handle = os.open(path, os.O_RDONLY)
    except OSError as error:
        raise ReadOnlyDatabase(
            f"The database {path} cannot be opened ({error.strerror}): let the bot read it."
        ) from error
    try:
        if not lock_file(handle):
            raise _in_use(path)
        yield
    finally:
        os.close(handle)


def _make(path: Path) -> None:
    """Create an empty database in a file that does not exist, atomically, so that a crash leaves no half of one."""
    if path.exists():
        return
    fresh = _beside(path, ".new")
    try:
        fresh.unlink(missing_ok=True)  # left by a crash
        os.close(os.open(fresh, os.O_CREAT | os.O_EXCL | os.O_WRONLY, OWNER_ONLY))
        with translate_errors(path), closing(sqlite3.connect(fresh, isolation_level=None)) as db:
            db.execute("PRAGMA user_version = 1")  # its first page is written with that
        fresh.replace(path)
    except OSError as error:
        raise ReadOnlyDatabase(
            f"The database {path} cannot be made ({error.strerror}): "
            "let the bot write to its folder, or set DATABASE to another place."
        ) from error


def _restrict_permissions(path: Path) -> None:
    """Allow only their owner to read the database and the files beside it, also if an earlier version made them."""
    for suffix in ("", "-wal", "-shm", "-lock"):
        with contextlib.suppress(OSError):  # it does not exist, or is not ours
            file = _beside(path, suffix)
            mode = file.stat().st_mode & 0o777
            if mode & 0o077:
                file.chmod(mode & 0o700)
                log.warning("%s could be read by others (mode %03o); now only by its owner", file, mode)


def connect_writer(path: Path, migrations: Sequence[Migration], at: Moment, trace: Trace | None) -> sqlite3.Connection:
    """Return a connection for writing to the database, after applying the migrations. Raises any `StoreError`."""
    with translate_errors(path):
        db = sqlite3.connect(path, timeout=BUSY_TIMEOUT_S, isolation_level=None)
        try:
            db.set_trace_callback(trace)
            pending(db, migrations, path)
            (mode,) = db.execute("PRAGMA journal_mode = WAL").fetchone()
            if mode != "wal":
                raise StoreError(
                    f"The database {path} is in a place where SQLite cannot keep its log: set DATABASE to a local disk."
                )
            # A commit returns when it is on the disk, so that it survives a power cut.
            db.execute("PRAGMA synchronous = FULL")
            db.execute(f"PRAGMA wal_autocheckpoint = {PAGES_AT_MOST}")
            # Overwrite what is deleted: a person's data must not stay in the file's free pages.
            db.execute("PRAGMA secure_delete = ON")
            migrate(db, migrations, path, at)
            db.execute("PRAGMA foreign_keys = ON")
            db.execute(f"PRAGMA busy_timeout = {int(BUSY_TIMEOUT_PLAYING_S * 1_000)}")
        except BaseException:
            db.close()
            raise
    return db


def connect_reader(path: Path, trace: Trace | None) -> sqlite3.Connection:
    """Return a connection for reading. It does not wait for the writer, and the writer does not wait for it."""
    with translate_errors(path):
        db = sqlite3.connect(
            f"{path.absolute().as_uri()}?mode=ro", uri=True, timeout=BUSY_TIMEOUT_PLAYING_S, isolation_level=None
        )
    db.set_trace_callback(trace)
    return db


def _beside(path: Path, suffix: str) -> Path:
    return path.with_name(path.name + suffix)
