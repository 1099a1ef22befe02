"""How the first rules undid a bad meld: by reversing each act. Needed for stored events without `Caught.undone`.

It keeps its faults (a card of the cell could vanish under the id of a meld in the Yard), since such events say only
that there was a catch. `undo` has replaced it.
"""

from collections.abc import Sequence

import msgspec

from engine.contract import Seat
from engine.games.break_out.state import Act, State, sorted_slots
from engine.games.break_out.types import START, Meld, Slot


class Table:
    """The cards of a state while acts are undone."""

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
            return  # it was taken up with something below it
        gone = [slot for slot in meld.slots if slot.id in act.slots or slot.turn > turn]
        self._remove(meld, gone)
        if act.before is not None and (left := self.melds.get(act.meld)) is not None:
            before = act.before
            self.melds[act.meld] = msgspec.structs.replace(left, turns=before.turns, cell=before.cell)

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
        """Give a card back to the player who laid it: to the hand, or to the cell meld that it came from."""
        assert slot.by is not None, "the round card stays"
        if slot.source is None:
            self.hands[slot.by].append(slot.card.face)
            return
        home = self.melds.get(slot.source)
        back = Slot(slot.id, slot.card, slot.by, 0)
        if home is None or home.cell != slot.by:
            self.melds[slot.source] = Meld(slot.source, slot.by, (back,))
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

        If the Wild has meanwhile been given away or extracted elsewhere, the exchange remains.
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
        self.melds[meld.id] = msgspec.structs.replace(meld, slots=sorted_slots(slots), turns=before.turns)

    def lying(self) -> tuple[Meld, ...]:
        """Return the melds, in order of their ids."""
        return tuple(meld for _, meld in sorted(self.melds.items()))


def undone(state: State, seat: Seat, turn: int, acts: Sequence[Act]) -> State:
    """Return the state with these acts undone. Clocks and windows stay as they are."""
    table = Table(state)
    table.undo(seat, turn, acts)
    return msgspec.structs.replace(
        state,
        hands=tuple(tuple(hand) for hand in table.hands),
        melds=table.lying(),
        out=tuple(table.out),
        aside=tuple(table.aside),
    )
