"""Calls on cheating in Break-Out: the windows in which a turn can be called, and the tie period after a correct call.

A correct call stays secret until its tie period is over: until then it is only recorded in its window. Functions named
by a verb decide; those named by a participle return the state after an event. Marks in comments (R4, D1) refer to
docs/rules/break_out.md.
"""

import msgspec

from engine.contract import Moment, Refusal, Seat
from engine.games.break_out.events import BreakOutEvent, Called, CallKept, Voided, WindowShut
from engine.games.break_out.log import Note
from engine.games.break_out.state import ReceivedCall, State, Window, with_notes
from engine.games.break_out.types import KINDS, Call, Kind
from engine.turns import replace_at

Events = list[BreakOutEvent]


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
        if _may_precede_next(state, seat, action, at):
            return [CallKept(seat, action.kind, at)]
        raise


def _called(state: State, seat: Seat, action: Call, at: Moment) -> Events:
    turn = _turn_meant(state, action, at)
    events: Events = []
    if _opens_only_now(state, seat, turn, at):
        events.append(WindowShut())
        state = close_window(state)
    window = _window_for(state, seat, turn, at)
    if has_called(window, seat, action.kind):
        raise Refusal("called-already", kind=action.kind)
    named = action.turn is not None or action.seat is not None
    return [*events, judge_call(state, window, ReceivedCall(seat, action.kind, at, right=False, named=named))]


def has_called(window: Window, seat: Seat, kind: Kind) -> bool:
    """D30: return whether a seat has made this call, of which it has one in each window."""
    return any((one.seat, one.kind) == (seat, kind) for one in window.calls)


MOST_KEPT = 4
"""How many calls of one kind are kept for a seat in a turn."""


def _may_precede_next(state: State, seat: Seat, action: Call, at: Moment) -> bool:
    """D58: return whether a call may be about the present turn, though its NEXT is not known yet.

    Only the moment of receipt matters, so the call is kept if such a NEXT could have taken effect by then.
    """
    if action.turn is not None or action.seat not in (None, state.turn):
        return False
    if seat == state.turn or not can_say_next(state):
        return False
    soonest = state.began if state.last_next is None else max(state.began, state.last_next + state.material.catch_ms)
    same = [one for one in state.kept if (one.seat, one.kind) == (seat, action.kind)]
    return state.began < at and soonest <= at and len(same) < MOST_KEPT


def can_say_next(state: State) -> bool:
    """Return whether the player to move can still say NEXT."""
    return not (
        state.over
        or state.interlude is not None
        or state.gift is not None
        or state.said is not None
        or state.last is not None
    )


def _turn_meant(state: State, action: Call, at: Moment) -> int:
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


def _opens_only_now(state: State, seat: Seat, turn: int, at: Moment) -> bool:
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


def _window_for(state: State, seat: Seat, turn: int, at: Moment) -> Window:
    """Return the window of this turn, if a call of that moment counts in it."""
    windows = () if state.gift is not None else (state.window, state.closing)
    found = next((one for one in windows if one is not None and one.turn == turn), None)
    if found is None:
        raise _late_call(state, turn, at)
    if seat == found.seat:
        raise Refusal("own-turn")
    end = end_of(state, found)
    if end is not None and at >= end:  # D39: in the same millisecond as a deadline is too late
        raise Refusal("late-call", by_ms=at - end, seat=found.seat)
    return found


def end_of(state: State, window: Window) -> Moment | None:
    """Return when a window ends, with the next NEXT or by the clock; None while neither is known."""
    if window.closes is not None:
        return window.closes
    if state.said is None or window.turn == state.serial:
        return None
    return state.said.moment


def _late_call(state: State, turn: int, at: Moment) -> Refusal:
    """Return the refusal of a call that missed its window: by how many ms, or -1 if that is no longer known."""
    closed = state.closed
    if closed is None or closed.turn != turn:
        return Refusal("late-call", by_ms=-1)
    return Refusal("overtaken") if at < closed.at else Refusal("late-call", by_ms=at - closed.at, seat=closed.seat)


