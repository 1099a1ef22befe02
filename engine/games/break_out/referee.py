"""Cheating and catching in Break-Out: calls, the tie period, the catcher's choice, and late pointers.

Marks in comments (R, D, O) are those of the rule page `break_out`. May import `engine` and its own package.
"""

import msgspec

from engine.contract import Moment, Refusal, Seat
from engine.games.break_out.pieces import (
    FACES,
    KINDS,
    BreakOutEvent,
    Call,
    Called,
    Caught,
    Give,
    Given,
    Kind,
    Point,
    Pointed,
)
from engine.games.break_out.table import (
    Act,
    Gift,
    Note,
    RightCall,
    Said,
    State,
    Window,
    cell_cards,
    looks_bad,
    noted,
    suspended,
)
from engine.games.break_out.undo import undone

Events = list[BreakOutEvent]


# ---------------------------------------------------------------------------------------------------------------- calls


def call(state: State, seat: Seat, action: Call, at: Moment) -> Events:
    """Return what follows from a call.

    Raises `Refusal`: `strict`; `no-kind`; `own-turn`; `no-window`; `not-open` (facts `seat`, `due`); `late-call` (fact
    `by_ms`); `called-already` (fact `kind`).
    """
    if state.options.referee == "strict":
        raise Refusal("strict")
    if action.kind not in KINDS:
        raise Refusal("no-kind")
    said, window = state.said, state.window
    turn = _meant(state, action, at)
    if said is not None and turn == state.serial:
        return _call_early(state, said, seat, action.kind, at)
    if window is None or turn != window.turn or state.gift is not None:
        raise Refusal("late-call", by_ms=_missed(state, turn, at))
    if seat == window.seat:
        raise Refusal("own-turn")
    closes = _closes(state, window)
    if closes is not None and at >= closes:  # D: in the very millisecond of a deadline is too late
        raise Refusal("late-call", by_ms=at - closes)
    if (seat, action.kind) in window.called:
        raise Refusal("called-already", kind=action.kind)  # D: one DRAW call and one MELD call a window
    return [_judged(state, seat, action.kind, window.turn, at, window.nothing, window.acts)]


def _meant(state: State, action: Call, at: Moment) -> int:
    """Return the turn that is called: the one named, or the one whose window is open at that moment."""
    if action.turn is not None:
        return action.turn
    if state.said is not None and at >= state.said.moment and not state.calls:
        return state.serial
    if state.window is None:
        raise Refusal("no-window")
    return state.window.turn


def _closes(state: State, window: Window) -> Moment | None:
    """Return when calls on this window end: with the tie period, with the next NEXT, or by the clock."""
    if state.calls:
        return tie_ends(state)
    if window.closes is not None:
        return window.closes
    return None if state.said is None else state.said.moment


def _missed(state: State, turn: int, at: Moment) -> int:
    """Return by how much a call missed its window, in milliseconds; -1 where that is not known any more."""
    if state.closed is not None and state.closed[0] == turn:
        return max(0, at - state.closed[1])
    return -1


def _call_early(state: State, said: Said, seat: Seat, kind: Kind, at: Moment) -> Events:
    """D: a window opens at the moment of the NEXT; settling only delays handling, so such a call counts."""
    if seat == state.turn:
        raise Refusal("own-turn")
    if at < said.moment or state.calls or state.gift is not None:
        raise Refusal("not-open", seat=state.turn, due=said.moment)
    if (seat, kind) in said.called:
        raise Refusal("called-already", kind=kind)
    nothing = not state.acts and state.drew is None and state.place is not None
    return [_judged(state, seat, kind, state.serial, at, nothing, state.acts)]


def _judged(
    state: State, seat: Seat, kind: Kind, turn: int, at: Moment, nothing: bool, acts: tuple[Act, ...]
) -> Called:
    """R: DRAW is right if they neither played nor drew, MELD if they laid a bad meld in that turn."""
    right = nothing if kind == "draw" else any(act.bad for act in acts)
    fined = not right and state.options.wrong_call == "draw" and bool(state.pile)  # O
    return Called(seat, kind, turn, right, at, fined)


