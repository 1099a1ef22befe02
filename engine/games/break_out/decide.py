"""Break-Out's decisions: the events that follow from an action, refusals, NEXT, rounds, scores, and the clocks.

Cheating is handled in `calls` and `catches`. Marks in comments (R4, D1) refer to docs/rules/break_out.md.
"""

from collections.abc import Iterator, Sequence

from engine import turns
from engine.chance import Chance
from engine.contract import Deadline, Moment, Refusal, Seat, TimedOut
from engine.games.break_out import calls, catches
from engine.games.break_out.events import (
    BreakOutEvent,
    Drew,
    GameBegun,
    GameEnded,
    NextSaid,
    NextTaken,
    Played,
    RoundBegun,
    RoundEnded,
    Voided,
    WindowClosed,
    WindowShut,
)
from engine.games.break_out.rules import check_play
from engine.games.break_out.state import State, circuit_is_over
from engine.games.break_out.transitions import apply_event
from engine.games.break_out.types import (
    RULES,
    BreakOutAction,
    BreakOutOptions,
    Call,
    Draw,
    Face,
    Give,
    Material,
    Next,
    Point,
)
from engine.turns import InterludeEnded, Ready

Events = list[BreakOutEvent]


def begin(
    seats: int, options: BreakOutOptions, material: Material, at: Moment, chance: Chance
) -> Sequence[GameBegun | RoundBegun]:
    """R4: everyone draws a card, and the lowest begins. D4: ties draw again."""
    deck = _deck(material, seats, 1)
    lots: list[tuple[Face | None, ...]] = []
    still = list(range(seats))
    while len(still) > 1:
        drawn = chance.shuffled(deck)[: len(still)]  # D4: these cards go back and the deck is shuffled
        lot: list[Face | None] = [None] * seats
        for seat, face in zip(still, drawn, strict=True):
            lot[seat] = face
        lots.append(tuple(lot))
        lowest = min(map(material.value, drawn))
        still = [seat for seat, face in zip(still, drawn, strict=True) if material.value(face) == lowest]
    pauses = turns.interlude_ms(options.interludes)
    begun = GameBegun(material, options, tuple(lots), Seat(still[0]), at, pauses, RULES)
    return [begun, _deal(material, seats, 1, Seat(still[0]), at, chance)]


def _deck(material: Material, seats: int, number: int) -> list[Face]:
    """R2: return all cards but the round card."""
    deck = material.deck(seats)
    deck.remove(material.round_card(number))
    return deck


def _deal(material: Material, seats: int, number: int, starter: Seat, at: Moment, chance: Chance) -> RoundBegun:
    """R6: seven cards each."""
    cards = chance.shuffled(_deck(material, seats, number))
    size = material.hand
    hands = tuple(tuple(cards[seat * size : (seat + 1) * size]) for seat in range(seats))
    return RoundBegun(number, starter, hands, tuple(cards[seats * size :]), at)


def act(state: State, seat: Seat, action: BreakOutAction, at: Moment, chance: Chance) -> Events:
    """Return what follows from an action. Chance deals the cards of a new round.

    Raises `Refusal`: those of `engine.turns` (in an interlude also for plays, NEXT and pointers); `settling` (a catch
    is being settled); `not-your-turn` (facts `turn`, `last`); `next-said` (fact `due`); `drew-already`,
    `played-already`, `no-draw-card` (for Draw); those of `rules.check_play` (for plays); `must-play` (for NEXT, under a
    strict referee); those of `calls.call` (for Call), `catches.give` (Give) and `catches.point` (Point).
    """
    match action:
        case Next():
            _check_turn(state, seat)
            return _next(state, seat, at, chance)
        case Draw():
            _check_turn(state, seat)
            _check_draw(state)
            return [Drew(seat)]
        case Call():
            return calls.call(state, seat, action, at)
        case Point():
            turns.require_no_interlude(state.interlude)
            return catches.point(state, seat, action)
        case Give():
            return catches.give(state, seat, action, at)
        case Ready():
            return _resumed(state, turns.confirm_ready(state.interlude, seat, range(state.seats), at), at, chance)
        case _:
            _check_turn(state, seat)
            return [Played(seat, action, check_play(state, seat, action))]


