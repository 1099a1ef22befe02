"""What becomes of the table when somebody is caught with a bad meld, since the second rules of the game.

D: all that they did in that turn from the first bad meld on is struck out. The table that is left is told by what it
is, not by doing things backwards: no card lies any more that was laid by what is struck out, nor any that others have
since put on a meld which that had touched; melds that it had moved lie in the cell again; Wilds that it had exchanged
lie where they lay, if they are still at hand. Each card that was lifted goes home, and to exactly one place: to the
hand it came from, or to its cell meld; one that cannot go there goes to its owner's hand. A Wild that somebody else
extracted stays with them, and the card that replaced it goes back with the meld. What others did elsewhere stays.

May import `engine` and its own package.
"""

from collections.abc import Sequence
from itertools import groupby

import msgspec

from engine.contract import Seat
from engine.games.break_out.melds import fault
from engine.games.break_out.pieces import Face, Meld, Slot, Undone
from engine.games.break_out.table import Act, State, Window, census, sorted_slots

LONG_AGO = -1
"""The turn of a card that has come home to its cell meld."""


def undone(state: State, window: Window) -> Undone:
    """Return what becomes of the table when the turn of this window, which has a bad act, is undone."""
    table = _Table(state, window)
    table.lift()
    table.put_back_wilds()
    table.go_home()
    made = Undone(
        tuple(map(tuple, table.hands)),
        tuple(meld for meld in table.told() if meld != state.meld(meld.id)),
        tuple(meld.id for meld in state.melds if meld.id not in table.melds),
        tuple(out and not (seat == window.seat and table.back) for seat, out in enumerate(state.out)),
        tuple(table.aside),
    )
    assert census(redrawn(state, made)) == census(state), "no card is lost or made"
    return made


def redrawn(state: State, made: Undone) -> State:
    """Return the state with the table as it is said to be."""
    melds = {meld.id: meld for meld in state.melds if meld.id not in made.gone}
    melds |= {meld.id: meld for meld in made.melds}
    return msgspec.structs.replace(
        state,
        hands=made.hands,
        melds=tuple(meld for _, meld in sorted(melds.items())),
        out=made.out,
        aside=made.aside,
    )


