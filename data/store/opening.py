"""How the database file is opened: looked at first, kept from a second bot, then grown to the present version.

Until it is clear that the file is ours, whole and not newer than we are, nothing is written to it or created beside it.
May import `engine`, the standard library and its neighbours.
"""

import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path

from data.store.errors import InUse, ReadOnlyDatabase, StoreError, damaged, told
from data.store.migrations import Migration, migrate, pending
from engine.contract import Moment

Trace = Callable[[str], object]
"""Called with every SQL statement, in the thread of the connection that executes it."""

BUSY_TIMEOUT_S = 5.0
"""How long to wait for another program, such as a backup, that holds the file for a moment."""

CHECKED_UP_TO_BYTES = 64 * 1024 * 1024
"""Files up to this size are checked throughout at every start (about 0.1 s); of larger ones, what is read."""

_MAGIC = b"SQLite format 3\0"


def inspect(path: Path, migrations: Sequence[Migration]) -> None:
    """Make sure that the file may be opened for writing: it is ours, whole and not newer, or does not exist yet.

    Raises `CorruptDatabase`, `NewerDatabase`, `MigrationFailed` or `ReadOnlyDatabase`. Changes nothing.
    """
    if not path.parent.is_dir():
        raise ReadOnlyDatabase(f"The folder {path.parent} does not exist: make it, or set DATABASE to another place.")
    try:
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
    if not head:
        return
    if head != _MAGIC:
        raise damaged(path, "it is no SQLite database")
    if _beside(path, "-journal").exists():
        return  # it was cut short while it was being made; SQLite takes that back when it opens the file for writing
    # A plain read-only connection makes files of its own beside the database; without a log to read it need not.
    mode = "mode=ro" if _beside(path, "-wal").exists() else "immutable=1"
    with told(path), closing(sqlite3.connect(f"{path.absolute().as_uri()}?{mode}", uri=True)) as db:
        pending(db, migrations, path)
        if size <= CHECKED_UP_TO_BYTES:
            (finding,) = db.execute("PRAGMA quick_check(1)").fetchone()
            if finding != "ok":
                raise damaged(path, " ".join(finding.replace("*", "").split()))


@contextmanager
def alone(path: Path) -> Iterator[None]:
    """Keep other bots off this database while inside. Raises `InUse` if one runs already.

    What is held is SQLite's lock on an empty file beside the database. The system lets go of it when the process ends,
    however it ends, and a child process does not inherit it; the file stays and means nothing by itself.
    """
    with told(path):
        lock = sqlite3.connect(_beside(path, "-lock"), timeout=0, isolation_level=None)
    with closing(lock):
        try:
            with told(path):
                lock.execute("PRAGMA journal_mode = MEMORY")  # else there would be a journal beside it
                lock.execute("BEGIN EXCLUSIVE")
        except InUse:
            raise InUse(
                f"Another bot is running on the database {path}: stop it first, or set DATABASE to another file."
            ) from None
        yield


def connect_writer(path: Path, migrations: Sequence[Migration], at: Moment, trace: Trace | None) -> sqlite3.Connection:
    """Return a connection for writing to the database as the migrations make it. Raises any `StoreError`."""
    with told(path):
        db = sqlite3.connect(path, timeout=BUSY_TIMEOUT_S, isolation_level=None)
        try:
            db.set_trace_callback(trace)
            pending(db, migrations, path)
            (mode,) = db.execute("PRAGMA journal_mode = WAL").fetchone()
            if mode != "wal":
                raise StoreError(
                    f"The database {path} lies where SQLite cannot keep its log: set DATABASE to a local disk."
                )
            # A commit has returned when it is on the disk: what was acknowledged outlives a power cut.
            db.execute("PRAGMA synchronous = FULL")
            # What is deleted is overwritten: who asks to be forgotten is not to be found in the file's free pages.
            db.execute("PRAGMA secure_delete = ON")
            migrate(db, migrations, path, at)
            db.execute("PRAGMA foreign_keys = ON")
        except BaseException:
            db.close()
            raise
    return db


def connect_reader(path: Path, trace: Trace | None) -> sqlite3.Connection:
    """Return a connection for reading beside the writer, which it neither waits for nor holds up."""
    with told(path):
        db = sqlite3.connect(
            f"{path.absolute().as_uri()}?mode=ro", uri=True, timeout=BUSY_TIMEOUT_S, isolation_level=None
        )
    db.set_trace_callback(trace)
    return db


def _beside(path: Path, suffix: str) -> Path:
    return path.with_name(path.name + suffix)
