"""Copies of a PostgreSQL database, made with `pg_dump` while a bot is playing on it, and health checks."""

import contextlib
import os
import shutil
import subprocess
from pathlib import Path

import psycopg
from psycopg.conninfo import conninfo_to_dict, make_conninfo

from data.store.atomic_files import new_copy
from data.store.downtime import Heard
from data.store.errors import BackupFailed, ReadOnlyDatabase
from data.store.postgres.address import Address, read_address
from data.store.postgres.errors import translate_errors
from engine.contract import Moment


def backup(url: str, target: Path, at: Moment) -> int:
    """Copy the database at `url` to the new file `target`, and note the time `at` in it; return its size in bytes.

    The copy, for `pg_restore`, is of the moment at which it began, read back, and readable by its owner only, since it
    holds the seeds of running games. Blocks. Raises `BackupFailed`; then nothing is left behind.
    """
    address = read_address(url)
    with new_copy(target) as partial:
        _run(address, "pg_dump", "--format=custom", "--no-owner", f"--file={partial}")
        _run(None, "pg_restore", f"--file={os.devnull}", str(partial))
    size = target.stat().st_size
    # The copy is good even if it cannot be noted.
    with contextlib.suppress(psycopg.Error), psycopg.connect(address.conninfo, autocommit=True) as db:
        db.execute("INSERT INTO backups (at, bytes) VALUES (%s, %s)", (at, size))
    return size


def last_heard(url: str) -> Heard:
    """Return when a bot last noted the time in this database. Raises `StoreError`."""
    address = read_address(url)
    with translate_errors(address), psycopg.connect(address.conninfo, autocommit=True) as db:
        if db.execute("SELECT to_regclass('runs')").fetchone() == (None,):
            raise ReadOnlyDatabase(f"There is nothing in the database {address} yet: start the bot once.")
        try:
            found = db.execute(
                "SELECT max(alive_at) FILTER (WHERE stopped_at IS NULL), max(stopped_at) FROM runs"
            ).fetchone()
        except psycopg.errors.UndefinedColumn:  # of an earlier version
            found = db.execute("SELECT max(alive_at) FROM runs").fetchone()
    return Heard(*found) if found is not None else Heard(None)


def last_beat_of(host: str, url: str, at: Moment) -> Moment | None:
    """Return when a process of the bot on this host last renewed its lease, if there is one, by a clock that says `at`
    now. Raises `StoreError`.
    """
    address = read_address(url)
    with translate_errors(address), psycopg.connect(address.conninfo, autocommit=True) as db:
        if db.execute("SELECT to_regclass('processes')").fetchone() == (None,):
            raise ReadOnlyDatabase(f"There is nothing in the database {address} yet: start the bot once.")
        found = db.execute("SELECT now_ms() - max(beat_at) FROM processes WHERE host = %s", (host,)).fetchone()
    return None if found is None or found[0] is None else Moment(at - found[0])


def _run(address: Address | None, program: str, *arguments: str) -> None:
    """Run one of the server's programs, on the database if there is an address. Raises `BackupFailed`."""
    path = shutil.which(program)
    if path is None:
        raise BackupFailed(
            f"{program} is missing, but a PostgreSQL backup needs it: install it in the server's version or a newer "
            "one (apt-get install postgresql-client)."
        )
    environment = {**os.environ}
    if address is not None:
        given = conninfo_to_dict(address.conninfo)
        password = given.pop("password", None)
        arguments = (*arguments, f"--dbname={make_conninfo('', **given)}")
        if password is not None:  # everybody on the machine can read arguments
            environment["PGPASSWORD"] = str(password)
    done = subprocess.run([path, *arguments], env=environment, stdin=subprocess.DEVNULL, capture_output=True, text=True)
    if done.returncode:
        words = (done.stderr.strip() or f"it ended with {done.returncode}").splitlines()[0].rstrip(".")
        raise BackupFailed(
            f"No copy was made: {words}. Check that the database can be reached and the disk is not full."
        )
