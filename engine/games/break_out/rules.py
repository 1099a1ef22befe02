"""Break-Out's rules: turns and plays, NEXT and its window, rounds and scores.

Marks in comments (R, D, O) are those of the rule page `break_out`. What is done about cheating is in `referee`. May
import `engine` and msgspec only.
"""

from collections.abc import Iterator, Sequence
from typing import TypeVar, assert_never

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
from engine.games.break_out import referee
from engine.games.break_out.pieces import (
    START,
    BreakOutAction,
    BreakOutEvent,
    BreakOutOptions,
    Call,
    Called,
    Card,
    Caught,
    Draw,
    Drew,
    Face,
    GameBegun,
    GameEnded,
    Give,
    Given,
    Material,
    Meld,
    Next,
    NextSaid,
    NextTaken,
    Played,
    Point,
    Pointed,
    RoundBegun,
    RoundEnded,
    Slot,
    Voided,
    WindowClosed,
    WindowShut,
)
from engine.games.break_out.plays import check_play, played
from engine.games.break_out.search import sound
from engine.games.break_out.table import (
    BreakOutView,
    Closed,
    Note,
    RoundScore,
    Said,
    State,
    Window,
    census,
    noted,
    view,
)

SEATS = range(2, 7)
Events = list[BreakOutEvent]
T = TypeVar("T")


# ---------------------------------------------------------------------------------------------------------------- setup


def setup(seats: int, options: BreakOutOptions, material: Material, at: Moment, chance: Chance) -> Events:
    """R: everyone draws a card, and the lowest begins. D: those who tie draw again."""
    if seats not in SEATS:
        raise ValueError(f"2 to 6 inmates play, not {seats}")
    deck = _deck(material, seats, 1)
    lots: list[tuple[Face | None, ...]] = []
    still = list(range(seats))
    while len(still) > 1:
        drawn = chance.shuffled(deck)[: len(still)]  # D: these cards go back and the deck is shuffled
        lot: list[Face | None] = [None] * seats
        for seat, face in zip(still, drawn, strict=True):
            lot[seat] = face
        lots.append(tuple(lot))
        lowest = min(map(material.value, drawn))
        still = [seat for seat, face in zip(still, drawn, strict=True) if material.value(face) == lowest]
    begun = GameBegun(material, options, tuple(lots), Seat(still[0]), at)
    return [begun, _deal(material, seats, 1, Seat(still[0]), at, chance)]


def _deck(material: Material, seats: int, number: int) -> list[Face]:
    """R: all cards but the round card."""
    deck = material.deck(seats)
    deck.remove(material.round_card(number))
    return deck


def _deal(material: Material, seats: int, number: int, starter: Seat, at: Moment, chance: Chance) -> RoundBegun:
    """R: seven cards each."""
    cards = chance.shuffled(_deck(material, seats, number))
    size = material.hand
    hands = tuple(tuple(cards[seat * size : (seat + 1) * size]) for seat in range(seats))
    return RoundBegun(number, starter, hands, tuple(cards[seats * size :]), at)


# --------------------------------------------------------------------------------------------------------------- decide


def decide(state: State, seat: Seat | None, action: BreakOutAction, at: Moment, chance: Chance) -> Events:
    """Return what follows from an action. Chance deals the cards of a new round.

    Refusals: `over`; `clock-only`; `not-seated`; `settling` (a catch is being settled); `not-your-turn` (facts `turn`,
    `last`); `next-said` (fact `due`); `drew-already`, `played-already`, `no-draw-card` (of Draw); those of
    `engine.games.break_out.plays` (of plays); `must-play` (of NEXT, under a strict referee); those of
    `engine.games.break_out.referee` (of Call, Give and Point); `late` (fact `deadline`); `early` (facts `deadline`,
    `due`); `no-delay` (fact `by_ms`).
    """
    if state.over:
        raise Refusal("over")
    if isinstance(action, Expire | Delay):
        if seat is not None:
            raise Refusal("clock-only")
        return _expire(state, action, at, chance) if isinstance(action, Expire) else _delay(action)
    if seat is None or not 0 <= seat < state.seats:
        raise Refusal("not-seated")
    match action:
        case Call():
            return referee.call(state, seat, action, at)
        case Give():
            return referee.give(state, seat, action, at)
        case Point():
            return referee.point(state, seat, action)
        case _:
            _check_turn(state, seat)
    match action:
        case Draw():
            _check_draw(state)
            return [Drew(seat)]
        case Next():
            return _next(state, seat, at, chance)
        case _:
            return [Played(seat, action, check_play(state, seat, action))]


