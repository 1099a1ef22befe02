"""Prison Break's rules: everyone sneaks along a hidden track, says what they like about it, and guards are called.

Marks in comments (R4, D1) are those of docs/rules/prison_break.md. May import `engine` and msgspec only.
"""

from collections.abc import Iterator
from functools import reduce
from itertools import combinations
from typing import assert_never

from engine.chance import Chance
from engine.contract import Deadline, Delay, Delayed, Expire, Game, Lapsed, Moment, Outcome, Refusal, Seat
from engine.games.prison_break.offers import terms_at
from engine.games.prison_break.pieces import (
    NOTE_LENGTH,
    Decline,
    Declined,
    GameBegun,
    GameEnded,
    Guard,
    GuardsSent,
    Kind,
    LightsChecked,
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
from engine.games.prison_break.record import evolve
from engine.games.prison_break.table import (
    Guarding,
    Offering,
    Over,
    PrisonBreakView,
    Proposal,
    Sneaking,
    State,
    Voting,
    held,
    phase_name,
    waiting,
)

SEATS = range(2, 5)
Events = list[PrisonBreakEvent]


# ---------------------------------------------------------------------------------------------------------------- setup


def setup(seats: int, options: PrisonBreakOptions, material: Material, at: Moment, chance: Chance) -> Events:
    """R1: all start on JAIL; R3: P offers lie face up. D2: the highest throw is the first Warden."""
    if seats not in SEATS:
        raise ValueError(f"2 to 4 break out of this prison, not {seats}")
    throws: list[tuple[int | None, ...]] = []
    tied = list(range(seats))
    while len(tied) > 1:  # D2: only those who tied throw again
        throw = tuple(chance.roll() if seat in tied else None for seat in range(seats))
        throws.append(throw)
        tied = [seat for seat in tied if throw[seat] == max(pips for pips in throw if pips is not None)]
    row = _shuffled_deck(material, chance)[:seats]
    return [GameBegun(material, options, tuple(throws), Seat(tied[0]), tuple(row), at)]


# --------------------------------------------------------------------------------------------------------------- decide


def decide(state: State, seat: Seat | None, action: PrisonBreakAction, at: Moment, chance: Chance) -> Events:
    """Return what follows from an action. Chance throws the lights' die and shuffles the offers.

    Refusals: `over` (fact `reason`); `clock-only`; `not-seated`; `wrong-phase` (facts `phase`, the present one, and
    `needs`); `not-your-turn` (fact `turn`); `sits-out`; `no-declaration`, `no-move` (facts `spaces`, `most`); `held`
    (fact `spaces`); `not-warden` (fact `warden`); `no-card`, `card-down` (fact `card`); `no-player` (fact `player`);
    `same-player` (fact `player`); `not-asked` (facts `first`, `second`); `voted`; `no-token`; `no-space` (facts
    `space`, `spaces`); `note-too-long` (facts `length`, `most`); `note-unreadable`; `late` (fact `deadline`);
    `early` (facts `deadline`, `due`); `no-delay` (fact `by_ms`).
    """
    if isinstance(state.phase, Over):
        raise Refusal("over", reason=state.phase.reason)
    if isinstance(action, Expire | Delay):
        if seat is not None:
            raise Refusal("clock-only")
        return _expire(state, action, at, chance) if isinstance(action, Expire) else _delay(action)
    if seat is None or seat not in range(len(state.prisoners)):
        raise Refusal("not-seated")
    if isinstance(action, Note):
        return [_note(seat, action)]
    return _follow(state, _move(state, seat, action, at), at, chance)


def _move(
    state: State, seat: Seat, action: Sneak | Offer | Decline | Vote | Guard | Pass, at: Moment
) -> PrisonBreakEvent:
    match action:
        case Sneak():
            return _sneak(state, seat, action, at)
        case Offer():
            return _offer(state, seat, action, at)
        case Decline():
            _check_warden(state, seat)  # D8: the Warden may make no offer
            return Declined(seat, at)
        case Vote():
            return _vote(state, seat, action)
        case Guard():
            return _guard(state, seat, action, at)
        case Pass():
            _check_guarding(state, seat)
            return Passed(seat, at)
        case _:
            assert_never(action)


def _sneak(state: State, seat: Seat, sneak: Sneak, at: Moment) -> Sneaked:
    """R6: declare 0, 1 or 2, and move 0, 1 or 2; the two may differ."""
    if not isinstance(state.phase, Sneaking):
        raise Refusal("wrong-phase", phase=phase_name(state), needs="sneak")
    if seat in state.phase.sits_out:
        raise Refusal("sits-out")
    _check_turn(seat, state.phase.seats[0])  # R6: one after the other
    most = state.material.longest_sneak
    if not 0 <= sneak.declare <= most:
        raise Refusal("no-declaration", spaces=sneak.declare, most=most)
    if not 0 <= sneak.move <= most:
        raise Refusal("no-move", spaces=sneak.move, most=most)
    if sneak.move and held(state, seat):  # D12: they declare, but the move is 0
        raise Refusal("held", spaces=sneak.move)
    return Sneaked(seat, sneak.declare, sneak.move, at)


def _offer(state: State, seat: Seat, offer: Offer, at: Moment) -> Offered:
    """R9: a face-up offer and two different players, the Warden among them or not."""
    _check_warden(state, seat)
    if not 0 <= offer.card < len(state.row):
        raise Refusal("no-card", card=offer.card)
    card = state.row[offer.card]
    if not card.up:
        raise Refusal("card-down", card=offer.card)
    for player in (offer.first, offer.second):
        if player not in range(len(state.prisoners)):
            raise Refusal("no-player", player=player)
    if offer.first == offer.second:
        raise Refusal("same-player", player=offer.first)
    return Offered(offer.card, card.kind, Seat(offer.first), Seat(offer.second), at)


def _vote(state: State, seat: Seat, vote: Vote) -> Voted:
    if not isinstance(state.phase, Voting):
        raise Refusal("wrong-phase", phase=phase_name(state), needs="vote")
    voting = state.phase
    if seat not in voting.voters:
        raise Refusal("not-asked", first=voting.first, second=voting.second)
    if voting.of(seat) is not None:
        raise Refusal("voted")  # D9: a vote is final
    return Voted(seat, vote.accept)


def _guard(state: State, seat: Seat, guard: Guard, at: Moment) -> GuardsSent:
    """R13, D15: a token for a numbered space; everyone on it, the checker included, goes to JAIL."""
    _check_guarding(state, seat)
    if not 1 <= guard.space <= state.material.spaces:  # D20: EXIT cannot be checked
        raise Refusal("no-space", space=guard.space, spaces=state.material.spaces)
    caught = tuple(Seat(seat) for seat, position in enumerate(state.positions) if position == guard.space)
    return GuardsSent(seat, guard.space, caught, at)


def _note(seat: Seat, note: Note) -> Noted:
    if len(note.text) > NOTE_LENGTH:
        raise Refusal("note-too-long", length=len(note.text), most=NOTE_LENGTH)
    try:
        note.text.encode()
    except UnicodeEncodeError as error:  # half of a surrogate pair: it could not be stored
        raise Refusal("note-unreadable") from error
    return Noted(seat, note.text)


def _expire(state: State, expire: Expire, at: Moment, chance: Chance) -> Events:
    for deadline in deadlines(state):
        if deadline.id == expire.deadline:
            if at < deadline.due:
                raise Refusal("early", deadline=expire.deadline, due=deadline.due)
            events: Events = []
            for seat in deadline.seats:
                lapsed = Lapsed(seat, expire.deadline)
                follow = _follow(state, _move(state, seat, _default(state), at), at, chance)
                events += [lapsed, *follow]
                state = reduce(evolve, follow, state)
            return events
    raise Refusal("late", deadline=expire.deadline)


def _delay(delay: Delay) -> Events:
    if delay.by_ms < 1:
        raise Refusal("no-delay", by_ms=delay.by_ms)
    return [Delayed(delay.by_ms)]


def _check_turn(seat: Seat, turn: Seat) -> None:
    if seat != turn:
        raise Refusal("not-your-turn", turn=turn)


def _check_warden(state: State, seat: Seat) -> None:
    if not isinstance(state.phase, Offering):
        raise Refusal("wrong-phase", phase=phase_name(state), needs="offer")
    if seat != state.warden:
        raise Refusal("not-warden", warden=state.warden)


def _check_guarding(state: State, seat: Seat) -> None:
    """R13: in turn order from the Warden. D15: one check a player a round; D18: who has no token is passed over."""
    if not isinstance(state.phase, Guarding):
        raise Refusal("wrong-phase", phase=phase_name(state), needs="guard")
    if not state.prisoners[seat].tokens:
        raise Refusal("no-token")
    _check_turn(seat, state.phase.seats[0])


# -------------------------------------------------------------------------------------------------- what goes by itself


def _follow(state: State, event: PrisonBreakEvent, at: Moment, chance: Chance) -> Events:
    """Return the event and all that it brings about, until somebody is to move or the game is over."""
    events: Events = []
    following: PrisonBreakEvent | None = event
    while following is not None:
        events.append(following)
        state = evolve(state, following)
        following = _next(state, at, chance)
    return events


def _next(state: State, at: Moment, chance: Chance) -> PrisonBreakEvent | None:
    """Return what happens next without anybody's doing, or None where the game waits."""
    match state.phase:
        case Sneaking(seats=()):
            roll = chance.roll()  # R8: one die, also in a round without a Sneak phase
            return LightsChecked(roll, roll in state.material.lights, at)
        case Voting(votes=(bool(first), bool(second))):
            return OfferSettled((first, second), at)  # R10: both are shown together
        case Guarding() if not any(card.up for card in state.row):
            # R11, D10: the last offer is turned down, so that new ones are dealt at once, from the whole deck.
            return RowDealt(tuple(_shuffled_deck(state.material, chance)[: len(state.prisoners)]))
        case Guarding(seats=()):
            return _end_of_round(state, at)
        case _:
            return None


def _end_of_round(state: State, at: Moment) -> RoundBegun | GameEnded:
    escaped = [arrival for arrival in state.arrivals if arrival is not None]
    if escaped:  # R15: on EXIT when the round ends. D21: who came first; by the same effect they share it
        winners = [seat for seat, arrival in enumerate(state.arrivals) if arrival == min(escaped)]
        return GameEnded("exit", tuple(map(Seat, winners)))
    if state.round >= state.options.round_limit:  # O2: the furthest pawn, ties shared
        winners = [seat for seat, position in enumerate(state.positions) if position == max(state.positions)]
        return GameEnded("rounds", tuple(map(Seat, winners)))
    # D2: the Warden passes clockwise
    return RoundBegun(state.round + 1, Seat((state.warden + 1) % len(state.prisoners)), at)


def _shuffled_deck(material: Material, chance: Chance) -> list[Kind]:
    return chance.shuffled([terms.kind for terms in material.offers for _ in range(material.copies)])


# ------------------------------------------------------------------------------------------------- legal, view, clock


def legal(state: State, seat: Seat) -> Iterator[PrisonBreakAction]:
    """Yield what this seat may play. A note, always accepted, is no play and left out; each pair is named once."""
    match state.phase:
        case Sneaking(seats=(turn, *_)) if turn == seat:
            spaces = range(state.material.longest_sneak + 1)
            moves = range(1) if held(state, seat) else spaces
            yield from (Sneak(declare, move) for declare in spaces for move in moves)
        case Offering() if seat == state.warden:
            pairs = list(combinations(range(len(state.prisoners)), 2))
            up = [place for place, card in enumerate(state.row) if card.up]
            yield from (Offer(card, first, second) for card in up for first, second in pairs)
            yield Decline()
        case Voting() if seat in waiting(state):
            yield Vote(True)
            yield Vote(False)
        case Guarding(seats=(turn, *_)) if turn == seat:
            yield from (Guard(space) for space in range(1, state.material.spaces + 1))
            yield Pass()
        case _:
            return


def view(state: State, seat: Seat | None) -> PrisonBreakView:
    """Return what is public, and what this seat keeps behind its screen. D22: at the end all tracks are shown."""
    phase = state.phase
    over = phase if isinstance(phase, Over) else None
    awaited = waiting(state)
    mine = (seat,) if seat is not None else ()
    open_ = range(len(state.prisoners)) if over else mine
    return PrisonBreakView(
        seat=seat,
        waiting=awaited,
        stamp=state.stamp,
        spaces=state.material.spaces,
        longest_sneak=state.material.longest_sneak,
        lights=state.material.lights,
        terms=terms_at(state.material, state.options),
        round=state.round,
        round_limit=state.options.round_limit,
        warden=state.warden,
        phase=phase_name(state),
        turn=awaited[0] if awaited and not isinstance(phase, Voting) else None,
        sits_out=phase.sits_out if isinstance(phase, Sneaking) else (),
        row=state.row,
        proposal=_proposal(state, phase) if isinstance(phase, Voting) else None,
        prisoners=state.prisoners,
        no_sneak_round=state.no_sneak_round,
        log=state.log,
        reason=over.reason if over else None,
        winners=over.winners if over else (),
        positions=tuple(at if owner in open_ else None for owner, at in enumerate(state.positions)),
        paths=tuple(path if owner in open_ else () for owner, path in enumerate(state.paths)),
        my_vote=phase.of(seat) if isinstance(phase, Voting) else None,
        note="" if seat is None else state.notes[seat],
    )


def deadlines(state: State) -> tuple[Deadline, ...]:
    """Return the turn clock of whoever is awaited.

    A vote has one for both: if each lapsed by itself, the first would betray its vote while the other is still open.
    """
    seats = waiting(state)
    if not state.options.clock or not seats:
        return ()
    occasion = f"{phase_name(state)}-{state.round}"
    name = occasion if isinstance(state.phase, Voting) else f"{occasion}-{seats[0]}"
    due = Moment(state.began + 1000 * state.options.clock)
    return (Deadline(name, seats, due, _default(state)),)


def outcome(state: State) -> Outcome | None:
    """Scores are positions, JAIL 0. Places go by position, on EXIT by arrival. Reasons: `exit` and `rounds`."""
    if not isinstance(state.phase, Over):
        return None
    keys = [(-position, arrival or 0) for position, arrival in zip(state.positions, state.arrivals, strict=True)]
    return Outcome(
        places=tuple(1 + sum(other < key for other in keys) for key in keys),
        scores=state.positions,
        reason=state.phase.reason,
    )


# ------------------------------------------------------------------------------------------------------- at the table


def _default(state: State) -> Sneak | Decline | Vote | Pass:
    """Return the safe move of whoever lets the clock run out now."""
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


def _proposal(state: State, voting: Voting) -> Proposal:
    """R10: who has voted is seen, how they voted is not."""
    voted = tuple(voter for voter in voting.voters if voting.of(voter) is not None)
    return Proposal(voting.card, state.row[voting.card].kind, voting.first, voting.second, voted)


GAME = Game[State, PrisonBreakAction, PrisonBreakEvent, PrisonBreakView, PrisonBreakOptions, Material](
    key="prison_break",
    title="Prison Break",
    seats=SEATS,
    options=PrisonBreakOptions,
    material=Material,
    actions=PrisonBreakAction,
    events=PrisonBreakEvent,
    views=PrisonBreakView,
    setup=setup,
    decide=decide,
    evolve=evolve,
    legal=legal,
    view=view,
    deadlines=deadlines,
    outcome=outcome,
    hides=True,
    draws={"begun": ("throws", "warden", "row"), "lights": ("roll", "on"), "dealt": ("row",)},
)
