"""The search for sound actions in Break-Out, for pages, completion and bots.

It works on what a reader knows, taken from a view or directly from a state (`Glance`), so it cannot use secrets. Sound
means: no bad meld, no NEXT without a play, and calls and pointers only if something that everybody saw justifies them.
"""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Literal

import msgspec

from engine.contract import Seat
from engine.games.break_out.melds import (
    LEAST,
    MOST,
    REMEMBERED,
    FoundMeld,
    actual_cards,
    fault,
    held,
    lies_badly,
    made_of,
    taken,
)
from engine.games.break_out.state import State, Window
from engine.games.break_out.types import (
    DRAW,
    START,
    SUPER,
    BreakOut,
    BreakOutAction,
    Call,
    Card,
    Cards,
    Draw,
    Extend,
    Extract,
    Face,
    Give,
    Ids,
    Kind,
    Lay,
    Meld,
    Move,
    Next,
    PlayDraw,
    Point,
    in_order,
)
from engine.games.break_out.view import BreakOutView, MeldView, Phase, WindowView, phase
from engine.turns import Interlude, Ready, awaits_ready

TABLES = 64
"""How many tables of melds are cached in analysed form: at each moment every seat is asked what it may do."""


class TableMeld(msgspec.Struct, frozen=True):
    """A meld on the table, as far as moves depend on it; everybody sees all of it.

    `changed` is the turn that changed it last, as far as that is visible. `wanted` are its Wilds, each with the faces
    that extract it.
    """

    id: int
    cell: Seat | None
    changed: int
    names: Ids
    cards: Cards
    made: FoundMeld
    wanted: tuple[tuple[int, frozenset[Face]], ...]


class Glance(msgspec.Struct, frozen=True):
    """What a reader knows, as far as their moves depend on it. Fields are documented in the view under the same names.

    `calls` can be made in the open window, `bad` are those of the melds that are bad, and the hand is in any order.
    """

    seat: Seat | None
    phase: Phase
    referee: Literal["honour", "strict"]
    serial: int
    turn: Seat | None
    interlude: Interlude | None
    catcher: Seat | None
    calls: tuple[Call, ...]
    melds: tuple[TableMeld, ...]
    bad: tuple[TableMeld, ...]
    pointed: tuple[bool, ...]
    out: tuple[bool, ...]
    acted: bool
    drew: bool
    place: bool
    full: bool
    limits: tuple[int, int]
    fresh: Face | None
    hand: tuple[Face, ...]

    def cell(self, seat: Seat) -> list[TableMeld]:
        """Return the melds of a cell."""
        return [meld for meld in self.melds if meld.cell == seat]


def legal(state: State, seat: Seat) -> Iterator[BreakOutAction]:
    """Return sound actions of this seat; more are accepted, especially under `honour`."""
    if not 0 <= seat < len(state.hands):
        return iter(())
    if _looks_on(state, seat):
        return iter(_calls_on(state.window, seat))
    return _sound(_glance(state, seat))


def sound(view: BreakOutView) -> Iterator[BreakOutAction]:
    """Return what the reader of this view may do."""
    return _sound(_glance_at(view))


def sound_plays(view: BreakOutView, seat: Seat) -> Iterator[BreakOutAction]:
    """Return the sound plays of the seat to move."""
    return _plays(_glance_at(view), seat)


def can_act_off_turn(view: BreakOutView) -> bool:
    """Return True if the reader may call, point, or end an interlude, none of which the game waits for."""
    seat = view.seat
    if seat is None or view.phase in ("gift", "over"):
        return False
    if view.interlude is not None:
        return awaits_ready(view.interlude, seat)
    seen = _glance_at(view)
    return bool(seen.calls) or any(_pointers(seen))


def pointable(view: BreakOutView) -> tuple[MeldView, ...]:
    """Return the melds, good or bad, at which the reader of this view may point now."""
    seen = _glance_at(view)
    names = {meld.id for meld in _pointable(seen, seen.melds)}
    return tuple(meld for meld in view.melds if meld.id in names)


# ------------------------------------------------------------------------------------------------------ what is known


def _looks_on(state: State, seat: Seat) -> bool:
    """Return True if a seat can only call, as is usual during other turns. Checked first, since it is cheap."""
    if seat == state.turn or state.gift is not None or state.interlude is not None:
        return False
    return not _table(state.melds, (state.material.break_out, state.material.cell))[1]


