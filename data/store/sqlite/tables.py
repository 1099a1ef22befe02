"""Tables, seats and mentions in SQLite.

May import `engine.contract`, msgspec, the standard library and its neighbours.
"""

import json
import sqlite3
from collections.abc import Callable, Iterable, Mapping, Sequence

import msgspec

from data.store.clauses import OPEN, SEAT, TABLE, UNSHOWN
from data.store.rows import (
    NO_CHANGE,
    Limits,
    NewTable,
    OpenTable,
    ResultRow,
    SeatChange,
    SeatRow,
    TableChange,
    TableRow,
    columns_of,
)
from data.store.sqlite.database import SqliteDatabase
from data.store.sqlite.jobs import (
    change_seat,
    check_limits,
    keep_results,
    seat_all,
    seat_row,
    table_at,
    table_row,
    update,
)
from data.store.tables import Mentions, Seats, Tables, check_revision
from engine.contract import Moment


class SqliteTables(Tables):
    """The tables."""

    def __init__(self, db: SqliteDatabase) -> None:
        self._db = db

    async def create(self, new: NewTable, seats: Sequence[SeatRow], limits: Limits | None = None) -> TableRow:
        """Open a table: see `Tables`. Raises `LimitReached`."""
        values = {**msgspec.structs.asdict(new), "status": "lobby", "run": self._db.run}

        def work(db: sqlite3.Connection) -> TableRow:
            if limits is not None:
                check_limits(db, new, seats, limits)
            names, marks = ", ".join(values), ", ".join("?" * len(values))
            made = db.execute(f"INSERT INTO tables ({names}) VALUES ({marks})", tuple(values.values()))
            assert made.lastrowid is not None
            seat_all(db, made.lastrowid, seats)
            return table_at(db, made.lastrowid)

        return await self._db.writer.write(work)

    async def check_limits(self, new: NewTable, seats: Sequence[SeatRow], limits: Limits) -> None:
        """Raise `LimitReached` if this table would be one too many by now."""
        await self._db.look(lambda db: check_limits(db, new, seats, limits))

    async def get(self, table: int) -> TableRow | None:
        """Return the table with this number, if there is one."""
        rows = await self._rows("id = ?", table)
        return rows[0] if rows else None

    async def open(self, guild: int | None = None) -> list[OpenTable]:
        """Return what a start has to know of every open table (of one server)."""
        rows = await self._db.read(
            "SELECT id, status, due, run, EXISTS (SELECT 1 FROM seats WHERE table_id = id AND"
            " (level IS NOT NULL OR caretaker)), slept_at IS NOT NULL, guild, channel, paused_at FROM"
            f" tables WHERE {OPEN} AND (?1 IS NULL OR guild = ?1) ORDER BY id",
            guild,
        )
        return [
            OpenTable(table, status, due, run, bool(computers), bool(asleep), *place)
            for table, status, due, run, computers, asleep, *place in rows
        ]

    async def of(self, user: int, *, guild: int | None = None, channel: int | None = None) -> list[TableRow]:
        """Return the open tables at which this user sits."""
        return await self._rows(
            f"id IN (SELECT table_id FROM seats WHERE user = ?1) AND {OPEN}"
            " AND (?2 IS NULL OR guild = ?2) AND (?3 IS NULL OR channel = ?3) ORDER BY id",
            user,
            guild,
            channel,
        )

    async def in_channel(self, channel: int) -> list[TableRow]:
        """Return the open tables of this channel."""
        return await self._rows(f"channel = ? AND {OPEN} ORDER BY id", channel)

    async def rematch_of(self, table: int) -> TableRow | None:
        """Return the newest table that was opened as a rematch of this one."""
        rows = await self._rows("rematch_of = ? ORDER BY id DESC LIMIT 1", table)
        return rows[0] if rows else None

    async def _rows(self, where: str, *values: object) -> list[TableRow]:
        return [table_row(row) for row in await self._db.read(f"SELECT {TABLE} FROM tables WHERE {where}", *values)]

    async def update(self, table: int, change: TableChange, revision: int | None = None) -> TableRow:
        """Change what is kept of a table besides its events: see `Tables`. Raises `StoreError`."""

        def work(db: sqlite3.Connection) -> TableRow:
            if revision is not None:
                check_revision(table, table_at(db, table).revision, revision)
            return change_table(db, table, change, self._db.run)

        return await self._db.writer.write(work)

    async def replace_message(self, table: int, message: int, at: Moment) -> TableRow:
        """Keep the message of a table that was posted anew. Raises `StoreError` if there is no such table."""

        def work(db: sqlite3.Connection) -> TableRow:
            db.execute(
                "INSERT OR IGNORE INTO mentions (message, table_id, channel) SELECT message, id, channel FROM tables"
                " WHERE id = ?1 AND message <> ?2",
                (table, message),
            )
            update(db, "tables", {"message": message, "message_at": at}, "id = ?", table)
            return table_at(db, table)

        return await self._db.writer.write(work)

    async def unshown(self) -> list[tuple[int, int]]:
        """Return the tables whose message is not known to show how they stand, and those that left lines."""
        return [(table, guild) for table, guild in await self._db.read(UNSHOWN)]

    async def stand(self, tables: Iterable[int]) -> dict[int, tuple[int, int]]:
        """Return how many events these tables have, and their revisions, by table."""
        sql = "SELECT id, version, revision FROM tables WHERE id IN (SELECT value FROM json_each(?))"
        rows = await self._db.read(sql, json.dumps([*tables]))
        return {table: (version, revision) for table, version, revision in rows}

    async def set_shown(self, shown: Mapping[int, int]) -> None:
        """Keep up to which revision the messages of these tables are known to show them."""
        rows = [(revision, table) for table, revision in shown.items()]
        await self._db.writer.write(
            lambda db: db.executemany("UPDATE tables SET shown = ? WHERE id = ?", rows).rowcount
        )


