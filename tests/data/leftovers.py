"""Searches a database for what is left of a deleted person."""

import sqlite3
from contextlib import closing
from pathlib import Path

from data.store.event_archive import unpack, unpack_decisions


def readable(table: str, column: str, value: object) -> str:
    """Return a value of the database as text, unpacked if it is packed."""
    if (table, column) == ("packed_events", "body") and isinstance(value, bytes):
        return " ".join(unpack(value))
    if (table, column) == ("packed_decisions", "body") and isinstance(value, bytes):
        return " ".join(map(str, unpack_decisions(value)))
    return str(value)


def leftovers(path: Path, *traces: object) -> list[str]:
    """Return where in the database one of these is left: every table and column is searched."""
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
