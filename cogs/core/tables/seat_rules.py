"""Who is at a table, who is away, and what leaving costs: worked out from the seats alone.

A person is away when they have left, when they let their clock run out several times in a row, or when their data was
deleted; then a computer, the caretaker, plays for them. A game to which only people sat down is ranked: who is away
there has forfeited, and takes the last place among those still in.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, TypeVar

import msgspec

from data.store import SeatChange, SeatRow
from engine.contract import Action, Event, Seat, TimedOut
from engine.results import placed

LAPSES_BEFORE_CARETAKER = 2
"""Clocks that run out one after the other before a computer plays on for somebody."""

Seats = tuple[SeatRow, ...]

S = TypeVar("S", SeatRow, SeatChange)

_CHANGES = ("caretaker", "lapses", "forfeit", "moved")


def computers(row: SeatRow) -> bool:
    """Say whether a computer plays on this seat, for itself or for somebody who is away."""
    return row.level is not None or row.caretaker


def attends(row: SeatRow) -> bool:
    """Say whether a person plays on this seat themselves."""
    return row.user is not None and not computers(row)


def on_the_brink(row: SeatRow) -> bool:
    """Say whether the next clock that runs out gives this seat to the caretaker."""
    return row.lapses + 1 >= LAPSES_BEFORE_CARETAKER


def deserted(seats: Iterable[SeatRow]) -> bool:
    """Say whether no person is there to play."""
    return all(row.user is None or computers(row) for row in seats)


def people(seats: Iterable[SeatRow]) -> bool:
    """Say whether only people sat down."""
    return all(row.level is None for row in seats)


def still_in(seats: Iterable[SeatRow]) -> list[Seat]:
    """Return the seats that have not forfeited their place."""
    return [Seat(row.seat) for row in seats if row.forfeit is None]


def decided(seats: Sequence[SeatRow]) -> bool:
    """Say whether all but one have forfeited, so that every place is certain."""
    return len(still_in(seats)) == 1 < len(seats)


def certain_places(seats: Sequence[SeatRow]) -> dict[Seat, int]:
    """Return the places that those who left have taken: nothing that happens later changes them."""
    if all(row.forfeit is None for row in seats):
        return {}
    places = placed([1] * len(seats), [row.forfeit for row in seats])
    return {Seat(row.seat): place for row, place in zip(seats, places, strict=True) if row.forfeit is not None}


# What changes. Each returns all seats as they are then: the very same where nothing does.


def left(seats: Sequence[SeatRow], seat: Seat) -> Seats:
    """Give a seat to the caretaker."""
    return tuple(msgspec.structs.replace(row, caretaker=True) if row.seat == seat else row for row in seats)


def taken_back(seats: Seats, seat: Seat) -> Seats:
    """Let the person of a seat play again; their count of lapses begins anew."""
    if not (seats[seat].caretaker or seats[seat].lapses):
        return seats
    return tuple(msgspec.structs.replace(row, caretaker=False, lapses=0) if row.seat == seat else row for row in seats)


def moved(seats: Seats, seat: Seat, action: Action, *, person: bool = False) -> Seats:
    """Remember that a seat has moved, if this counts as a move; its `person` plays again with whatever they do."""
    before = seats[seat]
    after = msgspec.structs.replace(
        before,
        moved=before.moved or action.counts_as_move,
        caretaker=before.caretaker and not person,
        lapses=0 if person else before.lapses,
    )
    return seats if after == before else (*seats[:seat], after, *seats[seat + 1 :])


def counted(seats: Seats, events: Iterable[Event]) -> Seats:
    """Count the clocks that ran out among these events; after several in a row the caretaker takes the seat."""
    lapses = [event.seat for event in events if isinstance(event, TimedOut)]
    return tuple(_counted(row, lapses.count(Seat(row.seat))) for row in seats) if lapses else seats


def _counted(row: SeatRow, more: int) -> SeatRow:
    if not more or row.user is None:
        return row
    lapses = row.lapses + more
    return msgspec.structs.replace(row, lapses=lapses, caretaker=row.caretaker or lapses >= LAPSES_BEFORE_CARETAKER)


def reckoned(seats: Seats) -> Seats:
    """Let those who are away from a ranked game forfeit, all who have gone at this moment alike.

    Somebody must stay: where nobody does, nobody has left the others behind, and the next one back stays in.
    """
    if not any(row.caretaker and row.forfeit is None for row in seats):
        return seats
    if not any(attends(row) and row.forfeit is None for row in seats):
        return seats
    order = 1 + max((row.forfeit or 0 for row in seats), default=0)
    return tuple(
        msgspec.structs.replace(row, forfeit=order) if row.caretaker and row.forfeit is None else row for row in seats
    )


def changes(before: Sequence[SeatRow], after: Sequence[SeatRow]) -> dict[int, SeatChange]:
    """Return what differs, for the store."""
    found: dict[int, SeatChange] = {}
    for old, new in zip(before, after, strict=True):
        values: dict[str, Any] = {
            name: getattr(new, name) for name in _CHANGES if getattr(new, name) != getattr(old, name)
        }
        if values:
            found[new.seat] = SeatChange(**values)
    return found


def changed(seats: Sequence[SeatRow], changes: Mapping[int, SeatChange]) -> Seats:
    """Return the seats with these changes."""
    return tuple(row if (change := changes.get(row.seat)) is None else with_change(row, change) for row in seats)


def with_change(before: S, change: SeatChange) -> S:
    """Return a seat as a change leaves it, or two changes of it as one, of which the later one counts."""
    values = {name: value for name, value in msgspec.structs.asdict(change).items() if value is not msgspec.UNSET}
    return msgspec.structs.replace(before, **values)