def called(state: State, event: Called) -> State:
    """Return the state after a call."""
    entry = (event.seat, event.kind)
    right = RightCall(event.seat, event.kind, event.at)
    if state.said is not None and event.turn == state.serial:
        said = state.said
        early = (*said.early, right) if event.right else said.early
        state = msgspec.structs.replace(state, said=Said(said.moment, early, (*said.called, entry)))
    else:
        window = state.window
        assert window is not None
        state = msgspec.structs.replace(state, window=msgspec.structs.replace(window, called=(*window.called, entry)))
        if event.right:
            calls = (*state.calls, right)
            first = Moment(min(one.at for one in calls))
            # What was called on the turn after this one is void: its window opens later now.
            kept = None if state.said is None else Said(state.said.moment)
            state = msgspec.structs.replace(state, calls=calls, frozen=first, said=kept, ticks=state.ticks + 1)
    if event.right:
        return state  # nobody is told before the tie period is over
    note = Note("wrong", event.seat, call=event.kind, other=_target(state, event.turn))
    if event.fined:
        hand = (*state.hands[event.seat], state.pile[0])
        hands = (*state.hands[: event.seat], hand, *state.hands[event.seat + 1 :])
        note = Note(
            "wrong", event.seat, call=event.kind, other=note.other, count=1, face=state.pile[0], knows=(event.seat,)
        )
        state = msgspec.structs.replace(state, hands=hands, pile=state.pile[1:])
    return noted(state, note)


def _target(state: State, turn: int) -> Seat:
    return state.turn if turn == state.serial or state.window is None else state.window.seat


def tie_ends(state: State) -> Moment:
    """D: a tie is correct calls made within so much of the first one."""
    return Moment(min(one.at for one in state.calls) + state.material.tie_ms)


# ------------------------------------------------------------------------------------------------------ being caught


def settle(state: State, at: Moment) -> Events:
    """Return who is the catcher when the tie period is over. R: of a tie, the nearest clockwise to who is caught."""
    window = state.window
    assert window is not None
    ends = tie_ends(state)
    tied = [one for one in state.calls if one.at < ends]
    best = min(tied, key=lambda one: (one.seat - window.seat) % state.seats)
    beat = None if state.said is None else state.said.moment - best.at
    return [Caught(best.seat, window.seat, best.kind, at, beat)]


def caught(state: State, event: Caught) -> State:
    """Return the state after somebody was caught: the penalty, and then the catcher's choice."""
    window = state.window
    assert window is not None
    seat = event.caught
    note = Note("caught", event.catcher, other=seat, call=event.kind, ms=event.margin)
    kept = event.kind == "draw"  # D: after a MELD catch a kept NEXT is dropped
    if kept:
        state = _force_draw(noted(state, note), seat)
    else:
        first = next(number for number, act in enumerate(window.acts) if act.bad)
        state, back = undone(noted(state, note), seat, window.turn, window.acts[first:])
        state = noted(state, Note("undone", seat, count=len(back)))
    state = msgspec.structs.replace(state, calls=(), idle=0, ticks=state.ticks + 1)
    if not kept:
        state = msgspec.structs.replace(state, said=None)
    if not state.hands[event.catcher]:
        return _resumed(state, event.at)  # D: a catcher with no card gives none
    gift = Gift(event.catcher, seat, Moment(event.at + state.material.gift_ms), kept)
    return msgspec.structs.replace(state, gift=gift)


def _force_draw(state: State, seat: Seat) -> State:
    """R: the draw card is forced, and replaced. D: if the next inmate has taken it, the top of the pile."""
    pile, place = state.pile, state.place
    if place is not None:
        face, place, pile = place, (pile[0] if pile else None), pile[1:]
    elif pile:
        face, pile = pile[0], pile[1:]
    else:
        return state
    hands = (*state.hands[:seat], (*state.hands[seat], face), *state.hands[seat + 1 :])
    drawn = msgspec.structs.replace(state, hands=hands, pile=pile, place=place)
    return noted(drawn, Note("forced", seat, face=face, knows=(seat,)))


