"""The Rope Wall's rules: two players push knots into a wall; a rope from its floor to its top frees a prisoner.

Marks in comments (R, D) are those of the rule page `rope_wall`. May import `engine` and msgspec only.
"""

from collections.abc import Iterator
from typing import assert_never, get_args

import msgspec

from engine.chance import Chance
from engine.contract import (
    BrokenRecord,
    Deadline,
    Delay,
    Delayed,
    Expire,
    Game,
    Lapsed,
    Moment,
    Outcome,
    Refusal,
    Seat,
)
from engine.games.rope_wall.pieces import (
    ChooseExits,
    Choosing,
    Escaped,
    GameBegun,
    GameEnded,
    Material,
    Opening,
    Over,
    Push,
    Pushed,
    Pushing,
    Resign,
    Resigned,
    RopeWallAction,
    RopeWallEvent,
    RopeWallOptions,
    RopeWallView,
    RoundBegun,
    RoundCancelled,
    RoundWon,
    Side,
    Skipped,
    State,
)
from engine.games.rope_wall.wall import SEATS, across, empty, other, ropes_to, round_won, shoved

SIDES: tuple[Side, ...] = get_args(Side)

RECENT = 5
"""So many pushes are told to who looks at the wall."""

Events = list[RopeWallEvent]


# ---------------------------------------------------------------------------------------------------------------- setup


def setup(seats: int, options: RopeWallOptions, material: Material, at: Moment, chance: Chance) -> Events:
    """R: the first round's starter is drawn by lot."""
    if seats != len(SEATS):
        raise ValueError(f"two play at the wall, not {seats}")
    return [GameBegun(material, options, chance.pick(SEATS), at)]


# --------------------------------------------------------------------------------------------------------------- decide


def decide(state: State, seat: Seat | None, action: RopeWallAction, at: Moment, chance: Chance) -> Events:
    """Return what follows from an action. Chance has no part in a game that has begun.

    Refusals: `over`; `clock-only`; `not-seated`; `not-your-turn`, `no-knot`, `choose-first` (facts `turn`);
    `no-such-opening`, `barred` (facts `floor`, `side`); `nothing-to-choose`; `not-a-choice` (fact `columns`);
    `late` and `early` (facts `deadline`, `due`); `no-delay`.
    """
    if isinstance(state.phase, Over):
        raise Refusal("over", reason=state.phase.reason)
    if isinstance(action, Expire | Delay):
        if seat is not None:
            raise Refusal("clock-only")
        return _expire(state, action, at) if isinstance(action, Expire) else _delay(action)
    if seat not in SEATS:
        raise Refusal("not-seated")
    match action:
        case Push():
            return _push(state, seat, action, at)
        case ChooseExits():
            return _choose(state, seat, action, at)
        case Resign():
            return [Resigned(seat), GameEnded("resigned", other(seat))]
        case _:
            assert_never(action)


def _push(state: State, seat: Seat, push: Push, at: Moment) -> Events:
    if isinstance(state.phase, Choosing):
        raise Refusal("choose-first", turn=state.phase.seat)
    if _turn(state) != seat:
        # R: who has no knot left waits until one comes back.
        raise Refusal("not-your-turn" if _hand(state, seat) else "no-knot", turn=_turn(state))
    if not 1 <= push.floor <= state.material.floors or push.side not in SIDES:
        raise Refusal("no-such-opening", floor=push.floor, side=push.side)
    if Opening(push.floor, push.side) in state.barred[seat]:
        raise Refusal("barred", floor=push.floor, side=push.side)
    _, fell = shoved(state.wall, push, seat)
    return _follow(state, Pushed(seat, push.floor, push.side, fell, at))