def _check_turn(state: State, seat: Seat) -> None:
    """A correct call whose tie period runs is no reason to refuse anything: nobody must be told of it."""
    if state.gift is not None:
        raise Refusal("settling")  # D: nothing else at the table moves on
    if state.last is not None:
        raise Refusal("not-your-turn", turn=state.turn, last=state.last.seat)
    if seat != state.turn:
        raise Refusal("not-your-turn", turn=state.turn, last=-1)
    if state.said is not None:
        raise Refusal("next-said", due=state.said.moment)  # D: nothing more that turn


def _check_draw(state: State) -> None:
    if state.drew is not None:
        raise Refusal("drew-already")  # D: once a turn
    if state.acts:
        raise Refusal("played-already")  # D: only before having played a card
    if state.place is None:
        raise Refusal("no-draw-card")


def _next(state: State, seat: Seat, at: Moment, chance: Chance) -> Events:
    idle = not state.acts and state.drew is None
    if state.options.referee == "strict":
        if idle and state.place is not None:
            raise Refusal("must-play")  # R; D: with an empty draw place it is a pass
        return _take(state, [NextSaid(seat, at, at)], chance, at)  # D: no windows at all
    moment = at
    if state.last_next is not None:  # D: fair windows; a round's first NEXT takes effect at once
        moment = Moment(max(at, state.last_next + state.material.catch_ms))
    return _sorted_by_receipt(state, NextSaid(seat, moment, at))


def _sorted_by_receipt(state: State, said: NextSaid) -> Events:
    """D: calls and NEXTs are ordered by the time at which Discord received them, not by when they are handled.

    Calls that were handled before this NEXT, but received after its moment, do not count on the turn before; those
    that did not say which turn they are about are about this one.
    """
    window = state.window
    late = [] if window is None else [one for one in window.heard if one.at >= said.moment]
    before = [] if window is None else [Voided(one.seat, one.kind, window.turn) for one in late]
    events: Events = [*before, said]
    after = state
    for event in events:
        after = evolve(after, event)
    for one in sorted(late, key=lambda one: one.at):
        if not one.named and one.seat != said.seat and after.window is not None:
            again = referee.judged(after, after.window, one)
            events.append(again)
            after = evolve(after, again)
    return events


def _take(state: State, events: Events, chance: Chance, at: Moment) -> Events:
    """Return these events, and that the NEXT which they say takes effect, with what follows."""
    for event in events:
        state = evolve(state, event)
    seat = state.turn
    taken = NextTaken(seat)
    after = evolve(state, taken)
    events = [*events, taken]
    if state.options.referee == "honour":
        return events  # D: it can still be called, also if the round ends with it
    if not after.hands[seat]:
        events += _end_round(after, seat, at, chance)
    elif _circuit_is_over(after):
        events += _end_round(after, None, at, chance)
    return events


def _circuit_is_over(state: State) -> bool:
    """D: whether in a full circuit nobody has played or drawn, or the pile is empty and nobody has played."""
    return state.idle >= state.seats or state.dry >= state.seats


