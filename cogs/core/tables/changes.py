"""What a decision makes of a table: values that know how to commit themselves, each by one call of the store.

A decision is a function of a `TableSnapshot` that returns a `Change`, or None if nothing changes, or raises a refusal.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import msgspec
from msgspec import UNSET, UnsetType

from cogs.core.tables import seat_rules
from cogs.core.tables.snapshot import Position, TableSnapshot
from data.store import ResultRow, SeatChange, SeatRow, Store, TableChange
from data.store.games import NewDecision
from data.store.rows import NO_CHANGE
from engine.contract import Action, Event, Moment, Seat, to_json

SLEEPS_FOR_MS = 7 * 86_400_000
"""A deserted table ends by itself after this long."""

Take = Callable[[TableSnapshot], None]
"""Is called with the table after each call of the store."""


@dataclass(frozen=True, kw_only=True)
class Change(ABC):
    """The base of all changes. `notice` is the sentence about the table from then on; `used_at` counts as use. A change
    that is `silent` changes nothing that anybody else sees, so no listener is told. One `by_person` is still made if
    another process serves the table by now; one by a clock or a bot is left to that process.
    """

    silent: bool = False
    by_person: bool = True
    notice: str | UnsetType | None = UNSET
    used_at: Moment | None = None

    @abstractmethod
    async def commit(self, store: Store, table: TableSnapshot, take: Take) -> None:
        """Store the change. Raises `StoreError`; then nothing has changed but what was taken."""


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
    """The game goes on, by one step or more. `row` is changed with the first step."""

    steps: tuple[Step, ...]
    row: TableChange = NO_CHANGE

    async def commit(self, store: Store, table: TableSnapshot, take: Take) -> None:
        """Store each step with its events, and what follows from it: results, clocks, and who has forfeited."""
        change = self.row
        for step in self.steps:
            table = await self._commit_step(store, table, step, change)
            take(table)
            change = NO_CHANGE

    async def _commit_step(self, store: Store, table: TableSnapshot, step: Step, change: TableChange) -> TableSnapshot:
        game, at, seats = table.game, step.at, step.seats
        outcome, clocks = game.outcome(step.state), game.deadlines(step.state)
        if any(row.caretaker for row in seats):
            seats = table.with_forfeits(seats)
        if seats is table.seats:
            seat_changes, asleep = {}, table.seating.deserted
        else:
            seat_changes, asleep = seat_rules.changes(table.seats, seats), seat_rules.deserted(seats)
        over = outcome is not None
        due = min((clock.due for clock in clocks), default=None)
        if asleep or (due is None and table.alone):
            due = Moment(at + SLEEPS_FOR_MS)  # no clock ends it: in the end it is given up
        results = (
            () if outcome is None else table.placed_results(seats, outcome.places, outcome.scores, outcome.reason, at)
        )
        row = await store.games.append(
            table.id,
            NewDecision(
                number=table.version,
                seat=step.seat,
                at=at,
                action=None if step.action is None else to_json(step.action),
                events=[to_json(event) for event in step.events],
                due=None if over else due,
                status="over" if over else "playing",
                ended_at=at if over else None,
                results=results,
                seats=seat_changes,
                slept_at=at if asleep and not over else None,
                change=change,
                revision=table.row.revision,
            ),
        )
        position = Position(step.state, table.version + len(step.events), clocks)
        return table.after(row, seats, position, results, self.notice)


@dataclass(frozen=True)
class Seated(Change):
    """Other people are there to play, on the same seats; with `results`, the game ends by that."""

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
    """These people sit down in this order; their seats are numbered again."""

    seats: Sequence[SeatRow]
    row: TableChange = NO_CHANGE

    async def commit(self, store: Store, table: TableSnapshot, take: Take) -> None:
        """Store all seats."""
        seats = tuple(msgspec.structs.replace(row, seat=number) for number, row in enumerate(self.seats))
        row = await store.seats.set(table.id, seats, table.row.revision, self.row)
        take(table.after(row, seats, notice=self.notice))


@dataclass(frozen=True)
class RowChanged(Change):
    """Something of the table itself changes."""

    row: TableChange

    async def commit(self, store: Store, table: TableSnapshot, take: Take) -> None:
        """Store the table's row."""
        row = await store.tables.update(table.id, self.row, table.row.revision)
        take(table.after(row, notice=self.notice))


@dataclass(frozen=True)
class SeatChanged(Change):
    """Something of one seat changes that no other process decides by, such as its direct message."""

    seat: Seat
    change: SeatChange

    async def commit(self, store: Store, table: TableSnapshot, take: Take) -> None:
        """Store the seat."""
        row = await store.seats.update(table.id, self.seat, self.change)
        take(table.after(row, seat_rules.changed(table.seats, {self.seat: self.change})))


@dataclass(frozen=True)
class MessageReplaced(Change):
    """The table has a new message, by which it is found from now on."""

    message: int
    at: Moment

    async def commit(self, store: Store, table: TableSnapshot, take: Take) -> None:
        """Store which message it is."""
        take(table.after(await store.tables.replace_message(table.id, self.message, self.at)))


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
