"""Cheating and catching in Break-Out: calls, the tie period, the catcher's choice, and late pointers.

A correct call stays secret until its tie period is over: until then it is only recorded in its window. Marks in
comments (R4, D1) refer to docs/rules/break_out.md.
"""

from collections import Counter
from collections.abc import Iterator

import msgspec

from engine.contract import Moment, Refusal, Seat
from engine.games.break_out import facts, first_undo
from engine.games.break_out.events import BreakOutEvent, Called, CallKept, Caught, Given, Pointed, Voided, WindowShut
from engine.games.break_out.state import CallHeard, Closed, Gift, Note, State, Window, cell_cards, is_bad, noted
from engine.games.break_out.types import FACES, KINDS, Call, Face, Give, Kind, Point, in_order
from engine.games.break_out.undo import redrawn, undone
from engine.turns import replace_at

Events = list[BreakOutEvent]
Hands = tuple[tuple[Face, ...], ...]


# ---------------------------------------------------------------------------------------------------------------- calls


def call(state: State, seat: Seat, action: Call, at: Moment) -> Events:
    """Return what follows from a call.

    Raises `Refusal`: `strict`; `no-kind`; `own-turn`; `no-window` (fact `seat`, if the call names one); `not-open`
    (facts `seat`, `due`); `late-call` (facts `by_ms`, and `seat` if that is still known); `overtaken` (in time, but
    handled after its window was settled); `called-already` (fact `kind`).
    """
    if state.options.referee == "strict":
        raise Refusal("strict")
    if action.kind not in KINDS:
        raise Refusal("no-kind")
    try:
        return _called(state, seat, action, at)
    except Refusal:
        if _may_come_early(state, seat, action, at):
            return [CallKept(seat, action.kind, at)]
        raise


def _called(state: State, seat: Seat, action: Call, at: Moment) -> Events:
    turn = _meant(state, action, at)
    events: Events = []
    if _opens(state, seat, turn, at):
        events.append(WindowShut())
        state = shut(state)
    window = _heard_in(state, seat, turn, at)
    if called_already(window, seat, action.kind):
        raise Refusal("called-already", kind=action.kind)
    named = action.turn is not None or action.seat is not None
    return [*events, judged(state, window, CallHeard(seat, action.kind, at, right=False, named=named))]


def called_already(window: Window, seat: Seat, kind: Kind) -> bool:
    """D30: return whether a seat has made this call, of which it has one in each window."""
    return any((one.seat, one.kind) == (seat, kind) for one in window.heard)


MOST_KEPT = 4
"""How many calls of one kind are kept for a seat in a turn."""


def _may_come_early(state: State, seat: Seat, action: Call, at: Moment) -> bool:
    """D58: return whether a call may be about the present turn, though its NEXT is not known yet.

    Only the moment of receipt matters, so the call is kept if such a NEXT could have taken effect by then.
    """
    if action.turn is not None or action.seat not in (None, state.turn):
        return False
    if seat == state.turn or not turn_runs(state):
        return False
    soonest = state.began if state.last_next is None else max(state.began, state.last_next + state.material.catch_ms)
    same = [one for one in state.kept if (one.seat, one.kind) == (seat, action.kind)]
    return state.began < at and soonest <= at and len(same) < MOST_KEPT


def turn_runs(state: State) -> bool:
    """Return whether the player to move can still say NEXT."""
    return not (
        state.over
        or state.interlude is not None
        or state.gift is not None
        or state.said is not None
        or state.last is not None
    )


def _meant(state: State, action: Call, at: Moment) -> int:
    """Return the turn that is called: the one named, the last one of the seat named, or the one whose window was open
    when the call was received.
    """
    if action.turn is not None:
        return action.turn
    if action.seat is not None:
        return _last_turn(state, action.seat)
    said = state.said if state.gift is None else None
    if said is not None and at >= said.moment:
        return state.serial
    window = state.closing if state.window is None or (said is not None and said.open) else state.window
    if window is not None and at >= window.opened:
        return window.turn
    if state.closed is not None and state.closed.opened <= at < state.closed.at:
        return state.closed.turn
    raise Refusal("no-window")


def _last_turn(state: State, seat: Seat) -> int:
    """D62: return the last turn of a seat in which NEXT has been said, as far as it may still be called."""
    if state.said is not None and state.gift is None and seat == state.turn:
        return state.serial
    for window in (state.window, state.closing, state.closed):
        if window is not None and window.seat == seat:
            return window.turn
    raise Refusal("no-window", seat=seat)