class SqliteSeats(Seats):
    """Who sits where."""

    def __init__(self, db: SqliteDatabase, ended: Callable[[], None]) -> None:
        super().__init__(ended)
        self._db = db

    async def of(self, table: int) -> list[SeatRow]:
        """Return who sits at a table, by seat."""
        rows = await self._db.read(f"SELECT {SEAT} FROM seats WHERE table_id = ? ORDER BY seat", table)
        return [seat_row(row) for row in rows]

    async def set(
        self,
        table: int,
        seats: Sequence[SeatRow],
        revision: int | None = None,
        change: TableChange = NO_CHANGE,
    ) -> TableRow:
        """Seat these people in place of all who sat there: see `Seats`. Raises `StoreError`."""

        def work(db: sqlite3.Connection) -> TableRow:
            check_revision(table, table_at(db, table).revision, revision)
            db.execute("DELETE FROM seats WHERE table_id = ?", (table,))
            seat_all(db, table, seats)
            return change_table(db, table, change, self._db.run)

        return await self._db.writer.write(work)

    async def update(self, table: int, seat: int, change: SeatChange) -> TableRow:
        """Change what is kept of one seat. Raises `StoreError` if there is none."""

        def work(db: sqlite3.Connection) -> TableRow:
            change_seat(db, table, seat, change)
            return table_at(db, table)

        return await self._db.writer.write(work)

    async def _settle(
        self,
        table: int,
        seats: Mapping[int, SeatChange],
        change: TableChange,
        results: Sequence[ResultRow],
        revision: int | None,
    ) -> TableRow:
        def work(db: sqlite3.Connection) -> TableRow:
            if revision is not None:
                check_revision(table, table_at(db, table).revision, revision)
            for seat, changed in seats.items():
                change_seat(db, table, seat, changed)
            change_table(db, table, change, self._db.run)
            keep_results(db, table, results)
            return table_at(db, table)

        return await self._db.writer.write(work)


class SqliteMentions(Mentions):
    """Lines that mention somebody."""

    def __init__(self, db: SqliteDatabase) -> None:
        self._db = db

    async def add(self, table: int, channel: int, message: int) -> None:
        """Remember a line that is to go when the turn passes."""
        sql = "INSERT OR IGNORE INTO mentions (message, table_id, channel) VALUES (?, ?, ?)"
        await self._db.change(sql, message, table, channel)

    async def forget(self, message: int) -> None:
        """Forget a line that is gone."""
        await self._db.change("DELETE FROM mentions WHERE message = ?", message)

    async def of(self, table: int) -> list[int]:
        """Return the lines of a table that still stand, oldest first."""
        rows = await self._db.read("SELECT message FROM mentions WHERE table_id = ? ORDER BY message", table)
        return [message for (message,) in rows]


def change_table(db: sqlite3.Connection, table: int, change: TableChange, run: int) -> TableRow:
    """Change a table, and return it as it is then. Raises `StoreError` if there is none."""
    values = columns_of(change, run)
    if values:
        update(db, "tables", values, "id = ?", table)
    return table_at(db, table)
