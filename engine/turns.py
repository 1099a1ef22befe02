"""What games have in common: turns, clocks and interludes.

An interlude is a pause in which a result stays visible until every seat is ready or its time is over. A game that has
interludes keeps an `Interlude` in its state, says in its first event how long they last, and goes on after
`InterludeEnded`.
"""

from collections.abc import Callable, Collection, Iterable, Sequence
from typing import Annotated, ClassVar, Literal, TypeVar

import msgspec

from engine.contract import Action, ClockShifted, Deadline, Event, Moment, Options, Refusal, Seat

T = TypeVar("T")
Key = TypeVar("Key", int, tuple[int, ...])


def require_turn(seat: Seat, turn: Seat) -> None:
    """Raise `Refusal` `not-your-turn` (fact `turn`) if a seat acts during another seat's turn."""
    if seat != turn:
        raise Refusal("not-your-turn", turn=turn)


def postponed(moment: Moment, delayed: ClockShifted) -> Moment:
    """Return the moment from which a clock runs, once it was postponed."""
    return Moment(moment + delayed.by_ms)


def clock(
    options: Options, name: str, seats: tuple[Seat, ...], began: Moment, default: Action | None = None
) -> tuple[Deadline, ...]:
    """Return the turn clock of these seats, as `Game.deadlines` does; empty at a table without clocks.

    `name` is the deadline's id, and `began` is when the turn began.
    """
    if not options.clock or not seats:
        return ()
    return (Deadline(name, seats, Moment(began + 1_000 * options.clock), default),)


def places(keys: Sequence[Key]) -> tuple[int, ...]:
    """Return each seat's place, from 1. The smallest key is first, and equal keys share a place."""
    return tuple(1 + sum(other < own for other in keys) for own in keys)


def throw_for_start(seats: int, throw: Callable[[], int]) -> tuple[tuple[tuple[int | None, ...], ...], Seat]:
    """Throw until one seat has the highest throw; return the rounds of throws, and that seat, which begins.

    A round has one entry per seat, None for a seat that did not throw again.
    """
    rounds: list[tuple[int | None, ...]] = []
    tied = list(range(seats))
    while len(tied) > 1:
        thrown = {seat: throw() for seat in tied}
        rounds.append(tuple(map(thrown.get, range(seats))))
        tied = [seat for seat in tied if thrown[seat] == max(thrown.values())]
    return tuple(rounds), Seat(tied[0])


def replace_at(items: tuple[T, ...], place: int, item: T) -> tuple[T, ...]:
    """Return the items, kept by seat or another index, with the item at `place` replaced."""
    return (*items[:place], item, *items[place + 1 :])


# ----------------------------------------------------------------------------------------------------------- interludes

INTERLUDE_MS = 20_000
"""How long an interlude lasts unless everyone presses *Ready*."""

Interludes = Annotated[
    Literal["on", "off"],
    msgspec.Meta(
        title="Pause between rounds",
        description="on: the result stays up until everyone is ready, or for 20 s. off: the game goes straight on.",
        extra={"asks": "Whether the game pauses so that everyone can see what a round decided"},
    ),
]
"""The option of a game that has interludes. The first event records it as `interlude_ms`, 0 in games older than
interludes.
"""


class Ready(Action, frozen=True, tag="ready"):
    """Confirm that one has seen the result."""

    counts_as_move: ClassVar[bool] = False


class InterludeBegun(Event, frozen=True, tag="interlude"):
    """The game pauses, no longer than until this moment."""

    until: Moment


class Readied(Event, frozen=True, tag="readied"):
    """A seat is ready to continue."""

    seat: Seat


class InterludeEnded(Event, frozen=True, tag="resumed"):
    """All were ready, or the time was over: the game continues from this moment."""

    at: Moment


InterludeEvent = InterludeBegun | Readied | InterludeEnded


class Interlude(msgspec.Struct, frozen=True):
    """A pause: when it ends, and which seats are ready."""

    until: Moment
    ready: tuple[Seat, ...] = ()


def interlude_ms(interludes: Literal["on", "off"]) -> int:
    """Return how long the interludes of a table with this option last; 0 is none."""
    return INTERLUDE_MS if interludes == "on" else 0


def interlude(lasts_ms: int, at: Moment) -> tuple[InterludeBegun, ...]:
    """Return the event that begins an interlude at this moment, or nothing if interludes last 0 ms."""
    return (InterludeBegun(Moment(at + lasts_ms)),) if lasts_ms else ()


def require_no_interlude(pause: Interlude | None) -> None:
    """Raise `Refusal` `interlude` (fact `due`) for an action that has to wait until the interlude is over."""
    if pause is not None:
        raise Refusal("interlude", due=pause.until)


def awaits_ready(pause: Interlude | None, seat: Seat | None) -> bool:
    """Return whether a seat has yet to confirm that it is ready. False without an interlude, and for the public."""
    return pause is not None and seat is not None and seat not in pause.ready


def confirm_ready(
    pause: Interlude | None, seat: Seat, seats: Collection[int], at: Moment
) -> list[Readied | InterludeEnded]:
    """Return the events that follow when a seat is ready. The last of `seats`, or one after the time is over, ends the
    interlude.

    Raises `Refusal`: `no-interlude`; `ready-already` (fact `due`).
    """
    if pause is None:
        raise Refusal("no-interlude")
    if seat in pause.ready:
        raise Refusal("ready-already", due=pause.until)
    last = len(pause.ready) + 1 == len(seats) or at >= pause.until
    return [Readied(seat), *((InterludeEnded(at),) if last else ())]


def interlude_after(pause: Interlude | None, event: InterludeEvent | ClockShifted) -> Interlude | None:
    """Return the interlude after an event, or None if there is none then."""
    match event:
        case InterludeBegun(until):
            return Interlude(until)
        case Readied(seat) if pause is not None:
            return msgspec.structs.replace(pause, ready=(*pause.ready, seat))
        case ClockShifted() if pause is not None:
            return msgspec.structs.replace(pause, until=postponed(pause.until, event))
        case _:
            return None


def interlude_at(pause: Interlude | None, lasts_ms: int, at: Moment) -> Moment | None:
    """Return when the interlude began, if it lasts at the moment `at`; `lasts_ms` is its length."""
    began = None if pause is None else Moment(pause.until - lasts_ms)
    return began if pause is not None and began is not None and began <= at < pause.until else None


def interlude_clock(name: str, pause: Interlude, seats: Iterable[int]) -> tuple[Deadline, ...]:
    """Return the window of an interlude, awaiting the seats that are not ready yet."""
    missing = tuple(Seat(seat) for seat in seats if seat not in pause.ready)
    return (Deadline(f"interlude-{name}", missing, pause.until, None, "window"),)
