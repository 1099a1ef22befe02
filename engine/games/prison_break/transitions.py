"""Prison Break's state transitions: the state after each event. Nothing is decided or drawn here.

Marks in comments (R4, D1) refer to docs/rules/prison_break.md.
"""

from typing import assert_never

import msgspec

from engine.contract import BrokenRecord, ClockShifted, Seat, TimedOut
from engine.games.prison_break.log import (
    Declares,
    Effects,
    GameOver,
    GuardsGo,
    LightsThrown,
    LogEntry,
    NoOffer,
    OfferMade,
    Passes,
    RoundStarts,
    RowTurned,
    TimeRanOut,
    VotesShown,
)
from engine.games.prison_break.markers import marked
from engine.games.prison_break.offers import effects_of, terms_at, terms_of
from engine.games.prison_break.state import (
    Card,
    Guarding,
    Offering,
    Over,
    Prisoner,
    Sneaking,
    State,
    Step,
    Voting,
    balance,
    guards,
    held,
    order,
)
from engine.games.prison_break.types import (
    JAIL,
    Declined,
    GameBegun,
    GameEnded,
    GuardsSent,
    LightsChecked,
    Marked,
    Noted,
    Offered,
    OfferSettled,
    Passed,
    PrisonBreakEvent,
    RoundBegun,
    RowDealt,
    Sneaked,
    Terms,
    Voted,
    Votes,
)
from engine.interning import intern
from engine.turns import Interlude, InterludeBegun, InterludeEnded, Readied, interlude_after, postponed, replace_at


def apply_event(state: State, event: PrisonBreakEvent) -> State:
    """Return the state after an event. Raises `BrokenRecord` if it does not fit the game."""
    match event:
        case Sneaked():
            return _sneaked(state, event)
        case LightsChecked():
            return _lit(state, event)
        case Offered():
            voting = Voting(event.card, event.first, event.second)
            made = OfferMade(state.warden, event.kind, event.first, event.second)
            return _turned(state, made, phase=voting, began=event.at)
        case Declined():
            return _turned(state, NoOffer(event.seat), phase=Guarding(guards(state)), began=event.at)
        case Voted():
            return msgspec.structs.replace(state, phase=_with_vote(state, event))
        case OfferSettled():
            return _settled(state, event)
        case RowDealt():
            return _turned(state, RowTurned(event.row), row=tuple(Card(kind) for kind in event.row))
        case GuardsSent():
            return _guarded(state, event)
        case Passed():
            return _turned(state, Passes(event.seat), phase=_next_guard(state), began=event.at)
        case RoundBegun():
            return _round(state, event)
        case GameEnded():
            over = Over(event.reason, event.winners)
            return _turned(state, GameOver(event.reason, event.winners), phase=over)
        case Noted():
            return msgspec.structs.replace(state, notes=replace_at(state.notes, event.seat, event.text))
        case Marked(seat, text):
            seats, spaces = len(state.prisoners), state.material.spaces
            return msgspec.structs.replace(state, markers=marked(state.markers, seat, text, seats, spaces))
        case TimedOut():
            return msgspec.structs.replace(state, log=(*state.log, intern(TimeRanOut(event.seat))))
        case InterludeBegun():
            return _paused(state, interlude_after(None, event), ui_version=state.ui_version + 1)
        case Readied():
            return _paused(state, interlude_after(state.interlude, event))  # no other control changes its meaning
        case InterludeEnded(at):
            return _paused(state, None, ui_version=state.ui_version + 1, began=at, believed=())
        case ClockShifted():
            state = msgspec.structs.replace(state, began=postponed(state.began, event))
            return _paused(state, interlude_after(state.interlude, event)) if state.interlude else state
        case _:
            assert_never(event)


def first_state(begun: GameBegun) -> State:
    """Return the state after the first event."""
    seats = len(begun.row)  # R3: as many offers as players
    return State(
        material=intern(begun.material),
        options=begun.options,
        phase=Sneaking(order(begun.warden, seats)),
        began=begun.at,
        warden=begun.warden,
        row=tuple(Card(kind) for kind in begun.row),
        prisoners=(Prisoner(begun.material.tokens),) * seats,
        positions=(JAIL,) * seats,
        arrivals=(None,) * seats,
        paths=((),) * seats,
        notes=("",) * seats,
        markers=(((),) * seats,) * seats,
        log=(RoundStarts(1, begun.warden, True, ()),),
        interlude_ms=begun.interlude_ms,
    )


def _paused(state: State, pause: Interlude | None, **changes: object) -> State:
    """Return the state in this interlude, or after it."""
    return msgspec.structs.replace(state, interlude=pause, **changes)


