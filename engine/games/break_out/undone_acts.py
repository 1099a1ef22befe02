"""Which acts of a turn stay when its bad melds are undone: the turn is replayed without them.

Marks in comments (R4, D1) refer to docs/rules/break_out.md.
"""

from collections import Counter
from collections.abc import Sequence

import msgspec

from engine.contract import Refusal, Seat
from engine.games.break_out.rules import check_play
from engine.games.break_out.state import Act, Scene, State, Window, sorted_slots
from engine.games.break_out.types import BreakOut, Face, Ids, Lay, Meld, Move, Play, Slot
from engine.turns import replace_at


class SplitTurn(msgspec.Struct, frozen=True):
    """A turn without its bad melds: the acts that stay, those that are undone, and the ids of melds that were laid in
    the Yard by an act that stays, but lie in the cell now since the break-out before it is undone.
    """

    kept: tuple[Act, ...]
    undone: tuple[Act, ...]
    laid_in_cell: Ids = ()


def split_turn(state: State, window: Window) -> SplitTurn:
    """D31: return which acts of a turn stay without the bad ones. Up to rules version 3: those before the first."""
    if state.rules < SINGLE_MELDS:
        first = next(number for number, act in enumerate(window.acts) if act.bad)
        return SplitTurn(window.acts[:first], window.acts[first:])
    turn = _Turn(state, window.seat)
    for act in window.acts:
        turn.take(act)
    return SplitTurn(tuple(turn.kept), tuple(turn.undone), tuple(turn.laid_in_cell))


SINGLE_MELDS = 4
"""The version of the rules since which only bad melds are undone, and what rests on them."""


def moved_to_yard(act: Act) -> tuple[int, ...]:
    """Return the cell melds that an act brought to the Yard; route 2 also brings the one that it extends."""
    own = act.meld is not None and act.coin and act.before is not None and act.before.cell is not None
    return (*act.moved, act.meld) if own and act.meld is not None else act.moved


class _Turn:
    """A turn while it is replayed."""

    def __init__(self, state: State, seat: Seat) -> None:
        self._state, self._seat = state, seat
        self.kept: list[Act] = []
        self.undone: list[Act] = []
        self.laid_in_cell: list[int] = []

    def take(self, act: Act) -> None:
        """Replay an act, if it is sound and still possible without those that are undone."""
        assert act.scene is not None
        if act.bad or (self.undone and not self._possible(act, act.scene)):
            self.undone.append(act)
        else:
            self.kept.append(act)

    def _possible(self, act: Act, scene: Scene) -> bool:
        exchanged = {one.exchanged.id for one in self.undone if one.exchanged is not None}
        if act.exchanged is not None and act.exchanged.id in exchanged:
            return False  # it takes the card that an undone exchange has laid
        without = self._without(scene)
        try:
            if check_play(without, self._seat, _left(without, self._seat, act.play)) is not None:
                return False
        except Refusal:
            return False
        if isinstance(act.play, Lay) and scene.out and not without.out[self._seat] and act.meld is not None:
            self.laid_in_cell.append(act.meld)
        return True

    def _without(self, scene: Scene) -> State:
        """Return the state before an act as it would be without the undone ones."""
        hand = Counter(scene.hand)
        melds = {meld.id: meld for meld in scene.melds}
        for act in reversed(self.undone):
            if act.exchanged is None:
                self._lift(hand, melds, act)
            else:
                self._put_back(hand, melds, act.exchanged, act.swapped)
        back = {*self.laid_in_cell, *(name for act in self.undone for name in moved_to_yard(act))}
        for name in back & melds.keys():
            melds[name] = msgspec.structs.replace(melds[name], cell=self._seat)
        state, seat = self._state, self._seat
        return msgspec.structs.replace(
            state,
            hands=replace_at(state.hands, seat, tuple(hand.elements())),
            melds=tuple(meld for _, meld in sorted(melds.items())),
            out=replace_at(state.out, seat, scene.out and not any(act.coin for act in self.undone)),
            full=scene.full,
            drew=scene.drew,
            acts=tuple(self.kept),
        )

    def _lift(self, hand: Counter[Face], melds: dict[int, Meld], act: Act) -> None:
        """Take up what an undone act laid, to where it came from."""
        if act.aside is not None:
            hand[act.aside] += 1
        meld = None if act.meld is None else melds.get(act.meld)
        if meld is None:
            return
        _lay(melds, meld, [slot for slot in meld.slots if slot.id not in act.slots])
        for slot in meld.slots:
            if slot.id not in act.slots:
                continue
            if slot.source is None or slot.was is None:
                hand[slot.card.face] += 1
            else:
                self._take_in(melds, slot.source, msgspec.structs.replace(slot, id=slot.was[0], source=None, was=None))

    def _put_back(self, hand: Counter[Face], melds: dict[int, Meld], wild: Slot, given: Slot | None) -> None:
        """Put a Wild back for the card that an undone exchange laid in its place."""
        for meld in melds.values():
            for here in meld.slots:
                if here.id == wild.id:
                    back = msgspec.structs.replace(here, card=wild.card)
                    _lay(melds, meld, [back if slot is here else slot for slot in meld.slots])
                    hand[wild.card.face] -= 1
                    if given is None or given.source is None:
                        hand[here.card.face] += 1
                    else:
                        self._take_in(melds, given.source, msgspec.structs.replace(given, source=None, was=None))
                    return

    def _take_in(self, melds: dict[int, Meld], source: int, slot: Slot) -> None:
        meld = melds.get(source) or Meld(source, self._seat, ())
        _lay(melds, meld, [*meld.slots, slot])


def _lay(melds: dict[int, Meld], meld: Meld, slots: Sequence[Slot]) -> None:
    if slots:
        melds[meld.id] = msgspec.structs.replace(meld, slots=sorted_slots(slots))
    else:
        melds.pop(meld.id, None)


def _left(state: State, seat: Seat, play: Play) -> Play:
    """Return a play without the moves of melds that are undone."""
    own = {meld.id for meld in state.cell(seat)}
    match play:
        case Move(melds=names):
            return msgspec.structs.replace(play, melds=tuple(name for name in names if name in own))
        case BreakOut(moves=names):
            return msgspec.structs.replace(play, moves=tuple(name for name in names if name in own))
        case _:
            return play
