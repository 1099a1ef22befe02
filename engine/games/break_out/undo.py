"""How bad melds are undone when their player is caught, since the second rules of the game."""

from collections.abc import Callable, Sequence
from itertools import groupby

import msgspec

from engine.contract import Seat
from engine.games.break_out.events import Undone
from engine.games.break_out.melds import fault
from engine.games.break_out.state import Act, State, Window, piece_counts, sorted_slots
from engine.games.break_out.types import Card, Face, Meld, Slot
from engine.games.break_out.undone_acts import SINGLE_MELDS, moved_to_yard, split_turn


def undo(state: State, window: Window) -> Undone:
    """Return the table after undoing the turn of this window, which has a bad act.

    D31: the bad acts of the turn are undone, and what rests on them. The result is defined by where each card is now,
    never by how a meld was before.

    - Cards laid by what is undone are lifted, and so are cards that others have since put on a meld which it had
      changed.
    - Melds that it had moved go back to the cell. Wilds that it had exchanged go back to where they were, if they are
      still available.
    - Each lifted card goes to exactly one place: to the hand it came from, or to its cell meld; if that is impossible,
      to its owner's hand.
    - A Wild that another player has extracted stays with them, and the card that replaced it goes back with the meld.
      What others did elsewhere stays.
    """
    table = _Table(state, window)
    table.revert_acts()
    table.return_cards()
    made = Undone(
        tuple(map(tuple, table.hands)),
        tuple(meld for meld in table.final_melds() if meld != state.meld(meld.id)),
        tuple(meld.id for meld in state.melds if meld.id not in table.melds),
        tuple(out and not (seat == window.seat and table.coin_is_back) for seat, out in enumerate(state.out)),
        tuple(table.aside),
        tuple(sorted(table.new_ids.items())),
    )
    assert piece_counts(with_undone(state, made)) == piece_counts(state), "no card is lost or made"
    return made


def with_undone(state: State, made: Undone) -> State:
    """Return the state with the table as recorded in `made`."""
    melds = {meld.id: meld for meld in state.melds if meld.id not in made.gone}
    melds |= {meld.id: meld for meld in made.melds}
    return msgspec.structs.replace(
        state,
        hands=made.hands,
        melds=tuple(meld for _, meld in sorted(melds.items())),
        out=made.out,
        aside=made.aside,
        acts=tuple(_with_new_ids(act, dict(made.renamed)) for act in state.acts),
    )


def _with_new_ids(act: Act, names: dict[int, int]) -> Act:
    wild = act.exchanged
    if wild is None or wild.id not in names:
        return act
    return msgspec.structs.replace(act, exchanged=msgspec.structs.replace(wild, id=names[wild.id]))


