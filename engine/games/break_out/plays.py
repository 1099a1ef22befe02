"""Plays of cards in Break-Out: which are refused, which are bad, and what they do to the table.

D21: a bad meld is accepted under an `honour` referee, and its fault kept; under `strict` it is refused. Everything else
that is wrong is refused in both modes. Marks in comments (R4, D1) are those of docs/rules/break_out.md. May import
`engine` and its own package.
"""

from collections.abc import Sequence
from typing import assert_never

import msgspec

from engine.contract import Refusal, Seat
from engine.games.break_out import melds
from engine.games.break_out.judge import Laid, fault_of
from engine.games.break_out.melds import lacking, taken
from engine.games.break_out.pieces import (
    DRAW,
    FACES,
    STANDS,
    START,
    SUPER,
    WILD,
    BreakOut,
    Card,
    Extend,
    Extract,
    Face,
    Fault,
    Ids,
    Lay,
    Meld,
    Move,
    Play,
    PlayDraw,
    Played,
    Slot,
)
from engine.games.break_out.state import Act, Note, State, cell_cards, noting, sorted_slots


def check_play(state: State, seat: Seat, play: Play) -> Fault | None:
    """Return the fault of a play, None if it is sound.

    Raises `Refusal`: `nothing`; `no-card` (fact `face`); `not-in-hand` (fact `face`); `undeclared`, `no-stand`,
    `not-a-wild` (fact `face`); `fresh-draw` (a DRAW card that was just drawn); `no-meld`, `no-slot` (fact `name`);
    `not-out`, `out-already`, `cell-closed`; `not-your-cell`; `breaks-meld` (what stays in the cell is no meld);
    `round-start` (the round card, before having broken out); `no-hand-card` (route 2); `not-full` (route 3; fact
    `cell`); `no-moves`; `no-super` (route 4); `no-wild`; `in-cell` (an extraction there); `draw-first`, `draw-once`,
    `fresh-super`, `not-a-draw`; `other-card` (the cell card of an extraction is another one; fact `face`);
    and under a strict referee `bad` (facts `fault`, `points`, `need`, `cell`).
    """
    match play:
        case Extend():
            _check_extend(state, seat, play)
        case Lay():
            _check_cards(state, seat, play.cards, play.cell)
        case BreakOut():
            _check_break_out(state, seat, play)
        case Extract():
            _check_extract(state, seat, play)
        case PlayDraw():
            _check_play_draw(state, seat, play)
        case Move():
            _check_move(state, seat, play)
        case _:
            assert_never(play)
    laid = laid_by(state, seat, play)
    fault = fault_of(laid, (state.material.break_out, state.material.cell))
    if fault is not None and state.options.referee == "strict":
        raise Refusal("bad", fault=fault, points=_worth(laid), need=state.material.break_out, cell=state.material.cell)
    return fault


def _worth(laid: Laid) -> int:
    return 0 if isinstance(laid.play, Extract) else melds.points(laid.cards)


def laid_by(state: State, seat: Seat, play: Play) -> Laid:
    """Return a play with what it meets on the table. The play is one that is not refused."""
    match play:
        case Extend():
            meld = _meld(state, play.meld)
            cards = (*meld.cards, *play.cards, *_from_cell(state, play.cell))
            return Laid(play, cards, None if meld.cell is None else cell_cards(state, seat))
        case Lay():
            cards = (*play.cards, *_from_cell(state, play.cell))
            return Laid(play, cards, None if state.out[seat] else cell_cards(state, seat))
        case BreakOut(route=1 | 2):
            name = START if play.start else play.meld
            return Laid(play, (*(() if name is None else _meld(state, name).cards), *play.cards))
        case Extract():
            meld, slot = _find(state, play.slot)
            return Laid(play, meld.cards, wild=slot.card)
        case _:
            return Laid(play)


def _from_cell(state: State, names: Ids) -> list[Card]:
    return [_find(state, name)[1].card for name in names]


def _meld(state: State, name: int) -> Meld:
    meld = state.meld(name)
    if meld is None:
        raise Refusal("no-meld", name=name)
    return meld


