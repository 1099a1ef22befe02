"""What several of the rooms do to the rows of tables, seats and results, on a connection that is given. May import
msgspec, the standard library and its neighbours.
"""

from collections.abc import Iterable, Mapping, Sequence

import msgspec

from data.store.clauses import OPEN, TABLE, columns
from data.store.errors import StoreError, no_table
from data.store.limits import PLACE, check_open
from data.store.packing import DECISIONS, EVENTS, decisions_in, in_order, pack, pack_decisions
from data.store.postgres.database import rows_of, run
from data.store.postgres.pool import Connection
from data.store.rows import Limits, NewTable, ResultRow, SeatChange, SeatRow, TableRow, columns_of

ALONE = (
    "invited IS NULL AND EXISTS (SELECT 1 FROM seats WHERE table_id = id AND level IS NOT NULL) AND NOT EXISTS"
    ' (SELECT 1 FROM seats WHERE table_id = id AND level IS NULL AND "user" IS DISTINCT FROM opener)'
)
"""Whether only computers sit at a table beside its opener, and nobody else is invited."""


async def hold_limits(db: Connection, guild: int) -> None:
    """Let nobody else open a table on a server until the transaction ends."""
    await rows_of(db, "SELECT pg_advisory_xact_lock(hashtextextended('limits', %(guild)s))", {"guild": guild})


async def check_limits(db: Connection, new: NewTable, seats: Sequence[SeatRow], limits: Limits) -> None:
    """Raise `LimitReached` if one table more would be too many. Who opens it asks in the same transaction, and holds
    the limits.
    """
    awake = await rows_of(
        db,
        f"SELECT id, opener, {PLACE}, {ALONE} FROM tables"
        f" WHERE {OPEN} AND guild = %(guild)s AND slept_at IS NULL ORDER BY id",
        {"guild": new.guild},
    )
    check_open(awake, new, seats, limits)


AT = f"SELECT {TABLE} FROM tables WHERE id = %(table)s"
"""The table with this number."""


async def table_at(db: Connection, table: int) -> TableRow:
    """Return the table with this number. Raises `StoreError` if there is none."""
    rows = await rows_of(db, AT, {"table": table})
    if not rows:
        raise no_table(table)
    return TableRow(*rows[0])


async def seat_all(db: Connection, table: int, seats: Sequence[SeatRow]) -> None:
    """Seat these people at a table at which nobody sits, numbered in this order."""
    rows = [msgspec.structs.replace(row, seat=number) for number, row in enumerate(seats)]
    await _insert(db, "seats", table, [msgspec.structs.asdict(row) for row in rows])


SEATED = (
    "(SELECT count(*) FROM seats WHERE table_id = %(table)s AND seat = ANY (%(seats)s::int[]))"
    " = cardinality(%(seats)s::int[])"
)
"""Whether the seats that are to change are there, as a condition on their table."""

STILL = "(%(revision)s::bigint IS NULL OR revision = %(revision)s)"
"""Whether a table is at the revision at which it was read, as a condition."""


def seating(seats: Mapping[int, SeatChange]) -> tuple[str, dict[str, object]]:
    """Return what changes these seats in a statement that has its table as `stood`, where that has a row: its further
    parts, and the values for them and for `SEATED`.
    """
    parts, values = "", dict[str, object](seats=[*seats])
    for seat, change in seats.items():
        changes = columns_of(change)
        values[f"seat_{seat}"] = seat
        values |= {f"seat_{seat}_{name}": value for name, value in changes.items()}
        sets = ", ".join(f'"{name}" = %(seat_{seat}_{name})s' for name in changes)
        if sets:
            where = f"seats.table_id = stood.id AND seats.seat = %(seat_{seat})s"
            if "dm_channel" in changes:  # whose it was may just have been deleted by another process
                where += ' AND seats."user" IS NOT NULL'
            parts += f", seat_{seat} AS (UPDATE seats SET {sets} FROM stood WHERE {where})"
    return parts, values


async def check_seats(db: Connection, table: int, seats: Iterable[int]) -> None:
    """Raise `StoreError` if one of these seats is not there."""
    rows = await rows_of(db, "SELECT seat FROM seats WHERE table_id = %(table)s", {"table": table})
    missing = set(seats) - {seat for (seat,) in rows}
    if missing:
        raise StoreError(f"There is no seat {min(missing)} at table {table}: read its seats again.")


async def keep_results(db: Connection, table: int, results: Sequence[ResultRow]) -> None:
    """Keep how a game ended. It comes after the seats: the board on which it counts goes by who sat there and left."""
    await _insert(db, "results", table, [msgspec.structs.asdict(result) for result in results])


async def pack_game(db: Connection, table: int) -> None:
    """Keep the events of a game that is over as one value, and its decisions as another. Raises `CorruptDatabase`."""
    bodies = in_order(await rows_of(db, EVENTS.format(table="%(table)s", first=0), {"table": table}))
    decisions = decisions_in(await rows_of(db, DECISIONS.format(table="%(table)s"), {"table": table}))
    await _keep_packed(db, table, "events", pack(bodies))
    await _keep_packed(db, table, "decisions", pack_decisions(decisions))


async def _keep_packed(db: Connection, table: int, rows: str, packed: bytes) -> None:
    sql = (
        f"INSERT INTO packed_{rows} (table_id, body) VALUES (%(table)s, %(body)s)"
        " ON CONFLICT (table_id) DO UPDATE SET body = excluded.body"
    )
    await run(db, sql, {"table": table, "body": packed})
    await run(db, f"DELETE FROM {rows} WHERE table_id = %(table)s", {"table": table})


async def _insert(db: Connection, into: str, table: int, rows: Sequence[dict[str, object]]) -> None:
    for row in rows:
        marks = ", ".join(f"%({name})s" for name in row)
        sql = f"INSERT INTO {into} (table_id, {columns(row)}) VALUES (%(table)s, {marks})"
        await run(db, sql, {**row, "table": table})


def settings(values: Iterable[str]) -> str:
    """Return the assignments of columns to values of their names."""
    return ", ".join(f'"{name}" = %({name})s' for name in values)