def _follow(state: State, pushed: Pushed) -> Events:
    """Return the push and what it brings about: a won round, a cancelled one, or skipped turns."""
    events: Events = [pushed]
    state = evolve(state, pushed)
    won = round_won(state.wall, state.exits, pushed.seat, state.material.prisoners)
    if won is not None:
        events.append(won)
        if len(won.choices) == 1:  # D: a choice of one is made automatically
            events += _escape(evolve(state, won), won.seat, won.choices[0], pushed.at)
        return events
    while True:
        # R, D: ten turns in all after the filling push, and a link on the tenth has won already.
        if state.full_turns_left == 0:
            return events + _cancel(state, RoundCancelled("full-wall"), pushed.at)
        if state.pushes == state.material.round_pushes:
            return events + _cancel(state, RoundCancelled("pushes"), pushed.at)
        if _hand(state, _turn(state)):
            return events
        skipped = Skipped(_turn(state))  # R; the other has a knot then: both together have more than the wall holds
        events.append(skipped)
        state = evolve(state, skipped)


def _choose(state: State, seat: Seat, choose: ChooseExits, at: Moment) -> Events:
    if not isinstance(state.phase, Choosing):
        raise Refusal("nothing-to-choose", turn=_turn(state))
    if state.phase.seat != seat:
        raise Refusal("not-your-turn", turn=state.phase.seat)
    if choose.columns not in state.phase.choices:
        raise Refusal("not-a-choice", columns=choose.columns)
    return _escape(state, seat, choose.columns, at)


def _escape(state: State, winner: Seat, columns: tuple[int, ...], at: Moment) -> Events:
    escaped = Escaped(winner, columns, ropes_to(state.wall, winner, columns))
    if evolve(state, escaped).exits.count(winner) == state.material.prisoners:  # R
        return [escaped, GameEnded("prisoners", winner)]
    return [escaped, RoundBegun(other(winner), at)]  # R: the loser of the round starts the next


def _cancel(state: State, cancelled: RoundCancelled, at: Moment) -> Events:
    """D: the same starter again; after three in a row the game ends and most prisoners wins."""
    state = evolve(state, cancelled)
    if state.cancelled < state.material.cancelled_rounds:
        return [cancelled, RoundBegun(state.starter, at)]
    first, second = (state.exits.count(seat) for seat in SEATS)
    winner = None if first == second else SEATS[first < second]
    return [cancelled, GameEnded("cancelled", winner)]


def _expire(state: State, expire: Expire, at: Moment) -> Events:
    for deadline in deadlines(state):
        if deadline.id == expire.deadline:
            if at < deadline.due:
                raise Refusal("early", deadline=expire.deadline, due=deadline.due)
            (seat,) = deadline.seats
            lapsed = Lapsed(seat, expire.deadline)
            match deadline.default:
                case Push() as push:
                    return [lapsed, *_push(state, seat, push, at)]
                case ChooseExits() as choose:
                    return [lapsed, *_choose(state, seat, choose, at)]
    raise Refusal("late", deadline=expire.deadline)


def _delay(delay: Delay) -> Events:
    if delay.by_ms < 1:
        raise Refusal("no-delay", by_ms=delay.by_ms)
    return [Delayed(delay.by_ms)]


def default_push(state: State, seat: Seat) -> Push:
    """Return the push that is made for a seat whose clock has run out: harmless, and always the same.

    It is the first opening, from the lowest floor up and left before right, that completes no link for the
    opponent and lets no own knot fall out; if there is none, the first that completes no such link; else the first.
    """

    def harm(push: Push) -> tuple[bool, bool]:
        wall, fell = shoved(state.wall, push, seat)
        won = round_won(wall, state.exits, seat, state.material.prisoners)
        return won is not None and won.seat != seat, fell == seat

    return min(_pushes(state, seat), key=harm)


# --------------------------------------------------------------------------------------------------------------- evolve


