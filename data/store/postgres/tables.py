"""Tables, seats and mentions in PostgreSQL.

May import `engine.contract`, msgspec, the standard library and its neighbours.
"""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import NoReturn

import msgspec

from data.store.clauses import OPEN, SEAT, TABLE, UNSHOWN
from data.store.errors import Conflict
from data.store.postgres.database import RUN, SERVED, PostgresDatabase, rows_of, run
from data.store.postgres.pool import Connection
from data.store.postgres.statements import (
    AT,
    SEATED,
    STILL,
    check_limits,
    check_seats,
    hold_limits,
    keep_results,
    seat_all,
    seating,
    settings,
    table_at,
)
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
from data.store.tables import Mentions, Seats, Tables, check_revision
from engine.contract import Moment


class PostgresTables(Tables):
    """The tables."""

    def __init__(self, db: PostgresDatabase) -> None:
        self._db = db

    async def create(self, new: NewTable, seats: Sequence[SeatRow], limits: Limits | None = None) -> TableRow:
        """Open a table: see `Tables`. Raises `LimitReached`."""
        values = {**msgspec.structs.asdict(new), "status": "lobby"}
        names, marks = ", ".join(values), ", ".join(f"%({name})s" for name in values)
        insert = (
            f"INSERT INTO tables ({names}, run) SELECT {marks}, {RUN} FROM (SELECT %(guild)s::bigint AS guild) AS one"
            " RETURNING id"
        )

        async def work(db: Connection) -> TableRow:
            async with db.transaction():
                await self._db.check_served(db, new.guild)
                if limits is not None:
                    await hold_limits(db, new.guild)
                    await check_limits(db, new, seats, limits)
                ((table,),) = await rows_of(db, insert, {**values, **self._db.fence.values()})
                await seat_all(db, table, seats)
                return await table_at(db, table)

        return await self._db.on_connection(work)

    async def check_limits(self, new: NewTable, seats: Sequence[SeatRow], limits: Limits) -> None:
        """Raise `LimitReached` if this table would be one too many by now."""
        await self._db.look(lambda db: check_limits(db, new, seats, limits))

    async def get(self, table: int) -> TableRow | None:
        """Return the table with this number, if there is one."""
        rows = await self._rows("id = %(table)s", table=table)
        return rows[0] if rows else None

    async def open(self, guild: int | None = None) -> list[OpenTable]:
        """Return what a start has to know of every open table (of one server)."""
        here = "" if guild is None else " AND guild = %(guild)s"
        rows = await self._db.read(
            "SELECT id, status, due, run, EXISTS (SELECT 1 FROM seats WHERE table_id = id AND"
            " (level IS NOT NULL OR caretaker)), slept_at IS NOT NULL, guild, channel, paused_at FROM"
            f" tables WHERE {OPEN}{here} ORDER BY id",
            guild=guild,
        )
        return [OpenTable(*row) for row in rows]

    async def of(self, user: int, *, guild: int | None = None, channel: int | None = None) -> list[TableRow]:
        """Return the open tables at which this user sits."""
        return await self._rows(
            f'id IN (SELECT table_id FROM seats WHERE "user" = %(user)s) AND {OPEN}'
            " AND (%(guild)s::bigint IS NULL OR guild = %(guild)s)"
            " AND (%(channel)s::bigint IS NULL OR channel = %(channel)s) ORDER BY id",
            user=user,
            guild=guild,
            channel=channel,
        )

    async def in_channel(self, channel: int) -> list[TableRow]:
        """Return the open tables of this channel."""
        return await self._rows(f"channel = %(channel)s AND {OPEN} ORDER BY id", channel=channel)

    async def rematch_of(self, table: int) -> TableRow | None:
        """Return the newest table that was opened as a rematch of this one."""
        rows = await self._rows("rematch_of = %(table)s ORDER BY id DESC LIMIT 1", table=table)
        return rows[0] if rows else None

    async def _rows(self, where: str, **values: object) -> list[TableRow]:
        return [TableRow(*row) for row in await self._db.read(f"SELECT {TABLE} FROM tables WHERE {where}", **values)]

    async def update(self, table: int, change: TableChange, revision: int | None = None) -> TableRow:
        """Change what is kept of a table besides its events: see `Tables`. Raises `StoreError`."""
        values = columns_of(change)
        if not values:
            return await self._db.on_connection(lambda db: _unchanged(self._db, db, table, revision), table)
        rows = await self._db.send(changing(values, STILL), table, **values, revision=revision)
        if not rows:
            return await self._db.on_connection(lambda db: _refuse(self._db, db, table, revision), table)
        return TableRow(*rows[0])

    async def replace_message(self, table: int, message: int, at: Moment) -> TableRow:
        """Keep the message of a table that was posted anew. Raises `StoreError` if there is no such table."""
        values = {"table": table, "message": message}

        async def work(db: Connection) -> TableRow:
            async with db.transaction():
                await _hold(self._db, db, table)
                await run(
                    db,
                    "INSERT INTO mentions (message, table_id, channel) SELECT message, id, channel FROM tables"
                    " WHERE id = %(table)s AND message <> %(message)s ON CONFLICT DO NOTHING",
                    values,
                )
                return await change_table(self._db, db, table, TableChange(message=message, message_at=at))

        return await self._db.on_connection(work, table)

    async def unshown(self) -> list[tuple[int, int]]:
        """Return the tables whose message is not known to show how they stand, and those that left lines."""
        return [(table, guild) for table, guild in await self._db.read(UNSHOWN)]

    async def stand(self, tables: Iterable[int]) -> dict[int, tuple[int, int]]:
        """Return how many events these tables have, and their revisions, by table."""
        sql = "SELECT id, version, revision FROM tables WHERE id = ANY (%(tables)s::bigint[])"
        return {table: (version, revision) for table, version, revision in await self._db.read(sql, tables=[*tables])}

    async def set_shown(self, shown: Mapping[int, int]) -> None:
        """Keep up to which revision the messages of these tables are known to show them."""
        # In one order everywhere, so that two who do the same never wait for each other in a circle.
        await self._db.change(
            "UPDATE tables SET shown = new.revision FROM (SELECT id, revision FROM"
            " unnest(%(tables)s::bigint[], %(revisions)s::bigint[]) AS given (id, revision) ORDER BY id) AS new"
            " WHERE tables.id = new.id",
            tables=[*shown],
            revisions=[*shown.values()],
        )


