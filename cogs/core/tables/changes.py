"""Changes of a table, each committed by one call of the store. Decisions return them: functions of a `TableSnapshot`
that return None if nothing changes, or raise a refusal.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import msgspec
from msgspec import UNSET, UnsetType

from cogs.core.tables import seat_rules
from cogs.core.tables.snapshot import Notice, Position, TableSnapshot
from data.store import ResultRow, SeatChange, SeatRow, Store, TableChange
from data.store.games import NewDecision
from data.store.rows import NO_CHANGE
from engine.contract import Action, Event, Expire, Moment, Seat, View, to_json

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
    notice: Notice | UnsetType | None = UNSET
    used_at: Moment | None = None

    @abstractmethod
    async def commit(self, store: Store, table: TableSnapshot, take: Take) -> None:
        """Store the change, and pass the new snapshot to `take`. Raises `StoreError`."""


@dataclass(frozen=True)
class Step:
    """One action by a `seat` (None: the clock), with what follows from it. The setup has no `action`."""

    seat: Seat | None
    action: Action | None
    at: Moment
    events: Sequence[Event]
    state: Any
    seats: seat_rules.Seats
    view: View | None = None  # what the public sees after it, if that is known


@dataclass(frozen=True)
class Played(Change):
    """The game goes on by one or more steps; the `row` is changed with the first. Clocks that are paused stay so from
    the last step on, unless it `resumes`.
    """

    steps: tuple[Step, ...]
    row: TableChange = NO_CHANGE
    resumes: bool = False

    async def commit(self, store: Store, table: TableSnapshot, take: Take) -> None:
        """Store each step with its events, and what follows from it: results, clocks, and who has forfeited."""
        game, change = table.game, self.row
        for step in self.steps:
            at, seats = step.at, step.seats
            outcome, clocks = game.outcome(step.state), game.deadlines(step.state)
            over = outcome is not None
            paused_at = None if self.resumes or over else table.row.paused_at
            if not self.private and (any(row.caretaker for row in seats) or table.row.agreements is not None):
                seats = table.with_forfeits(seats)
                change = _with_agreements(table, step, seats, change)
            asleep = seat_rules.deserted(seats)
            due = min((clock.due for clock in clocks), default=None)
            if asleep or (due is None and table.alone):
                due = Moment(at + SLEEPS_FOR_MS)  # no clock ends the game, so it is ended after a while
            results: tuple[ResultRow, ...] = ()
            if outcome is not None:
                results = table.placed_results(seats, outcome.places, outcome.scores, outcome.reason, at)
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
                    seats={} if seats is table.seats else seat_rules.changes(table.seats, seats),
                    slept_at=at if asleep and not over else None,
                    paused_at=None if paused_at is None else max(paused_at, at),
                    change=change,
                    revision=table.row.revision,
                    private=self.private,
                ),
            )
            views: dict[Seat | None, View] = {} if step.view is None else {None: step.view}
            position = Position(step.state, table.version + len(step.events), clocks, views, at=at)
            table = table.after(row, seats, position, results, self.notice)
            take(table)
            change = NO_CHANGE


def _with_agreements(table: TableSnapshot, step: Step, seats: seat_rules.Seats, change: TableChange) -> TableChange:
    """Return the change of a table's row, with what a step changes of its agreements."""
    before = table.agreements
    after = before.after_forfeits(table.seats, seats)
    if step.seat is not None and step.action is not None:
        after = after.after_move(step.seat, step.action, seats)
    elif isinstance(step.action, Expire):
        after = after.after_clock()
    return change if after == before else msgspec.structs.replace(change, agreements=after.stored())


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


def closed(table: TableSnapshot, reason: Notice, at: Moment, seats: seat_rules.Seats | None = None) -> Seated:
    """Return the change that ends an open table, with these seats: without a result but for places that are certain."""
    seats = table.seats if seats is None else seats
    return Seated(seats, closing(at), seat_rules.certain_results(table.row, seats, at), notice=reason)


# Decisions without rules of their own


def close(table: TableSnapshot, reason: Notice, at: Moment) -> Seated | None:
    """End the table, if it is open: without a result but for places that are certain."""
    return None if table.ended else closed(table, reason, at)


def change_seat_of(table: TableSnapshot, user: int, change: SeatChange) -> SeatChanged | None:
    """Change the seat of a user, if they still have one."""
    seat = table.seat_of(user)
    return None if seat is None else SeatChanged(seat, change, silent=True)


def replace_message(table: TableSnapshot, message: int, at: Moment) -> MessageReplaced:
    """Store the number of the table's new message."""
    return MessageReplaced(message, at, silent=True)
