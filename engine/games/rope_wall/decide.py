"""The Rope Wall's decisions: the events that follow from an action, refusals, and the clock.

Marks in comments (R4, D1) refer to docs/rules/rope_wall.md.
"""

from collections.abc import Sequence
from typing import assert_never

from engine import turns
from engine.chance import Chance
from engine.contract import Deadline, Moment, Refusal, Seat
from engine.games.rope_wall.rules import Verdict, default_push, judge
from engine.games.rope_wall.state import Choosing, Over, Pausing, Pushing, State, hand, interlude, turn
from engine.games.rope_wall.transitions import apply_event
from engine.games.rope_wall.types import (
    ChooseExits,
    Escaped,
    GameBegun,
    GameEnded,
    Material,
    Push,
    Pushed,
    Resign,
    Resigned,
    RopeWallAction,
    RopeWallEvent,
    RopeWallOptions,
    RoundBegun,
    RoundCancelled,
    Skipped,
)
from engine.games.rope_wall.wall import SEATS, other, outside, ropes_to, turns_left_after
from engine.turns import InterludeEnded, Ready

Events = list[RopeWallEvent]


def begin(seats: int, options: RopeWallOptions, material: Material, at: Moment, chance: Chance) -> Sequence[GameBegun]:
    """R18: the first round's starter is chosen at random."""
    return [GameBegun(material, options, chance.pick(SEATS), at, turns.interlude_ms(options.interludes))]


def act(state: State, seat: Seat, action: RopeWallAction, at: Moment, chance: Chance) -> Events:
    """Return what follows from an action. Chance is not used after the game has begun.

    Raises `Refusal`: those of `engine.turns`; `not-your-turn`, `no-knot`, `choose-first` (facts `turn`); those of
    `rules`; `nothing-to-choose`; `not-a-choice` (fact `columns`).
    """
    match action:
        case Push():
            turns.require_no_interlude(interlude(state))
            return _push(state, seat, action, at)
        case ChooseExits():
            turns.require_no_interlude(interlude(state))
            return _choose(state, seat, action, at)
        case Ready():
            return _resumed(state, turns.confirm_ready(interlude(state), seat, SEATS, at), at)
        case Resign():  # D15
            return [Resigned(seat), GameEnded("resigned", other(seat))]
        case _:
            assert_never(action)


def _push(state: State, seat: Seat, push: Push, at: Moment) -> Events:
    if isinstance(state.phase, Choosing):
        raise Refusal("choose-first", turn=state.phase.seat)
    if turn(state) != seat:
        # R9: a player without a knot in hand waits until one comes back.
        raise Refusal("not-your-turn" if hand(state, seat) else "no-knot", turn=turn(state))
    verdict = judge(state, seat, push)
    return _follow(state, Pushed(seat, push.floor, push.side, verdict.fell, at), verdict)


def _follow(state: State, pushed: Pushed, verdict: Verdict) -> Events:
    """Return the push and its consequences: a won round, a cancelled one, or skipped turns."""
    events: Events = [pushed]
    won = verdict.won
    if won is not None:
        events.append(won)
        if len(won.choices) == 1:  # D5: a choice of one is made automatically
            events += _escape(apply_event(apply_event(state, pushed), won), won.seat, won.choices[0], pushed.at)
        return events
    material, seat = state.material, other(pushed.seat)
    turns_left = turns_left_after(state.full_turns_left, verdict.wall, material)
    # R21, D11: ten turns in all after the push that fills the wall; a link on the tenth has already won.
    while turns_left != 0 and state.pushes_left != 1:  # D12
        if outside(verdict.wall, seat, material):
            return events
        events.append(Skipped(seat))  # R9; the opponent has one: both have more than the wall holds
        seat, turns_left = other(seat), turns_left_after(turns_left, verdict.wall, material)
    return events + _cancel(state, RoundCancelled("full-wall" if turns_left == 0 else "pushes"), pushed.at)


def _choose(state: State, seat: Seat, choose: ChooseExits, at: Moment) -> Events:
    if not isinstance(state.phase, Choosing):
        raise Refusal("nothing-to-choose", turn=turn(state))
    turns.require_turn(seat, state.phase.seat)
    if choose.columns not in state.phase.choices:
        raise Refusal("not-a-choice", columns=choose.columns)
    return _escape(state, seat, choose.columns, at)


def _escape(state: State, winner: Seat, columns: tuple[int, ...], at: Moment) -> Events:
    escaped = Escaped(winner, columns, ropes_to(state.wall, winner, columns, state.doubles))
    if apply_event(state, escaped).exits.count(winner) == state.goal:  # R22
        return [escaped, GameEnded("prisoners", winner)]
    return [escaped, *_next_round(state, other(winner), at)]  # R19: the loser of the round starts the next


def _cancel(state: State, cancelled: RoundCancelled, at: Moment) -> Events:
    """D10: the same starter again; D14: after three in a row the game ends and most prisoners wins."""
    state = apply_event(state, cancelled)
    if state.cancelled < state.material.cancelled_rounds:
        return [cancelled, *_next_round(state, state.starter, at)]
    first, second = (state.exits.count(seat) for seat in SEATS)
    winner = None if first == second else SEATS[first < second]
    return [cancelled, GameEnded("cancelled", winner)]


def _next_round(state: State, starter: Seat, at: Moment) -> Sequence[RopeWallEvent]:
    """D16: the finished round stays visible before the next one begins."""
    return turns.interlude(state.interlude_ms, at) or (RoundBegun(starter, at),)


def _resumed(state: State, events: Sequence[RopeWallEvent], at: Moment) -> Events:
    assert isinstance(state.phase, Pausing)
    begins = isinstance(events[-1], InterludeEnded)
    return [*events, *([RoundBegun(state.phase.starter, at)] if begins else ())]


# ---------------------------------------------------------------------------------------------------------------- clock


def deadlines(state: State) -> tuple[Deadline, ...]:
    """Return the turn clock of the player who pushes or chooses; both have the same time."""
    match state.phase:
        case Over():
            return ()
        case Pausing(_, pause):
            return turns.interlude_clock(str(state.round), pause, SEATS)
        case Pushing(seat) | Choosing(seat):
            # The default takes some searching, so it is computed only if a clock runs.
            default = default_action(state, seat) if state.options.clock else None
            return turns.clock(state.options, f"turn-{state.ui_version}", (seat,), state.began, default)
        case _:
            assert_never(state.phase)


def default_action(state: State, seat: Seat) -> Push | ChooseExits:
    """Return what is played for a seat whose clock has run out."""
    if isinstance(state.phase, Choosing):
        return ChooseExits(state.phase.choices[0])  # D5: on time-out the leftmost
    return default_push(state, seat)


def window_at(state: State, at: Moment) -> Moment | None:
    """Return when the interlude began that lasts at this moment, if one does."""
    return turns.interlude_at(interlude(state), state.interlude_ms, at)


def expire(state: State, deadline: Deadline, at: Moment, chance: Chance) -> Events:
    """End an interlude whose time is over."""
    return _resumed(state, [InterludeEnded(at)], at)