class PostgresSeats(Seats):
    """Who sits where."""

    def __init__(self, db: PostgresDatabase, ended: Callable[[], None]) -> None:
        super().__init__(ended)
        self._db = db

    async def of(self, table: int) -> list[SeatRow]:
        """Return who sits at a table, by seat."""
        sql = f"SELECT {SEAT} FROM seats WHERE table_id = %(table)s ORDER BY seat"
        return [SeatRow(*row) for row in await self._db.read(sql, table=table)]

    async def set(
        self,
        table: int,
        seats: Sequence[SeatRow],
        revision: int | None = None,
        change: TableChange = NO_CHANGE,
    ) -> TableRow:
        """Seat these people in place of all who sat there: see `Seats`. Raises `StoreError`."""

        async def work(db: Connection) -> TableRow:
            async with db.transaction():
                await _hold(self._db, db, table, revision)
                await run(db, "DELETE FROM seats WHERE table_id = %(table)s", {"table": table})
                await seat_all(db, table, seats)
                return await change_table(self._db, db, table, change)

        return await self._db.on_connection(work, table)

    async def update(self, table: int, seat: int, change: SeatChange) -> TableRow:
        """Change what is kept of one seat. Raises `StoreError` if there is none."""
        return await self.settle(table, {seat: change}, TableChange())

    async def _settle(
        self,
        table: int,
        seats: Mapping[int, SeatChange],
        change: TableChange,
        results: Sequence[ResultRow],
        revision: int | None,
    ) -> TableRow:
        parts, values = seating(seats)
        columns = columns_of(change)
        conditions = f"{SEATED} AND {STILL}"
        holding = f"SELECT id FROM tables WHERE id = %(table)s AND {SERVED} AND {conditions} FOR NO KEY UPDATE"
        stood = changing(columns, conditions) if columns else holding
        sql = f"WITH stood AS ({stood}){parts} SELECT 1 FROM stood"
        values |= {**columns, "revision": revision}
        if results:

            async def end(db: Connection) -> TableRow:
                async with db.transaction():
                    if not await rows_of(db, sql, {**values, "table": table, **self._db.fence.values()}):
                        await _refuse(self._db, db, table, revision, seats)
                    await keep_results(db, table, results)
                    return await table_at(db, table)

            return await self._db.on_connection(end, table)
        rows, after = await self._db.send_all([sql, AT], table, **values)
        if not rows:
            await self._db.on_connection(lambda db: _refuse(self._db, db, table, revision, seats), table)
        return TableRow(*after[0])


