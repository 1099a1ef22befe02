"""Nim's decisions and its clock."""

from typing import assert_never

from engine import turns
from engine.chance import Chance
from engine.contract import Deadline, Delay, Expire, Lapsed, Moment, Seat
from tests.sixth.rules.judge import judge, takes
from tests.sixth.rules.pieces import GameBegun, Material, NimAction, NimEvent, NimOptions, Take, Taken
from tests.sixth.rules.state import SEATS, State

Events = list[NimEvent]


def setup(seats: int, options: NimOptions, material: Material, at: Moment, chance: Chance) -> Events:
    """Draw who begins."""
    if seats != len(SEATS):
        raise ValueError(f"two play Nim, not {seats}")
    return [GameBegun(material, options, chance.pick(SEATS), at)]


def decide(state: State, seat: Seat | None, action: NimAction, at: Moment, chance: Chance) -> Events:
    """Return what follows from an action. Refusals: those of `engine.turns` and `judge`."""
    turns.going_on(None if state.winner is None else "last")
    match action:
        case Expire():
            deadline = turns.run_out(seat, action, at, deadlines(state))
            first = next(takes(state))
            return [Lapsed(state.turn, deadline.id), Taken(state.turn, first.heap, first.count, at)]
        case Delay():
            return [turns.delayed(seat, action)]
        case Take():
            turns.on_turn(turns.seated(seat, SEATS), state.turn)
            judge(state, action)
            return [Taken(state.turn, action.heap, action.count, at)]
        case _:
            assert_never(action)


def deadlines(state: State) -> tuple[Deadline, ...]:
    """Return the turn clock of whoever is to take."""
    if state.winner is not None:
        return ()
    return turns.clock(state.options, f"turn-{state.stamp}", (state.turn,), state.began, next(takes(state)))
