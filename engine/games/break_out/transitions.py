"""Break-Out's state transitions: the state after each event. Nothing is decided here.

Marks in comments (R4, D1) refer to docs/rules/break_out.md.
"""

from typing import assert_never

import msgspec

from engine.contract import ClockShifted, Moment, Seat, TimedOut
from engine.games.break_out import calls, catches, rounds
from engine.games.break_out.effects import played
from engine.games.break_out.events import (
    BreakOutEvent,
    Called,
    CallKept,
    Caught,
    Drew,
    GameBegun,
    GameEnded,
    Given,
    NextSaid,
    NextTaken,
    Played,
    Pointed,
    RoundBegun,
    RoundEnded,
    Voided,
    WindowClosed,
    WindowShut,
)
from engine.games.break_out.log import Note, RoundScore
from engine.games.break_out.state import (
    Closed,
    ReceivedCall,
    Said,
    State,
    Window,
    circuit_is_over,
    later_calls,
    notes_with,
    standstill,
    with_notes,
)
from engine.games.break_out.types import START, Card, Meld, Slot
from engine.interning import intern
from engine.turns import InterludeBegun, InterludeEnded, Readied, interlude_after, replace_at


def first_state(begun: GameBegun) -> State:
    """Return the state after the first event."""
    return State(
        material=intern(begun.material),
        options=begun.options,
        round=1,
        serial=0,
        turn=begun.starter,
        starter=begun.starter,
        began=begun.at,
        hands=(),
        out=(),
        scores=(0,) * len(begun.lots[0]),
        interlude_ms=begun.interlude_ms,
        rules=begun.rules,
    )


def apply_event(state: State, event: BreakOutEvent) -> State:
    """Return the state after an event."""
    match event:  # the most frequent events first, since the cases are tried in turn
        case NextSaid():
            return _said(state, event)
        case NextTaken():
            return _taken(state)
        case Played():
            return played(state, event)
        case Drew():
            assert state.place is not None
            hands = replace_at(state.hands, event.seat, (*state.hands[event.seat], state.place))
            notes = notes_with(state, Note("drew", event.seat, face=state.place, knows=(event.seat,)))
            return msgspec.structs.replace(state, hands=hands, drew=state.place, place=None, notes=notes)
        case Called():
            return calls.called(state, event)
        case WindowShut():
            return calls.close_window(state)
        case CallKept(seat, kind, at):
            call = ReceivedCall(seat, kind, at, right=False, named=False)
            return msgspec.structs.replace(state, kept=(*state.kept, call))
        case Voided():
            return calls.voided(state, event)
        case Caught():
            return catches.caught(state, event)
        case Given():
            return catches.given(state, event)
        case Pointed():
            return catches.pointed(state, event)
        case WindowClosed():
            return _closed(state, event.seat)
        case RoundBegun():
            return _round(state, event)
        case RoundEnded():
            return _ended(state, event)
        case InterludeBegun() | Readied() | InterludeEnded():
            return msgspec.structs.replace(state, interlude=interlude_after(state.interlude, event))
        case GameEnded():
            return msgspec.structs.replace(state, over=True)
        case TimedOut():
            return with_notes(state, Note("lapsed", event.seat))
        case ClockShifted():
            return _delayed(state, event)
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
        finished=state.finished,
        interlude_ms=state.interlude_ms,
        rules=state.rules,
    )
    return with_notes(fresh, Note("round", begun.starter, count=begun.number))


def _said(state: State, event: NextSaid) -> State:
    """A NEXT is said. D24: whether its player neither played nor drew is judged now, with the draw place as it is."""
    window = state.window
    if window is not None:
        # The first rules' events do not void each such call.
        in_time = tuple(one for one in window.calls if one.at < event.moment or not one.right)
        window = msgspec.structs.replace(window, calls=in_time)
    nothing = not state.acts and state.drew is None and state.place is not None  # D25: with an empty place it is a pass
    said = msgspec.structs.replace(
        state,
        said=Said(event.moment, nothing),
        window=window,
        kept=(),
        ticks=state.ticks + 1,
        notes=notes_with(state, Note("next", event.seat, ms=max(0, event.moment - event.at))),
    )
    return calls.close_window(said) if event.moment <= event.at and state.options.referee == "honour" else said


def _taken(state: State) -> State:
    """The NEXT takes effect: the window before closes, this turn's opens, and the next player's turn begins."""
    honour = state.options.referee == "honour"
    if honour and state.said is not None and not state.said.open:
        state = calls.close_window(state)  # the first rules' events do not say that the moment has come
    assert state.said is not None
    seat, moment, closing = state.turn, state.said.moment, state.closing
    state = rounds.uncalled(state, closing)
    pile, place = state.pile, state.place
    if state.drew is not None and pile:
        place, pile = pile[0], pile[1:]  # R10: the draw card is replaced
    idle, dry = standstill(state)
    ends = honour and (not state.hands[seat] or circuit_is_over(state))
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
        kept=(),
        last_next=moment,
        closed=state.closed if closing is None else Closed(closing.turn, closing.seat, closing.opened, moment),
        ticks=state.ticks + 1,
        idle=idle,
        dry=dry,
    )
    if ends:
        assert after.window is not None
        closes = Moment(moment + state.material.last_catch_ms)
        return msgspec.structs.replace(after, window=msgspec.structs.replace(after.window, closes=closes))
    return catches.turn_begun(after)


def _closed(state: State, seat: Seat) -> State:
    """Nobody was right in a last window."""
    last = state.last
    assert last is not None and last.closes is not None
    closed = Closed(last.turn, last.seat, last.opened, last.closes)
    state = msgspec.structs.replace(rounds.uncalled(state, last), window=None, closing=None, closed=closed)
    return state if state.hands[seat] else with_notes(state, Note("out", seat))


def _ended(state: State, event: RoundEnded) -> State:
    """R33: the points are counted. The first rules' events do not say that the last window has closed."""
    state = rounds.uncalled(rounds.uncalled(state, state.closing), state.window)
    totals = tuple(have + more for have, more in zip(state.scores, event.points, strict=True))
    return msgspec.structs.replace(
        state,
        scores=totals,
        sheet=(*state.sheet, RoundScore(event.winner, event.points)),
        said=None,
        window=None,
        closing=None,
        finished=(*state.finished, rounds.finished(state, event, totals)),
    )


def _delayed(state: State, event: ClockShifted) -> State:
    by = event.by_ms

    def later(moment: Moment | None) -> Moment | None:
        return None if moment is None else Moment(moment + by)

    def moved(window: Window | None) -> Window | None:
        if window is None:
            return None
        opened, received = Moment(window.opened + by), later_calls(window.calls, by)
        return msgspec.structs.replace(window, opened=opened, closes=later(window.closes), calls=received)

    said, gift, closed = state.said, state.gift, state.closed
    if said is not None:
        said = msgspec.structs.replace(said, moment=Moment(said.moment + by), calls=later_calls(said.calls, by))
    return msgspec.structs.replace(
        state,
        began=Moment(state.began + by),
        said=said,
        window=moved(state.window),
        closing=moved(state.closing),
        gift=None if gift is None else msgspec.structs.replace(gift, due=Moment(gift.due + by)),
        frozen=later(state.frozen),
        last_next=later(state.last_next),
        kept=later_calls(state.kept, by),
        interlude=interlude_after(state.interlude, event),
        closed=None
        if closed is None
        else Closed(closed.turn, closed.seat, Moment(closed.opened + by), Moment(closed.at + by)),
    )