def _opens(state: State, seat: Seat, turn: int, at: Moment) -> bool:
    """Return whether a call is about a turn in which NEXT has been said, and its window opens only now.

    D37: a window opens at the moment of the NEXT; settling only delays handling, so a call in that time counts.
    """
    said = state.said
    if said is None or turn != state.serial or state.gift is not None:
        return False
    if seat == state.turn:
        raise Refusal("own-turn")
    if at < said.moment:
        raise Refusal("not-open", seat=state.turn, due=said.moment)
    return not said.open


def _heard_in(state: State, seat: Seat, turn: int, at: Moment) -> Window:
    """Return the window of this turn, if a call of that moment counts in it."""
    windows = () if state.gift is not None else (state.window, state.closing)
    found = next((one for one in windows if one is not None and one.turn == turn), None)
    if found is None:
        raise _missed(state, turn, at)
    if seat == found.seat:
        raise Refusal("own-turn")
    end = ends(state, found)
    if end is not None and at >= end:  # D39: in the same millisecond as a deadline is too late
        raise Refusal("late-call", by_ms=at - end, seat=found.seat)
    return found


def ends(state: State, window: Window) -> Moment | None:
    """Return when a window ends, with the next NEXT or by the clock; None while neither is known."""
    if window.closes is not None:
        return window.closes
    if state.said is None or window.turn == state.serial:
        return None
    return state.said.moment


def _missed(state: State, turn: int, at: Moment) -> Refusal:
    """Return the refusal of a call that missed its window: by how many ms, or -1 if that is no longer known."""
    closed = state.closed
    if closed is None or closed.turn != turn:
        return Refusal("late-call", by_ms=-1)
    return Refusal("overtaken") if at < closed.at else Refusal("late-call", by_ms=at - closed.at, seat=closed.seat)


def judged(state: State, window: Window, heard: CallHeard) -> Called:
    """R28: DRAW is right if they neither played nor drew, MELD if they laid a bad meld in that turn."""
    right = window.nothing if heard.kind == "draw" else any(act.bad for act in window.acts)
    fined = not right and state.options.wrong_call == "draw" and bool(state.pile)  # O3
    return Called(heard.seat, heard.kind, window.turn, right, heard.at, fined, heard.named)


def called(state: State, event: Called) -> State:
    """Return the state after a call."""
    if event.turn == state.serial and state.said is not None and not state.said.open:
        state = shut(state)  # the first rules' events do not say that the moment has come
    fine = state.pile[0] if event.fined else None
    heard = CallHeard(event.seat, event.kind, event.at, event.right, event.named, fine)
    window = _of_turn(state, event.turn)
    state = _with_window(state, msgspec.structs.replace(window, heard=(*window.heard, heard)))
    if event.right:
        return state  # secret until the tie period is over
    note = Note("wrong", event.seat, call=event.kind, other=window.seat, after=event.at - window.opened)
    if fine is not None:
        hand = (*state.hands[event.seat], fine)
        note = msgspec.structs.replace(note, count=1, face=fine, knows=(event.seat,))
        state = msgspec.structs.replace(state, hands=replace_at(state.hands, event.seat, hand), pile=state.pile[1:])
    return noted(state, note)


def voided(state: State, event: Voided) -> State:
    """Return the state after a call turned out to have come too late. Its fine is returned.

    D62: a call that named its turn was about that one alone, and its caller is told. That one was right is told to
    nobody else.
    """
    window = _of_turn(state, event.turn)
    void = next(one for one in window.heard if (one.seat, one.kind) == (event.seat, event.kind))
    heard = tuple(one for one in window.heard if one is not void)
    state = _with_window(state, msgspec.structs.replace(window, heard=heard))
    told = Note("wrong", event.seat, call=event.kind, other=window.seat, after=void.at - window.opened)
    notes = tuple(note for note in state.notes if msgspec.structs.replace(note, count=0, face=None, knows=()) != told)
    hand, fine = list(state.hands[event.seat]), void.fine
    if fine is not None and fine in hand:
        hand.remove(fine)
        hands = replace_at(state.hands, event.seat, tuple(hand))
        state = msgspec.structs.replace(state, hands=hands, pile=(fine, *state.pile))
    state = msgspec.structs.replace(state, notes=notes)
    if not void.named:
        return state
    returned = int(fine is not None)
    note = msgspec.structs.replace(told, kind="late", ms=event.by_ms, count=returned, private=void.right)
    return noted(state, note)


