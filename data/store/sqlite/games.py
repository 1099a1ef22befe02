"""Decisions, events and results in SQLite. May import the standard library and its neighbours."""

import sqlite3
from collections.abc import Callable

from data.store.clauses import RESULT
from data.store.games import Decided, Games, conflict
from data.store.packing import DECISIONS, EVENTS, decisions_in, in_order
from data.store.rows import DecisionRow, ResultRow, TableRow
from data.store.sqlite.database import SqliteDatabase
from data.store.sqlite.jobs import change_seat, keep_results, pack_game, table_at, update
from data.store.tables import check_revision


class SqliteGames(Games):
    """What has happened at each table."""

    def __init__(self, db: SqliteDatabase, ended: Callable[[], None]) -> None:
        super().__init__(ended)
        self._db = db

    async def append(self, table: int, decided: Decided) -> TableRow:
        """Keep a decision with all that follows from it: see `Games`, which also says what is raised."""
        number = decided.number

        def work(db: sqlite3.Connection) -> TableRow:
            stands, keys = "id = ? AND version = ?", [table, number]
            if decided.revision is not None:
                stands += " AND revision = ?"
                keys.append(decided.revision)
            if not update(db, "tables", decided.columns(self._db.run), stands, *keys):
                row = table_at(db, table)
                if row.version == number:
                    check_revision(table, row.revision, decided.revision)
                raise conflict(table, row.version, number)
            db.execute(
                "INSERT INTO decisions VALUES (?, ?, ?, ?, ?)",
                (table, number, decided.seat, decided.at, decided.action),
            )
            db.executemany(
                "INSERT INTO events VALUES (?, ?, ?)",
                [(table, number + offset, body) for offset, body in enumerate(decided.events)],
            )
            for seat, change in decided.seats.items():
                change_seat(db, table, seat, change)
            keep_results(db, table, decided.results)
            if decided.status == "over":
                pack_game(db, table)
            return table_at(db, table)

        row = await self._db.writer.write(work)
        if decided.results:
            self._ended()
        return row

    async def events(self, table: int, first: int = 0) -> list[str]:
        """Return the bodies (JSON) of a table's events, from number `first` on."""
        return in_order(await self._db.read(EVENTS.format(table="?1", first="?2"), table, first), first)

    async def decisions(self, table: int) -> list[DecisionRow]:
        """Return what led to a table's events, in order."""
        return decisions_in(await self._db.read(DECISIONS.format(table="?1"), table))

    async def results(self, table: int) -> list[ResultRow]:
        """Return how a table's game ended, by seat; nothing before it has."""
        rows = await self._db.read(f"SELECT {RESULT} FROM results WHERE table_id = ? ORDER BY seat", table)
        return [ResultRow(*row) for row in rows]