def judge_call(state: State, window: Window, call: ReceivedCall) -> Called:
    """R28: DRAW is right if they neither played nor drew, MELD if they laid a bad meld in that turn."""
    right = window.nothing if call.kind == "draw" else any(act.bad for act in window.acts)
    fined = not right and state.options.wrong_call == "draw" and bool(state.pile)  # O3
    return Called(call.seat, call.kind, window.turn, right, call.at, fined, call.named)


def called(state: State, event: Called) -> State:
    """Return the state after a call."""
    if event.turn == state.serial and state.said is not None and not state.said.open:
        state = close_window(state)  # the first rules' events do not say that the moment has come
    fine = state.pile[0] if event.fined else None
    call = ReceivedCall(event.seat, event.kind, event.at, event.right, event.named, fine)
    window = _of_turn(state, event.turn)
    state = _with_window(state, msgspec.structs.replace(window, calls=(*window.calls, call)))
    if event.right:
        return state  # secret until the tie period is over
    note = Note("wrong", event.seat, call=event.kind, other=window.seat, after=event.at - window.opened)
    if fine is not None:
        hand = (*state.hands[event.seat], fine)
        note = msgspec.structs.replace(note, count=1, face=fine, knows=(event.seat,))
        state = msgspec.structs.replace(state, hands=replace_at(state.hands, event.seat, hand), pile=state.pile[1:])
    return with_notes(state, note)


def voided(state: State, event: Voided) -> State:
    """Return the state after a call turned out to have come too late. Its fine is returned.

    D62: a call that named its turn was about that one alone, so its caller gets a note. Nobody else learns that it was
    right.
    """
    window = _of_turn(state, event.turn)
    void = next(one for one in window.calls if (one.seat, one.kind) == (event.seat, event.kind))
    left = tuple(one for one in window.calls if one is not void)
    state = _with_window(state, msgspec.structs.replace(window, calls=left))
    wrong = Note("wrong", event.seat, call=event.kind, other=window.seat, after=void.at - window.opened)
    notes = tuple(note for note in state.notes if msgspec.structs.replace(note, count=0, face=None, knows=()) != wrong)
    hand, fine = list(state.hands[event.seat]), void.fine
    if fine is not None and fine in hand:
        hand.remove(fine)
        hands = replace_at(state.hands, event.seat, tuple(hand))
        state = msgspec.structs.replace(state, hands=hands, pile=(fine, *state.pile))
    state = msgspec.structs.replace(state, notes=notes)
    if not void.named:
        return state
    returned = int(fine is not None)
    note = msgspec.structs.replace(wrong, kind="late", ms=event.by_ms, count=returned, private=void.right)
    return with_notes(state, note)


def _of_turn(state: State, turn: int) -> Window:
    return next(one for one in (state.window, state.closing) if one is not None and one.turn == turn)


def _with_window(state: State, window: Window) -> State:
    if state.window is not None and state.window.turn == window.turn:
        return msgspec.structs.replace(state, window=window)
    return msgspec.structs.replace(state, closing=window)


def close_window(state: State) -> State:
    """Return the state after a window has closed, by a NEXT, whose own window opens then, or by the clock.

    Calls received earlier still count in the closing window until it is settled.
    """
    said = state.said
    if said is None:
        return msgspec.structs.replace(state, window=None, closing=state.window)
    opened = Window(state.serial, state.turn, said.moment, state.acts, said.nothing, said.calls)
    said = msgspec.structs.replace(said, open=True)
    return msgspec.structs.replace(state, said=said, window=opened, closing=state.window)


def tie_end(state: State, window: Window) -> Moment:
    """D29: return when a tie ends. It consists of the correct calls made within `tie_ms` of the first one.

    A call after the window's end is late no matter who called before, so no tie extends past it.
    """
    tie = min(one.at for one in window.right) + state.material.tie_ms
    end = end_of(state, window)
    return Moment(tie if end is None else min(tie, end))
