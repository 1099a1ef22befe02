"""What every game does the same: whose action it is, clocks that run out, and clocks that are moved back.

A game's `decide` refuses with these whatever no game takes, and goes on to its own rules. May import `engine.contract`.
"""

from collections.abc import Container, Iterable, Sequence
from typing import TypeVar

from engine.contract import Action, Deadline, Delay, Delayed, Expire, Moment, Options, Refusal, Seat

Key = TypeVar("Key", int, tuple[int, ...])


def going_on(over: str | None) -> None:
    """Raise `Refusal` `over` (fact `reason`) if the game is; `over` is why, None while it goes on."""
    if over is not None:
        raise Refusal("over", reason=over)


def seated(seat: Seat | None, seats: Container[int]) -> Seat:
    """Return who acts. Raises `Refusal` `not-seated` for who does not sit at the table, and for the clock."""
    if seat is None or seat not in seats:
        raise Refusal("not-seated")
    return seat


def clock_only(seat: Seat | None) -> None:
    """Raise `Refusal` `clock-only` for a seat that asks for what only the clock may."""
    if seat is not None:
        raise Refusal("clock-only")


def run_out(seat: Seat | None, expire: Expire, at: Moment, deadlines: Iterable[Deadline]) -> Deadline:
    """Return the deadline that has passed at this moment.

    Raises `Refusal`: `clock-only`; `early` (facts `deadline`, `due`); `late` (fact `deadline`) for one that is gone.
    """
    clock_only(seat)
    for deadline in deadlines:
        if deadline.id == expire.deadline:
            if at < deadline.due:
                raise Refusal("early", deadline=deadline.id, due=deadline.due)
            return deadline
    raise Refusal("late", deadline=expire.deadline)


def delayed(seat: Seat | None, delay: Delay) -> Delayed:
    """Return the event of a delay. Raises `Refusal`: `clock-only`; `no-delay` (fact `by_ms`) for less than 1 ms."""
    clock_only(seat)
    if delay.by_ms < 1:
        raise Refusal("no-delay", by_ms=delay.by_ms)
    return Delayed(delay.by_ms)


def moved_back(moment: Moment, delayed: Delayed) -> Moment:
    """Return a moment from which a clock runs, after a delay."""
    return Moment(moment + delayed.by_ms)


def clock(
    options: Options, name: str, seats: tuple[Seat, ...], began: Moment, default: Action | None = None
) -> tuple[Deadline, ...]:
    """Return the clock of a turn of these seats that began at this moment; none at a table without clocks."""
    if not options.clock or not seats:
        return ()
    return (Deadline(name, seats, Moment(began + 1_000 * options.clock), default),)


def places(keys: Sequence[Key]) -> tuple[int, ...]:
    """Return each seat's place, from 1: the smallest key is first, and equal keys share a place."""
    return tuple(1 + sum(other < own for other in keys) for own in keys)