class _Table:
    """The cards while one turn is undone."""

    def __init__(self, state: State, window: Window) -> None:
        turn = split_turn(state, window)
        self.seat, self.turn = window.seat, window.turn
        self.kept, self.undone = turn.kept, turn.undone
        self.now = state.serial
        self.since = state.acts if state.serial > window.turn else ()
        self.hands: list[list[Face]] = [list(hand) for hand in state.hands]
        self.melds = {meld.id: meld for meld in state.melds}
        self.aside = list(state.aside)
        # Melds that go back to the cell, and with them those that the undone acts made or changed, by id.
        self.moved_back = {name for act in self.undone for name in moved_to_yard(act)} | set(turn.laid_in_cell)
        self.affected = self.moved_back | {act.meld for act in self.undone if act.meld is not None}
        self.others_cards: list[Slot] = []  # lifted cards of others' cells
        self.back_in_cell: list[int] = []  # own cards that are back in their melds
        self.new_ids: dict[int, int] = {}  # where a Wild is back: the id of the card that replaced it
        self.coin_is_back = any(act.coin for act in self.undone)
        self.single_melds = state.rules >= SINGLE_MELDS

    # Lifting

    def revert_acts(self) -> None:
        """Lift what others have put on the changed melds, and revert the undone acts, the last first."""
        for name in self.affected:
            self._lift(name, lambda slot: slot.turn > self.turn)
        stay: list[Act] = []
        done: list[Act] = []
        for act in reversed(self.undone):
            if act in done or self._revert(act):
                continue
            before = self._exchange_before(act)
            if before is not None and self._put_wild_back(msgspec.structs.replace(act, exchanged=before.exchanged)):
                done.append(before)  # the Wild that one laid and the other took cancel out, no matter who has it now
            else:
                stay.append(act)
        for act in stay:
            self._put_wild_back(act)  # the Wild may have been laid earlier, and be available only now
        for name in self.moved_back & self.melds.keys():
            self.melds[name] = msgspec.structs.replace(self.melds[name], cell=self.seat)

    def _revert(self, act: Act) -> bool:
        """Lift what an act laid, or put back the Wild that it exchanged; return whether the act is reverted."""
        if act.aside is not None:
            self.aside.remove(act.aside)
            self.hands[self.seat].append(act.aside)
        if act.exchanged is not None:
            return self._put_wild_back(act)
        laid = set(act.slots)
        self._lift(act.meld, lambda slot: slot.turn == self.turn and slot.id in laid)
        return True

    def _lift(self, name: int | None, goes: Callable[[Slot], bool]) -> None:
        meld = None if name is None else self.melds.get(name)
        if meld is None:
            return
        for slot in filter(goes, meld.slots):
            assert slot.by is not None, "the round card stays"
            if slot.source is None:
                self.hands[slot.by].append(slot.card.face)
            elif slot.by != self.seat:
                self.others_cards.append(slot)
        self._set_slots(meld, [slot for slot in meld.slots if not goes(slot)])
        self._lay_in_own_cell(
            [slot for slot in meld.slots if goes(slot) and slot.by == self.seat and slot.source is not None]
        )

    def _lay_in_own_cell(self, slots: Sequence[Slot]) -> None:
        """Lay own cards of the cell back where they were: acts reverted later may take them up from there."""
        for slot in slots:
            assert slot.source is not None
            meld = self.melds.get(slot.source) or Meld(slot.source, self.seat, ())
            self._set_slots(meld, [*meld.slots, self._as_it_was(slot)])
            self.back_in_cell.append(slot.was[0] if slot.was is not None else slot.id)

    def _set_slots(self, meld: Meld, slots: Sequence[Slot]) -> None:
        if slots:
            self.melds[meld.id] = msgspec.structs.replace(meld, slots=sorted_slots(tuple(slots)))
        else:
            del self.melds[meld.id]

    def _put_wild_back(self, act: Act) -> bool:
        """Put an exchanged Wild back for the card in its place.

        D64: if the Wild has meanwhile been given away and there is no other in hand, or was extracted elsewhere, or the
        meld has been taken up, the exchange remains.
        """
        wild, given, hand = act.exchanged, act.swapped, self.hands[self.seat]
        assert wild is not None
        for name in self._melds_with(wild.id):
            here = next(slot for slot in self.melds[name].slots if slot.id == wild.id)
            if given is None:
                hand.append(here.card.face)
            if wild.card.face in hand:
                hand.remove(wild.card.face)
                self.new_ids[wild.id] = -1 if given is None else given.id
                placed = msgspec.structs.replace(here, card=wild.card)
                meld = self.melds[name]
                self._set_slots(meld, [placed if slot.id == here.id else slot for slot in meld.slots])
                self._lay_in_own_cell(
                    [] if given is None else [msgspec.structs.replace(given, card=_as_declared(here.card, given))]
                )
                return True
            if given is None:
                hand.pop()
        return False

    def _exchange_before(self, act: Act) -> Act | None:
        """Return the undone exchange that laid, from the hand, the same Wild that this one took."""
        found: Act | None = None
        for one in self.undone[: self.undone.index(act)]:
            if one.exchanged is not None and act.exchanged is not None and one.exchanged.id == act.exchanged.id:
                found = one
        return found if found is not None and found.swapped is None and self.single_melds else None

    def _melds_with(self, name: int) -> list[int]:
        """Return the id of the meld that contains a card, if it is on the table."""
        return [meld.id for meld in self.melds.values() if any(slot.id == name for slot in meld.slots)]

    # Returning

    def return_cards(self) -> None:
        """Put lifted cards of others' cells back to their melds, or else into their owners' hands.

        D35: so do own cards whose meld has moved to the Yard by an act that stays, if it would be no meld with them.
        """
        for meld in list(self.melds.values()):
            back = [slot for slot in meld.slots if slot.id in self.back_in_cell]
            if back and meld.cell is None:
                there = [slot for slot in meld.slots if slot not in back]
                accepted = _fitting(there, back)
                self._set_slots(meld, [*there, *accepted])
                self.hands[self.seat] += [slot.card.face for slot in back if slot not in accepted]

        def home(slot: Slot) -> tuple[int, int]:
            assert slot.by is not None and slot.source is not None
            return slot.by, slot.source

        for (owner, name), slots in groupby(sorted(self.others_cards, key=home), home):
            self._return_to_meld(Seat(owner), name, list(slots))

    def _return_to_meld(self, owner: Seat, name: int, slots: list[Slot]) -> None:
        """D35: cards that cannot go back go to the hand: their meld has moved, is gone, or would be no meld with them.

        A meld from which nothing else has been taken is restored as it was, even if it was bad.
        """
        meld = self.melds.get(name)
        there = () if meld is None else meld.slots
        if meld is not None and meld.cell != owner:
            accepted: list[Slot] = []
        elif name not in self._touched_since():
            accepted = slots
        else:
            accepted = _fitting(there, slots)
        if accepted:
            self._set_slots(meld or Meld(name, owner, ()), [*there, *map(self._as_it_was, accepted)])
        self.hands[owner] += [slot.card.face for slot in slots if slot not in accepted]

    def _as_it_was(self, slot: Slot) -> Slot:
        """Return a card as it was in its owner's cell."""
        assert slot.was is not None
        name, turn = slot.was
        self.new_ids.setdefault(slot.id, name)
        return Slot(name, slot.card, slot.by, turn)

    def _touched_since(self) -> frozenset[int]:
        """Return the melds changed by what others have since done, as far as that is not undone."""
        touched: set[int] = set()
        for act in self.since:
            if act.exchanged is not None:  # it counts where the card that replaced the Wild is now
                touched |= {*act.sources, *self._melds_with(self.new_ids.get(act.exchanged.id, act.exchanged.id))}
            else:
                touched |= set(moved_to_yard(act)) if act.meld in self.affected else act.touches
        return frozenset(touched)

    def final_melds(self) -> list[Meld]:
        """Return the melds; changed ones list only the turns that are not undone."""
        before = {name for act in self.kept for name in act.touches}
        since = self._touched_since()
        touched = {name for act in (*self.undone, *self.since) for name in act.touches}
        touched |= {
            name for act in self.undone if act.exchanged is not None for name in self._melds_with(act.exchanged.id)
        }

        def remains(name: int, turn: int) -> bool:
            if turn < self.turn:
                return True
            return name in (before if turn == self.turn else since)

        def turns(meld: Meld) -> tuple[int, ...]:
            left = tuple(turn for turn in meld.turns if remains(meld.id, turn))
            return (*left, self.now) if meld.id in since and self.now not in left else left

        return [
            msgspec.structs.replace(meld, turns=turns(meld)) if meld.id in touched | since else meld
            for _, meld in sorted(self.melds.items())
        ]


def _as_declared(card: Card, given: Slot) -> Card:
    """D56: return a card as it lies where `given` lay: a Wild represents what that one represented."""
    return Card(card.face, given.card.stands) if card.wild and given.card.wild else card


def _fitting(there: Sequence[Slot], slots: Sequence[Slot]) -> list[Slot]:
    """Return the cards with which the meld stays a meld: all of them if possible, else one by one."""
    if fault([slot.card for slot in (*there, *slots)]) is None:
        return list(slots)
    accepted: list[Slot] = []
    for _ in slots:
        for slot in slots:
            if slot not in accepted and fault([one.card for one in (*there, *accepted, slot)]) is None:
                accepted.append(slot)
    return accepted
