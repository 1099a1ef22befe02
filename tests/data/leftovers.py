"""Search a database for what is left of a deleted person."""

import sqlite3
from contextlib import closing
from pathlib import Path

from tools.harness.raw_database import readable


def leftovers(path: Path, *traces: object) -> list[str]:
    """Search every table and column for these values. Return where they occur."""
    found = []
    with closing(sqlite3.connect(path)) as db:
        for (table,) in db.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall():
            cursor = db.execute(f'SELECT * FROM "{table}"')
            columns = [column[0] for column in cursor.description]
            for row in cursor:
                found += [
                    f"{table}.{column}"
                    for column, value in zip(columns, row, strict=True)
                    if any(str(trace) in readable(table, column, value) for trace in traces)
                ]
    return found