def _sneaked(state: State, sneaked: Sneaked) -> State:
    phase = state.phase
    if not isinstance(phase, Sneaking):
        raise BrokenRecord("prison_break: a sneak outside the Sneak phase")
    seat = sneaked.seat
    steps = tuple(sneaked.moved if other == seat else 0 for other in range(len(state.positions)))
    state = _walked(state, steps)  # D21: every sneak is an effect of its own
    step = intern(Step(state.round, "sneak", sneaked.declared, sneaked.moved, state.positions[seat]))
    prisoner = state.prisoners[seat]
    stopped = _stopped(state, prisoner, sneaked.declared)
    prisoner = msgspec.structs.replace(prisoner, declared=prisoner.declared + sneaked.declared, stopped=stopped)
    return _turned(
        state,
        Declares(seat, sneaked.declared),  # D4: only the declaration is announced
        phase=Sneaking(phase.seats[1:], phase.sits_out),
        began=sneaked.at,
        prisoners=replace_at(state.prisoners, seat, prisoner),
        paths=replace_at(state.paths, seat, (*state.paths[seat], step)),
    )


def _lit(state: State, lights: LightsChecked) -> State:
    """R8: on 5 or 6 all positions are shown to all. D7: as they are now; later moves are hidden again."""
    positions = None
    if lights.on:
        state = _all_shown(state)
        positions = state.positions
    return _turned(state, LightsThrown(lights.roll, positions), phase=Offering(), began=lights.at)


def _settled(state: State, settled: OfferSettled) -> State:
    voting = state.phase
    if not isinstance(voting, Voting):
        raise BrokenRecord("prison_break: an offer settled that nobody made")
    kind = state.row[voting.card].kind
    terms = terms_of(kind, terms_at(state.material, state.options))
    effects = effects_of(terms, len(state.prisoners), voting.first, voting.second, settled.accepts)
    blocked = tuple(
        Seat(seat) for seat, steps in enumerate(effects.steps) if steps > 0 and held(state, Seat(seat))
    )  # D12: those who may not move this round cannot be moved forward by offers; backward they can
    state = _walked(state, tuple(0 if seat in blocked else steps for seat, steps in enumerate(effects.steps)))
    due = _tokens_after(state, terms, voting, settled.accepts)
    state = msgspec.structs.replace(_noted_offer(state, effects, blocked), balance=due)
    state = _all_shown(state) if len(effects.shown) == len(state.prisoners) else _shown(state, effects.shown)
    shown = tuple(position if seat in effects.shown else None for seat, position in enumerate(state.positions))
    votes = VotesShown(kind, voting.first, voting.second, settled.accepts, intern(effects), blocked, shown)
    return _turned(
        state,
        votes,
        phase=Guarding(() if effects.no_guards else guards(state)),  # D13: the next Guard Check phase is this round's
        began=settled.at,
        row=replace_at(state.row, voting.card, Card(kind, up=False)),  # R11: a used offer is turned down
        no_sneak_round=state.round + 1 if effects.no_sneak else state.no_sneak_round,
    )


def _tokens_after(state: State, terms: Terms, voting: Voting, accepts: Votes) -> tuple[int, ...]:
    """Return the balance of tokens after an offer, from its printed terms alone."""
    due = list(balance(state))
    for seat, accept, other in zip(voting.voters, accepts, reversed(accepts), strict=True):
        both = terms.both_accept if accept else terms.both_reject
        effect = both if accept == other else (terms.accept if accept else terms.reject)
        due[seat] = max(0, due[seat] + effect.tokens)  # D11
    return tuple(due)


def _noted_offer(state: State, effects: Effects, blocked: tuple[Seat, ...]) -> State:
    """Return the state with tokens and holds changed, printed steps added, and the owners' private paths extended."""
    prisoners, paths = list(state.prisoners), list(state.paths)
    for seat, prisoner in enumerate(state.prisoners):
        steps = 0 if seat in blocked else effects.steps[seat]
        prisoners[seat] = msgspec.structs.replace(
            prisoner,
            tokens=max(0, prisoner.tokens + effects.tokens[seat]),  # D11: never below 0
            printed=prisoner.printed + steps,
            stopped=_stopped(state, prisoner, steps),
            held_round=state.round + 1 if seat in effects.held else prisoner.held_round,
        )
        if steps:
            paths[seat] = (*paths[seat], intern(Step(state.round, "offer", None, steps, state.positions[seat])))
    return msgspec.structs.replace(state, prisoners=tuple(prisoners), paths=tuple(paths))


