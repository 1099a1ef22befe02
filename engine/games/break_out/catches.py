"""Catches in Break-Out: the penalty, the card that the catcher chooses, and bad melds that are pointed at later.

Functions named by a verb decide; those named by a participle return the state after an event. Marks in comments (R4,
D1) refer to docs/rules/break_out.md.
"""

from collections import Counter
from collections.abc import Iterator

import msgspec

from engine.contract import Moment, Refusal, Seat
from engine.games.break_out import first_undo, rounds
from engine.games.break_out.calls import tie_end
from engine.games.break_out.events import BreakOutEvent, Caught, Given, Pointed
from engine.games.break_out.log import Note
from engine.games.break_out.state import (
    Closed,
    Gift,
    Said,
    State,
    Window,
    cell_cards,
    is_bad,
    later_calls,
    with_notes,
)
from engine.games.break_out.types import FACES, Face, Give, Point, in_order
from engine.games.break_out.undo import undo, with_undone
from engine.turns import replace_at

Events = list[BreakOutEvent]
Hands = tuple[tuple[Face, ...], ...]

SURVIVING_CALLS = 5
"""The version of the rules from which on a DRAW catch leaves the calls on the next turn as they are."""


def settle(state: State, at: Moment) -> Events:
    """Return the catch when the tie period is over. R31: of a tie, the nearest clockwise to the one who is caught."""
    window = state.called
    assert window is not None
    end = tie_end(state, window)
    tied = [one for one in window.right if one.at < end]
    best = min(tied, key=lambda one: (one.seat - window.seat) % state.seats)
    beat = None if state.said is None else state.said.moment - best.at
    made = undo(state, window) if best.kind == "meld" else None
    return [Caught(best.seat, window.seat, best.kind, at, beat, made)]


def caught(state: State, event: Caught) -> State:
    """Return the state after a catch: first the penalty, then the catcher's choice.

    D28: a penalty ends the window. D43: a pending NEXT survives a DRAW catch. A MELD catch drops it with the calls that
    were received since its moment.
    """
    window = state.called
    assert window is not None and window.seat == event.caught
    seat, said, last = event.caught, state.said, window.closes is not None
    closed = Closed(window.turn, seat, window.opened, tie_end(state, window))
    frozen = min(one.at for one in window.right)
    state = rounds.caught(state, event, window)
    state = with_notes(state, *_catch_notes(event, window, closed.at))
    dropped = event.kind == "meld" and said is not None
    if event.kind == "draw":
        state = _force_draw(state, seat)
        said = None if said is None else _postponed(state, said)
    else:
        before, said = state.hands, None
        state = _undone(state, event, window)
        dealt = _returned(before, state.hands)
        count = sum(owner == seat for owner, _ in dealt)
        state = with_notes(state, Note("undone", seat, count=count, dealt=dealt))
    state = msgspec.structs.replace(
        state,
        said=said,
        window=None,
        closing=None,
        closed=closed,
        frozen=frozen,
        idle=0,
        dry=0 if last else state.dry,  # D50: a right call resumes the round
        ticks=state.ticks + 1,
    )
    gift = Gift(
        event.catcher,
        seat,
        Moment(event.at + state.material.gift_ms),
        "begin" if last else "resume" if dropped else "continue",
    )
    if not state.hands[event.catcher]:
        return _resumed(state, gift, event.at)  # D27: a catcher with no card gives none
    return msgspec.structs.replace(state, gift=gift)


def _postponed(state: State, said: Said) -> Said:
    """D43: return a NEXT after a DRAW catch. Calls received since its moment count; by older rules they were void."""
    opened = state.window if said.open and state.rules >= SURVIVING_CALLS else None
    return msgspec.structs.replace(said, open=False, calls=() if opened is None else opened.calls)


def _catch_notes(event: Caught, window: Window, tie_end: Moment) -> Iterator[Note]:
    """Yield who caught whom, and D63: whose calls were right too, in the tie (`right`) or after it."""
    best = next(one for one in window.right if one.seat == event.catcher)
    after = best.at - window.opened
    yield Note("caught", event.catcher, other=event.caught, call=event.kind, ms=event.margin, after=after)
    for one in window.right:
        if one.seat != event.catcher:
            after, tied = one.at - window.opened, one.at < tie_end
            yield Note("nearer", one.seat, event.catcher, call=one.kind, right=tied, after=after, whom=event.caught)


def _undone(state: State, event: Caught, window: Window) -> State:
    if event.undone is not None:
        return with_undone(state, event.undone)
    first = next(number for number, act in enumerate(window.acts) if act.bad)
    return first_undo.undone(state, window.seat, window.turn, window.acts[first:])