def _end_round(state: State, winner: Seat | None, at: Moment, chance: Chance) -> Events:
    """R: the winner gets -5 times the round's number; everyone else the points in hand."""
    material = state.material
    points = tuple(
        -material.bonus * state.round if seat == winner else sum(map(material.value, hand))
        for seat, hand in enumerate(state.hands)
    )
    ended = RoundEnded(winner, points)
    if state.round >= state.options.rounds:
        return [ended, GameEnded()]
    starter = _next_starter(points, state.starter)
    return [ended, _deal(material, state.seats, state.round + 1, starter, at, chance)]


def _next_starter(points: Sequence[int], starter: Seat) -> Seat:
    """R: whoever had the fewest points. D: of those who tie, the nearest clockwise after the last starter."""
    seats = len(points)
    order = [Seat((starter + step) % seats) for step in range(1, seats + 1)]
    return min(order, key=lambda seat: points[seat])


def _expire(state: State, expire: Expire, at: Moment, chance: Chance) -> Events:
    for deadline in deadlines(state):
        if deadline.id == expire.deadline:
            if at < deadline.due:
                raise Refusal("early", deadline=expire.deadline, due=deadline.due)
            return _struck(state, deadline, at, chance)
    raise Refusal("late", deadline=expire.deadline)


def _struck(state: State, deadline: Deadline, at: Moment, chance: Chance) -> Events:
    """Return what follows when a clock runs out."""
    if state.gift is not None:
        return referee.choose(state, at)
    if deadline.id.startswith("tie-"):
        return referee.settle(state, at)
    if deadline.id.startswith("shut-"):
        return [WindowShut()]
    if state.last is not None:
        seat = state.last.seat  # D: only now has whoever played the last card gone out
        return [WindowClosed(seat), *_end_round(state, None if state.hands[seat] else seat, at, chance)]
    if state.said is not None:
        return _take(state, [], chance, at)
    seat = state.turn
    events: Events = [Lapsed(seat, deadline.id)]
    if not state.acts and state.drew is None and state.place is not None:
        events.append(Drew(seat))
    now = state
    for event in events:
        now = evolve(now, event)
    return [*events, *_next(now, seat, at, chance)]


def _delay(delay: Delay) -> Events:
    if delay.by_ms < 1:
        raise Refusal("no-delay", by_ms=delay.by_ms)
    return [Delayed(delay.by_ms)]


# --------------------------------------------------------------------------------------------------------------- evolve


def evolve(state: State | None, event: BreakOutEvent) -> State:
    """Return the state after an event. Raises `BrokenRecord` where the first event is missing or comes twice."""
    if state is None:
        if isinstance(event, GameBegun):
            return State(
                material=event.material,
                options=event.options,
                round=1,
                serial=0,
                turn=event.starter,
                starter=event.starter,
                began=event.at,
                hands=(),
                out=(),
                scores=(0,) * len(event.lots[0]),
            )
        raise BrokenRecord(f"break_out: a game begins with {GameBegun.__struct_config__.tag}")
    match event:
        case RoundBegun():
            return _round(state, event)
        case Drew():
            assert state.place is not None
            hands = _with(state.hands, event.seat, (*state.hands[event.seat], state.place))
            note = Note("drew", event.seat, face=state.place, knows=(event.seat,))
            return noted(msgspec.structs.replace(state, hands=hands, drew=state.place, place=None), note)
        case Played():
            after = played(state, event)
            return noted(after, Note("played", event.seat, play=event.play))
        case NextSaid():
            return _said(state, event)
        case WindowShut():
            return referee.shut(state)
        case NextTaken():
            return _taken(state)
        case Called():
            return referee.called(state, event)
        case Voided():
            return referee.voided(state, event)
        case Caught():
            return referee.caught(state, event)
        case Given():
            return referee.given(state, event)
        case Pointed():
            return referee.pointed(state, event)
        case WindowClosed():
            return _closed(state, event.seat)
        case RoundEnded():
            scores = tuple(have + more for have, more in zip(state.scores, event.points, strict=True))
            return msgspec.structs.replace(
                state,
                scores=scores,
                sheet=(*state.sheet, RoundScore(event.winner, event.points)),
                said=None,
                window=None,
                closing=None,
            )
        case GameEnded():
            return msgspec.structs.replace(state, over=True)
        case Lapsed():
            return noted(state, Note("lapsed", event.seat))
        case Delayed():
            return _delayed(state, event.by_ms)
        case GameBegun():
            raise BrokenRecord("break_out: a game begins once")
        case _:
            assert_never(event)