def give(state: State, seat: Seat, action: Give, at: Moment) -> Events:
    """Return what follows from the catcher's choice. Raises `Refusal`: `no-gift`, `not-in-hand` (fact `face`)."""
    gift = state.gift
    if gift is None or gift.catcher != seat:
        raise Refusal("no-gift")
    if action.face not in state.hands[seat]:
        raise Refusal("not-in-hand", face=action.face[:8])
    return [Given(seat, gift.caught, action.face, at)]


def choose(state: State, at: Moment) -> Events:
    """D: when the catcher does not choose in time, the highest-valued card is given; of equals, in order of faces."""
    gift = state.gift
    assert gift is not None
    hand = sorted(state.hands[gift.catcher], key=FACES.index)
    face = max(hand, key=state.material.value)
    return [Given(gift.catcher, gift.caught, face, at, True)]


def given(state: State, event: Given) -> State:
    """Return the state after the catcher has given a card."""
    hands = [list(hand) for hand in state.hands]
    hands[event.giver].remove(event.face)
    hands[event.receiver].append(event.face)
    note = Note("given", event.giver, other=event.receiver, face=event.face, knows=(event.giver, event.receiver))
    after = msgspec.structs.replace(state, hands=tuple(map(tuple, hands)), gift=None)
    return _resumed(noted(after, note), event.at)


def _resumed(state: State, at: Moment) -> State:
    """D: a penalty ends the window; the clock of the next inmate stood still meanwhile."""
    window, frozen = state.window, state.frozen
    assert window is not None and frozen is not None
    stood = max(0, at - frozen)
    began = at if suspended(state) else Moment(state.began + stood)
    said = state.said
    if said is not None:
        said = Said(Moment(max(said.moment, at)))  # D: it takes effect when due, and not while a catch is settled
    return msgspec.structs.replace(
        state,
        began=began,
        said=said,
        window=None,
        frozen=None,
        closed=(window.turn, at),
        ticks=state.ticks + 1,
        full=cell_cards(state, state.turn) >= state.material.cell and not state.out[state.turn]
        if suspended(state)
        else state.full,
    )


# ------------------------------------------------------------------------------------------------------------- pointers


def point(state: State, seat: Seat, action: Point) -> Events:
    """Return what follows from pointing at a meld.

    Raises `Refusal`: `strict`; `settling`; `no-meld` (fact `name`); `pointed-already`; `too-fresh`.
    """
    if state.options.referee == "strict":
        raise Refusal("strict")
    if state.calls or state.gift is not None:
        raise Refusal("settling")
    meld = state.meld(action.meld)
    if meld is None:
        raise Refusal("no-meld", name=action.meld)
    if state.pointed[seat]:
        raise Refusal("pointed-already")  # D: one a turn of theirs
    if meld.changed >= (state.serial if state.window is None else state.window.turn):
        raise Refusal("too-fresh")  # D: changed in the present turn, or in the turn whose window is open
    right = meld.bad or looks_bad(meld) or (meld.breach and meld.cell is not None)
    return [Pointed(seat, action.meld, right)]


def pointed(state: State, event: Pointed) -> State:
    """Return the state after somebody pointed. R: a bad meld is removed from play."""
    used = (*state.pointed[: event.seat], True, *state.pointed[event.seat + 1 :])
    meld = state.meld(event.meld)
    assert meld is not None
    state = msgspec.structs.replace(state, pointed=used)
    if event.right:
        state = msgspec.structs.replace(
            state,
            melds=tuple(other for other in state.melds if other.id != event.meld),
            aside=(*state.aside, *(card.face for card in meld.cards)),
        )
    return noted(state, Note("pointed", event.seat, right=event.right, count=len(meld.slots)))