def _of_turn(state: State, turn: int) -> Window:
    return next(one for one in (state.window, state.closing) if one is not None and one.turn == turn)


def _with_window(state: State, window: Window) -> State:
    if state.window is not None and state.window.turn == window.turn:
        return msgspec.structs.replace(state, window=window)
    return msgspec.structs.replace(state, closing=window)


def shut(state: State) -> State:
    """Return the state after a window has closed, by a NEXT, whose own window opens then, or by the clock.

    Calls received earlier still count in the closing window until it is settled.
    """
    said = state.said
    if said is None:
        return msgspec.structs.replace(state, window=None, closing=state.window)
    opened = Window(state.serial, state.turn, said.moment, state.acts, said.nothing)
    said = msgspec.structs.replace(said, open=True)
    return msgspec.structs.replace(state, said=said, window=opened, closing=state.window)


def tie_ends(state: State, window: Window) -> Moment:
    """D29: return when a tie ends. It consists of the correct calls made within `tie_ms` of the first one.

    A call after the window's end is late no matter who called before, so no tie extends past it.
    """
    tie = min(one.at for one in window.right) + state.material.tie_ms
    end = ends(state, window)
    return Moment(tie if end is None else min(tie, end))


# ------------------------------------------------------------------------------------------------------ being caught


def settle(state: State, at: Moment) -> Events:
    """Return the catch when the tie period is over. R31: of a tie, the nearest clockwise to the one who is caught."""
    window = state.called
    assert window is not None
    end = tie_ends(state, window)
    tied = [one for one in window.right if one.at < end]
    best = min(tied, key=lambda one: (one.seat - window.seat) % state.seats)
    beat = None if state.said is None else state.said.moment - best.at
    made = undone(state, window) if best.kind == "meld" else None
    return [Caught(best.seat, window.seat, best.kind, at, beat, made)]


def caught(state: State, event: Caught) -> State:
    """Return the state after somebody was caught: first the penalty, then the catcher's choice.

    D28: a penalty ends the window. D43: a pending NEXT survives a DRAW catch and is dropped after a MELD catch; its own
    window, if it had opened, is void.
    """
    window = state.called
    assert window is not None and window.seat == event.caught
    seat, said, last = event.caught, state.said, window.closes is not None
    closed = Closed(window.turn, seat, window.opened, tie_ends(state, window))
    frozen = min(one.at for one in window.right)
    state = facts.caught(state, event, window)
    state = noted(state, *_told_of_catch(event, window, closed.at))
    dropped = event.kind == "meld" and said is not None
    if event.kind == "draw":
        state = _force_draw(state, seat)
        said = None if said is None else msgspec.structs.replace(said, open=False)
    else:
        before, said = state.hands, None
        state = _undone(state, event, window)
        dealt = _returned(before, state.hands)
        count = sum(owner == seat for owner, _ in dealt)
        state = noted(state, Note("undone", seat, count=count, dealt=dealt))
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
        "last" if last else "dropped" if dropped else "stood",
    )
    if not state.hands[event.catcher]:
        return _resumed(state, gift, event.at)  # D27: a catcher with no card gives none
    return msgspec.structs.replace(state, gift=gift)


def _told_of_catch(event: Caught, window: Window, tie_end: Moment) -> Iterator[Note]:
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
        return redrawn(state, event.undone)
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
    return _resumed(noted(after, note), gift, event.at)


def _resumed(state: State, gift: Gift, at: Moment) -> State:
    """D42: the clock of the next player was paused meanwhile. A turn that had been ended restarts its clock."""
    assert state.frozen is not None
    paused = max(0, at - state.frozen)
    state = msgspec.structs.replace(
        state,
        began=Moment(state.began + paused) if gift.then == "stood" else at,
        frozen=None,
        ticks=state.ticks + 1,
    )
    if state.said is not None:  # D43: it takes effect when due, but not while a catch is settled
        said = msgspec.structs.replace(state.said, moment=Moment(max(state.said.moment, at)))
        state = msgspec.structs.replace(state, said=said)
    return turn_begun(state) if gift.then == "last" else state


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
    """Return the state after somebody pointed. R32: a bad meld is removed from play."""
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
        state = facts.pointed_at(state, event)
    return noted(state, Note("pointed", event.seat, right=event.right, count=len(meld.slots)))