def _glance(state: State, seat: Seat) -> Glance:
    """Return what this seat knows. Arguments are positional for speed: it is called for every seat at every moment."""
    pause, gift = state.interlude, state.gift
    limits = state.material.break_out, state.material.cell
    melds, bad = _table(state.melds, limits)
    return Glance(
        seat,
        phase(state),
        state.options.referee,
        state.serial,
        None if state.over or pause is not None else state.turn,
        pause,
        None if gift is None else gift.catcher,
        _calls_on(state.window, seat),
        melds,
        bad,
        state.pointed,
        state.out,
        bool(state.acts),
        state.drew is not None,
        state.place is not None,
        state.full,
        limits,
        state.drew if state.turn == seat else None,
        state.hands[seat],
    )


def _glance_at(view: BreakOutView) -> Glance:
    """Return what the reader of a view knows."""
    melds = tuple([_seen(meld, view.serial) for meld in view.melds])
    return Glance(
        view.seat,
        view.phase,
        view.referee,
        view.serial,
        view.turn,
        view.interlude,
        view.catcher,
        _calls_seen(view.window, view.seat),
        melds,
        _bad(melds, view.limits),
        view.pointed,
        view.out,
        view.acted,
        view.drew,
        view.place,
        view.full,
        view.limits,
        view.fresh,
        view.hand,
    )


@lru_cache(TABLES)
def _table(melds: tuple[Meld, ...], limits: tuple[int, int]) -> tuple[tuple[TableMeld, ...], tuple[TableMeld, ...]]:
    """Return the melds of a state, and the bad ones among them: the same for every seat."""
    lying = tuple([_lying(meld) for meld in melds])
    return lying, _bad(lying, limits)


def _bad(melds: tuple[TableMeld, ...], limits: tuple[int, int]) -> tuple[TableMeld, ...]:
    bad = []
    for meld in melds:
        cell = None if meld.cell is None else [name for one in melds if one.cell == meld.cell for name in one.names]
        if lies_badly(meld.made, meld.names, cell, limits):
            bad.append(meld)
    return tuple(bad)


@lru_cache(REMEMBERED)
def _lying(meld: Meld) -> TableMeld:
    names = tuple([slot.id for slot in meld.slots])
    return _read(meld.id, meld.cell, meld.changed, names, meld.cards)


@lru_cache(REMEMBERED)
def _seen(meld: MeldView, serial: int) -> TableMeld:
    names = tuple([card.slot for card in meld.cards])
    return _read(meld.id, meld.cell, serial if meld.lit else -1, names, meld.played)


def _read(name: int, cell: Seat | None, changed: int, names: Ids, cards: Cards) -> TableMeld:
    made = made_of(cards)
    wanted = [(slot, actual_cards(card, made.kind)) for slot, card in zip(names, cards, strict=True) if card.wild]
    return TableMeld(name, cell, changed, names, cards, made, tuple(wanted))


def _calls_on(there: Window | None, seat: Seat) -> tuple[Call, ...]:
    if there is None or there.seat == seat:
        return ()
    mine = [one.kind for one in there.calls if one.seat == seat]
    return _calls(there.turn, there.nothing, bool(there.acts), mine)


def _calls_seen(there: WindowView | None, seat: Seat | None) -> tuple[Call, ...]:
    if there is None or there.seat == seat:
        return ()
    return _calls(there.turn, there.idle, there.played, there.mine)


def _calls(turn: int, idle: bool, played: bool, mine: Sequence[Kind]) -> tuple[Call, ...]:
    called: tuple[Call, ...] = ()
    if idle and "draw" not in mine:
        called = (Call("draw", turn),)
    if played and "meld" not in mine:
        called = (*called, Call("meld", turn))
    return called


# --------------------------------------------------------------------------------------------------- what may be done


def _sound(seen: Glance) -> Iterator[BreakOutAction]:
    seat = seen.seat
    if seat is None or seen.phase == "over":
        return
    if seen.interlude is not None:
        if awaits_ready(seen.interlude, seat):
            yield Ready()
        return
    if seen.phase == "gift":
        if seat == seen.catcher:
            yield from (Give(face) for face in dict.fromkeys(in_order(seen.hand)))
        return
    yield from seen.calls
    if seen.bad:
        yield from _pointers(seen)
    if seen.phase != "turn" or seen.turn != seat:
        return
    if not seen.acted and not seen.drew and seen.place:
        yield Draw()
    yield from _plays(seen, seat)
    if seen.acted or seen.drew or not seen.place:
        yield Next()