def _check_turn(state: State, seat: Seat) -> None:
    """Check that it is the seat's turn. A correct call in its tie period must not cause a refusal: nobody may learn of
    it.
    """
    turns.require_no_interlude(state.interlude)
    if state.gift is not None:
        raise Refusal("settling")  # D42: nothing else at the table proceeds
    if state.last is not None:
        raise Refusal("not-your-turn", turn=state.turn, last=state.last.seat)
    if seat != state.turn:
        raise Refusal("not-your-turn", turn=state.turn, last=-1)
    if state.said is not None:
        raise Refusal("next-said", due=state.said.moment)  # D9: nothing more that turn


def _check_draw(state: State) -> None:
    if state.drew is not None:
        raise Refusal("drew-already")  # D7: once a turn
    if state.acts:
        raise Refusal("played-already")  # D7: only before having played a card
    if state.place is None:
        raise Refusal("no-draw-card")


def _next(state: State, seat: Seat, at: Moment, chance: Chance) -> Events:
    idle = not state.acts and state.drew is None
    if state.options.referee == "strict":
        if idle and state.place is not None:
            raise Refusal("must-play")  # R8; D25: with an empty draw place it is a pass
        return _take(state, [NextSaid(seat, at, at)], chance, at)  # D21: no windows at all
    moment = at
    if state.last_next is not None:  # D36: fair windows; a round's first NEXT takes effect at once
        moment = Moment(max(at, state.last_next + state.material.catch_ms))
    return _sorted_by_receipt(state, NextSaid(seat, moment, at))


def _sorted_by_receipt(state: State, said: NextSaid) -> Events:
    """D39: calls and NEXTs are ordered by when Discord received them, not by when they are handled.

    Calls that were handled before this NEXT, but received after its moment, do not count for the turn before. Those
    that did not name a turn are about this one, and so are those that were kept.
    """
    window = state.window
    late = [] if window is None else [one for one in window.calls if one.at >= said.moment]
    kept = [one for one in state.kept if one.at >= said.moment]
    if not late and not kept:
        return [said]
    events: Events = [said]
    if window is not None:
        events = [*(Voided(one.seat, one.kind, window.turn, one.at - said.moment) for one in late), said]
    if said.moment > said.at:
        events.append(WindowShut())  # its moment has passed: a call was received after it
    after = state
    for event in events:
        after = apply_event(after, event)
    for one in sorted([*late, *kept], key=lambda one: one.at):
        if not one.named and one.seat != said.seat and after.window is not None:
            if calls.has_called(after.window, one.seat, one.kind):
                continue  # D30
            again = calls.judge_call(after, after.window, one)
            events.append(again)
            after = apply_event(after, again)
    return events


def _take(state: State, events: Events, chance: Chance, at: Moment) -> Events:
    """Return these events, and the effect of the NEXT that they announce, with what follows."""
    seat = state.turn
    taken: Events = [*events, NextTaken(seat)]
    if state.options.referee == "honour":
        return taken  # D38, D50: it can still be called, even if the round ends with it
    if not state.hands[seat]:
        return taken + _end_round(state, seat, at, chance)
    return taken + _end_round(state, None, at, chance) if circuit_is_over(state) else taken


def _end_round(state: State, winner: Seat | None, at: Moment, chance: Chance) -> Events:
    """R33: the winner gets -5 times the round's number; everyone else the points in hand."""
    material = state.material
    points = tuple(
        -material.bonus * state.round if seat == winner else sum(map(material.value, hand))
        for seat, hand in enumerate(state.hands)
    )
    ended = RoundEnded(winner, points)
    if state.round >= state.options.rounds:
        return [ended, GameEnded()]
    pause = turns.interlude(state.interlude_ms, at)  # D52
    return [ended, *(pause or [_next_deal(state, points, at, chance)])]


def _next_deal(state: State, points: Sequence[int], at: Moment, chance: Chance) -> RoundBegun:
    starter = _next_starter(points, state.starter)
    return _deal(state.material, state.seats, state.round + 1, starter, at, chance)


def _resumed(state: State, events: Sequence[BreakOutEvent], at: Moment, chance: Chance) -> Events:
    """D52: after an interlude the cards of the next round are dealt."""
    ended = isinstance(events[-1], InterludeEnded)
    return [*events, *([_next_deal(state, state.sheet[-1].points, at, chance)] if ended else ())]