def _guarded(state: State, sent: GuardsSent) -> State:
    checker = state.prisoners[sent.seat]
    checker = msgspec.structs.replace(checker, tokens=checker.tokens - 1)
    prisoners, paths = list(replace_at(state.prisoners, sent.seat, checker)), list(state.paths)
    for seat in sent.caught:
        # R14: the next Sneak phase is skipped. D17: the position is public, so the declared sum starts again.
        prisoners[seat] = msgspec.structs.replace(prisoners[seat], skips=True)
        paths[seat] = (*paths[seat], intern(Step(state.round, "guards", None, 0, JAIL)))
    positions = tuple(JAIL if seat in sent.caught else position for seat, position in enumerate(state.positions))
    due = replace_at(balance(state), sent.seat, balance(state)[sent.seat] - 1)
    state = msgspec.structs.replace(
        state, positions=positions, prisoners=tuple(prisoners), paths=tuple(paths), balance=due
    )
    return _turned(
        _shown(state, sent.caught),
        GuardsGo(sent.seat, sent.space, sent.caught),
        phase=_next_guard(state),
        began=sent.at,
    )


def _round(state: State, begun: RoundBegun) -> State:
    seats = order(begun.warden, len(state.prisoners))
    sneaks = begun.round != state.no_sneak_round
    # D16: this skips the next Sneak phase that takes place, so it is kept while there is none.
    sits_out = tuple(seat for seat in seats if sneaks and state.prisoners[seat].skips)
    prisoners = tuple(
        msgspec.structs.replace(prisoner, skips=False) if seat in sits_out else prisoner
        for seat, prisoner in enumerate(state.prisoners)
    )
    sneakers = tuple(seat for seat in seats if sneaks and seat not in sits_out)
    return _turned(
        state,
        RoundStarts(begun.round, begun.warden, sneaks, sits_out),
        phase=Sneaking(sneakers, sits_out),
        began=begun.at,
        warden=begun.warden,
        round=begun.round,
        prisoners=prisoners,
    )


def _walked(state: State, steps: tuple[int, ...]) -> State:
    """Return the state after one effect that moves everyone by these steps at the same time.

    D11: positions are limited to the range from JAIL to EXIT; a pawn that reaches EXIT has arrived, one that leaves it
    has not.
    """
    exit_ = state.material.spaces + 1
    positions = tuple(
        min(max(position + step, JAIL), exit_) for position, step in zip(state.positions, steps, strict=True)
    )
    effects = state.effects + 1
    arrivals = tuple(
        None if position < exit_ else effects if arrival is None else arrival
        for position, arrival in zip(positions, state.arrivals, strict=True)
    )
    return msgspec.structs.replace(state, positions=positions, arrivals=arrivals, effects=effects)


def _shown(state: State, seats: tuple[Seat, ...]) -> State:
    """Return the state after these positions became public."""
    prisoners = tuple(
        msgspec.structs.replace(
            prisoner, seen=state.positions[seat], seen_round=state.round, declared=0, printed=0, stopped=0
        )
        if seat in seats
        else prisoner
        for seat, prisoner in enumerate(state.prisoners)
    )
    return msgspec.structs.replace(state, prisoners=prisoners)


def _all_shown(state: State) -> State:
    """Return the state after the lights showed all. D23: what was believed of them stays visible for a while."""
    believed = state.prisoners if state.interlude_ms else ()
    return msgspec.structs.replace(_shown(state, tuple(map(Seat, range(len(state.prisoners))))), believed=believed)


def _stopped(state: State, prisoner: Prisoner, steps: int) -> int:
    """Return what the ends of the track have taken from a prisoner's sums after these further steps, if all of it is
    true.

    Each step stops there separately, so a pawn that is pushed back in JAIL and then goes 1 is on 1.
    """
    end, led = state.material.spaces + 1, prisoner.led + steps
    return prisoner.stopped + min(max(led, JAIL), end) - led


def _turned(state: State, entry: LogEntry, **changes: object) -> State:
    """Return the state after a public fact: logged, and earlier controls are stale."""
    return msgspec.structs.replace(state, log=(*state.log, intern(entry)), ui_version=state.ui_version + 1, **changes)


def _with_vote(state: State, voted: Voted) -> Voting:
    voting = state.phase
    if not isinstance(voting, Voting):
        raise BrokenRecord("prison_break: a vote without an offer")
    first, second = voting.votes
    votes = (voted.accept, second) if voted.seat == voting.first else (first, voted.accept)
    return msgspec.structs.replace(voting, votes=votes)


def _next_guard(state: State) -> Guarding:
    if not isinstance(state.phase, Guarding):
        raise BrokenRecord("prison_break: a guard check outside its phase")
    return Guarding(state.phase.seats[1:])