def _round(state: State, begun: RoundBegun) -> State:
    seats = len(begun.hands)
    card = Slot(0, Card(state.material.round_card(begun.number)), None, -1)
    fresh = State(
        material=state.material,
        options=state.options,
        round=begun.number,
        serial=state.serial + 1,
        turn=begun.starter,
        starter=begun.starter,
        began=begun.at,
        hands=begun.hands,
        out=(False,) * seats,
        pile=begun.pile[1:],
        place=begun.pile[0] if begun.pile else None,
        melds=(Meld(START, None, (card,)),),
        closed=state.closed,
        ticks=state.ticks + 1,
        pointed=(False,) * seats,
        scores=state.scores,
        sheet=state.sheet,
        notes=state.notes,
    )
    return noted(fresh, Note("round", begun.starter, count=begun.number))


def _said(state: State, event: NextSaid) -> State:
    """A NEXT is said. D: whether its inmate neither played nor drew is judged now, with the draw place as it is."""
    window = state.window
    if window is not None:
        # The first rules' events do not say of each such call that it is void.
        in_time = tuple(one for one in window.heard if one.at < event.moment or not one.right)
        window = msgspec.structs.replace(window, heard=in_time)
    nothing = not state.acts and state.drew is None and state.place is not None  # D: with an empty place it is a pass
    said = msgspec.structs.replace(state, said=Said(event.moment, nothing), window=window, ticks=state.ticks + 1)
    if event.moment <= event.at and state.options.referee == "honour":
        said = referee.shut(said)
    return noted(said, Note("next", event.seat, ms=max(0, event.moment - event.at)))


def _taken(state: State) -> State:
    """The NEXT takes effect: the window before closes, this turn's opens, the next inmate is to play."""
    honour = state.options.referee == "honour"
    if honour and state.said is not None and not state.said.open:
        state = referee.shut(state)  # the first rules' events do not say that the moment has come
    assert state.said is not None
    seat, moment, closing = state.turn, state.said.moment, state.closing
    pile, place = state.pile, state.place
    if state.drew is not None and pile:
        place, pile = pile[0], pile[1:]  # R: the draw card is replaced
    idle = not state.acts and state.drew is None
    after = msgspec.structs.replace(
        state,
        serial=state.serial + 1,
        turn=Seat((seat + 1) % state.seats),
        began=moment,
        pile=pile,
        place=place,
        drew=None,
        acts=(),
        full=False,
        said=None,
        closing=None,
        last_next=moment,
        closed=state.closed if closing is None else Closed(closing.turn, closing.opened, moment),
        ticks=state.ticks + 1,
        idle=state.idle + 1 if idle else 0,
        dry=state.dry + 1 if not state.acts and not state.pile else 0,
    )
    if honour and (not after.hands[seat] or _circuit_is_over(after)):
        assert after.window is not None
        closes = Moment(moment + state.material.last_catch_ms)
        return msgspec.structs.replace(after, window=msgspec.structs.replace(after.window, closes=closes))
    return referee.turn_begun(after)


def _closed(state: State, seat: Seat) -> State:
    """Nobody was right in a last window."""
    last = state.last
    assert last is not None and last.closes is not None
    closed = Closed(last.turn, last.opened, last.closes)
    state = msgspec.structs.replace(state, window=None, closing=None, closed=closed)
    return state if state.hands[seat] else noted(state, Note("out", seat))


def _with(values: tuple[T, ...], seat: Seat, changed: T) -> tuple[T, ...]:
    return (*values[:seat], changed, *values[seat + 1 :])