def _check_extend(state: State, seat: Seat, play: Extend) -> None:
    meld = _meld(state, play.meld)
    if meld.cell is not None:
        if meld.cell != seat:
            raise Refusal("not-your-cell")
        if state.out[seat]:
            raise Refusal("cell-closed")  # R19, D13: the rest stay yours, nothing can be added to them
    elif not state.out[seat]:
        raise Refusal("round-start" if meld.start else "not-out")  # R21: playing in the Yard before breaking out
    _check_cards(state, seat, play.cards, play.cell)


def _check_break_out(state: State, seat: Seat, play: BreakOut) -> None:
    if state.out[seat]:
        raise Refusal("out-already")
    own = {meld.id: meld for meld in state.cell(seat)}
    for name in play.moves:
        if name not in own or name == play.meld or play.moves.count(name) > 1:
            raise Refusal("no-meld", name=name)
    match play.route:
        case 1:
            if play.meld is not None:
                raise Refusal("no-meld", name=play.meld)
            _check_cards(state, seat, play.cards, ())
        case 2:
            if play.meld is None or play.meld not in own:
                raise Refusal("no-meld", name=-1 if play.meld is None else play.meld)
            if not play.cards:
                raise Refusal("no-hand-card")  # R16: one of your cell melds plus at least one hand card
            _check_cards(state, seat, play.cards, ())
        case 3:
            if not state.full:
                raise Refusal("not-full", cell=state.material.cell)  # R17: nine cards when the turn began
            if play.cards or play.meld is not None or play.start or not play.moves:
                raise Refusal("no-moves")
        case 4:
            if play.meld is not None or play.start or [card.face for card in play.cards] != [SUPER]:
                raise Refusal("no-super")
            if SUPER not in state.hands[seat]:
                raise Refusal("not-in-hand", face=SUPER)
        case _:
            assert_never(play.route)
    if play.start and (play.route != 1 or state.meld(START) is None):
        raise Refusal("no-meld", name=START)


def _check_extract(state: State, seat: Seat, play: Extract) -> None:
    if not state.out[seat]:
        raise Refusal("not-out")
    meld, slot = _find(state, play.slot)
    if meld.cell is not None:
        raise Refusal("in-cell")  # R14: no extraction inside a cell
    if not slot.card.wild:
        raise Refusal("no-wild")
    card = play.card
    if card.wild and card.stands is None:
        card = Card(card.face, slot.card.stands)  # D20: another Wild is never the actual card, but it can be tried
    if play.cell is None:
        _check_cards(state, seat, (card,), ())
    else:  # R22
        (given,) = _check_cell_cards(state, seat, (play.cell,))
        if given.card.face != card.face:
            raise Refusal("other-card", face=card.face[:8])


def _check_play_draw(state: State, seat: Seat, play: PlayDraw) -> None:
    if play.face not in (DRAW, SUPER):
        raise Refusal("not-a-draw", face=play.face[:8])
    if not state.out[seat]:
        raise Refusal("not-out")
    if any(isinstance(act.play, PlayDraw) for act in state.acts):
        raise Refusal("draw-once")  # R23: one a turn
    if state.acts:
        raise Refusal("draw-first")  # R23: only as the first card of the turn
    if play.face not in state.hands[seat]:
        raise Refusal("not-in-hand", face=play.face)
    if state.drew == play.face and state.hands[seat].count(play.face) == 1:
        raise Refusal("fresh-draw" if play.face == DRAW else "fresh-super")  # R9; D8


def _check_move(state: State, seat: Seat, play: Move) -> None:
    if not state.out[seat]:
        raise Refusal("not-out")
    if not play.melds:
        raise Refusal("no-moves")
    own = {meld.id for meld in state.cell(seat)}
    for name in play.melds:
        if name not in own or play.melds.count(name) > 1:
            raise Refusal("no-meld", name=name)


