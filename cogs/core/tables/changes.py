"""Changes of a table, each committed by one call of the store. Decisions return them: functions of a `TableSnapshot`
that return None if nothing changes, or raise a refusal.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import msgspec
from msgspec import UNSET, UnsetType

from cogs.core.i18n.translation import Words
from cogs.core.tables import seat_rules
from cogs.core.tables.snapshot import TableSnapshot
from data.store import ResultRow, SeatChange, SeatRow, Store, TableChange
from data.store.rows import NO_CHANGE
from engine.contract import Moment, Seat

SLEEPS_FOR_MS = 7 * 86_400_000
"""A deserted table ends by itself after this long."""

Take = Callable[[TableSnapshot], None]
"""Called with the new snapshot after each call of the store."""


@dataclass(frozen=True, kw_only=True)
class Change(ABC):
    """The base of all changes.

    - `silent`: nothing changes that anybody else sees, so no listener is called.
    - `private`: only who made it sees a difference, so nothing that others see may be touched.
    - `by_person`: it is made even if another process serves the table by now. Clocks and bots leave it to that process.
    - `notice`: the sentence about the table from then on.
    - `used_at`: when a person used the table by this.
    """

    silent: bool = False
    private: bool = False
    by_person: bool = True
    notice: Words | UnsetType | None = UNSET
    used_at: Moment | None = None

    @abstractmethod
    async def commit(self, store: Store, table: TableSnapshot, take: Take) -> None:
        """Store the change, and pass the new snapshot to `take`. Raises `StoreError`."""


@dataclass(frozen=True)
class Seated(Change):
    """The seats change, but not who sits there; with `results`, the game ends."""

    seats: seat_rules.Seats
    row: TableChange = NO_CHANGE
    results: tuple[ResultRow, ...] = ()

    async def commit(self, store: Store, table: TableSnapshot, take: Take) -> None:
        """Store the seats that differ, and the results."""
        changes = seat_rules.changes(table.seats, self.seats)
        row = await store.seats.update_many(table.id, changes, self.row, self.results, table.row.revision)
        take(table.after(row, self.seats, results=self.results, notice=self.notice))


@dataclass(frozen=True)
class Reseated(Change):
    """These players sit down in this order; their seats are numbered again."""

    seats: Sequence[SeatRow]
    row: TableChange = NO_CHANGE

    async def commit(self, store: Store, table: TableSnapshot, take: Take) -> None:
        """Store all seats."""
        seats = tuple(msgspec.structs.replace(row, seat=number) for number, row in enumerate(self.seats))
        row = await store.seats.set(table.id, seats, table.row.revision, self.row)
        take(table.after(row, seats, notice=self.notice))


@dataclass(frozen=True)
class RowChanged(Change):
    """The table's own row changes."""

    row: TableChange

    async def commit(self, store: Store, table: TableSnapshot, take: Take) -> None:
        """Store the table's row."""
        row = await store.tables.update(table.id, self.row, table.row.revision)
        take(table.after(row, notice=self.notice))


@dataclass(frozen=True)
class SeatChanged(Change):
    """One seat changes in a way that no decision depends on, such as its direct message."""

    seat: Seat
    change: SeatChange

    async def commit(self, store: Store, table: TableSnapshot, take: Take) -> None:
        """Store the seat."""
        row = await store.seats.update(table.id, self.seat, self.change)
        take(table.after(row, seat_rules.changed(table.seats, {self.seat: self.change})))


@dataclass(frozen=True)
class MessageReplaced(Change):
    """The table has a new message."""

    message: int
    at: Moment

    async def commit(self, store: Store, table: TableSnapshot, take: Take) -> None:
        """Store the message."""
        take(table.after(await store.tables.replace_message(table.id, self.message, self.at)))


def closing(at: Moment) -> TableChange:
    """Return what changes in the row of a table that is closed."""
    return TableChange(status="closed", ended_at=at, due=None, slept_at=None)


def closed(table: TableSnapshot, reason: Words, at: Moment, seats: seat_rules.Seats | None = None) -> Seated:
    """Return the change that ends an open table, with these seats: without a result but for places that are certain."""
    seats = table.seats if seats is None else seats
    return Seated(seats, closing(at), seat_rules.certain_results(table.row, seats, at), notice=reason)


# Decisions without rules of their own


def close(table: TableSnapshot, reason: Words, at: Moment) -> Seated | None:
    """End the table, if it is open: without a result but for places that are certain."""
    return None if table.ended else closed(table, reason, at)


def change_seat_of(table: TableSnapshot, user: int, change: SeatChange) -> SeatChanged | None:
    """Change the seat of a user, if they still have one."""
    seat = table.seat_of(user)
    return None if seat is None else SeatChanged(seat, change, silent=True)


def replace_message(table: TableSnapshot, message: int, at: Moment) -> MessageReplaced:
    """Store the number of the table's new message."""
    return MessageReplaced(message, at, silent=True)
