"""Nim's history: what each event makes of a state."""

from typing import assert_never

import msgspec

from engine.contract import BrokenRecord, Delayed, Lapsed
from engine.turns import moved_back
from tests.sixth.rules.pieces import GameBegun, NimEvent, Taken
from tests.sixth.rules.state import SEATS, State


def evolve(state: State | None, event: NimEvent) -> State:
    """Return the state after an event. Raises `BrokenRecord` where the first event is missing or comes twice."""
    if state is None:
        if isinstance(event, GameBegun):
            return State(event.material, event.options, event.material.heaps, event.starter, event.at)
        raise BrokenRecord("nim: a game begins with begun")
    match event:
        case Taken(seat, heap, count, at):
            return msgspec.structs.replace(
                state,
                heaps=tuple(left - count * (number == heap) for number, left in enumerate(state.heaps, start=1)),
                turn=SEATS[1 - seat],
                began=at,
                taken=tuple(own + count * (other == seat) for other, own in enumerate(state.taken)),
                turns=tuple(own + (other == seat) for other, own in enumerate(state.turns)),
                stamp=state.stamp + 1,
            )
        case Lapsed():
            return state
        case Delayed():
            return msgspec.structs.replace(state, began=moved_back(state.began, event))
        case GameBegun():
            raise BrokenRecord("nim: a game begins once")
        case _:
            assert_never(event)
