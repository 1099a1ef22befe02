"""What a decision makes of a table: values that `Table.act` commits, each by one call of the store.

A decision is a function of a `TableSnapshot` that returns a `Change`, or None if nothing is to change, or raises a
refusal. It is called again with a newer snapshot if another process changed the table meanwhile.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from msgspec import UNSET, UnsetType

from cogs.core.tables import seat_rules
from cogs.core.tables.snapshot import TableSnapshot
from data.store import ResultRow, SeatChange, SeatRow, TableChange
from data.store.rows import NO_CHANGE
from engine.contract import Action, Event, Moment, Seat


@dataclass(frozen=True, kw_only=True)
class Change:
    """The base of all changes. `notice` is the sentence about the table from then on; `used_at` counts as use. Nobody
    hears of a change that is `silent`: nothing that anybody else sees follows from it.
    """

    silent: bool = False
    notice: str | UnsetType | None = UNSET
    used_at: Moment | None = None


@dataclass(frozen=True)
class Step:
    """One action of a game: decided by `seat` (None: the clock), the `events` that follow, and the `state` after them.
    `action` is None for the setup; `seats` are those after it.
    """

    seat: Seat | None
    action: Action | None
    at: Moment
    events: Sequence[Event]
    state: Any
    seats: seat_rules.Seats


@dataclass(frozen=True)
class Played(Change):
    """The game goes on, by one step or more. A change `by_person` is still made if another process serves the table
    meanwhile; one by a clock or a computer is left to that process. `row` is changed with the first step.
    """

    steps: tuple[Step, ...]
    row: TableChange = NO_CHANGE
    by_person: bool = True


@dataclass(frozen=True)
class Seated(Change):
    """Other people are there to play, on the same seats; with `results`, the game ends by that."""

    seats: seat_rules.Seats
    row: TableChange = NO_CHANGE
    results: tuple[ResultRow, ...] = ()


@dataclass(frozen=True)
class Reseated(Change):
    """These people sit down in this order; their seats are numbered again."""

    seats: Sequence[SeatRow]
    row: TableChange = NO_CHANGE


@dataclass(frozen=True)
class RowChanged(Change):
    """Something of the table itself changes."""

    row: TableChange


@dataclass(frozen=True)
class SeatChanged(Change):
    """Something of one seat changes that no other process decides by, such as its direct message."""

    seat: Seat
    change: SeatChange


@dataclass(frozen=True)
class MessageReplaced(Change):
    """The table has a new message; the one before is to be deleted."""

    message: int
    at: Moment


AnyChange = Played | Seated | Reseated | RowChanged | SeatChanged | MessageReplaced


def closed(reason: str, at: Moment) -> RowChanged:
    """Return the change that ends an open table without a result."""
    return RowChanged(TableChange(status="closed", ended_at=at, due=None, slept_at=None), notice=reason)


# Decisions that need no rules of their own


def close(table: TableSnapshot, reason: str, at: Moment) -> RowChanged | None:
    """End the table without a result, if it is open."""
    return None if table.ended else closed(reason, at)


def change_row(table: TableSnapshot, change: TableChange) -> RowChanged:
    """Change something of the table itself."""
    return RowChanged(change)


def change_seat(table: TableSnapshot, seat: Seat, change: SeatChange) -> SeatChanged:
    """Change something of a seat."""
    return SeatChanged(seat, change, silent=True)


def change_seat_of(table: TableSnapshot, user: int, change: SeatChange) -> SeatChanged | None:
    """Change something of a user's seat, wherever they sit by now, if they still do."""
    seat = table.seat_of(user)
    return None if seat is None else SeatChanged(seat, change, silent=True)


def replace_message(table: TableSnapshot, message: int, at: Moment) -> MessageReplaced:
    """Store which message is the table's from now on."""
    return MessageReplaced(message, at, silent=True)
