"""The search for melds in a hand finds what trying all combinations finds."""

from collections import Counter
from itertools import combinations
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from engine.games.break_out import (
    DRAW,
    NATURAL,
    NUMBERS,
    SUPER,
    WILD,
    Card,
    Cards,
    Face,
    additions,
    fault,
    melds_of,
    points,
    shape,
)
from engine.games.break_out.melds import MOST, MOST_WILDS, held, made_of

FEW = [face for face in NATURAL if face[0] in "rb"]
"""Cards of two colours, so that hands contain many melds. There are two of each, as in two decks."""


def _hands(deck: list[Face]) -> st.SearchStrategy[tuple[Face, ...]]:
    places = st.lists(st.integers(0, len(deck) - 1), unique=True, max_size=9)
    return places.map(lambda drawn: tuple(deck[place] for place in drawn))


hands = _hands(FEW * 2)
mixed = _hands([*FEW * 2, *[WILD] * 6, *[SUPER] * 2, *[DRAW] * 2])


def _faces(cards: Cards) -> tuple[Face, ...]:
    return tuple(sorted(card.face for card in cards))


@given(hands)
def test_every_meld_of_number_cards_is_found_and_each_once(hand: tuple[Face, ...]):
    tried = {tuple(sorted(some)) for size in range(1, len(hand) + 1) for some in combinations(hand, size)}
    sound = {some for some in tried if fault([Card(face) for face in some]) is None}
    found = [_faces(cards) for cards in melds_of(hand)]
    assert Counter(found) == Counter(sound)


@given(mixed)
def test_wilds_fill_every_set_and_every_run_that_they_can(hand: tuple[Face, ...]):
    wilds = min(MOST_WILDS, sum(face in (WILD, SUPER) for face in hand))
    sets, runs = Counter[tuple[Any, ...]](), Counter[tuple[Any, ...]]()
    for number in range(1, NUMBERS + 1):
        own = [face for face in hand if face in FEW and int(face[1]) == number]
        tried = {tuple(sorted(some)) for size in range(1, len(own) + 1) for some in combinations(own, size)}
        sets.update((some, extra) for some in tried for extra in range(wilds + 1) if 3 <= len(some) + extra <= MOST)
    for letter in "rb":
        for low, high in combinations(range(1, NUMBERS + 1), 2):
            lacking = [number for number in range(low, high + 1) if f"{letter}{number}" not in hand]
            if 3 <= high - low + 1 <= MOST and len(lacking) <= wilds and len(lacking) < high - low + 1:
                runs[letter, low, high] += 1
    found = list(melds_of(hand))
    naturals = [tuple(sorted(card.face for card in cards if not card.wild)) for cards in found if shape(cards) == "set"]
    extras = [sum(card.wild for card in cards) for cards in found if shape(cards) == "set"]
    assert Counter(zip(naturals, extras, strict=True)) == sets
    numbers = [(cards[0].colour, [card.number for card in cards]) for cards in found if shape(cards) == "run"]
    assert Counter((letter, min(them), max(them)) for letter, them in numbers) == runs


@given(mixed)
def test_what_is_found_is_sound_held_and_worth_what_is_said(hand: tuple[Face, ...]):
    for worth, cards in held(hand).melds:
        assert fault(cards) is None
        assert worth == points(cards)
        assert Counter(_faces(cards)) <= Counter(hand)
        assert sum(card.wild for card in cards) <= MOST_WILDS


@given(mixed, mixed)
def test_what_can_be_added_keeps_a_meld_sound_and_no_single_number_card_is_missed(
    other: tuple[Face, ...], hand: tuple[Face, ...]
):
    for meld in melds_of(other):
        found = list(additions(meld, hand))
        for worth, cards in held(hand).additions(made_of(meld)):
            assert fault((*meld, *cards)) is None
            assert worth == points(cards)
            assert Counter(_faces(cards)) <= Counter(hand)
        singles = {cards[0].face for cards in found if len(cards) == 1 and not cards[0].wild}
        fitting = {face for face in hand if face in FEW and fault((*meld, Card(face))) is None}
        assert singles == fitting
        assert len(meld) < MOST or not found


@given(st.sampled_from(NATURAL), hands)
def test_what_is_laid_on_the_round_card_makes_a_meld_of_it(face: Face, hand: tuple[Face, ...]):
    for cards in additions((Card(face),), hand):
        assert fault((Card(face), *cards)) is None
