"""Match Five's decisions: the events that follow from an action, refusals, drawing tiles, and the clock.

Marks in comments (R4, D1) refer to docs/rules/match_five.md.
"""

from collections.abc import Sequence
from typing import assert_never

from engine import turns
from engine.chance import Chance
from engine.contract import Deadline, Moment, Seat
from engine.games.match_five.rules import judge_pass, judge_play, judge_swap
from engine.games.match_five.search import singles
from engine.games.match_five.shelf import places_of
from engine.games.match_five.state import Over, Playing, State
from engine.games.match_five.transitions import all_tiles, apply_event
from engine.games.match_five.types import (
    GameBegun,
    GameEnded,
    LastRoundBegun,
    Laying,
    MatchFiveAction,
    MatchFiveEvent,
    MatchFiveOptions,
    Material,
    Pass,
    Passed,
    Play,
    Played,
    Swap,
    Swapped,
    Tile,
    value,
)

Events = list[MatchFiveEvent]


def begin(seats: int, options: MatchFiveOptions, material: Material, at: Moment, chance: Chance) -> Sequence[GameBegun]:
    """R2, R3: everyone draws, and the highest total starts. D2: if the highest tie, all hands are drawn again."""
    deals: list[tuple[tuple[Tile, ...], ...]] = []
    while True:
        tiles = chance.shuffled(all_tiles(options, material))
        hands = tuple(tuple(tiles[seat * material.hand : (seat + 1) * material.hand]) for seat in range(seats))
        deals.append(hands)
        totals = [sum(map(value, hand)) for hand in hands]
        if totals.count(max(totals)) == 1:
            return [GameBegun(material, options, tuple(deals), Seat(totals.index(max(totals))), at)]


def act(state: State, seat: Seat, action: MatchFiveAction, at: Moment, chance: Chance) -> Events:
    """Return what follows from an action. Raises `Refusal`: `not-your-turn`, and those of `rules`."""
    if isinstance(state.phase, Playing):
        turns.require_turn(seat, state.phase.seat)
    return _follow(state, _turn(state, seat, action, at, chance))


def _turn(state: State, seat: Seat, action: MatchFiveAction, at: Moment, chance: Chance) -> MatchFiveEvent:
    match action:
        case Play():
            return _play(state, seat, action.layings, at, chance)
        case Swap():
            judge_swap(state.hands[seat], len(state.bag), action.tiles)
            # D12: drawn before the old tiles go back.
            return Swapped(seat, tuple(action.tiles), _draw(state.bag, len(action.tiles), chance), at)
        case Pass():
            judge_pass(len(state.bag))
            return Passed(seat, at)
        case _:
            assert_never(action)


def _play(state: State, seat: Seat, layings: Sequence[Laying], at: Moment, chance: Chance) -> Played:
    one_line = state.options.placement == "one_line"
    verdict = judge_play(state.stones, state.hands[seat], layings, state.material.bonus, one_line=one_line)
    # R14, D11: the hand is filled up as long as the bag lasts.
    drawn = _draw(state.bag, min(len(layings), len(state.bag)), chance)
    return Played(seat, verdict.stones, verdict.lines, verdict.points, drawn, at)


def _draw(bag: Sequence[Tile], count: int, chance: Chance) -> tuple[Tile, ...]:
    left = list(bag)
    return tuple(left.pop(chance.below(len(left))) for _ in range(count))


def _follow(before: State, played: MatchFiveEvent) -> Events:
    """Return this event and the end that it may bring about."""
    events, state = [played], apply_event(before, played)
    if isinstance(played, Played) and before.last is None and not state.hands[played.seat]:
        events.append(LastRoundBegun(played.seat))  # R19; D16: only a play does, once
        return events
    seats = len(state.hands)
    if before.last is not None and isinstance(state.phase, Playing) and state.phase.seat == before.last:
        events.append(GameEnded("last-tile"))  # R19: everyone else has had one more turn
    elif state.passes == seats:
        events.append(GameEnded("passes"))  # D17: all passed in a row
    elif state.idle == seats * state.material.idle_circuits:
        events.append(GameEnded("idle"))  # D17: two full circuits of nothing but swaps and passes
    return events


# ---------------------------------------------------------------------------------------------------------------- clock


def deadlines(state: State) -> tuple[Deadline, ...]:
    """Return the turn clock. Its default depends on the hand, so it is not revealed in advance."""
    if isinstance(state.phase, Over):
        return ()
    return turns.clock(state.options, f"turn-{len(state.turns)}", (state.phase.seat,), state.began)


def default_action(state: State, seat: Seat) -> MatchFiveAction:
    """D19: return what is done for a seat whose clock has run out: its best single tile; else a swap, or a pass."""
    found = singles(places_of(state.stones, state.material.bonus), state.hands[seat])
    if found:
        return Play(found[0].layings)
    return Swap((state.hands[seat][0],)) if state.bag and state.hands[seat] else Pass()
