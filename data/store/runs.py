"""Runs of the bot: when each began and ended, and how a later one is noticed.

May import `engine.contract`, the standard library and its neighbours.
"""

import sqlite3
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from data.store.errors import Overtaken
from engine.contract import Moment


class Run(NamedTuple):
    """One start of the bot: when it began, and when it was last known to be alive."""

    id: int
    started_at: Moment
    alive_at: Moment


def downtimes(runs: Sequence[Run]) -> dict[int, int]:
    """Return for each run for how many milliseconds the bot was away between it and the last one."""
    away = 0
    found = {runs[-1].id: 0}
    for before, after in zip(runs[-2::-1], runs[:0:-1], strict=True):
        away += max(0, after.started_at - before.alive_at)
        found[before.id] = away
    return found


def begin_run(db: sqlite3.Connection, at: Moment) -> list[Run]:
    """Note that a run begins; return all of them, the first one first."""
    db.execute("INSERT INTO runs (started_at, alive_at) VALUES (?, ?)", (at, at))
    return [Run(*row) for row in db.execute("SELECT id, started_at, alive_at FROM runs ORDER BY id")]


def check_ours(db: sqlite3.Connection, run: int, path: Path) -> None:
    """Raise `Overtaken` if a later run than ours has begun."""
    (last,) = db.execute("SELECT max(id) FROM runs").fetchone()
    if last != run:
        raise Overtaken(
            f"Another bot has opened the database {path} since this one did, so this one writes nothing any more: "
            "run one bot on a database, and keep it on a local disk, where the second one is refused."
        )