def _check_cards(state: State, seat: Seat, cards: Sequence[Card], cell: Ids) -> list[Slot]:
    """Check cards from the hand and from the cell; return the latter."""
    if not cards and not cell:
        raise Refusal("nothing")
    for card in cards:
        if card.face not in FACES:
            raise Refusal("no-card", face=card.face[:8])
        if card.face in (WILD, SUPER):
            if card.stands is None:
                raise Refusal("undeclared", face=card.face)  # D19: declared when laid
            if card.stands not in STANDS:
                raise Refusal("no-stand", face=card.stands[:8])
        elif card.stands is not None:
            raise Refusal("not-a-wild", face=card.face)
    faces = [card.face for card in cards]
    missing = lacking(state.hands[seat], faces)
    if missing is not None:
        raise Refusal("not-in-hand", face=missing)
    if state.drew == DRAW and faces.count(DRAW) == state.hands[seat].count(DRAW) > 0:
        raise Refusal("fresh-draw")  # R9: it cannot be played this turn
    return _check_cell_cards(state, seat, cell)


def _check_cell_cards(state: State, seat: Seat, cell: Ids) -> list[Slot]:
    """D17: single cards may leave a cell meld only if what stays is still a valid meld or nothing."""
    if not cell:
        return []
    if not state.out[seat]:
        raise Refusal("not-out")
    slots = []
    for name in cell:
        meld, slot = _find(state, name)
        if meld.cell != seat or cell.count(name) > 1:
            raise Refusal("not-your-cell")
        slots.append(slot)
    for meld in state.cell(seat):
        rest = [slot.card for slot in meld.slots if slot.id not in cell]
        if rest and len(rest) < len(meld.slots) and melds.fault(rest) is not None:
            raise Refusal("breaks-meld")
    return slots


def _find(state: State, name: int) -> tuple[Meld, Slot]:
    for meld in state.melds:
        for slot in meld.slots:
            if slot.id == name and slot.by is not None:
                return meld, slot
    raise Refusal("no-slot", name=name)


# -------------------------------------------------------------------------------------------- what it does to the table


class _Change:
    """The table while a play changes it; thrown away after it."""

    def __init__(self, state: State, seat: Seat) -> None:
        self.state, self.seat = state, seat
        self.melds = {meld.id: meld for meld in state.melds}
        self.added: list[int] = []
        self.sources: list[int] = []
        self.names, self.dealt = state.names, state.dealt

    def name(self) -> int:
        """Return a name that no meld of this round has had."""
        self.names += 1
        return self.names - 1

    def _slot(self, card: Card, source: int | None = None, was: tuple[int, int] | None = None) -> Slot:
        self.dealt += 1
        return Slot(self.dealt - 1, card, self.seat, self.state.serial, source, was)

    def lay(self, name: int, cell: Seat | None, cards: Sequence[Card], taken_slots: Ids) -> None:
        """Put cards from the hand and from one's cell on a meld, a new one if there is none of that name."""
        slots = [self._slot(card) for card in cards]
        if taken_slots:
            slots += [self._slot(slot.card, source, (slot.id, slot.turn)) for source, slot in self.leave(taken_slots)]
        self.added += [slot.id for slot in slots]
        meld = self.melds.get(name)
        there, turns = ((), ()) if meld is None else (meld.slots, meld.turns)
        self.touch(Meld(name, cell, sorted_slots((*there, *slots)), turns))

    def leave(self, names: Ids) -> list[tuple[int, Slot]]:
        """Take these cards out of one's cell; return each with the meld that it leaves."""
        left = []
        for meld in list(self.melds.values()):
            leaving = [slot for slot in meld.slots if slot.id in names]
            if not leaving:
                continue
            left += [(meld.id, slot) for slot in leaving]
            self.sources.append(meld.id)
            rest = tuple(slot for slot in meld.slots if slot.id not in names)
            if rest:
                self.touch(msgspec.structs.replace(meld, slots=rest))
            else:
                del self.melds[meld.id]
        return left

    def touch(self, meld: Meld) -> None:
        """Let a meld lie so from now on."""
        serial = self.state.serial
        if meld.changed != serial:
            meld = msgspec.structs.replace(meld, turns=(*meld.turns, serial))
        self.melds[meld.id] = meld

    def move(self, names: Sequence[int]) -> None:
        """Move cell melds to the Yard."""
        for name in names:
            self.touch(msgspec.structs.replace(self.melds[name], cell=None))


