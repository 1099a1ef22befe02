"""Tables, their seats, and the messages waiting to be deleted."""

from collections.abc import Callable, Iterable, Mapping, Sequence

import msgspec

from data.store.database import Database, Transaction
from data.store.queries import (
    change_seat,
    change_table,
    check_limits,
    insert_results,
    insert_seats,
    lock_table,
    seat_row,
    table_at,
    table_row,
)
from data.store.rows import (
    NO_CHANGE,
    Cause,
    Limits,
    NewTable,
    OpenTable,
    PendingDeletion,
    Reminder,
    ResultRow,
    SeatChange,
    SeatRow,
    TableChange,
    TableRow,
)
from data.store.sql import OPEN, SEAT, TABLE, UNSHOWN
from engine.contract import Moment


class Tables:
    """The tables."""

    def __init__(self, db: Database) -> None:
        self._db = db

    async def create(self, new: NewTable, seats: Sequence[SeatRow], limits: Limits | None = None) -> TableRow:
        """Open a table with these people in its lobby, seated in this order. Raises `LimitReached`."""
        values = {**msgspec.structs.asdict(new), "status": "lobby"}

        async def work(tx: Transaction) -> TableRow:
            run = await tx.require_served(new.guild)
            if limits is not None:
                await tx.lock_server(new.guild)
                await check_limits(tx, new, seats, limits)
            names, marks = ", ".join(values), ", ".join(f":{name}" for name in values)
            sql = f"INSERT INTO tables ({names}, run) VALUES ({marks}, :run) RETURNING id"
            ((table,),) = await tx.rows(sql, **values, run=run)
            await insert_seats(tx, table, seats)
            return await table_at(tx, table)

        return await self._db.write(work)

    async def check_limits(self, new: NewTable, seats: Sequence[SeatRow], limits: Limits) -> None:
        """Raise `LimitReached` if this table would be one too many now. `create` checks that again."""
        await self._db.snapshot(lambda tx: check_limits(tx, new, seats, limits))

    async def get(self, table: int) -> TableRow | None:
        """Return the table with this number, if there is one."""
        rows = await self._rows("id = :table", table=table)
        return rows[0] if rows else None

    async def open(self, guild: int | None = None) -> list[OpenTable]:
        """Return what a start needs to know of every open table (of one server), in the order in which they were
        opened.
        """
        here = "" if guild is None else " AND guild = :guild"
        rows = await self._db.read(
            "SELECT id, status, CASE WHEN heir_due < due THEN heir_due ELSE due END, run, EXISTS"
            " (SELECT 1 FROM seats WHERE table_id = id AND (level IS NOT NULL OR caretaker)),"
            " slept_at IS NOT NULL, guild, channel, paused_at"
            f" FROM tables WHERE {OPEN}{here} ORDER BY id",
            guild=guild,
        )
        return [
            OpenTable(table, status, due, run, bool(computers), bool(asleep), *place)
            for table, status, due, run, computers, asleep, *place in rows
        ]

    async def pause(self, since: Mapping[int, Moment], cause: Cause) -> None:
        """Pause the clocks of these tables, each since a moment, unless they are paused already."""
        sql = (
            "UPDATE tables SET paused_at = :since, paused_by = :cause"
            f" WHERE id = :table AND paused_at IS NULL AND {OPEN}"
        )
        rows = [{"table": table, "since": at, "cause": cause} for table, at in since.items()]
        await self._db.write(lambda tx: tx.run_many(sql, rows))

    async def of(self, user: int, *, guild: int | None = None, channel: int | None = None) -> list[TableRow]:
        """Return the open tables of a user: everywhere, on one server or in one channel."""
        return await self._rows(
            f'id IN (SELECT table_id FROM seats WHERE "user" = :user) AND {OPEN}'
            " AND (CAST(:guild AS bigint) IS NULL OR guild = :guild)"
            " AND (CAST(:channel AS bigint) IS NULL OR channel = :channel) ORDER BY id",
            user=user,
            guild=guild,
            channel=channel,
        )

    async def in_channel(self, channel: int) -> list[TableRow]:
        """Return the open tables of this channel."""
        return await self._rows(f"channel = :channel AND {OPEN} ORDER BY id", channel=channel)

    async def inviting(self, user: int, guild: int) -> list[TableRow]:
        """Return the lobbies on a server in which a seat is or was reserved for this user."""
        where = f"{OPEN} AND status = 'lobby' AND guild = :guild AND invited LIKE :listed ORDER BY id"
        return await self._rows(where, listed=f"% {user} %", guild=guild)

    async def below(self, channel: int) -> list[TableRow]:
        """Return the open tables of this channel and of its threads."""
        return await self._rows(f"(channel = :channel OR parent = :channel) AND {OPEN} ORDER BY id", channel=channel)

    async def rematch_of(self, table: int) -> TableRow | None:
        """Return the newest table that was opened as a rematch of this one."""
        rows = await self._rows("rematch_of = :table ORDER BY id DESC LIMIT 1", table=table)
        return rows[0] if rows else None

    async def _rows(self, where: str, **values: object) -> list[TableRow]:
        return [table_row(row) for row in await self._db.read(f"SELECT {TABLE} FROM tables WHERE {where}", **values)]

    async def update(self, table: int, change: TableChange, revision: int | None = None) -> TableRow:
        """Change what is stored of a table besides its events; return the updated table. A `due` is in the time of this
        run. Raises `Conflict` if it no longer has this `revision`, or another `StoreError`.
        """

        async def work(tx: Transaction) -> TableRow:
            locked = await lock_table(tx, table, revision)
            return await change_table(tx, table, change, locked.run)

        return await self._db.write(work, table)

    async def replace_message(self, table: int, message: int, at: Moment) -> TableRow:
        """Save the new message of a table, and the old one as one to delete; return the table. Raises `StoreError`."""

        async def work(tx: Transaction) -> TableRow:
            locked = await lock_table(tx, table)
            await tx.run(
                "INSERT INTO mentions (message, table_id, channel, showed_table) SELECT message, id, channel, true"
                " FROM tables WHERE id = :table AND message <> :message ON CONFLICT DO NOTHING",
                table=table,
                message=message,
            )
            return await change_table(tx, table, TableChange(message=message, message_at=at), locked.run)

        return await self._db.write(work, table)

    async def unshown(self) -> list[tuple[int, int]]:
        """Return the number and server of all tables whose message may not be up to date, that have an old one to
        delete, or that ended and left messages to delete.
        """
        return [(table, guild) for table, guild in await self._db.read(UNSHOWN)]

    async def versions(self, tables: Iterable[int]) -> dict[int, tuple[int, int]]:
        """Return how many events these tables have, and their revisions, by table."""
        sql = "SELECT id, version, revision FROM tables WHERE id IN (:tables)"
        return {table: (version, revision) for table, version, revision in await self._db.read(sql, tables=[*tables])}

    async def set_shown(self, shown: Mapping[int, int]) -> None:
        """Save the revisions that the messages of these tables are known to show."""
        # In one order everywhere, so that two transactions never wait for each other.
        rows = [{"table": table, "revision": shown[table]} for table in sorted(shown)]
        await self._db.write(lambda tx: tx.run_many("UPDATE tables SET shown = :revision WHERE id = :table", rows))