def evolve(state: State | None, event: RopeWallEvent) -> State:
    """Return the state after an event. Raises `BrokenRecord` where the first event is missing or comes twice."""
    if state is None:
        if isinstance(event, GameBegun):
            return _first(event)
        raise BrokenRecord(f"rope_wall: a game begins with {GameBegun.__struct_config__.tag}")
    stamp = state.stamp + 1
    match event:
        case Pushed():
            return _pushed(state, event)
        case Skipped():
            return msgspec.structs.replace(
                state,
                stamp=stamp,
                phase=Pushing(other(event.seat)),
                barred=_barred(state, event.seat),
                full_turns_left=None if state.full_turns_left is None else state.full_turns_left - 1,  # D
            )
        case RoundWon():
            choosing = Choosing(event.seat, event.choices)
            return msgspec.structs.replace(state, stamp=stamp, phase=choosing, ropes=event.ropes, cancelled=0)
        case Escaped():
            exits = tuple(
                event.seat if column in event.columns else guest for column, guest in enumerate(state.exits, start=1)
            )
            return msgspec.structs.replace(state, stamp=stamp, exits=exits, ropes=event.ropes)
        case RoundCancelled():
            return msgspec.structs.replace(state, stamp=stamp, cancelled=state.cancelled + 1)
        case RoundBegun():
            return _cleared(state, event)
        case GameEnded():
            over = Over(event.reason, event.winner)
            return msgspec.structs.replace(state, stamp=stamp, phase=over)
        case Delayed():
            return msgspec.structs.replace(state, began=Moment(state.began + event.by_ms))
        case Resigned() | Lapsed():
            return state
        case GameBegun():
            raise BrokenRecord("rope_wall: a game begins once")
        case _:
            assert_never(event)


def _first(begun: GameBegun) -> State:
    material = begun.material
    return State(
        material=material,
        options=begun.options,
        phase=Pushing(begun.starter),
        began=begun.at,
        starter=begun.starter,
        wall=empty(material),
        exits=(None,) * material.columns,
    )


def _pushed(state: State, pushed: Pushed) -> State:
    wall, _ = shoved(state.wall, pushed, pushed.seat)
    ejected = None if pushed.fell is None else Opening(pushed.floor, across(pushed.side))
    turns_left = state.full_turns_left
    if turns_left is not None:
        turns_left -= 1
    elif all(None not in floor for floor in wall):
        turns_left = state.material.full_wall_turns  # D: counted from the move after the wall filled up
    return msgspec.structs.replace(
        state,
        stamp=state.stamp + 1,
        phase=Pushing(other(pushed.seat)),
        began=pushed.at,
        wall=wall,
        barred=_barred(state, pushed.seat, pushed.fell, ejected),
        pushes=state.pushes + 1,
        full_turns_left=turns_left,
        last_push=Opening(pushed.floor, pushed.side),
        ejected=ejected,
        ropes=(),
        last_wall=None,
        recent=(*(state.recent if state.last_wall is None else ()), pushed)[-RECENT:],
    )


def _barred(
    state: State, done: Seat, owner: Seat | None = None, ejected: Opening | None = None
) -> tuple[tuple[Opening, ...], ...]:
    """Return the barred openings after the turn of `done`, in which a knot of `owner` may have fallen out.

    R: a knot is not put back where it has just been ejected. D: the owner may not use that opening on their next
    turn; such bans add up, and end with that turn, also if it was skipped.
    """
    bars = [set(openings) if seat != done else set() for seat, openings in enumerate(state.barred)]
    if owner is not None and ejected is not None:
        bars[owner].add(ejected)
    return tuple(tuple(sorted(openings)) for openings in bars)


def _cleared(state: State, begun: RoundBegun) -> State:
    """R: between rounds all knots go back; prisoners stay on top."""
    return msgspec.structs.replace(
        state,
        stamp=state.stamp + 1,
        phase=Pushing(begun.starter),
        began=begun.at,
        starter=begun.starter,
        wall=empty(state.material),
        barred=((), ()),  # nothing has just been ejected from an empty wall
        round=state.round + 1,
        pushes=0,
        full_turns_left=None,
        last_push=None,
        ejected=None,
        last_wall=state.wall,
    )


