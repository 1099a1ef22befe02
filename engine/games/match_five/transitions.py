"""Match Five's state transitions: the state after each event. Nothing is decided or drawn here.

Marks in comments (R4, D1) refer to docs/rules/match_five.md.
"""

from collections.abc import Sequence
from typing import assert_never

import msgspec

from engine.contract import ClockShifted, Moment, Seat, TimedOut
from engine.games.match_five.state import Over, Playing, State, Turn, scored
from engine.games.match_five.types import (
    TILES,
    WILD,
    GameBegun,
    GameEnded,
    LastRoundBegun,
    MatchFiveEvent,
    MatchFiveOptions,
    Material,
    Passed,
    Played,
    Swapped,
    Tile,
)
from engine.interning import intern
from engine.turns import postponed, replace_at


def all_tiles(options: MatchFiveOptions, material: Material) -> list[Tile]:
    """D1: return the copies of each tile, and the Wilds."""
    return [*TILES * options.copies, *[WILD] * material.wilds]


def apply_event(state: State, event: MatchFiveEvent) -> State:
    """Return the state after an event."""
    match event:
        case Played():
            return _played(state, event)
        case Swapped():
            hand = _without(state.hands[event.seat], event.back) + event.drawn
            bag = tuple(sorted([*_without(state.bag, event.drawn), *event.back]))
            turn = Turn(event.seat, "swap", swapped=len(event.back), drawn=len(event.drawn), lapsed=state.lapsed)
            return _next(state, event.seat, event.at, turn, hand, bag, event.drawn, passes=0, idle=state.idle + 1)
        case Passed():
            turn = Turn(event.seat, "pass", lapsed=state.lapsed)
            return _next(
                state,
                event.seat,
                event.at,
                turn,
                state.hands[event.seat],
                state.bag,
                (),
                passes=state.passes + 1,
                idle=state.idle + 1,
            )
        case LastRoundBegun():
            return msgspec.structs.replace(state, last=event.seat)
        case GameEnded():
            return msgspec.structs.replace(state, phase=Over(event.reason))
        case TimedOut():
            return msgspec.structs.replace(state, lapsed=True)
        case ClockShifted():
            return msgspec.structs.replace(state, began=postponed(state.began, event))
        case _:
            assert_never(event)


def first_state(begun: GameBegun) -> State:
    """Return the state after the first event."""
    hands = begun.deals[-1]
    bag = _without(all_tiles(begun.options, begun.material), [tile for hand in hands for tile in hand])
    return State(
        material=intern(begun.material),
        options=begun.options,
        phase=Playing(begun.starter),
        began=begun.at,
        starter=begun.starter,
        hands=hands,
        bag=tuple(sorted(bag)),
        drawn=hands,
        scores=(0,) * len(hands),
    )


def _played(state: State, played: Played) -> State:
    laid = [WILD if stone.wild else stone.tile for stone in played.stones]
    hand = _without(state.hands[played.seat], laid) + played.drawn
    turn = Turn(
        played.seat,
        "play",
        played.points,
        played.stones,
        scored(played.lines),
        drawn=len(played.drawn),
        lapsed=state.lapsed,
    )
    bag = _without(state.bag, played.drawn)
    after = _next(state, played.seat, played.at, turn, hand, bag, played.drawn, passes=0, idle=0)
    scores = tuple(score + played.points if seat == played.seat else score for seat, score in enumerate(state.scores))
    return msgspec.structs.replace(after, stones=(*state.stones, *played.stones), scores=scores)


def _next(
    state: State,
    seat: Seat,
    at: Moment,
    turn: Turn,
    hand: tuple[Tile, ...],
    bag: tuple[Tile, ...],
    drawn: tuple[Tile, ...],
    *,
    passes: int,
    idle: int,
) -> State:
    """Return the state in which the next seat, clockwise, has to play."""
    return msgspec.structs.replace(
        state,
        phase=Playing(Seat((seat + 1) % len(state.hands))),
        began=at,
        hands=replace_at(state.hands, seat, hand),
        bag=bag,
        drawn=replace_at(state.drawn, seat, drawn),
        turns=(*state.turns, turn if turn.stones else intern(turn)),
        passes=passes,
        idle=idle,
        lapsed=False,
    )


def _without(tiles: Sequence[Tile], taken: Sequence[Tile]) -> tuple[Tile, ...]:
    left = list(tiles)
    for tile in taken:
        left.remove(tile)
    return tuple(left)
