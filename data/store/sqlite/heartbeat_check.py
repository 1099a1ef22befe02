"""Whether a bot is running on a database, by the file alone: for the health check of a container."""

import sqlite3
from contextlib import closing
from pathlib import Path

from data.store.atomic_files import file_exists
from data.store.errors import ReadOnlyDatabase
from data.store.sqlite.database_file import BUSY_TIMEOUT_S
from data.store.sqlite.errors import translate_errors
from engine.contract import Moment


def last_beat(path: Path) -> Moment | None:
    """Return when a bot last noted the time in this database; None if none ever did.

    Raises `StoreError` for a file that is missing or cannot be read.
    """
    if not file_exists(path):
        raise ReadOnlyDatabase(f"There is no database {path}: start the bot once, or set DATABASE to it.")
    address = f"{path.absolute().as_uri()}?mode=ro"
    with translate_errors(path), closing(sqlite3.connect(address, uri=True, timeout=BUSY_TIMEOUT_S)) as db:
        (beat,) = db.execute("SELECT max(alive_at) FROM runs").fetchone()
    return None if beat is None else Moment(beat)
