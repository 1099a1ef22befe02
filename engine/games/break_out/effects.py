"""What plays of cards do to the table in Break-Out: the melds, the hands, and the notes about them.

`rules` says whether a play is allowed. Marks in comments (R4, D1) refer to docs/rules/break_out.md.
"""

from collections.abc import Sequence
from typing import assert_never

import msgspec

from engine.contract import Seat
from engine.games.break_out.events import Played
from engine.games.break_out.log import Note
from engine.games.break_out.melds import taken
from engine.games.break_out.rules import laid_by
from engine.games.break_out.state import Act, Scene, State, notes_with, sorted_slots
from engine.games.break_out.types import (
    START,
    SUPER,
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
    PlayDraw,
    Slot,
)
from engine.turns import replace_at


class _Change:
    """The table while a play changes it."""

    def __init__(self, state: State, seat: Seat) -> None:
        self.state, self.seat = state, seat
        self.melds = {meld.id: meld for meld in state.melds}
        self.added: list[int] = []
        self.sources: list[int] = []
        self.names, self.dealt = state.names, state.dealt

    def name(self) -> int:
        """Return an id that no meld of this round has had."""
        self.names += 1
        return self.names - 1

    def _slot(self, card: Card, source: int | None = None, was: tuple[int, int] | None = None) -> Slot:
        self.dealt += 1
        return Slot(self.dealt - 1, card, self.seat, self.state.serial, source, was)

    def lay(self, name: int, cell: Seat | None, cards: Sequence[Card], taken_slots: Ids) -> None:
        """Put cards from the hand and from the seat's own cell on a meld, a new one if none has this id."""
        slots = [self._slot(card) for card in cards]
        if taken_slots:
            slots += [self._slot(slot.card, source, (slot.id, slot.turn)) for source, slot in self.leave(taken_slots)]
        self.added += [slot.id for slot in slots]
        meld = self.melds.get(name)
        there, turns = ((), ()) if meld is None else (meld.slots, meld.turns)
        self.touch(Meld(name, cell, sorted_slots((*there, *slots)), turns))

    def leave(self, names: Ids) -> list[tuple[int, Slot]]:
        """Take these cards out of the seat's own cell; return each with the meld that it leaves."""
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
        """Store a changed meld."""
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
    scene = Scene(state.hands[seat], state.melds, state.out[seat], state.full, state.drew)
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
            out = replace_at(out, seat, True)
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
    dealt: tuple[tuple[Seat, Face], ...] = ()
    if isinstance(play, PlayDraw):  # R23: every other player draws one card, clockwise
        others = [Seat((seat + step) % state.seats) for step in range(1, state.seats)]
        dealt, pile = tuple(zip(others, pile, strict=False)), pile[len(others) :]
        for other, face in dealt:
            hands[other] = (*hands[other], face)
    return msgspec.structs.replace(
        state,
        hands=tuple(hands),
        out=out,
        aside=aside,
        pile=pile,
        melds=tuple([change.melds[name] for name in sorted(change.melds)]),
        names=change.names,
        dealt=change.dealt,
        acts=(*state.acts, msgspec.structs.replace(act, laid=laid, scene=scene)),
        notes=notes_with(state, Note("played", seat, play=play, dealt=dealt)),
    )


def _less(hand: Sequence[Face], cards: Sequence[Card]) -> list[Face]:
    left = taken(hand, [card.face for card in cards])
    assert left is not None
    return list(left)


def _break_out(change: _Change, play: BreakOut, fault: Fault | None) -> tuple[Act, tuple[Face, ...]]:
    """R19: the coin is gone. Route 1 moves all cell melds at once; on the other routes the player chooses."""
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
