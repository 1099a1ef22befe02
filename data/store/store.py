"""The store: what outlasts the process, behind plain methods. The SQL of each stands in it; nothing else knows SQL.

Every write is on the disk when its method returns, and either whole or not there at all. Reads go by another connection
and never wait for writes; each sees everything that had been acknowledged before it began. May import `engine`,
msgspec, the standard library and its neighbours.
"""

import asyncio
import sqlite3
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from data.store import opening
from data.store.connection import Connection
from data.store.errors import Conflict, told
from data.store.jobs import (
    OPEN,
    RESULT,
    SEAT,
    TABLE,
    change_seat,
    check_limits,
    columns_of,
    keep_results,
    seat_all,
    seat_row,
    table_at,
    table_row,
    update,
)
from data.store.leaderboards import Leaderboards
from data.store.migrations import FOLDER, read_migrations
from data.store.office import Office
from data.store.people import People
from data.store.records import Records
from data.store.rows import (
    DecisionRow,
    Limits,
    NewTable,
    OpenTable,
    ResultRow,
    SeatChange,
    SeatRow,
    Status,
    TableChange,
    TableRow,
)
from data.store.runs import Run, begin_run, check_ours, downtimes
from data.store.writer import Writer
from engine.contract import Moment

T = TypeVar("T")