# --------------------------------------------------------------------------------------------------- legal, view, clock


def legal(state: State, seat: Seat) -> Iterator[RopeWallAction]:
    """Yield what this seat may play. Resigning, always accepted from both, is no play and left out."""
    match state.phase:
        case Pushing(turn) if turn == seat:
            yield from _pushes(state, seat)
        case Choosing(turn, choices) if turn == seat:
            yield from (ChooseExits(columns) for columns in choices)
        case _:
            return


def view(state: State, seat: Seat | None) -> RopeWallView:
    """Return what is on the table: nothing is hidden, and everyone sees the same."""
    phase = state.phase
    turn = None if isinstance(phase, Over) else phase.seat
    return RopeWallView(
        seat=seat,
        waiting=() if turn is None else (turn,),
        stamp=state.stamp,
        floors=state.material.floors,
        columns=state.material.columns,
        wall=state.wall,
        hands=tuple(_hand(state, owner) for owner in SEATS),
        freed=tuple(state.exits.count(owner) for owner in SEATS),
        exits=state.exits,
        goal=state.material.prisoners,
        round=state.round,
        phase="over" if isinstance(phase, Over) else "choose" if isinstance(phase, Choosing) else "push",
        turn=turn,
        barred=state.barred,
        choices=phase.choices if isinstance(phase, Choosing) else (),
        last_push=state.last_push,
        ejected=state.ejected,
        ropes=state.ropes,
        full_turns_left=state.full_turns_left,
        cancelled=state.cancelled,
        winner=phase.winner if isinstance(phase, Over) else None,
        last_wall=state.last_wall,
        pushes_left=state.material.round_pushes - state.pushes,
        recent=state.recent,
    )


def deadlines(state: State) -> tuple[Deadline, ...]:
    """Return the turn clock of whoever pushes or chooses; a choice has the same time as a push."""
    if not state.options.clock:
        return ()
    default: Push | ChooseExits
    match state.phase:
        case Pushing(seat):
            default = default_push(state, seat)
        case Choosing(seat, choices):
            default = ChooseExits(choices[0])  # D: on time-out the leftmost
        case Over():
            return ()
        case _:
            assert_never(state.phase)
    due = Moment(state.began + 1000 * state.options.clock)
    return (Deadline(f"turn-{state.stamp}", (seat,), due, default),)


def outcome(state: State) -> Outcome | None:
    """Return places and prisoners freed. Reasons: `prisoners`, `cancelled` (rounds in a row) and `resigned`."""
    if not isinstance(state.phase, Over):
        return None
    winner = state.phase.winner
    return Outcome(
        places=tuple(1 if winner in (None, seat) else 2 for seat in SEATS),
        scores=tuple(state.exits.count(seat) for seat in SEATS),
        reason=state.phase.reason,
    )


# -------------------------------------------------------------------------------------------------- what the state says


def _pushes(state: State, seat: Seat) -> Iterator[Push]:
    for floor in range(1, state.material.floors + 1):
        for side in SIDES:
            if Opening(floor, side) not in state.barred[seat]:
                yield Push(floor, side)


def _hand(state: State, seat: Seat) -> int:
    return state.material.knots - sum(floor.count(seat) for floor in state.wall)


def _turn(state: State) -> Seat:
    assert not isinstance(state.phase, Over), "nobody's turn"
    return state.phase.seat


GAME = Game[State, RopeWallAction, RopeWallEvent, RopeWallView, RopeWallOptions, Material](
    key="rope_wall",
    title="Breakout: the Rope Wall",
    seats=range(2, 3),
    options=RopeWallOptions,
    material=Material,
    actions=RopeWallAction,
    events=RopeWallEvent,
    views=RopeWallView,
    setup=setup,
    decide=decide,
    evolve=evolve,
    legal=legal,
    view=view,
    deadlines=deadlines,
    outcome=outcome,
    draws={"begun": ("starter",)},
)
