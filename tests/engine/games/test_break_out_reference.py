"""Break-Out and its reference implementation must agree in thousands of states of random play.

`break_out_reference` and `break_out_reference_cards` are written from the rule book alone. They get the same requests
as the game at the same times. Both must accept or both refuse; afterwards the same cards are in the same places, the
same turns can be called, and the same clocks run. The rule book decides disagreements.
"""

from collections import Counter
from dataclasses import dataclass, field

from engine.contract import Action, ClockShift, Expire, Moment, Refusal, Seat
from engine.games.break_out import GAME, Extend, Extract, Lay, Played, RoundEnded, State
from tests.engine.games.break_out_random_play import RandomPlay
from tests.engine.games.break_out_reference import Reference
from tests.engine.games.break_out_reference_cards import Heap, Table
from tests.engine.games.forbidden import Forbidden


def reference_of(state: State, at: int) -> Reference:
    """Return the second implementation of a running round."""
    heaps = {meld.id: Heap(meld.cell, {slot.id: slot.card for slot in meld.slots}) for meld in state.melds}
    hands = [Counter(hand) for hand in state.hands]
    table = Table(hands, list(state.pile), state.place, heaps, list(state.out), list(state.aside))
    return Reference(table, state.options, state.round, state.turn, state.serial, at)


@dataclass
class Both:
    """The game and its reference. `names` maps the game's ids of cards on the table to the reference's ids."""

    state: State
    reference: Reference
    names: dict[int, int] = field(default_factory=dict)

    def follow(self) -> None:
        """Match the ids of the cards on the table, heap by heap, and compare all positions."""
        heaps = self.reference.table.heaps
        assert {meld.id for meld in self.state.melds} == set(heaps)
        names: dict[int, int] = {}
        for meld in self.state.melds:
            heap = heaps[meld.id]
            assert meld.cell == heap.cell, meld.id
            left = dict(heap.cards)
            for slot in meld.slots:
                if left.get(self.names.get(slot.id, -1)) == slot.card:
                    names[slot.id] = self.names[slot.id]
                    del left[names[slot.id]]
            for slot in sorted(meld.slots, key=lambda slot: slot.id):
                if slot.id not in names:
                    names[slot.id] = next((name for name in sorted(left) if left[name] == slot.card), -1)
                    assert names[slot.id] in left, (meld, heap)
                    del left[names[slot.id]]
            assert not left, (meld, heap)
        self.names = names

    def compare(self) -> None:
        state, reference = self.state, self.reference
        self.follow()
        assert [Counter(hand) for hand in state.hands] == [+hand for hand in reference.table.hands]
        assert (list(state.pile), state.place) == (reference.table.pile, reference.table.place)
        assert (list(state.out), Counter(state.aside)) == (reference.table.out, Counter(reference.table.gone))
        assert (state.turn, state.serial, state.full) == (reference.turn, reference.serial, reference.full)
        assert list(state.pointed) == reference.pointed
        clocks = {clock.id.split("-")[0]: clock.due for clock in GAME.deadlines(state)}
        shut = clocks.pop("shut", None)
        assert clocks == reference.clocks()
        assert shut is None or shut == reference.end_of_window()
        gift = None if state.gift is None else (state.gift.catcher, state.gift.caught, state.gift.due)
        assert gift == reference.gift
        fresh = min(state.serial, *(one.turn for one in (state.window, state.closing) if one is not None), state.serial)
        for meld in state.melds:
            assert (meld.changed >= fresh) == (reference.table.heaps[meld.id].touched >= fresh), meld

    def translated(self, action: Action) -> Action:
        """Return the same action with the other ids."""

        def name(slot: int) -> int:
            return self.names.get(slot, 10_000 + slot)

        match action:
            case Lay(cards=cards, cell=cell):
                return Lay(cards, tuple(map(name, cell)))
            case Extend(meld=meld, cards=cards, cell=cell):
                return Extend(meld, cards, tuple(map(name, cell)))
            case Extract(slot=slot, card=card, cell=cell):
                return Extract(name(slot), card, None if cell is None else name(cell))
        return action


def agree(seed: int, steps: int) -> Counter[str]:
    """Run random play in both. Return the events."""
    play_at_random = RandomPlay(seed)
    both = Both(play_at_random.state, reference_of(play_at_random.state, play_at_random.at))
    both.names = {slot.id: slot.id for meld in play_at_random.state.melds for slot in meld.slots}
    for (seat, action, at), _ in zip(play_at_random.asked(), range(steps), strict=False):
        both.compare()
        allowed = asked(both, seat, action, at)
        events = play_at_random.decide(seat, action, at)
        assert allowed != isinstance(events, Refusal), (seat, action, at, events)
        both.state = play_at_random.state
        if isinstance(events, Refusal):
            continue
        for event in events:
            if isinstance(event, Played):
                assert both.reference.journal.deeds[-1].bad == (event.fault is not None), event
            if isinstance(event, RoundEnded):
                assert both.reference.points == list(event.points)
                return play_at_random.seen
    both.compare()
    return play_at_random.seen


def asked(both: Both, seat: Seat | None, action: Action, at: Moment) -> bool:
    """Make a request of the reference. Return True if it was accepted."""
    try:
        if isinstance(action, Expire):
            clock = action.deadline.split("-")[0]
            if clock != "shut":
                both.reference.expire(clock, at)
        elif isinstance(action, ClockShift):
            both.reference.delay(action.by_ms)
        else:
            assert seat is not None
            both.reference.act(seat, both.translated(action), at)
    except Forbidden:
        return False
    return True


def test_two_implementations_agree_on_windows_catches_and_undoing():
    seen: Counter[str] = Counter()
    for seed in range(40):
        seen += agree(seed, 130)
    assert seen["Caught meld"] > 60 and seen["Caught draw"] > 5 and seen["Pointed"] > 20