class Seats:
    """The seats of tables."""

    def __init__(self, db: Database, ended: Callable[[], None]) -> None:
        """`ended` is called when a game has been given its results."""
        self._db = db
        self._ended = ended

    async def of(self, table: int) -> list[SeatRow]:
        """Return who sits at a table, by seat."""
        rows = await self._db.read(f"SELECT {SEAT} FROM seats WHERE table_id = :table ORDER BY seat", table=table)
        return [seat_row(row) for row in rows]

    async def set(
        self,
        table: int,
        seats: Sequence[SeatRow],
        revision: int | None = None,
        change: TableChange = NO_CHANGE,
    ) -> TableRow:
        """Seat these people, in this order, in place of all who sat there, and change the table; return the updated
        table. Raises `Conflict` if it no longer has this `revision`, or another `StoreError`.
        """

        async def work(tx: Transaction) -> TableRow:
            locked = await lock_table(tx, table, revision)
            await tx.run("DELETE FROM seats WHERE table_id = :table", table=table)
            await insert_seats(tx, table, seats)
            return await change_table(tx, table, change, locked.run)

        return await self._db.write(work, table)

    async def update(self, table: int, seat: int, change: SeatChange) -> TableRow:
        """Change what is stored of one seat; return the updated table. Raises `StoreError` if there is none."""
        return await self.update_many(table, {seat: change}, NO_CHANGE)

    async def update_many(
        self,
        table: int,
        seats: Mapping[int, SeatChange],
        change: TableChange,
        results: Sequence[ResultRow] = (),
        revision: int | None = None,
    ) -> TableRow:
        """Change seats and their table, and with `results` how its game ended; return the updated table. Raises
        `Conflict` if it no longer has this `revision`, or another `StoreError`.
        """

        async def work(tx: Transaction) -> TableRow:
            locked = await lock_table(tx, table, revision)
            for seat, changed in seats.items():
                await change_seat(tx, table, seat, changed)
            row = await change_table(tx, table, change, locked.run)
            if not results:
                return row
            await insert_results(tx, table, results)
            return await table_at(tx, table)

        row = await self._db.write(work, table)
        if results:
            self._ended()
        return row


