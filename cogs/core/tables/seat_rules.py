"""The rules of absence and what it costs, as functions of the seats alone.

A player is absent if they left, missed several turns in a row, or had their data deleted; then a computer player, the
caretaker, plays for them. In a ranked game (people only) an absent player forfeits, and takes the last place of those
still in.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, TypeVar

import msgspec

from data.store import ResultRow, SeatChange, SeatRow, TableRow
from engine.contract import Action, Event, Moment, Seat, TimedOut
from engine.results import LEFT, VOID, placed

LAPSES_BEFORE_CARETAKER = 2
"""How many turns in a row a player may miss before a computer plays on for them."""

Seats = tuple[SeatRow, ...]

S = TypeVar("S", SeatRow, SeatChange)

_CHANGES = ("caretaker", "lapses", "forfeit", "moved")


def is_present(row: SeatRow) -> bool:
    """Return True if a person has this seat and is not absent."""
    return row.user is not None and not row.caretaker


def next_timeout_replaces(row: SeatRow) -> bool:
    """Return True if the caretaker takes this seat after one more missed turn."""
    return row.lapses + 1 >= LAPSES_BEFORE_CARETAKER


def deserted(seats: Iterable[SeatRow]) -> bool:
    """Return True if all people are absent."""
    return all(row.user is None or row.caretaker for row in seats)


def only_people(seats: Iterable[SeatRow]) -> bool:
    """Return True if no computer player sat down."""
    return all(row.level is None for row in seats)


def still_in(seats: Iterable[SeatRow]) -> list[Seat]:
    """Return the seats that have not forfeited."""
    return [Seat(row.seat) for row in seats if row.forfeit is None]


def decided(seats: Sequence[SeatRow]) -> bool:
    """Return True if all but one have forfeited, so that every place is certain."""
    return len(still_in(seats)) == 1 < len(seats)


def certain_places(seats: Sequence[SeatRow]) -> dict[Seat, int]:
    """Return the places of those who forfeited, which do not change any more."""
    if all(row.forfeit is None for row in seats):
        return {}
    places = placed([1] * len(seats), [row.forfeit for row in seats])
    return {Seat(row.seat): place for row, place in zip(seats, places, strict=True) if row.forfeit is not None}


def certain_results(table: TableRow, seats: Sequence[SeatRow], at: Moment) -> tuple[ResultRow, ...]:
    """Return the results of a game that ends early: those who forfeited have their places, and so has the last one who
    did not; for everybody else it ends without a result. Nothing if nobody forfeited.
    """
    if all(row.forfeit is None for row in seats):
        return ()
    places = placed([1] * len(seats), [row.forfeit for row in seats])
    all_certain = decided(seats)
    return tuple(
        ResultRow(
            row.seat,
            row.user,
            place,
            None,
            LEFT if all_certain or row.forfeit is not None else VOID,
            at,
            table.guild,
            table.game,
        )
        for row, place in zip(seats, places, strict=True)
    )


# Changes. Each function returns all seats, the same object if nothing changes.


def leave(seats: Sequence[SeatRow], seat: Seat) -> Seats:
    """Give a seat to the caretaker."""
    return tuple(msgspec.structs.replace(row, caretaker=True) if row.seat == seat else row for row in seats)


def take_back(seats: Seats, seat: Seat) -> Seats:
    """Give a seat back to its person, and reset their missed turns."""
    if not (seats[seat].caretaker or seats[seat].lapses):
        return seats
    return tuple(msgspec.structs.replace(row, caretaker=False, lapses=0) if row.seat == seat else row for row in seats)


def pardon(seats: Seats, seat: Seat) -> Seats:
    """Take back that a seat forfeited by missing turns, and give it back. A person who is not back yet is replaced
    again when they miss one more turn.
    """
    row = seats[seat]
    lapses = LAPSES_BEFORE_CARETAKER - 1 if row.caretaker else row.lapses
    after = msgspec.structs.replace(row, forfeit=None, caretaker=False, lapses=lapses)
    return (*seats[:seat], after, *seats[seat + 1 :])


def record_move(seats: Seats, seat: Seat, action: Action, *, person: bool = False) -> Seats:
    """Record that a seat has moved, if the action counts as a move; any action of its `person` takes the seat back."""
    before = seats[seat]
    after = msgspec.structs.replace(
        before,
        moved=before.moved or action.counts_as_move,
        caretaker=before.caretaker and not person,
        lapses=0 if person else before.lapses,
    )
    return seats if after == before else (*seats[:seat], after, *seats[seat + 1 :])


def count_timeouts(seats: Seats, events: Iterable[Event]) -> Seats:
    """Count the missed turns among these events; after several in a row the caretaker takes the seat."""
    lapses = [event.seat for event in events if isinstance(event, TimedOut)]
    return tuple(_with_timeouts(row, lapses.count(Seat(row.seat))) for row in seats) if lapses else seats


def _with_timeouts(row: SeatRow, more: int) -> SeatRow:
    if not more or row.user is None:
        return row
    lapses = row.lapses + more
    return msgspec.structs.replace(row, lapses=lapses, caretaker=row.caretaker or lapses >= LAPSES_BEFORE_CARETAKER)


def apply_forfeits(seats: Seats) -> Seats:
    """Record that the absent players of a ranked game forfeit; they share a place. Nobody forfeits while all are
    absent, since there is nobody to lose to: the first player to return stays in.
    """
    if not any(row.caretaker and row.forfeit is None for row in seats):
        return seats
    if not any(is_present(row) and row.forfeit is None for row in seats):
        return seats
    order = 1 + max((row.forfeit or 0 for row in seats), default=0)
    return tuple(
        msgspec.structs.replace(row, forfeit=order) if row.caretaker and row.forfeit is None else row for row in seats
    )


def changes(before: Sequence[SeatRow], after: Sequence[SeatRow]) -> dict[int, SeatChange]:
    """Return the differences by seat, for the store."""
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
    """Return a seat after a change, or two changes of a seat as one."""
    values = {name: value for name, value in msgspec.structs.asdict(change).items() if value is not msgspec.UNSET}
    return msgspec.structs.replace(before, **values)