def _plays(seen: Glance, seat: Seat) -> Iterator[BreakOutAction]:
    hand = in_order(seen.hand if seen.fresh != DRAW else taken(seen.hand, [DRAW]) or ())
    return _yard(seen, seat, hand) if seen.out[seat] else _cell(seen, seat, hand)


def _cell(seen: Glance, seat: Seat, hand: tuple[Face, ...]) -> Iterator[BreakOutAction]:
    need, most = seen.limits
    own = seen.cell(seat)
    free = most - sum([meld.made.size for meld in own])
    own_hand = held(hand)
    for worth, cards in own_hand.melds:
        if worth >= need:
            yield BreakOut(1, cards)
        elif len(cards) <= free:
            yield Lay(cards)
    for meld in own:
        others = tuple([other.id for other in own if other.id != meld.id])
        made = meld.made
        for worth, cards in own_hand.additions(made):
            if made.fault is not None and fault((*meld.cards, *cards)) is not None:
                continue  # a bad meld that these cards do not make sound, such as one of Wilds alone
            if made.points + worth >= need:
                yield BreakOut(2, cards, meld.id, others)
                if others:
                    yield BreakOut(2, cards, meld.id)
            elif len(cards) <= free and made.fault is None:
                yield Extend(meld.id, cards)
    names = tuple([meld.id for meld in own])
    if seen.full and names:
        yield BreakOut(3, moves=names)
        yield from (BreakOut(3, moves=(name,)) for name in names if len(names) > 1)
    if SUPER in hand:
        yield BreakOut(4, (Card(SUPER),), moves=names)


def _yard(seen: Glance, seat: Seat, hand: tuple[Face, ...]) -> Iterator[BreakOutAction]:
    if not seen.acted:
        if DRAW in hand:
            yield PlayDraw(DRAW)
        old = hand if seen.fresh != SUPER else taken(hand, [SUPER]) or ()
        if SUPER in old:
            yield PlayDraw(SUPER)
    own_hand = held(hand)
    for _, cards in own_hand.melds:
        yield Lay(cards)
    own = seen.cell(seat)
    spare = list(_spare(own)) if own else []
    for meld in seen.melds:
        made = meld.made
        if meld.cell is not None or (made.fault is not None and not _start(meld)):
            continue
        for _, cards in own_hand.additions(made):
            yield Extend(meld.id, cards)
        if spare and made.size < MOST and not _start(meld):
            yield from (Extend(meld.id, (), (name,)) for name, card in spare if fault((*meld.cards, card)) is None)
        for slot, actual in meld.wanted:
            if not actual.isdisjoint(hand):
                yield from (Extract(slot, Card(face)) for face in dict.fromkeys(hand) if face in actual)
            if spare:  # R22
                yield from (Extract(slot, card, name) for name, card in spare if card.face in actual)
    if own:
        names = tuple([meld.id for meld in own])
        yield Move(names)
        yield from (Move((name,)) for name in names if len(names) > 1)


def _spare(own: Sequence[TableMeld]) -> Iterator[tuple[int, Card]]:
    """Yield the single cards that the melds of a cell can spare, with their slots."""
    for meld in own:
        if meld.made.size > LEAST:
            for index, card in enumerate(meld.cards):
                if fault((*meld.cards[:index], *meld.cards[index + 1 :])) is None:
                    yield meld.names[index], card


def _start(meld: TableMeld) -> bool:
    """D14: return whether it is the round card alone, which is no meld yet."""
    return meld.id == START and meld.made.size == 1


def _pointable(seen: Glance, melds: Sequence[TableMeld]) -> list[TableMeld]:
    seat = seen.seat
    if seat is None or seen.referee == "strict" or seen.phase in ("gift", "interlude", "over") or seen.pointed[seat]:
        return []
    since = seen.serial - 1  # D45: what was changed in the present or the previous turn cannot be pointed at
    return [meld for meld in melds if meld.changed < since and not _start(meld)]


def _pointers(seen: Glance) -> Iterator[BreakOutAction]:
    return (Point(meld.id) for meld in _pointable(seen, seen.bad))
