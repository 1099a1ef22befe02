"""What becomes of the table when somebody is caught with a bad meld.

D: all that they did in that turn from the first bad meld on is undone, the last thing first. Cards go back to where
they came from: to hands, or to the cell meld that they were taken from. Cards that others have since put on a meld that
is undone go back to them; a Wild that somebody extracted from it stays with them, and the card that replaced it goes
back with the meld. May import `engine` and its own package.
"""

from collections.abc import Sequence

import msgspec

from engine.contract import Seat
from engine.games.break_out.melds import fault
from engine.games.break_out.pieces import START, Face
from engine.games.break_out.table import Act, Meld, Slot, State, sorted_slots


class Table:
    """The cards of a state while an undoing changes them; thrown away after it."""

    def __init__(self, state: State) -> None:
        self.hands = [list(hand) for hand in state.hands]
        self.melds = {meld.id: meld for meld in state.melds}
        self.out = list(state.out)
        self.aside = list(state.aside)

    def undo(self, seat: Seat, turn: int, acts: Sequence[Act]) -> None:
        """Undo these acts of a seat's turn, the last first."""
        for act in reversed(acts):
            if act.exchanged is not None:
                self._give_back_the_wild(seat, turn, act, act.exchanged)
            if act.meld is not None and act.exchanged is None:
                self._take_up(turn, act)
            for name in act.moved:
                self._move_back(seat, turn, name)
            if act.aside is not None:
                self.aside.remove(act.aside)
                self.hands[seat].append(act.aside)
            if act.coin:
                self.out[seat] = False

    def _take_up(self, turn: int, act: Act) -> None:
        """Take up the cards that an act laid, and what others have put there since."""
        assert act.meld is not None
        meld = self.melds.get(act.meld)
        if meld is None:
            return  # it has been taken up with something that lay below
        gone = [slot for slot in meld.slots if slot.id in act.slots or slot.turn > turn]
        self._remove(meld, gone)
        if act.before is not None and (left := self.melds.get(act.meld)) is not None:
            before = act.before
            self.melds[act.meld] = msgspec.structs.replace(
                left, bad=before.bad, breach=before.breach, changed=before.changed, cell=before.cell
            )

    def _remove(self, meld: Meld, gone: Sequence[Slot]) -> None:
        names = {slot.id for slot in gone}
        kept = tuple(slot for slot in meld.slots if slot.id not in names)
        if kept:
            self.melds[meld.id] = msgspec.structs.replace(meld, slots=kept)
        else:
            del self.melds[meld.id]
        for slot in gone:
            self._return(slot)

    def _return(self, slot: Slot) -> None:
        """Give a card back to who laid it: to the hand, or to the cell meld that it came from."""
        assert slot.by is not None, "the round card stays"
        if slot.source is None:
            self.hands[slot.by].append(slot.card.face)
            return
        home = self.melds.get(slot.source)
        back = Slot(slot.id, slot.card, slot.by, 0)
        if home is None or home.cell != slot.by:
            self.melds[slot.source] = Meld(slot.source, slot.by, (back,), 0)
        else:
            self.melds[slot.source] = msgspec.structs.replace(home, slots=sorted_slots((*home.slots, back)))

    def _move_back(self, seat: Seat, turn: int, name: int) -> None:
        meld = self.melds.get(name)
        if meld is None:
            return
        self._remove(meld, [slot for slot in meld.slots if slot.turn > turn])
        self.melds[name] = msgspec.structs.replace(self.melds[name], cell=seat)

    def _give_back_the_wild(self, seat: Seat, turn: int, act: Act, wild: Slot) -> None:
        """Put an extracted Wild back for the card that lies in its place.

        Where the Wild has meanwhile been given away or extracted elsewhere, the exchange stays as it is.
        """
        meld = self.melds.get(act.meld if act.meld is not None else START)
        if meld is None:
            return
        self._remove(meld, [slot for slot in meld.slots if slot.turn > turn and slot.id != wild.id])
        meld = self.melds[meld.id]
        present = next((slot for slot in meld.slots if slot.id == wild.id), None)
        if present is None or wild.card.face not in self.hands[seat]:
            return
        self.hands[seat].remove(wild.card.face)
        self.hands[seat].append(present.card.face)
        slots = tuple(wild if slot.id == wild.id else slot for slot in meld.slots)
        before = act.before
        assert before is not None
        self.melds[meld.id] = msgspec.structs.replace(
            meld, slots=sorted_slots(slots), bad=before.bad, breach=before.breach, changed=before.changed
        )

    def mended(self) -> tuple[Meld, ...]:
        """Return the melds, in order of their names. One that was put together again is judged by what lies there."""
        return tuple(
            msgspec.structs.replace(meld, bad=True) if _broken(meld) else meld for _, meld in sorted(self.melds.items())
        )


def _broken(meld: Meld) -> bool:
    return not meld.start and not meld.bad and fault(meld.cards) is not None


def undone(state: State, seat: Seat, turn: int, acts: Sequence[Act]) -> tuple[State, list[Face]]:
    """Return the state with these acts undone, and what came back to the seat's hand.

    `state`'s clocks and windows are left as they are.
    """
    table = Table(state)
    before = list(state.hands[seat])
    table.undo(seat, turn, acts)
    returned = list(table.hands[seat])
    for face in before:
        if face in returned:
            returned.remove(face)
    changed = msgspec.structs.replace(
        state,
        hands=tuple(tuple(hand) for hand in table.hands),
        melds=table.mended(),
        out=tuple(table.out),
        aside=tuple(table.aside),
    )
    return changed, returned