class PostgresMentions(Mentions):
    """Lines that mention somebody."""

    def __init__(self, db: PostgresDatabase) -> None:
        self._db = db

    async def add(self, table: int, channel: int, message: int) -> None:
        """Remember a line that is to go when the turn passes."""
        await self._db.change(
            "INSERT INTO mentions (message, table_id, channel) VALUES (%(message)s, %(table)s, %(channel)s)"
            " ON CONFLICT DO NOTHING",
            table=table,
            channel=channel,
            message=message,
        )

    async def forget(self, message: int) -> None:
        """Forget a line that is gone."""
        await self._db.change("DELETE FROM mentions WHERE message = %(message)s", message=message)

    async def of(self, table: int) -> list[int]:
        """Return the lines of a table that still stand, oldest first."""
        sql = "SELECT message FROM mentions WHERE table_id = %(table)s ORDER BY message"
        return [message for (message,) in await self._db.read(sql, table=table)]


async def change_table(database: PostgresDatabase, db: Connection, table: int, change: TableChange) -> TableRow:
    """Change a table, in one statement behind the fence, and return it as it is then. Raises `StoreError` if there is
    none, `Elsewhere`, and `Overtaken` or `Silenced`.
    """
    values = columns_of(change)
    if values:
        changed = await rows_of(db, changing(values), {**values, "table": table, **database.fence.values()})
        if changed:
            return TableRow(*changed[0])
    return await _unchanged(database, db, table)


async def _hold(database: PostgresDatabase, db: Connection, table: int, revision: int | None = None) -> None:
    """Let nobody else write to a table until the transaction ends. Raises `StoreError` if there is none, `Conflict` if
    it is not at this revision any more, `Elsewhere`, and `Overtaken` or `Silenced`.
    """
    sql = f"SELECT {SERVED}, revision FROM tables WHERE id = %(table)s FOR NO KEY UPDATE"
    rows = await rows_of(db, sql, {"table": table, **database.fence.values()})
    if not rows or not rows[0][0]:
        await _unchanged(database, db, table)
    else:
        check_revision(table, rows[0][1], revision)


async def _unchanged(database: PostgresDatabase, db: Connection, table: int, revision: int | None = None) -> TableRow:
    """Return a table to which nothing was done, or raise why not: see `change_table`; `Conflict` if it is not at this
    revision any more.
    """
    await database.check_heard(db)
    row = await table_at(db, table)
    await database.check_served(db, row.guild)
    check_revision(table, row.revision, revision)
    return row


async def _refuse(
    database: PostgresDatabase, db: Connection, table: int, revision: int | None, seats: Iterable[int] = ()
) -> NoReturn:
    """Say why a table, or its seats, were not changed: raises what `_unchanged` does, `StoreError` if a seat is not
    there, or else `Conflict`.
    """
    await _unchanged(database, db, table, revision)
    await check_seats(db, table, seats)
    raise Conflict(f"Table {table} was being changed: read it again, then act.")


def changing(values: Collection[str], conditions: str = "true") -> str:
    """Return the statement that changes these columns of a table, behind the fence and under these conditions, and
    gives its row as it is then. A `due` is in the time of the run that we believe to serve it.
    """
    sets = settings(values) + (f", run = {RUN}" if "due" in values else "")
    return f"UPDATE tables SET {sets} WHERE id = %(table)s AND {SERVED} AND {conditions} RETURNING {TABLE}"