class Store:
    """The database of one bot. Made by `Store.open`.

    `overtaken` is set once another bot has opened it since: then every write raises `Overtaken`.
    """

    def __init__(self, path: Path, reader: Connection, writer: Writer, runs: Sequence[Run]) -> None:
        self._path = path
        self._reader = reader
        self._writer = writer
        self.overtaken = writer.overtaken
        self._run = runs[-1].id
        self._downtime = downtimes(runs)
        self.records = Records(self._read)
        self.leaderboards = Leaderboards(self._look, writer.write, self.records)
        self.office = Office(self._read, writer.write)
        self.people = People(self._read, writer.write, self.leaderboards.stirred.set)

    @classmethod
    @asynccontextmanager
    async def open(
        cls,
        path: Path,
        *,
        now: Callable[[], Moment],
        migrations: Path = FOLDER,
        trace: opening.Trace | None = None,
    ) -> AsyncIterator["Store"]:
        """Give the store of the database at `path`, made or brought up to date first; a new run of the bot begins.

        `now` tells the time. `trace` is called with every SQL statement, from the store's threads. At the end what is
        still waiting is written. Raises any `StoreError` but `Conflict`; then the file is as it was.
        """
        path = opening.real(path)
        steps = read_migrations(migrations)
        await asyncio.to_thread(opening.inspect, path, steps)
        async with AsyncExitStack() as stack:
            stack.enter_context(opening.alone(path))
            at = now()
            connection = Connection(partial(opening.connect_writer, path, steps, at, trace))
            await connection
            stack.push_async_callback(connection.close)
            with told(path):
                runs = await connection.run(partial(begin_run, at=at))
            reader = Connection(partial(opening.connect_reader, path, trace))
            await reader
            stack.push_async_callback(reader.close)
            writer = Writer(connection, path, partial(check_ours, run=runs[-1].id, path=path))
            stack.push_async_callback(writer.close)
            yield cls(path, reader, writer, runs)

    async def _read(self, sql: str, *values: object) -> list[Any]:
        with told(self._path):
            return await self._reader.run(lambda db: db.execute(sql, values).fetchall())

    async def _look(self, work: Callable[[sqlite3.Connection], T]) -> T:
        """Return what a job returns that reads several times, all of one state of the database."""

        def looked(db: sqlite3.Connection) -> T:
            db.execute("BEGIN")
            try:
                return work(db)
            finally:
                db.execute("ROLLBACK")

        with told(self._path):
            return await self._reader.run(looked)

    # ------------------------------------------------------------------------------------------------- runs of the bot

    @property
    def run(self) -> int:
        """The number of this run of the bot."""
        return self._run

    def downtime(self, since_run: int) -> int:
        """Return for how many milliseconds the bot was away between that run and this one, all gaps together."""
        return self._downtime.get(since_run, 0)

    async def beat(self, at: Moment) -> None:
        """Take note that the bot is alive."""
        await self._writer.write(
            lambda db: db.execute("UPDATE runs SET alive_at = max(alive_at, ?) WHERE id = ?", (at, self._run)).rowcount
        )

    # ---------------------------------------------------------------------------------------------------------- tables

    async def create_table(self, new: NewTable, seats: Sequence[SeatRow], limits: Limits | None = None) -> TableRow:
        """Open a table with these people in its lobby, seated in this order. Raises `LimitReached`, however many are
        opened at the same time.
        """
        values = {**msgspec.structs.asdict(new), "status": "lobby", "run": self._run}

        def work(db: sqlite3.Connection) -> TableRow:
            if limits is not None:
                check_limits(db, new, seats, limits)
            names, marks = ", ".join(values), ", ".join("?" * len(values))
            made = db.execute(f"INSERT INTO tables ({names}) VALUES ({marks})", tuple(values.values()))
            assert made.lastrowid is not None
            seat_all(db, made.lastrowid, seats)
            return table_at(db, made.lastrowid)

        return await self._writer.write(work)

    async def table(self, table: int) -> TableRow | None:
        """Return the table with this number, if there is one."""
        rows = await self._read(f"SELECT {TABLE} FROM tables WHERE id = ?", table)
        return table_row(rows[0]) if rows else None

    async def open_tables(self, guild: int | None = None) -> list[OpenTable]:
        """Return what a start has to know of every open table (of one server), in the order of their opening."""
        rows = await self._read(
            "SELECT id, status, due, run, EXISTS (SELECT 1 FROM seats WHERE table_id = id AND"
            " (level IS NOT NULL OR caretaker)), slept_at IS NOT NULL, guild, channel, paused_at FROM"
            f" tables WHERE {OPEN} AND (?1 IS NULL OR guild = ?1) ORDER BY id",
            guild,
        )
        return [
            OpenTable(table, status, due, run, bool(computers), bool(asleep), *place)
            for table, status, due, run, computers, asleep, *place in rows
        ]

    async def unshown(self) -> list[tuple[int, int]]:
        """Return the tables, open or not, whose message is not known to show how they stand, and those that ended and
        left lines in their channel: number and server of each, in the order in which they were opened.
        """
        rows = await self._read(
            "SELECT id, guild FROM tables WHERE shown < revision UNION SELECT id, guild FROM tables"
            f" WHERE id IN (SELECT table_id FROM mentions) AND NOT {OPEN} ORDER BY id"
        )
        return [(table, guild) for table, guild in rows]

    async def set_shown(self, shown: Mapping[int, int]) -> None:
        """Keep up to which revision the messages of these tables are known to show them."""
        rows = [(revision, table) for table, revision in shown.items()]
        await self._writer.write(lambda db: db.executemany("UPDATE tables SET shown = ? WHERE id = ?", rows).rowcount)

    async def replace_message(self, table: int, message: int, at: Moment) -> TableRow:
        """Keep the message of a table that was posted anew, and the one before it among the lines that are to go;
        return the table as it is then.
        """

        def work(db: sqlite3.Connection) -> TableRow:
            db.execute(
                "INSERT OR IGNORE INTO mentions (message, table_id, channel) SELECT message, id, channel FROM tables"
                " WHERE id = ?1 AND message <> ?2",
                (table, message),
            )
            update(db, "tables", {"message": message, "message_at": at}, "id = ?", table)
            return table_at(db, table)

        return await self._writer.write(work)

    async def tables_of(self, user: int, *, guild: int | None = None, channel: int | None = None) -> list[TableRow]:
        """Return the open tables at which this user sits: everywhere, on one server or in one channel."""
        rows = await self._read(
            f"SELECT {TABLE} FROM tables WHERE id IN (SELECT table_id FROM seats WHERE user = ?1) AND {OPEN}"
            " AND (?2 IS NULL OR guild = ?2) AND (?3 IS NULL OR channel = ?3) ORDER BY id",
            user,
            guild,
            channel,
        )
        return [table_row(row) for row in rows]

    async def tables_in(self, channel: int) -> list[TableRow]:
        """Return the open tables of this channel."""
        rows = await self._read(f"SELECT {TABLE} FROM tables WHERE channel = ? AND {OPEN} ORDER BY id", channel)
        return [table_row(row) for row in rows]

    async def rematch(self, table: int) -> TableRow | None:
        """Return the newest table that was opened as a rematch of this one."""
        rows = await self._read(f"SELECT {TABLE} FROM tables WHERE rematch_of = ? ORDER BY id DESC LIMIT 1", table)
        return table_row(rows[0]) if rows else None

    async def update_table(self, table: int, change: TableChange) -> TableRow:
        """Change what is kept of a table besides its events; return it as it is then.

        A `due` is a moment in the time of this run, so the table counts as extended up to it.
        """
        values = self._table_values(change)

        def work(db: sqlite3.Connection) -> TableRow:
            if values:
                update(db, "tables", values, "id = ?", table)
            return table_at(db, table)

        return await self._writer.write(work)

    def _table_values(self, change: TableChange) -> dict[str, object]:
        values = columns_of(change)
        if "due" in values:
            values["run"] = self._run
        return values

    # ----------------------------------------------------------------------------------------------------------- seats

    async def seats(self, table: int) -> list[SeatRow]:
        """Return who sits at a table, by seat."""
        rows = await self._read(f"SELECT {SEAT} FROM seats WHERE table_id = ? ORDER BY seat", table)
        return [seat_row(row) for row in rows]

    async def set_seats(self, table: int, seats: Sequence[SeatRow]) -> TableRow:
        """Seat these people in place of all who sat there, numbered in this order; return the table as it is then."""

        def work(db: sqlite3.Connection) -> TableRow:
            table_at(db, table)
            db.execute("DELETE FROM seats WHERE table_id = ?", (table,))
            seat_all(db, table, seats)
            return table_at(db, table)

        return await self._writer.write(work)

    async def update_seat(self, table: int, seat: int, change: SeatChange) -> TableRow:
        """Change what is kept of one seat; return the table as it is then."""

        def work(db: sqlite3.Connection) -> TableRow:
            change_seat(db, table, seat, change)
            return table_at(db, table)

        return await self._writer.write(work)

    async def settle_seats(
        self,
        table: int,
        seats: Mapping[int, SeatChange],
        change: TableChange,
        results: Sequence[ResultRow] = (),
    ) -> TableRow:
        """Change seats, what follows of it for the table, and with `results` how its game ended, all or nothing; return
        the table as it is then.
        """
        values = self._table_values(change)

        def work(db: sqlite3.Connection) -> TableRow:
            for seat, changed in seats.items():
                change_seat(db, table, seat, changed)
            if values:
                update(db, "tables", values, "id = ?", table)
            keep_results(db, table, results)
            return table_at(db, table)

        return await self._ending(work, results)

    async def _ending(self, work: Callable[[sqlite3.Connection], TableRow], results: Sequence[ResultRow]) -> TableRow:
        """Write what may end a game; its results are to be added up then."""
        row = await self._writer.write(work)
        if results:
            self.leaderboards.stirred.set()
        return row

    # --------------------------------------------------------------------------------------------- what happens at one

    async def append(
        self,
        table: int,
        *,
        number: int,
        seat: int | None,
        at: Moment,
        action: str | None,
        events: Sequence[str],
        due: Moment | None,
        status: Status | None = None,
        ended_at: Moment | None = None,
        results: Sequence[ResultRow] = (),
        seats: Mapping[int, SeatChange] | None = None,
        slept_at: Moment | None = None,
    ) -> TableRow:
        """Keep a decision, its events and all that it changes; return the table as it is then.

        `number` is that of the first event; `seat` None is the clock, or with `action` None the setup. `due` is the
        earliest deadline from then on, in the time of this run; `slept_at` is there if nobody is at the table after it.
        The clocks of a paused table run again. Raises `Conflict` if the table does not stand at `number`, and
        `ValueError` without an event; then nothing is kept.
        """
        if not events:
            raise ValueError("a decision leads to at least one event")
        values: dict[str, object] = {
            "version": number + len(events),
            "due": due,
            "run": self._run,
            "slept_at": slept_at,
            "paused_at": None,
        }
        if status is not None:
            values["status"] = status
        if ended_at is not None:
            values["ended_at"] = ended_at
        seat_changes = dict(seats or {})

        def work(db: sqlite3.Connection) -> TableRow:
            stands = table_at(db, table).version
            if stands != number:
                raise Conflict(f"Table {table} stands at event {stands}, not {number}: read it again, then act.")
            db.execute("INSERT INTO decisions VALUES (?, ?, ?, ?, ?)", (table, number, seat, at, action))
            db.executemany(
                "INSERT INTO events VALUES (?, ?, ?)",
                [(table, number + offset, body) for offset, body in enumerate(events)],
            )
            update(db, "tables", values, "id = ?", table)
            for changed, change in seat_changes.items():
                change_seat(db, table, changed, change)
            keep_results(db, table, results)
            return table_at(db, table)

        return await self._ending(work, results)

    async def events(self, table: int) -> list[str]:
        """Return the bodies (JSON) of a table's events, from number 0 on."""
        rows = await self._read("SELECT body FROM events WHERE table_id = ? ORDER BY number", table)
        return [body for (body,) in rows]

    async def decisions(self, table: int) -> list[DecisionRow]:
        """Return what led to a table's events, in order."""
        rows = await self._read(
            "SELECT number, seat, at, action FROM decisions WHERE table_id = ? ORDER BY number", table
        )
        return [DecisionRow(*row) for row in rows]

    async def results(self, table: int) -> list[ResultRow]:
        """Return how a table's game ended, by seat; nothing before it has."""
        rows = await self._read(f"SELECT {RESULT} FROM results WHERE table_id = ? ORDER BY seat", table)
        return [ResultRow(*row) for row in rows]

    # -------------------------------------------------------------------------------------------------------- mentions

    async def add_mention(self, table: int, channel: int, message: int) -> None:
        """Remember a line that mentions somebody and is to go when the turn passes."""
        await self._writer.write(
            lambda db: (
                db.execute(
                    "INSERT OR IGNORE INTO mentions (message, table_id, channel) VALUES (?, ?, ?)",
                    (message, table, channel),
                ).rowcount
            )
        )

    async def forget_mention(self, message: int) -> None:
        """Forget a line that is gone."""
        await self._writer.write(lambda db: db.execute("DELETE FROM mentions WHERE message = ?", (message,)).rowcount)

    async def mentions(self, table: int) -> list[int]:
        """Return the lines of a table that still stand, oldest first."""
        rows = await self._read("SELECT message FROM mentions WHERE table_id = ? ORDER BY message", table)
        return [message for (message,) in rows]
