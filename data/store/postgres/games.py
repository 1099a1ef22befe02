"""Decisions, events and results in PostgreSQL. May import the standard library and its neighbours."""

from collections.abc import Callable
from typing import Any

from data.store.clauses import RESULT, TABLE
from data.store.games import Decided, Games, conflict
from data.store.packing import DECISIONS, EVENTS, decisions_in, in_order
from data.store.postgres.database import RUN, SERVED, PostgresDatabase, rows_of
from data.store.postgres.pool import Connection
from data.store.postgres.statements import (
    AT,
    SEATED,
    STILL,
    check_seats,
    keep_results,
    pack_game,
    seating,
    settings,
    table_at,
)
from data.store.rows import NO_CHANGE, DecisionRow, ResultRow, TableRow, columns_of
from data.store.tables import check_revision

_APPEND = f"""
    WITH stood AS (
        UPDATE tables
        SET version = %(version)s, due = %(due)s, run = {RUN}, slept_at = %(slept_at)s, paused_at = NULL,
            status = coalesce(%(status)s, status), ended_at = coalesce(%(ended_at)s, ended_at){{sets}}
        WHERE id = %(table)s AND version = %(number)s AND {STILL} AND {SERVED}{{more}}
        RETURNING {TABLE}
    ), decided AS (
        INSERT INTO decisions (table_id, number, seat, at, action)
        SELECT id, %(number)s, %(seat)s, %(at)s, %(action)s FROM stood
    ), happened AS (
        INSERT INTO events (table_id, number, body)
        SELECT stood.id, %(number)s + event.place - 1, event.body
        FROM stood, unnest(%(events)b::text[]) WITH ORDINALITY AS event (body, place)
    ){{seats}}
    SELECT {TABLE} FROM stood
"""
_WHOLE = _APPEND.format(sets="", more="", seats="")
"""A decision, its events and its table in one statement, which is one trip to the server; with `seats`, also what
changes of them. No row: the table does not stand at this number, or is not ours to write to, or a seat is missing.
"""


class PostgresGames(Games):
    """What has happened at each table."""

    def __init__(self, db: PostgresDatabase, ended: Callable[[], None]) -> None:
        super().__init__(ended)
        self._db = db

    async def append(self, table: int, decided: Decided) -> TableRow:
        """Keep a decision with all that follows from it: see `Games`, which also says what is raised."""
        values = {
            **{name: getattr(decided, name) for name in _PLAIN},
            "version": decided.version,
            "events": [*decided.events],
        }
        sql = _WHOLE
        if decided.seats or decided.change is not NO_CHANGE:
            parts, more = seating(decided.seats)
            columns = columns_of(decided.change)
            sql = _APPEND.format(sets=f", {settings(columns)}" if columns else "", more=f" AND {SEATED}", seats=parts)
            values |= {**more, **columns}
        if decided.results or decided.status == "over":
            row = await self._db.on_connection(lambda db: self._end(db, table, decided, sql, values), table)
            if decided.results:
                self._ended()
            return row
        # What changes of a seat changes its table by a trigger, after the statement: it is read after it.
        stood, *after = await self._db.send_all([sql, AT] if decided.seats else [sql], table, **values)
        if not stood:
            return await self._db.on_connection(lambda db: self._refuse(db, table, decided), table)
        return TableRow(*(after[0] if after else stood)[0])

    async def _end(self, db: Connection, table: int, decided: Decided, sql: str, values: dict[str, Any]) -> TableRow:
        async with db.transaction():
            if not await rows_of(db, sql, {**values, "table": table, **self._db.fence.values()}):
                await self._refuse(db, table, decided)
            await keep_results(db, table, decided.results)
            if decided.status == "over":
                await pack_game(db, table)
            return await table_at(db, table)

    async def _refuse(self, db: Connection, table: int, decided: Decided) -> TableRow:
        """Say why a decision was not kept: raises `Overtaken`, `Silenced`, `StoreError` without the table or a seat,
        `Elsewhere` or `Conflict`.
        """
        await self._db.check_heard(db)
        row = await table_at(db, table)
        await self._db.check_served(db, row.guild)
        if row.version == decided.number:
            check_revision(table, row.revision, decided.revision)
            await check_seats(db, table, decided.seats)
        raise conflict(table, row.version, decided.number)

    async def events(self, table: int, first: int = 0) -> list[str]:
        """Return the bodies (JSON) of a table's events, from number `first` on."""
        sql = EVENTS.format(table="%(table)s", first="%(first)s")
        return in_order(await self._db.read(sql, table=table, first=first), first)

    async def decisions(self, table: int) -> list[DecisionRow]:
        """Return what led to a table's events, in order."""
        return decisions_in(await self._db.read(DECISIONS.format(table="%(table)s"), table=table))

    async def results(self, table: int) -> list[ResultRow]:
        """Return how a table's game ended, by seat; nothing before it has."""
        sql = f"SELECT {RESULT} FROM results WHERE table_id = %(table)s ORDER BY seat"
        return [ResultRow(*row) for row in await self._db.read(sql, table=table)]


_PLAIN = tuple(name for name in Decided.__struct_fields__ if name not in ("events", "results", "seats", "change"))
