"""Stores what happens at tables: decisions, the events that follow from them, and how games end. A writer names the
number of events that a table has: of two that write to one table, only one succeeds.
"""

from collections.abc import Callable, Mapping, Sequence

import msgspec

from data.store.database import Database, Transaction
from data.store.errors import Conflict
from data.store.event_archive import DECISIONS, EVENTS, read_decisions, read_events
from data.store.queries import (
    assignments,
    change_seat,
    check_revision,
    insert_results,
    lock_table,
    pack_game,
    table_at,
)
from data.store.rows import NO_CHANGE, DecisionRow, ResultRow, SeatChange, Status, TableChange, TableRow, columns_of
from data.store.sql import RESULT
from engine.contract import Moment


class NewDecision(msgspec.Struct, frozen=True, kw_only=True):
    """A decision to save, its events, and all that it changes. The clocks of a paused table run again, unless it says
    since when they are paused (`paused_at`).
    """

    number: int  # of the first event
    seat: int | None  # None: the clock, or with no `action` the setup
    at: Moment
    action: str | None
    events: Sequence[str]
    due: Moment | None  # the earliest deadline from then on, in the time of this run
    status: Status | None = None
    ended_at: Moment | None = None
    results: Sequence[ResultRow] = ()
    seats: Mapping[int, SeatChange] = {}
    slept_at: Moment | None = None  # set if everyone has left the table
    paused_at: Moment | None = None
    change: TableChange = NO_CHANGE  # what else changes of the table
    revision: int | None = None
    private: bool = False  # the message that shows the table stays as it is

    @property
    def version(self) -> int:
        """How many events the table has after it. Raises `ValueError` without an event."""
        if not self.events:
            raise ValueError("a decision leads to at least one event")
        return self.number + len(self.events)

    def columns(self, run: int) -> dict[str, object]:
        """Return what the decision changes of its table, by column. Raises `ValueError` without an event."""
        values: dict[str, object] = {
            "version": self.version,
            "due": self.due,
            "run": run,
            "slept_at": self.slept_at,
            "paused_at": self.paused_at,
        }
        if self.status is not None:
            values["status"] = self.status
        if self.ended_at is not None:
            values["ended_at"] = self.ended_at
        return {**values, **columns_of(self.change)}


class Games:
    """The decisions and events of tables."""

    def __init__(self, db: Database, ended: Callable[[], None]) -> None:
        """`ended` is called when a game has been given its results."""
        self.database = db
        self.ended = ended

    async def append(self, table: int, decided: NewDecision) -> TableRow:
        """Save a decision with all that follows from it; return the updated table. Raises `Conflict` if the table
        does not have `number` events or not its `revision`, and `ValueError` without an event; then nothing is saved.
        """
        number = decided.number

        async def work(tx: Transaction) -> TableRow:
            locked = await lock_table(tx, table)
            if locked.version != number:
                raise Conflict(f"Table {table} is at event {locked.version}, not {number}: read it again, then act.")
            check_revision(table, locked.revision, decided.revision)
            values = decided.columns(locked.run)
            await tx.run(f"UPDATE tables SET {assignments(values)} WHERE id = :table", **values, table=table)
            await tx.run(
                "INSERT INTO decisions (table_id, number, seat, at, action)"
                " VALUES (:table, :number, :seat, :at, :action)",
                table=table,
                number=number,
                seat=decided.seat,
                at=decided.at,
                action=decided.action,
            )
            await tx.run_many(
                "INSERT INTO events (table_id, number, body) VALUES (:table, :number, :body)",
                [{"table": table, "number": at, "body": body} for at, body in enumerate(decided.events, number)],
            )
            for seat, change in decided.seats.items():
                await change_seat(tx, table, seat, change)
            if decided.private:
                await tx.run(
                    "UPDATE tables SET shown = revision WHERE id = :table AND shown = :before",
                    table=table,
                    before=locked.revision,
                )
            await insert_results(tx, table, decided.results)
            if decided.status == "over":
                await pack_game(tx, table)
            return await table_at(tx, table)

        row = await self.database.write(work, table)
        if decided.results:
            self.ended()
        return row

    async def events(self, table: int, first: int = 0) -> list[str]:
        """Return the bodies (JSON) of a table's events, from number `first` on."""
        return read_events(await self.database.read(EVENTS, table=table, first=first), first)

    async def decisions(self, table: int) -> list[DecisionRow]:
        """Return what led to a table's events, in order."""
        return read_decisions(await self.database.read(DECISIONS, table=table))

    async def decided_at(self, table: int, version: int) -> Moment | None:
        """Return when the last of a table's first events was decided, while the game is in progress."""
        sql = "SELECT at FROM decisions WHERE table_id = :table AND number < :version ORDER BY number DESC LIMIT 1"
        rows = await self.database.read(sql, table=table, version=version)
        return Moment(rows[0][0]) if rows else None

    async def results(self, table: int) -> list[ResultRow]:
        """Return how a table's game ended, by seat; nothing before it has."""
        sql = f"SELECT {RESULT} FROM results WHERE table_id = :table ORDER BY seat"
        return [ResultRow(*row) for row in await self.database.read(sql, table=table)]