class PendingDeletions:
    """Old messages to delete, and the reminders of a turn."""

    def __init__(self, db: Database) -> None:
        self._db = db

    async def of(self, table: int) -> list[PendingDeletion]:
        """Return the messages of a table that wait to be deleted, oldest first."""
        sql = "SELECT message, channel, showed_table FROM mentions WHERE table_id = :table ORDER BY message"
        rows = await self._db.read(sql, table=table)
        return [PendingDeletion(message, channel, bool(showed_table)) for message, channel, showed_table in rows]

    async def add(self, table: int, one: PendingDeletion) -> None:
        """Add a message."""
        await self._db.write(lambda tx: _add_deletion(tx, table, one))

    async def remove(self, message: int) -> None:
        """Forget a message that is gone."""
        await self._db.execute("DELETE FROM mentions WHERE message = :message", message=message)

    async def reminders(self, table: int) -> tuple[Reminder, ...]:
        """Return the reminders that were stored last."""
        ((stored,),) = await self._db.read("SELECT reminded FROM tables WHERE id = :table", table=table)
        return () if stored is None else msgspec.json.decode(stored, type=tuple[Reminder, ...])

    async def set_reminders(
        self, table: int, reminders: Sequence[Reminder], line: PendingDeletion | None = None
    ) -> None:
        """Store the reminders of a turn, and add the `line` of one of them to the pending deletions. Raises
        `NotShardOwner`: two processes never send the same one.
        """
        stored = msgspec.json.encode(reminders).decode()

        async def work(tx: Transaction) -> None:
            await lock_table(tx, table)
            await tx.run("UPDATE tables SET reminded = :stored WHERE id = :table", table=table, stored=stored)
            if line is not None:
                await _add_deletion(tx, table, line)

        await self._db.write(work, table)


async def _add_deletion(tx: Transaction, table: int, one: PendingDeletion) -> None:
    await tx.run(
        "INSERT INTO mentions (message, table_id, channel, showed_table)"
        " VALUES (:message, :table, :channel, :showed_table) ON CONFLICT DO NOTHING",
        table=table,
        **msgspec.structs.asdict(one),
    )