def _returned(before: Hands, after: Hands) -> tuple[tuple[Seat, Face], ...]:
    """Return the cards that an undo returned to hands, with their seats."""
    found = enumerate(Counter(now) - Counter(old) for old, now in zip(before, after, strict=True))
    return tuple((Seat(seat), face) for seat, back in found for face in in_order(tuple(back.elements())))


def _force_draw(state: State, seat: Seat) -> State:
    """R29: the draw card is forced, and replaced. D26: if the next player has taken it, the top of the pile."""
    pile, place = state.pile, state.place
    if place is not None:
        face, place, pile = place, (pile[0] if pile else None), pile[1:]
    elif pile:
        face, pile = pile[0], pile[1:]
    else:
        return state
    hands = replace_at(state.hands, seat, (*state.hands[seat], face))
    drawn = msgspec.structs.replace(state, hands=hands, pile=pile, place=place)
    return with_notes(drawn, Note("forced", seat, face=face, knows=(seat,)))


def give(state: State, seat: Seat, action: Give, at: Moment) -> Events:
    """Return what follows from the catcher's choice. Raises `Refusal`: `no-gift`, `not-in-hand` (fact `face`)."""
    gift = state.gift
    if gift is None or gift.catcher != seat:
        raise Refusal("no-gift")
    if action.face not in state.hands[seat]:
        raise Refusal("not-in-hand", face=action.face[:8])
    return [Given(seat, gift.caught, action.face, at)]


def choose(state: State, at: Moment) -> Events:
    """D27: if the catcher does not choose in time, the highest-valued card is given; of equals, in order of faces."""
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
    knows = event.giver, event.receiver
    note = Note("given", event.giver, other=event.receiver, face=event.face, knows=knows, lapsed=event.lapsed)
    gift = state.gift
    assert gift is not None
    after = msgspec.structs.replace(state, hands=tuple(map(tuple, hands)), gift=None)
    return _resumed(with_notes(after, note), gift, event.at)


def _resumed(state: State, gift: Gift, at: Moment) -> State:
    """D42: the clock of the next player was paused meanwhile. A turn that had been ended restarts its clock."""
    assert state.frozen is not None
    paused = max(0, at - state.frozen)
    state = msgspec.structs.replace(
        state,
        began=Moment(state.began + paused) if gift.then == "continue" else at,
        frozen=None,
        ticks=state.ticks + 1,
    )
    if state.said is not None:  # D43: it takes effect when due, but not while a catch is settled
        moment = Moment(max(state.said.moment, at))
        standing = later_calls(state.said.calls, moment - state.said.moment)
        said = msgspec.structs.replace(state.said, moment=moment, calls=standing)
        state = msgspec.structs.replace(state, said=said)
    return turn_begun(state) if gift.then == "begin" else state


def turn_begun(state: State) -> State:
    """Return the state at the beginning of a turn: R17 whether its cell is full, and D44 its player may point again."""
    seat = state.turn
    return msgspec.structs.replace(
        state,
        full=cell_cards(state, seat) >= state.material.cell and not state.out[seat],
        pointed=replace_at(state.pointed, seat, False),
    )


# ------------------------------------------------------------------------------------------------------------- pointers


def point(state: State, seat: Seat, action: Point) -> Events:
    """Return what follows from pointing at a meld.

    Raises `Refusal`: `strict`; `settling`; `no-meld` (fact `name`); `pointed-already`; `too-fresh`.
    """
    if state.options.referee == "strict":
        raise Refusal("strict")
    if state.gift is not None:
        raise Refusal("settling")
    meld = state.meld(action.meld)
    if meld is None:
        raise Refusal("no-meld", name=action.meld)
    if state.pointed[seat]:
        raise Refusal("pointed-already")  # D44: one per turn of theirs
    turns = (state.serial, *(one.turn for one in (state.window, state.closing) if one is not None))
    if meld.changed >= min(turns):
        raise Refusal("too-fresh")  # D45: changed in the present turn, or in the turn whose window is open
    return [Pointed(seat, action.meld, is_bad(state, meld))]


def pointed(state: State, event: Pointed) -> State:
    """Return the state after a player pointed at a meld. R32: a bad meld is removed from play."""
    used = replace_at(state.pointed, event.seat, True)
    meld = state.meld(event.meld)
    assert meld is not None
    state = msgspec.structs.replace(state, pointed=used)
    if event.right:
        state = msgspec.structs.replace(
            state,
            melds=tuple(other for other in state.melds if other.id != event.meld),
            aside=(*state.aside, *(card.face for card in meld.cards)),
        )
        state = rounds.pointed_at(state, event)
    return with_notes(state, Note("pointed", event.seat, right=event.right, count=len(meld.slots)))
