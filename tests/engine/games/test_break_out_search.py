"""The search for melds in a hand finds what trying all combinations finds."""

from collections import Counter
from itertools import combinations
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from engine.games.break_out import (
    DRAW,
    GAME,
    NATURAL,
    NUMBERS,
    SUPER,
    WILD,
    BreakOut,
    Card,
    Cards,
    Face,
    Played,
    additions,
    fault,
    melds_of,
    points,
    shape,
)
from engine.games.break_out.melds import MOST, MOST_WILDS, held, made_of
from tests.engine.games import break_out_positions
from tests.engine.games.break_out_positions import A, ScriptedRound, chance
from tools.harness.playouts import BEGIN

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


NUMBER_WORDS = st.sampled_from(["2", "5", "r2", "r5", "b5"])
LAID = st.one_of(
    st.sampled_from(["r2", "b2", "g2", "r3", "r4", "r5", "b5", "g5"]),
    st.builds("{}={}".format, st.sampled_from([WILD, WILD, SUPER]), NUMBER_WORDS),
)
"""A card of a meld, bad ones included: half of them are Wilds."""
laid_melds = st.lists(st.lists(LAID, min_size=1, max_size=6).map(" ".join), max_size=3)
wild_hands = st.lists(st.sampled_from([WILD, WILD, SUPER, DRAW, "r2", "b2", "r4", "r5", "g5", "r6"]), max_size=8)


@settings(max_examples=300, deadline=None)
@given(wild_hands, laid_melds, laid_melds, st.booleans(), st.booleans())
def test_D22_D55_no_play_listed_as_sound_has_a_fault_on_any_table(
    hand: list[Face], cell: list[str], yard: list[str], out: bool, full: bool
):
    gone = [0] if out else []
    table = ScriptedRound(" ".join(hand), "o1", out=gone, cell={0: cell}, yard=yard, full=full and bool(cell))
    for action in GAME.legal(table.state, A):
        for event in GAME.decide(table.state, A, action, BEGIN, chance()):
            assert not isinstance(event, Played) or event.fault is None, action


def test_D18_a_break_out_of_wilds_alone_is_not_listed_as_sound():
    table = ScriptedRound("w w r5", "o1", cell={0: ["w=5 w=5 w=5"]})
    listed = [action for action in GAME.legal(table.state, A) if isinstance(action, BreakOut)]
    assert BreakOut(2, break_out_positions.cards("w=5 w=5"), 1) not in listed
    assert BreakOut(2, break_out_positions.cards("r5"), 1) in listed


@given(st.sampled_from(NATURAL), hands)
def test_what_is_laid_on_the_round_card_makes_a_meld_of_it(face: Face, hand: tuple[Face, ...]):
    for cards in additions((Card(face),), hand):
        assert fault((Card(face), *cards)) is None
