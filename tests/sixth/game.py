"""Nim's rules: two players take one to three objects from a heap in turn. The player who takes the last one wins."""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Protocol, assert_never

import msgspec

from engine import turns
from engine.chance import Chance
from engine.contract import (
    Action,
    ClockAction,
    ClockEvent,
    ClockShifted,
    Deadline,
    Event,
    Game,
    Moment,
    Options,
    Outcome,
    Refusal,
    Seat,
    TimedOut,
    View,
)

SEATS = (Seat(0), Seat(1))


class Material(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The heaps at the start, and how many may be taken in a turn."""

    heaps: tuple[int, ...]
    most: int


class NimOptions(Options, frozen=True):
    """Nothing but the turn clock."""


class Take(Action, frozen=True, tag="take"):
    """Take this many from a heap; heaps count from 1."""

    heap: int
    count: int


class GameBegun(Event, frozen=True, tag="begun"):
    """The heaps are laid out, and the starter is drawn."""

    material: Material
    options: NimOptions
    starter: Seat
    at: Moment


class Taken(Event, frozen=True, tag="taken"):
    """A seat took this many from a heap."""

    seat: Seat
    heap: int
    count: int
    at: Moment


NimEvent = Taken | ClockEvent


class State(msgspec.Struct, frozen=True):
    """A game between two events: `taken` counts each seat's objects, `turns` its turns."""

    material: Material
    options: NimOptions
    heaps: tuple[int, ...]
    turn: Seat
    began: Moment
    taken: tuple[int, int] = (0, 0)
    turns: tuple[int, int] = (0, 0)
    ui_version: int = 0

    @property
    def most(self) -> int:
        """Return how many may be taken in a turn."""
        return self.material.most

    @property
    def winner(self) -> Seat | None:
        """Return the seat that took the last one."""
        return None if any(self.heaps) else SEATS[1 - self.turn]


class NimView(View, frozen=True):
    """The heaps, and who plays next. Nothing is hidden."""

    heaps: tuple[int, ...]
    most: int
    winner: Seat | None


class Position(Protocol):
    """The facts that decide which actions are legal; states and views have them."""

    @property
    def heaps(self) -> tuple[int, ...]: ...
    @property
    def most(self) -> int: ...


def takes(position: Position) -> Iterator[Take]:
    """Yield all legal actions."""
    for heap, left in enumerate(position.heaps, start=1):
        yield from (Take(heap, count) for count in range(1, min(position.most, left) + 1))


def begin(seats: int, options: NimOptions, material: Material, at: Moment, chance: Chance) -> Sequence[GameBegun]:
    """Draw the starter."""
    return [GameBegun(material, options, chance.pick(SEATS), at)]


def act(state: State, seat: Seat, take: Take, at: Moment, chance: Chance) -> Sequence[Taken]:
    """Take. Raises `Refusal`: `not-your-turn` (fact `turn`), `no-such-heap`, `too-many` (fact `most`)."""
    turns.require_turn(seat, state.turn)
    if not 1 <= take.heap <= len(state.heaps):
        raise Refusal("no-such-heap")
    most = min(state.most, state.heaps[take.heap - 1])
    if not 1 <= take.count <= most:
        raise Refusal("too-many", most=most)
    return [Taken(seat, take.heap, take.count, at)]


def default_action(state: State, seat: Seat) -> Take:
    """Return the take for a seat whose clock has run out."""
    return next(takes(state))


def first_state(begun: GameBegun) -> State:
    """Return the state after the first event."""
    return State(begun.material, begun.options, begun.material.heaps, begun.starter, begun.at)


def apply_event(state: State, event: NimEvent) -> State:
    """Return the state after an event."""
    match event:
        case Taken(seat, heap, count, at):
            return msgspec.structs.replace(
                state,
                heaps=tuple(left - count * (number == heap) for number, left in enumerate(state.heaps, start=1)),
                turn=SEATS[1 - seat],
                began=at,
                taken=tuple(own + count * (other == seat) for other, own in enumerate(state.taken)),
                turns=tuple(own + (other == seat) for other, own in enumerate(state.turns)),
                ui_version=state.ui_version + 1,
            )
        case TimedOut():
            return state
        case ClockShifted():
            return msgspec.structs.replace(state, began=turns.postponed(state.began, event))
        case _:
            assert_never(event)


def legal(state: State, seat: Seat) -> Iterator[Take]:
    """Yield the legal actions of a seat."""
    if state.winner is None and state.turn == seat:
        yield from takes(state)


def view(state: State, seat: Seat | None) -> NimView:
    """Return the view of a seat."""
    waiting = (state.turn,) if state.winner is None else ()
    return NimView(seat, waiting, state.ui_version, state.heaps, state.most, state.winner)


def deadlines(state: State) -> tuple[Deadline, ...]:
    """Return the turn clock."""
    if state.winner is not None:
        return ()
    return turns.clock(state.options, f"turn-{state.ui_version}", (state.turn,), state.began, next(takes(state)))


def outcome(state: State) -> Outcome | None:
    """Return the places; the score is the number of turns a seat took, and the fewest are best."""
    if state.winner is None:
        return None
    return Outcome(turns.places([int(seat != state.winner) for seat in SEATS]), state.turns, "last")


def census(state: State) -> Counter[str]:
    """Count the objects on the table and those taken."""
    return Counter({"one": sum(state.heaps) + sum(state.taken)})


GAME = Game[State, Take, GameBegun, NimEvent, NimView, NimOptions, Material](
    key="nim",
    title="Nim",
    player_counts=range(2, 3),
    options=NimOptions,
    material=Material,
    actions=Take | ClockAction,
    begun=GameBegun,
    events=GameBegun | NimEvent,
    views=NimView,
    begin=begin,
    first_state=first_state,
    apply_event=apply_event,
    players=lambda state: len(SEATS),
    act=act,
    legal=legal,
    view=view,
    deadlines=deadlines,
    default_action=default_action,
    outcome=outcome,
    piece_counts=census,
    lowest_wins=True,
    chance_fields={"begun": ("starter",)},
)
