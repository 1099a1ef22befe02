"""Queries on the rows of tables, seats and results that several parts of the store share."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import msgspec

from data.store.database import Transaction
from data.store.errors import Conflict, LimitReached, StoreError, no_table
from data.store.event_archive import DECISIONS, EVENTS, pack, pack_decisions, read_decisions, read_events
from data.store.rows import Limits, NewTable, ResultRow, SeatChange, SeatRow, TableChange, TableRow, columns_of
from data.store.sql import OPEN, RESULT, SEAT, TABLE

_CASUAL = TableRow.__struct_fields__.index("casual")
_FLAGS = [SeatRow.__struct_fields__.index(name) for name in ("caretaker", "dm_closed", "moved")]


def table_row(row: Sequence[Any]) -> TableRow:
    """Return a row of `TABLE` as a value."""
    values = [*row]
    values[_CASUAL] = bool(values[_CASUAL])
    return TableRow(*values)


def seat_row(row: Sequence[Any]) -> SeatRow:
    """Return a row of `SEAT` as a value."""
    values = [*row]
    for flag in _FLAGS:
        values[flag] = bool(values[flag])
    return SeatRow(*values)


def assignments(names: Iterable[str]) -> str:
    """Return the assignments of columns to parameters of their names."""
    return ", ".join(f'"{name}" = :{name}' for name in names)


def check_revision(table: int, current: int, revision: int | None) -> None:
    """Raise `Conflict` if a table, which has the revision `current`, should have another one; None is any."""
    if revision not in (None, current):
        raise Conflict(f"Table {table} is at revision {current}, not {revision}: read it again, then act.")


# Tables


async def table_at(tx: Transaction, table: int) -> TableRow:
    """Return the table with this number. Raises `StoreError` if there is none."""
    rows = await tx.rows(f"SELECT {TABLE} FROM tables WHERE id = :table", table=table)
    if not rows:
        raise no_table(table)
    return table_row(rows[0])


class LockedTable(NamedTuple):
    """A table to which nobody else writes until the transaction ends, and the run that serves its server."""

    version: int
    revision: int
    run: int


async def lock_table(tx: Transaction, table: int, revision: int | None = None) -> LockedTable:
    """Keep others from writing to a table until the transaction ends. Raises `NotShardOwner`, `Conflict` if it no
    longer has this revision, or another `StoreError`.
    """
    sql = f"SELECT guild, version, revision FROM tables WHERE id = :table{tx.dialect.for_update}"
    rows = await tx.rows(sql, table=table)
    if not rows:
        raise no_table(table)
    guild, version, current = rows[0]
    run = await tx.require_served(guild)
    check_revision(table, current, revision)
    return LockedTable(version, current, run)


async def change_table(tx: Transaction, table: int, change: TableChange, run: int) -> TableRow:
    """Change a table that is locked, and return it. A `due` is in the time of `run`."""
    if values := columns_of(change, run):
        await tx.run(f"UPDATE tables SET {assignments(values)} WHERE id = :table", **values, table=table)
    return await table_at(tx, table)


# Seats and results


async def insert_seats(tx: Transaction, table: int, seats: Sequence[SeatRow]) -> None:
    """Seat these people at a table without any, numbered in this order."""
    numbered = [msgspec.structs.replace(row, seat=number) for number, row in enumerate(seats)]
    await _insert(tx, "seats", SEAT, table, [msgspec.structs.asdict(row) for row in numbered])


async def change_seat(tx: Transaction, table: int, seat: int, change: SeatChange) -> None:
    """Change one seat. Raises `StoreError` if there is none."""
    values = columns_of(change)
    if not values:
        return
    where = "table_id = :table AND seat = :seat"
    # A direct message of a user whose data was deleted meanwhile leaves no trace.
    still_theirs = ' AND "user" IS NOT NULL' if "dm_channel" in values else ""
    sql = f"UPDATE seats SET {assignments(values)} WHERE {where}{still_theirs}"
    done = await tx.run(sql, **values, table=table, seat=seat)
    if not done and not await tx.rows(f"SELECT 1 FROM seats WHERE {where}", table=table, seat=seat):
        raise StoreError(f"There is no seat {seat} at table {table}: read its seats again.")


async def insert_results(tx: Transaction, table: int, results: Sequence[ResultRow]) -> None:
    """Save how a game ended. Seats come first: the board on which it counts depends on who sat there and left."""
    await _insert(tx, "results", RESULT, table, [msgspec.structs.asdict(result) for result in results])


async def _insert(tx: Transaction, into: str, columns: str, table: int, rows: Sequence[Mapping[str, Any]]) -> None:
    if rows:
        marks = ", ".join(f":{name}" for name in rows[0])
        sql = f"INSERT INTO {into} (table_id, {columns}) VALUES (:table, {marks})"
        await tx.run_many(sql, [{**row, "table": table} for row in rows])


async def pack_game(tx: Transaction, table: int) -> None:
    """Pack the events of a finished game into one value, and its decisions into another. Raises `CorruptDatabase`."""
    bodies = read_events(await tx.rows(EVENTS, table=table, first=0))
    decisions = read_decisions(await tx.rows(DECISIONS, table=table))
    for rows, packed in (("events", pack(bodies)), ("decisions", pack_decisions(decisions))):
        await tx.run(
            f"INSERT INTO packed_{rows} (table_id, body) VALUES (:table, :body)"
            " ON CONFLICT (table_id) DO UPDATE SET body = excluded.body",
            table=table,
            body=packed,
        )
        await tx.run(f"DELETE FROM {rows} WHERE table_id = :table", table=table)


# Limits

PLACE = "coalesce(parent, channel)"
"""The channel with which a table is counted: the parent of its thread, if it is in one."""

_ALONE = (
    "invited = '' AND EXISTS (SELECT 1 FROM seats WHERE table_id = id AND level IS NOT NULL) AND NOT EXISTS"
    ' (SELECT 1 FROM seats WHERE table_id = id AND level IS NULL AND ("user" IS NULL OR "user" <> opener))'
)
"""Whether only computers sit at a table beside its opener, and nobody else is invited."""


async def check_limits(tx: Transaction, new: NewTable, seats: Sequence[SeatRow], limits: Limits) -> None:
    """Raise `LimitReached` if one table more would be too many."""
    sql = (
        f"SELECT id, opener, {PLACE}, {_ALONE} FROM tables"
        f" WHERE {OPEN} AND guild = :guild AND slept_at IS NULL ORDER BY id"
    )
    awake = await tx.rows(sql, guild=new.guild)
    alone = not new.invited and any(row.level is not None for row in seats)
    alone = alone and all(row.level is not None or row.user == new.opener for row in seats)
    own = tuple(number for number, opener, _, like in awake if opener == new.opener and bool(like) == alone)
    place = new.channel if new.parent is None else new.parent
    here = tuple(number for number, _, where, _ in awake if where == place)
    if len(own) >= limits.person:
        raise LimitReached("alone" if alone else "person", limits.person, own)
    if len(here) >= limits.channel:
        raise LimitReached("channel", limits.channel, here)
    if len(awake) >= limits.server:
        raise LimitReached("server", limits.server, tuple(number for number, *_ in awake))
