"""What the store's jobs do to the rows of tables, seats and results, inside the transaction that is under way.

May import msgspec, the standard library and its neighbours.
"""

import sqlite3
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from data.store.clauses import OPEN, RESULT, SEAT, TABLE
from data.store.errors import StoreError, no_table
from data.store.limits import PLACE, check_open
from data.store.packing import DECISIONS, EVENTS, decisions_in, in_order, pack, pack_decisions
from data.store.rows import Limits, NewTable, ResultRow, SeatChange, SeatRow, TableRow, columns_of

ALONE = (
    "invited IS NULL AND EXISTS (SELECT 1 FROM seats WHERE table_id = id AND level IS NOT NULL)"
    " AND NOT EXISTS (SELECT 1 FROM seats WHERE table_id = id AND level IS NULL AND user IS NOT opener)"
)
"""Whether only computers sit at a table beside its opener, and nobody else is invited."""


def check_limits(db: sqlite3.Connection, new: NewTable, seats: Sequence[SeatRow], limits: Limits) -> None:
    """Raise `LimitReached` if one table more would be too many. Who opens it asks in the same transaction."""
    awake = db.execute(
        f"SELECT id, opener, {PLACE}, {ALONE} FROM tables WHERE {OPEN} AND guild = ? AND slept_at IS NULL ORDER BY id",
        (new.guild,),
    ).fetchall()
    check_open(awake, new, seats, limits)


def table_at(db: sqlite3.Connection, table: int) -> TableRow:
    """Return the table with this number. Raises `StoreError` if there is none."""
    row = db.execute(f"SELECT {TABLE} FROM tables WHERE id = ?", (table,)).fetchone()
    if row is None:
        raise no_table(table)
    return table_row(row)


def table_row(row: Sequence[Any]) -> TableRow:
    """Return a row of `TABLE` as a value."""
    table = TableRow(*row)
    return msgspec.structs.replace(table, casual=bool(table.casual))


def seat_row(row: Sequence[Any]) -> SeatRow:
    """Return a row of `SEAT` as a value."""
    seat = SeatRow(*row)
    flags = {name: bool(getattr(seat, name)) for name in ("caretaker", "dm_closed", "moved")}
    return msgspec.structs.replace(seat, **flags)


def seat_all(db: sqlite3.Connection, table: int, seats: Sequence[SeatRow]) -> None:
    """Seat these people at a table at which nobody sits, numbered in this order."""
    marks = ", ".join("?" * len(SeatRow.__struct_fields__))
    db.executemany(
        f"INSERT INTO seats (table_id, {SEAT}) VALUES (?, {marks})",
        [
            (table, *msgspec.structs.astuple(msgspec.structs.replace(row, seat=number)))
            for number, row in enumerate(seats)
        ],
    )


def change_seat(db: sqlite3.Connection, table: int, seat: int, change: SeatChange) -> None:
    """Change what is kept of one seat. Raises `StoreError` if there is none."""
    values = columns_of(change)
    if values and not update(db, "seats", values, "table_id = ? AND seat = ?", table, seat):
        raise StoreError(f"There is no seat {seat} at table {table}: read its seats again.")


def keep_results(db: sqlite3.Connection, table: int, results: Sequence[ResultRow]) -> None:
    """Keep how a game ended. It comes after the seats: the board on which it counts goes by who sat there and left."""
    db.executemany(
        f"INSERT INTO results (table_id, {RESULT}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
        [(table, *msgspec.structs.astuple(result)) for result in results],
    )


def pack_game(db: sqlite3.Connection, table: int) -> None:
    """Keep the events of a game that is over as one value, and its decisions as another. Raises `CorruptDatabase`."""
    bodies = in_order(db.execute(EVENTS.format(table="?1", first=0), (table,)))
    decisions = decisions_in(db.execute(DECISIONS.format(table="?1"), (table,)))
    for rows, packed in (("events", pack(bodies)), ("decisions", pack_decisions(decisions))):
        db.execute(f"INSERT OR REPLACE INTO packed_{rows} (table_id, body) VALUES (?, ?)", (table, packed))
        db.execute(f"DELETE FROM {rows} WHERE table_id = ?", (table,))


def update(db: sqlite3.Connection, rows: str, values: Mapping[str, object], where: str, *keys: int) -> int:
    """Change columns, named by the fields of our own structs; return the number of rows that were found."""
    names = ", ".join(f"{name} = ?" for name in values)
    return db.execute(f"UPDATE {rows} SET {names} WHERE {where}", (*values.values(), *keys)).rowcount
