"""What nobody may find out in Break-Out: others' hands, the pile, the draw card, and whether a meld is bad."""

import random

import msgspec
import pytest

from engine.contract import Seat
from engine.games.break_out import GAME, State
from tests.engine.games.cellblocks import play_wildly


def states(seed: int) -> list[State]:
    """Moments of a game with bad play of every kind."""
    found: list[State] = []
    play_wildly(seed, 900, found.append)
    return found[::23]


def told(state: State, reader: int | None) -> object:
    """Everything that a reader learns."""
    legal = [] if reader is None else list(GAME.legal(state, Seat(reader)))
    return GAME.view(state, None if reader is None else Seat(reader)), legal, GAME.deadlines(state)


@pytest.mark.parametrize("seed", range(6))
def test_other_hands_the_pile_and_the_face_down_draw_card_change_nothing_for_a_reader(seed: int):
    for state in states(seed):
        for reader in (None, *range(state.seats)):
            cards = [*state.pile, *((state.place and [state.place]) or [])]
            hidden = [seat for seat in range(state.seats) if seat != reader]
            for seat in hidden:
                cards += state.hands[seat]
            random.Random(seed).shuffle(cards)
            hands = list(state.hands)
            for seat in hidden:
                size = len(state.hands[seat])
                hands[seat], cards = tuple(cards[:size]), cards[size:]
            place = state.place
            if place is not None and state.options.draw_card == "face_down":
                place = cards.pop()
            elif place is not None:
                cards = cards[1:]
            changed = msgspec.structs.replace(state, hands=tuple(hands), pile=tuple(cards), place=place)
            if state.drew is not None and state.turn != reader:
                changed = msgspec.structs.replace(changed, drew="v7" if state.drew != "v7" else "r1")
            assert told(state, reader) == told(changed, reader)


@pytest.mark.parametrize("seed", range(6))
def test_whether_a_meld_is_bad_changes_nothing_for_anybody(seed: int):
    """The same cards at the same places, guilty or innocent: for every reader, whoever laid them included."""
    guilty = 0
    for state in states(seed):
        guilty += any(meld.bad or meld.breach for meld in state.melds)
        innocent = msgspec.structs.replace(
            state,
            melds=tuple(msgspec.structs.replace(meld, bad=False, breach=False) for meld in state.melds),
            acts=tuple(msgspec.structs.replace(act, bad=False) for act in state.acts),
            window=None
            if state.window is None
            else msgspec.structs.replace(
                state.window,
                acts=tuple(msgspec.structs.replace(act, bad=False) for act in state.window.acts),
            ),
        )
        for reader in (None, *range(state.seats)):
            assert told(state, reader) == told(innocent, reader)
    assert guilty or seed


def test_a_card_that_was_given_is_known_to_giver_and_receiver_alone():
    known = 0
    for seed in range(6):
        for state in states(seed):
            for note in state.notes:
                for reader in (None, *range(state.seats)):
                    seen = [one.face for one in GAME.view(state, None if reader is None else Seat(reader)).notes]
                    here = seen[state.notes.index(note)]
                    if note.face is not None:
                        assert here == (note.face if reader in note.knows else None)
                        known += here is not None
    assert known
