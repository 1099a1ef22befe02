"""What almost every click writes, as one statement behind the fence: one trip to the server. If it changes nothing, the
transaction that both databases share says why, or does it after all.
"""

from collections.abc import Callable, Collection, Mapping, Sequence

from data.store.games import Games, NewDecision
from data.store.postgres.database import RUN, SERVED, PostgresDatabase
from data.store.rows import NO_CHANGE, ResultRow, SeatChange, TableChange, TableRow, columns_of
from data.store.sql import TABLE
from data.store.tables import Seats, Tables

_AT = f"SELECT {TABLE} FROM tables WHERE id = %(table)s"

_SEATED = (
    "(SELECT count(*) FROM seats WHERE table_id = %(table)s AND seat = ANY (%(seats)s::int[]))"
    " = cardinality(%(seats)s::int[])"
)
"""Whether the seats to change exist, as a condition on their table."""

_UNCHANGED = "(%(revision)s::bigint IS NULL OR revision = %(revision)s)"
"""Whether a table has the revision with which it was read, as a condition."""

_APPEND = f"""
    WITH updated AS (
        UPDATE tables
        SET version = %(version)s, due = %(due)s, run = {RUN}, slept_at = %(slept_at)s, paused_at = %(paused_at)s,
            status = coalesce(%(status)s, status), ended_at = coalesce(%(ended_at)s, ended_at),
            shown = shown + (%(private)s AND shown = revision)::int{{sets}}
        WHERE id = %(table)s AND version = %(number)s AND {_UNCHANGED} AND {SERVED}{{more}}
        RETURNING {TABLE}
    ), decided AS (
        INSERT INTO decisions (table_id, number, seat, at, action)
        SELECT id, %(number)s, %(seat)s, %(at)s, %(action)s FROM updated
    ), happened AS (
        INSERT INTO events (table_id, number, body)
        SELECT updated.id, %(number)s + event.place - 1, event.body
        FROM updated, unnest(%(events)b::text[]) WITH ORDINALITY AS event (body, place)
    ){{seats}}
    SELECT {TABLE} FROM updated
"""
_APPEND_ONLY = _APPEND.format(sets="", more="", seats="")
"""A decision, its events and its table; with `seats`, also what changes of them."""

_PLAIN = tuple(name for name in NewDecision.__struct_fields__ if name not in ("events", "results", "seats", "change"))


class PostgresTables(Tables):
    """The tables."""

    def __init__(self, db: PostgresDatabase) -> None:
        super().__init__(db)
        self._sender = db

    async def update(self, table: int, change: TableChange, revision: int | None = None) -> TableRow:
        if values := columns_of(change):
            sql = _changing(values, _UNCHANGED)
            (rows,) = await self._sender.send([sql], table, **values, revision=revision)
            if rows:
                return TableRow(*rows[0])
        return await super().update(table, change, revision)


class PostgresSeats(Seats):
    """The seats of tables."""

    def __init__(self, db: PostgresDatabase, ended: Callable[[], None]) -> None:
        super().__init__(db, ended)
        self._sender = db

    async def update_many(
        self,
        table: int,
        seats: Mapping[int, SeatChange],
        change: TableChange,
        results: Sequence[ResultRow] = (),
        revision: int | None = None,
    ) -> TableRow:
        if not results:
            parts, values = _seating(seats)
            columns = columns_of(change)
            conditions = f"{_SEATED} AND {_UNCHANGED}"
            locked = f"SELECT id FROM tables WHERE id = %(table)s AND {SERVED} AND {conditions} FOR NO KEY UPDATE"
            updated = _changing(columns, conditions) if columns else locked
            sql = f"WITH updated AS ({updated}){parts} SELECT 1 FROM updated"
            rows, after = await self._sender.send([sql, _AT], table, **values, **columns, revision=revision)
            if rows:
                return TableRow(*after[0])
        return await super().update_many(table, seats, change, results, revision)


class PostgresGames(Games):
    """The decisions and events of tables."""

    def __init__(self, db: PostgresDatabase, ended: Callable[[], None]) -> None:
        super().__init__(db, ended)
        self._sender = db

    async def append(self, table: int, decided: NewDecision) -> TableRow:
        if not decided.results and decided.status != "over":
            values: dict[str, object] = {name: getattr(decided, name) for name in _PLAIN}
            values |= {"version": decided.version, "events": [*decided.events]}
            sql = _APPEND_ONLY
            if decided.seats or decided.change is not NO_CHANGE:
                parts, more = _seating(decided.seats)
                columns = columns_of(decided.change)
                sets = f", {_assignments(columns)}" if columns else ""
                sql = _APPEND.format(sets=sets, more=f" AND {_SEATED}", seats=parts)
                values |= {**more, **columns}
            # What changes of a seat changes its table by a trigger, after the statement: it is read after it.
            rows, *after = await self._sender.send([sql, _AT] if decided.seats else [sql], table, **values)
            if rows:
                return TableRow(*(after[0] if after else rows)[0])
        return await super().append(table, decided)


def _changing(values: Collection[str], conditions: str) -> str:
    """Return the statement that changes these columns of a table, behind the fence and under these conditions, and
    returns its row. A `due` is in the time of the run that serves it as far as we know.
    """
    sets = _assignments(values) + (f", run = {RUN}" if "due" in values else "")
    return f"UPDATE tables SET {sets} WHERE id = %(table)s AND {SERVED} AND {conditions} RETURNING {TABLE}"


def _seating(seats: Mapping[int, SeatChange]) -> tuple[str, dict[str, object]]:
    """Return what changes these seats in a statement that has its table as `updated`, if that has a row: its further
    parts, and the values for them and for `_SEATED`.
    """
    parts, values = "", dict[str, object](seats=[*seats])
    for seat, change in seats.items():
        changes = columns_of(change)
        values[f"seat_{seat}"] = seat
        values |= {f"seat_{seat}_{name}": value for name, value in changes.items()}
        sets = ", ".join(f'"{name}" = %(seat_{seat}_{name})s' for name in changes)
        if sets:
            where = f"seats.table_id = updated.id AND seats.seat = %(seat_{seat})s"
            if "dm_channel" in changes:  # see `change_seat`
                where += ' AND seats."user" IS NOT NULL'
            parts += f", seat_{seat} AS (UPDATE seats SET {sets} FROM updated WHERE {where})"
    return parts, values


def _assignments(names: Collection[str]) -> str:
    return ", ".join(f'"{name}" = %({name})s' for name in names)