def _next_starter(points: Sequence[int], starter: Seat) -> Seat:
    """R5: the player with the fewest points starts. D5: of ties, the nearest clockwise after the last starter."""
    seats = len(points)
    order = [Seat((starter + step) % seats) for step in range(1, seats + 1)]
    return min(order, key=lambda seat: points[seat])


# ---------------------------------------------------------------------------------------------------------------- clock


def deadlines(state: State) -> tuple[Deadline, ...]:
    """Return the running clocks: of a catch, of a window's end, or of the turn.

    A tie period runs beside the others, except those whose outcome it may change: a NEXT that it may drop, a round's
    end that it may postpone. It ends before those are due, or with them.
    """
    if state.over:
        return ()
    ticks, last = state.ticks, state.last
    if state.interlude is not None:
        return turns.interlude_clock(str(state.round), state.interlude, range(state.seats))
    if state.gift is not None:
        return (Deadline(f"gift-{ticks}", (state.gift.catcher,), state.gift.due, None, "window"),)
    called = state.called
    found: list[Deadline] = []
    if called is not None:
        due = Moment(calls.tie_end(state, called) + state.material.settle_ms)
        found.append(Deadline(f"tie-{ticks}-{len(called.right)}", (), due, None, "window"))
    if last is not None and last.closes is not None:
        found += _ending(state, "last", last.closes, state.window is last, called is None)
    elif state.said is not None:
        found += _ending(state, "next", state.said.moment, not state.said.open, called is None)
    elif state.options.clock:
        due = Moment(state.began + 1_000 * state.options.clock)
        found.append(Deadline(f"turn-{ticks}", (state.turn,), due, None))
    return tuple(sorted(found, key=lambda deadline: deadline.due))


def _ending(state: State, what: str, moment: Moment, running: bool, free: bool) -> Iterator[Deadline]:
    """Yield the clocks of a window's end: its moment, and slightly later the time at which it takes effect if nobody
    was right.
    """
    if running:
        yield Deadline(f"shut-{state.ticks}", (), moment, None, "window")
    if free:
        settled = Moment(moment + state.material.settle_ms)
        yield Deadline(f"{what}-{state.ticks}", (), settled, None, "window")


def window_at(state: State, at: Moment) -> Moment | None:
    """Return when the window opened that is open at this moment: to call the turn before, to choose a gift, or to look
    at a round's end. A window for calls lasts until the next NEXT, but only the time that D36 gives it must be whole.
    """
    if state.interlude is not None:
        return turns.interlude_at(state.interlude, state.interlude_ms, at)
    material, last = state.material, state.last
    windows: list[tuple[Moment, int]] = []
    if state.gift is not None:
        windows.append((Moment(state.gift.due - material.gift_ms), material.gift_ms))
    elif last is not None and last.closes is not None:
        windows.append((Moment(last.closes - material.last_catch_ms), material.last_catch_ms))
    elif state.window is not None and state.last_next is not None:
        windows.append((state.last_next, material.catch_ms))
    if state.called is not None:
        began = min(call.at for call in state.called.right)
        windows.append((began, calls.tie_end(state, state.called) - began))
    return min((began for began, lasts_ms in windows if began <= at < began + lasts_ms), default=None)


def expire(state: State, deadline: Deadline, at: Moment, chance: Chance) -> Events:
    """Return what follows when a clock runs out."""
    if state.interlude is not None:
        return _resumed(state, [InterludeEnded(at)], at, chance)
    if state.gift is not None:
        return catches.choose(state, at)
    if deadline.id.startswith("tie-"):
        return catches.settle(state, at)
    if deadline.id.startswith("shut-"):
        return [WindowShut()]
    if state.last is not None:
        seat = state.last.seat  # D38: only now has the player of the last card gone out
        return [WindowClosed(seat), *_end_round(state, None if state.hands[seat] else seat, at, chance)]
    if state.said is not None:
        return _take(state, [], chance, at)
    seat = state.turn
    events: Events = [TimedOut(seat, deadline.id)]
    if not state.acts and state.drew is None and state.place is not None:
        events.append(Drew(seat))
    now = state
    for event in events:
        now = apply_event(now, event)
    return [*events, *_next(now, seat, at, chance)]
