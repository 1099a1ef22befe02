"""What a seat may do in Break-Out: sound actions, for panels, completion and computer players.

It takes a state's view, so that it cannot know more than its reader. Sound means: no bad meld, no NEXT without a play,
and calls and pointers only where what everybody saw gives a reason. May import `engine` and its own package.
"""

from collections.abc import Iterator

from engine.contract import Seat
from engine.games.break_out.melds import (
    LEAST,
    MOST,
    additions,
    fault,
    fits,
    lies_badly,
    melds_of,
    points,
    shape,
    taken,
)
from engine.games.break_out.pieces import (
    DRAW,
    START,
    SUPER,
    WILD,
    BreakOut,
    BreakOutAction,
    Call,
    Card,
    Draw,
    Extend,
    Extract,
    Give,
    Lay,
    Move,
    Next,
    PlayDraw,
    Point,
)
from engine.games.break_out.state import State
from engine.games.break_out.view import BreakOutView, CardView, MeldView
from engine.games.break_out.view import view as shown
from engine.turns import Ready


def legal(state: State, seat: Seat) -> Iterator[BreakOutAction]:
    """Yield sound actions of this seat; more is accepted, above all under `honour`."""
    if not 0 <= seat < state.seats:
        return
    yield from sound(shown(state, seat))


def sound(view: BreakOutView) -> Iterator[BreakOutAction]:
    """Yield what the reader of this view may do."""
    seat = view.seat
    if seat is None or view.phase == "over":
        return
    if view.interlude is not None:
        if seat not in view.interlude.ready:
            yield Ready()
        return
    if view.phase == "gift":
        if seat == view.catcher:
            yield from (Give(face) for face in dict.fromkeys(view.hand))
        return
    yield from _calls(view, seat)
    yield from _pointers(view)
    if view.phase != "turn" or view.turn != seat:
        return
    if not view.acted and not view.drew and view.place:
        yield Draw()
    yield from sound_plays(view, seat)
    if view.acted or view.drew or not view.place:
        yield Next()


def unasked(view: BreakOutView) -> bool:
    """Say whether the reader may do something for which the game does not wait: call, point, or end an interlude."""
    seat = view.seat
    if seat is None or view.phase in ("gift", "over"):
        return False
    if view.interlude is not None:
        return seat not in view.interlude.ready
    return any(_calls(view, seat)) or any(_pointers(view))


def sound_plays(view: BreakOutView, seat: Seat) -> Iterator[BreakOutAction]:
    """Yield the sound plays of whose turn it is."""
    hand = view.hand if view.fresh != DRAW else taken(view.hand, [DRAW]) or ()
    if view.out[seat]:
        yield from _yard(view, seat, hand)
    else:
        yield from _cell(view, seat, hand)


def _cell(view: BreakOutView, seat: Seat, hand: tuple[str, ...]) -> Iterator[BreakOutAction]:
    need, most = view.limits
    own = [meld for meld in view.melds if meld.cell == seat]
    held = sum(len(meld.cards) for meld in own)
    for cards in melds_of(hand):
        if points(cards) >= need:
            yield BreakOut(1, cards)
        elif held + len(cards) <= most:
            yield Lay(cards)
    for meld in own:
        others = tuple(other.id for other in own if other.id != meld.id)
        for cards in additions(meld.played, hand):
            if points(meld.played) + points(cards) >= need:
                yield BreakOut(2, cards, meld.id, others)
                if others:
                    yield BreakOut(2, cards, meld.id)
            elif held + len(cards) <= most and fault(meld.played) is None:
                yield Extend(meld.id, cards)
    names = tuple(meld.id for meld in own)
    if view.full and names:
        yield BreakOut(3, moves=names)
        yield from (BreakOut(3, moves=(name,)) for name in names if len(names) > 1)
    if SUPER in hand:
        yield BreakOut(4, (Card(SUPER),), moves=names)


def _yard(view: BreakOutView, seat: Seat, hand: tuple[str, ...]) -> Iterator[BreakOutAction]:
    if not view.acted:
        if DRAW in hand:
            yield PlayDraw(DRAW)
        old = hand if view.fresh != SUPER else taken(hand, [SUPER]) or ()
        if SUPER in old:
            yield PlayDraw(SUPER)
    yield from (Lay(cards) for cards in melds_of(hand))
    yard = [meld for meld in view.melds if meld.cell is None]
    own = [meld for meld in view.melds if meld.cell == seat]
    for meld in yard:
        if meld.id == START and len(meld.cards) == 1:
            yield from (Extend(START, cards) for cards in additions(meld.played, hand))
        elif fault(meld.played) is None:
            yield from (Extend(meld.id, cards) for cards in additions(meld.played, hand))
            yield from _from_cell(meld, own)
            yield from _extractions(meld, hand, own)
    if own:
        names = tuple(meld.id for meld in own)
        yield Move(names)
        yield from (Move((name,)) for name in names if len(names) > 1)


def _from_cell(meld: MeldView, own: list[MeldView]) -> Iterator[BreakOutAction]:
    """Single cards that a cell meld can spare, and that fit here."""
    if len(meld.cards) < MOST:
        for card in _spare(own):
            if fault((*meld.played, card.card)) is None:
                yield Extend(meld.id, (), (card.slot,))


def _spare(own: list[MeldView]) -> Iterator[CardView]:
    for source in own:
        if len(source.cards) <= LEAST:
            continue
        for card in source.cards:
            if fault(tuple(other.card for other in source.cards if other.slot != card.slot)) is None:
                yield card


def _extractions(meld: MeldView, hand: tuple[str, ...], own: list[MeldView]) -> Iterator[BreakOutAction]:
    kind = shape(meld.played)
    for card in meld.cards:
        if card.face in (WILD, SUPER):
            for face in dict.fromkeys(hand):
                if fits(Card(face), card.card, kind):
                    yield Extract(card.slot, Card(face))
            for spare in _spare(own):  # R22
                if fits(spare.card, card.card, kind):
                    yield Extract(card.slot, spare.card, spare.slot)


def _calls(view: BreakOutView, seat: Seat) -> Iterator[BreakOutAction]:
    window = view.window
    if window is None or window.seat == seat:
        return
    if window.idle and "draw" not in window.mine:
        yield Call("draw", window.turn)
    if window.played and "meld" not in window.mine:
        yield Call("meld", window.turn)


def pointable(view: BreakOutView) -> tuple[MeldView, ...]:
    """Return the melds at which the reader of this view may point now, good or bad ones."""
    seat = view.seat
    if seat is None or view.referee == "strict" or view.phase in ("gift", "interlude", "over") or view.pointed[seat]:
        return ()
    return tuple(meld for meld in view.melds if not meld.lit and (meld.id != START or len(meld.cards) > 1))


def _pointers(view: BreakOutView) -> Iterator[BreakOutAction]:
    for meld in pointable(view):
        there = [other for other in view.melds if other.cell == meld.cell]
        cell = None if meld.cell is None else [card.slot for other in there for card in other.cards]
        if lies_badly(meld.played, [card.slot for card in meld.cards], cell, view.limits):
            yield Point(meld.id)
