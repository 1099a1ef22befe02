"""What is left of somebody in a database, wherever that may be."""

import sqlite3
from contextlib import closing
from pathlib import Path


def leftovers(path: Path, *traces: object) -> list[str]:
    """Where in the database one of these is left: every table and column is looked through."""
    found = []
    with closing(sqlite3.connect(path)) as db:
        for (table,) in db.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall():
            cursor = db.execute(f'SELECT * FROM "{table}"')
            columns = [column[0] for column in cursor.description]
            for row in cursor:
                found += [
                    f"{table}.{column}"
                    for column, value in zip(columns, row, strict=True)
                    if any(str(trace) in str(value) for trace in traces)
                ]
    return found
