"""Prison Break's decisions: the events that follow from an action, refusals, dice, the clock, and automatic steps.

Marks in comments (R4, D1) refer to docs/rules/prison_break.md.
"""

from collections.abc import Sequence
from functools import reduce
from typing import assert_never

from engine import turns
from engine.chance import Chance
from engine.contract import Deadline, Moment, Seat
from engine.games.prison_break.rules import Move, judge, judge_mark, judge_note
from engine.games.prison_break.state import Guarding, Offering, Over, Sneaking, State, Voting, phase_name, to_act
from engine.games.prison_break.transitions import apply_event
from engine.games.prison_break.types import (
    Decline,
    Declined,
    GameBegun,
    GameEnded,
    Guard,
    GuardsSent,
    Kind,
    LightsChecked,
    Mark,
    Marked,
    Material,
    Note,
    Noted,
    Offer,
    Offered,
    OfferSettled,
    Pass,
    Passed,
    PrisonBreakAction,
    PrisonBreakEvent,
    PrisonBreakOptions,
    RoundBegun,
    RowDealt,
    Sneak,
    Sneaked,
    Vote,
    Voted,
)
from engine.turns import InterludeBegun, InterludeEnded, Ready

Events = list[PrisonBreakEvent]


def begin(
    seats: int, options: PrisonBreakOptions, material: Material, at: Moment, chance: Chance
) -> Sequence[GameBegun]:
    """R1: all start on JAIL; R3: P offers lie face up. D2: the highest throw is the first Warden."""
    throws, warden = turns.throw_for_start(seats, chance.roll)  # D2: only those who tied throw again
    row = _shuffled_deck(material, chance)[:seats]
    lasts_ms = turns.interlude_ms(options.interludes)
    return [GameBegun(material, options, throws, warden, tuple(row), at, lasts_ms)]


def act(state: State, seat: Seat, action: PrisonBreakAction, at: Moment, chance: Chance) -> Events:
    """Return what follows from an action. Chance throws the lights' die and shuffles the offers.

    Raises `Refusal`: those of `engine.turns` and of `rules`.
    """
    if isinstance(action, Note):
        return [Noted(seat, judge_note(action, state.notes[seat]))]
    if isinstance(action, Mark):
        judge_mark(state, seat, action)
        return [Marked(seat, action.markers)]
    if isinstance(action, Ready):
        return _follow(state, turns.confirm_ready(state.interlude, seat, range(len(state.prisoners)), at), at, chance)
    turns.require_no_interlude(state.interlude)
    return _follow(state, [_move(state, seat, action, at)], at, chance)


def _move(state: State, seat: Seat, move: Move, at: Moment) -> PrisonBreakEvent:
    judge(state, seat, move)
    match move:
        case Sneak(declare, steps):
            return Sneaked(seat, declare, steps, at)
        case Offer(card, first, second):
            return Offered(card, state.row[card].kind, Seat(first), Seat(second), at)
        case Decline():
            return Declined(seat, at)
        case Vote(accept):
            return Voted(seat, accept)
        case Guard(space):
            # D15: everyone on it, including the checker.
            caught = tuple(Seat(pawn) for pawn, position in enumerate(state.positions) if position == space)
            return GuardsSent(seat, space, caught, at)
        case Pass():
            return Passed(seat, at)
        case _:
            assert_never(move)


# ------------------------------------------------------------------------------------------------------ automatic steps


def _follow(state: State, events: Sequence[PrisonBreakEvent], at: Moment, chance: Chance) -> Events:
    """Return the events and all their consequences, until a player has to move or the game is over."""
    found = [*events]
    state = reduce(apply_event, events, state)
    while (following := _next(state, at, chance)) is not None:
        found.append(following)
        state = apply_event(state, following)
    return found


def _next(state: State, at: Moment, chance: Chance) -> PrisonBreakEvent | None:
    """Return what happens next automatically, or None if the game waits."""
    if state.interlude is not None:
        return None
    match state.phase:
        case Sneaking(seats=()):
            roll = chance.roll()  # R8: one die, also in a round without a Sneak phase
            return LightsChecked(roll, roll in state.material.lights, at)
        case Voting(votes=(bool(first), bool(second))):
            return OfferSettled((first, second), at)  # R10: both are shown together
        case Guarding() if not any(card.up for card in state.row):
            # R11, D10: once the last offer is turned down, new ones are dealt at once from the whole deck.
            return RowDealt(tuple(_shuffled_deck(state.material, chance)[: len(state.prisoners)]))
        case Offering() | Guarding() if state.believed:
            return InterludeBegun(Moment(at + state.interlude_ms))  # D23
        case Guarding(seats=()):
            return _end_of_round(state, at)
        case _:
            return None


def _end_of_round(state: State, at: Moment) -> RoundBegun | GameEnded:
    escaped = [arrival for arrival in state.arrivals if arrival is not None]
    if escaped:  # R15: on EXIT when the round ends. D21: the first to arrive; by the same effect they share
        winners = [seat for seat, arrival in enumerate(state.arrivals) if arrival == min(escaped)]
        return GameEnded("exit", tuple(map(Seat, winners)))
    if 0 < state.options.round_limit <= state.round:  # O2: the furthest pawn; ties share
        winners = [seat for seat, position in enumerate(state.positions) if position == max(state.positions)]
        return GameEnded("rounds", tuple(map(Seat, winners)))
    # D2: the Warden passes clockwise
    return RoundBegun(state.round + 1, Seat((state.warden + 1) % len(state.prisoners)), at)


def _shuffled_deck(material: Material, chance: Chance) -> list[Kind]:
    return chance.shuffled([terms.kind for terms in material.offers for _ in range(material.copies)])


# ---------------------------------------------------------------------------------------------------------------- clock


def deadlines(state: State) -> tuple[Deadline, ...]:
    """Return the turn clock of the awaited player; in an interlude its window.

    A vote has one clock for both: if they expired one by one, the first would reveal its vote while the other is still
    open.
    """
    if state.interlude is not None:
        return turns.interlude_clock(str(state.ui_version), state.interlude, range(len(state.prisoners)))
    seats = to_act(state)
    if not seats:
        return ()
    occasion = f"{phase_name(state)}-{state.round}"
    name = occasion if isinstance(state.phase, Voting) else f"{occasion}-{seats[0]}"
    return turns.clock(state.options, name, seats, state.began, default_action(state, seats[0]))


def window_at(state: State, at: Moment) -> Moment | None:
    """Return when the interlude began that lasts at this moment, if one does."""
    return turns.interlude_at(state.interlude, state.interlude_ms, at)


def expire(state: State, deadline: Deadline, at: Moment, chance: Chance) -> Events:
    """End an interlude whose time is over."""
    return _follow(state, [InterludeEnded(at)], at, chance)


def default_action(state: State, seat: Seat) -> Sneak | Decline | Vote | Pass:
    """Return the safe move for a seat whose clock has run out."""
    match state.phase:
        case Sneaking():
            return Sneak(0, 0)
        case Offering():
            return Decline()
        case Voting():
            return Vote(False)
        case Guarding():
            return Pass()
        case Over():
            raise AssertionError("no clock runs when all is over")
        case _:
            assert_never(state.phase)