class _Table:
    """The cards while one turn is undone; thrown away after it."""

    def __init__(self, state: State, window: Window) -> None:
        first = next(number for number, act in enumerate(window.acts) if act.bad)
        self.seat, self.turn = window.seat, window.turn
        self.kept, self.struck = window.acts[:first], window.acts[first:]
        self.since = state.acts if state.serial > window.turn else ()
        self.hands: list[list[Face]] = [list(hand) for hand in state.hands]
        self.melds = {meld.id: meld for meld in state.melds}
        self.aside = list(state.aside)
        self.moved = {name for act in self.struck for name in _moves(act)}
        self.fallen = self.moved | {act.meld for act in self.struck if act.meld is not None}
        self.homeless: list[Slot] = []  # lifted cards of cells
        self.back = any(act.coin for act in self.struck)

    # What lies there no more

    def lift(self) -> None:
        """Lift what was laid by what is struck out, and what others have since put on those melds."""
        laid = {name for act in self.struck for name in act.slots}
        for name in self.fallen & self.melds.keys():
            meld = self.melds[name]
            gone = [s for s in meld.slots if s.turn > self.turn or (s.turn == self.turn and s.id in laid)]
            self._keep(meld, [slot for slot in meld.slots if slot not in gone])
            for slot in gone:
                self._return(slot)
            if name in self.moved and name in self.melds:
                self.melds[name] = msgspec.structs.replace(self.melds[name], cell=self.seat)
        for act in self.struck:
            if act.aside is not None:
                self.aside.remove(act.aside)
                self.hands[self.seat].append(act.aside)

    def _keep(self, meld: Meld, slots: Sequence[Slot]) -> None:
        if slots:
            self.melds[meld.id] = msgspec.structs.replace(meld, slots=sorted_slots(tuple(slots)))
        else:
            del self.melds[meld.id]

    def _return(self, slot: Slot) -> None:
        assert slot.by is not None, "the round card stays"
        if slot.source is None:
            self.hands[slot.by].append(slot.card.face)
        else:
            self.homeless.append(slot)

    def put_back_wilds(self) -> None:
        """Lay exchanged Wilds back for the cards in their places, the last first.

        Where the Wild has meanwhile been given away or extracted elsewhere, the exchange stays as it is.
        """
        for act in reversed(self.struck):
            wild, meld = act.exchanged, None if act.meld is None else self.melds.get(act.meld)
            here = None if wild is None or meld is None else _slot(meld, wild.id)
            if wild is None or meld is None or here is None or wild.card.face not in self.hands[self.seat]:
                continue
            self.hands[self.seat].remove(wild.card.face)
            placed = msgspec.structs.replace(here, card=wild.card)
            self._keep(meld, [placed if slot.id == here.id else slot for slot in meld.slots])
            own = act.swapped
            if own is not None and own.card.face == here.card.face:
                self.homeless.append(own)
            else:
                self.hands[self.seat].append(here.card.face)

    # Home

    def go_home(self) -> None:
        """Put lifted cards of cells back to their melds, or else into their owners' hands."""

        def home(slot: Slot) -> tuple[int, int]:
            assert slot.by is not None and slot.source is not None
            return slot.by, slot.source

        for (owner, name), slots in groupby(sorted(self.homeless, key=home), home):
            self._go_home(Seat(owner), name, list(slots))

    def _go_home(self, owner: Seat, name: int, slots: list[Slot]) -> None:
        """D: what cannot go home goes to the hand: its meld has moved, is gone, or would be none with it.

        A meld from which nothing else has been taken is put together as it lay, whatever it was.
        """
        meld = self.melds.get(name)
        there = () if meld is None else meld.slots
        if meld is not None and meld.cell != owner:
            welcome: list[Slot] = []
        elif owner == self.seat or name not in self._standing():
            welcome = slots
        else:
            welcome = _fitting(there, slots)
        if welcome:
            came = [Slot(slot.id, slot.card, owner, LONG_AGO) for slot in welcome]
            self._keep(meld or Meld(name, owner, ()), [*there, *came])
        self.hands[owner] += [slot.card.face for slot in slots if slot not in welcome]

    def _standing(self) -> frozenset[int]:
        """Return the melds that are touched by what others have since done, and what of it stands."""
        touched: set[int] = set()
        for act in self.since:
            lifted = act.meld in self.fallen and act.exchanged is None
            touched |= set(_moves(act)) if lifted else act.touches
        return frozenset(touched)

    def told(self) -> list[Meld]:
        """Return the melds; those that were touched have been so only by turns that still stand."""
        before = {name for act in self.kept for name in act.touches}
        since = self._standing()
        touched = {name for act in (*self.struck, *self.since) for name in act.touches}

        def stands(name: int, turn: int) -> bool:
            if turn < self.turn:
                return True
            return name in (before if turn == self.turn else since)

        return [
            msgspec.structs.replace(meld, turns=tuple(turn for turn in meld.turns if stands(meld.id, turn)))
            if meld.id in touched
            else meld
            for _, meld in sorted(self.melds.items())
        ]


def _moves(act: Act) -> tuple[int, ...]:
    """Return the cell melds that an act brought to the Yard; route 2 brings the one that it extends, too."""
    own = act.meld is not None and act.coin and act.before is not None and act.before.cell is not None
    return (*act.moved, act.meld) if own and act.meld is not None else act.moved


def _slot(meld: Meld, name: int) -> Slot | None:
    return next((slot for slot in meld.slots if slot.id == name), None)


def _fitting(there: Sequence[Slot], slots: Sequence[Slot]) -> list[Slot]:
    """Return those cards with which the meld is still one: all if they can, else one by one."""
    if fault([slot.card for slot in (*there, *slots)]) is None:
        return list(slots)
    welcome: list[Slot] = []
    for _ in slots:
        for slot in slots:
            if slot not in welcome and fault([one.card for one in (*there, *welcome, slot)]) is None:
                welcome.append(slot)
    return welcome