def played(state: State, event: Played) -> State:
    """Return the state after a play."""
    seat, play, fault = event.seat, event.play, event.fault
    laid = laid_by(state, seat, play)
    change = _Change(state, seat)
    hand = list(state.hands[seat])
    hands = list(state.hands)
    out, aside, pile = state.out, state.aside, state.pile
    match play:
        case Extend():
            before = change.melds[play.meld]
            change.lay(play.meld, before.cell, play.cards, play.cell)
            hand = _less(hand, play.cards)
            act = Act(play, fault, play.meld, tuple(change.added), before, sources=tuple(change.sources))
        case Lay():
            name = change.name()
            change.lay(name, None if out[seat] else seat, play.cards, play.cell)
            hand = _less(hand, play.cards)
            act = Act(play, fault, name, tuple(change.added), sources=tuple(change.sources))
        case BreakOut():
            act, put_aside = _break_out(change, play, fault)
            hand = _less(hand, play.cards)
            out = (*out[:seat], True, *out[seat + 1 :])
            aside = (*aside, *put_aside)
        case Extract():
            act = _extract(change, play, fault)
            hand = _less(hand, [play.card] if play.cell is None else [])
            assert act.exchanged is not None
            hand.append(act.exchanged.card.face)
        case PlayDraw():
            hand.remove(play.face)
            aside = (*aside, play.face)
            act = Act(play)
        case Move():
            change.move(play.melds)
            act = Act(play, moved=play.melds)
        case _:
            assert_never(play)
    hands[seat] = tuple(hand)
    if isinstance(play, PlayDraw):
        for step in range(1, state.seats):  # R23: every other inmate draws one card, clockwise
            other = (seat + step) % state.seats
            hands[other], pile = (*hands[other], *pile[:1]), pile[1:]
    return msgspec.structs.replace(
        state,
        hands=tuple(hands),
        out=out,
        aside=aside,
        pile=pile,
        melds=tuple([change.melds[name] for name in sorted(change.melds)]),
        names=change.names,
        dealt=change.dealt,
        acts=(*state.acts, msgspec.structs.replace(act, laid=laid)),
        notes=noting(state, Note("played", seat, play=play)),
    )


def _less(hand: Sequence[Face], cards: Sequence[Card]) -> list[Face]:
    left = taken(hand, [card.face for card in cards])
    assert left is not None
    return list(left)


def _break_out(change: _Change, play: BreakOut, fault: Fault | None) -> tuple[Act, tuple[Face, ...]]:
    """R19: the coin is gone. Route 1 moves all cell melds at once; on the others one chooses."""
    own = tuple(meld.id for meld in change.state.cell(change.seat))
    match play.route:
        case 1:
            name = START if play.start else change.name()
            before = change.melds.get(name)
            change.lay(name, None, play.cards, ())
            change.move(own)
            return Act(play, fault, name, tuple(change.added), before, own, coin=True), ()
        case 2:
            assert play.meld is not None
            before = change.melds[play.meld]
            change.lay(play.meld, None, play.cards, ())
            change.move(play.moves)
            return Act(play, fault, play.meld, tuple(change.added), before, play.moves, coin=True), ()
        case 3:
            change.move(play.moves)
            return Act(play, moved=play.moves, coin=True), ()
        case 4:
            change.move(play.moves)
            return Act(play, moved=play.moves, coin=True, aside=SUPER), (SUPER,)
        case _:
            assert_never(play.route)


def _extract(change: _Change, play: Extract, fault: Fault | None) -> Act:
    given = None
    if play.cell is not None:
        ((source, left),) = change.leave((play.cell,))
        given = Slot(left.id, left.card, change.seat, left.turn, source, (left.id, left.turn))
    meld = next(meld for meld in change.melds.values() if any(slot.id == play.slot for slot in meld.slots))
    wild = next(slot for slot in meld.slots if slot.id == play.slot)
    card = Card(play.card.face, play.card.stands or wild.card.stands) if play.card.wild else play.card
    slots = tuple(msgspec.structs.replace(slot, card=card) if slot.id == wild.id else slot for slot in meld.slots)
    change.touch(msgspec.structs.replace(meld, slots=sorted_slots(slots)))
    sources = tuple(change.sources)
    return Act(play, fault, meld.id, before=meld, sources=sources, exchanged=wild, swapped=given)