def _delayed(state: State, by: int) -> State:
    def later(moment: Moment | None) -> Moment | None:
        return None if moment is None else Moment(moment + by)

    def moved(window: Window | None) -> Window | None:
        if window is None:
            return None
        heard = tuple(msgspec.structs.replace(one, at=Moment(one.at + by)) for one in window.heard)
        opened = Moment(window.opened + by)
        return msgspec.structs.replace(window, opened=opened, closes=later(window.closes), heard=heard)

    said, gift, closed = state.said, state.gift, state.closed
    return msgspec.structs.replace(
        state,
        began=Moment(state.began + by),
        said=None if said is None else msgspec.structs.replace(said, moment=Moment(said.moment + by)),
        window=moved(state.window),
        closing=moved(state.closing),
        gift=None if gift is None else msgspec.structs.replace(gift, due=Moment(gift.due + by)),
        frozen=later(state.frozen),
        last_next=later(state.last_next),
        closed=None if closed is None else Closed(closed.turn, Moment(closed.opened + by), Moment(closed.at + by)),
    )


# --------------------------------------------------------------------------------------------------- legal, view, clock


def legal(state: State, seat: Seat) -> Iterator[BreakOutAction]:
    """Yield sound actions of this seat; more is accepted, above all under `honour`."""
    if not 0 <= seat < state.seats:
        return
    yield from sound(view(state, seat))


def deadlines(state: State) -> tuple[Deadline, ...]:
    """Return the clocks that run: of a catch, of a window's end, or of the turn.

    A tie period runs beside the others, except for what it decides about: a NEXT that it may drop, a round's end that
    it may put off. It ends before those are due, or with them.
    """
    if state.over:
        return ()
    ticks, last = state.ticks, state.last
    if state.gift is not None:
        return (Deadline(f"gift-{ticks}", (state.gift.catcher,), state.gift.due, None, "window"),)
    called = state.called
    found: list[Deadline] = []
    if called is not None:
        due = Moment(referee.tie_ends(state, called) + state.material.settle_ms)
        found.append(Deadline(f"tie-{ticks}-{len(called.right)}", (), due, None, "window"))
    if last is not None and last.closes is not None:
        found += _ending(state, "last", last.closes, state.window is last, called is None)
    elif state.said is not None:
        found += _ending(state, "next", state.said.moment, not state.said.open, called is None)
    elif state.options.clock:
        due = Moment(state.began + 1_000 * state.options.clock)
        found.append(Deadline(f"turn-{ticks}", (state.turn,), due, None))
    return tuple(found)


def _ending(state: State, what: str, moment: Moment, running: bool, free: bool) -> Iterator[Deadline]:
    """Yield the clocks of a window's end: its moment, and D a little later that it takes effect if nobody is right."""
    if running:
        yield Deadline(f"shut-{state.ticks}", (), moment, None, "window")
    if free:
        settled = Moment(moment + state.material.settle_ms)
        yield Deadline(f"{what}-{state.ticks}", (), settled, None, "window")


def outcome(state: State) -> Outcome | None:
    """R: the least points win. D: ties share the place."""
    if not state.over:
        return None
    places = tuple(1 + sum(other < score for other in state.scores) for score in state.scores)
    return Outcome(places, state.scores, "rounds")


GAME = Game[State, BreakOutAction, BreakOutEvent, BreakOutView, BreakOutOptions, Material](
    key="break_out",
    title="Break-Out",
    seats=SEATS,
    options=BreakOutOptions,
    material=Material,
    actions=BreakOutAction,
    events=BreakOutEvent,
    views=BreakOutView,
    setup=setup,
    decide=decide,
    evolve=evolve,
    legal=legal,
    view=view,
    deadlines=deadlines,
    outcome=outcome,
    census=census,
    hides=True,
    fewest=True,
    rules=2,
    draws={"begun": ("lots", "starter"), "round": ("hands", "pile")},
)
