"""Melds: sets and runs, what is wrong with one, and which ones a hand contains.

Marks in comments (R4, D1) refer to docs/rules/break_out.md.
"""

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import combinations
from typing import Literal

import msgspec

from engine.games.break_out.types import (
    COLOUR_OF,
    DECLARABLE,
    LETTERS,
    NATURAL,
    NUMBER_OF,
    NUMBERS,
    SUPER,
    WILD,
    Card,
    Cards,
    Face,
    Fault,
)

LEAST, MOST = 3, 6
"""R25: the number of cards in a meld."""
MOST_WILDS = 2
"""The search for melds uses at most this many Wilds in one; more are allowed."""
Shape = Literal["set", "run"]
REMEMBERED = 1_024
"""The cache size of the functions below: they are called for a few cards, which recur."""

HANDS = 256
"""How many hands are cached in analysed form, since many questions are asked about one hand."""


def shape(cards: Sequence[Card]) -> Shape | None:
    """D18: a set is one number, colours free; a run is consecutive numbers of one colour."""
    return made_of(tuple(cards)).kind


def points(cards: Sequence[Card]) -> int:
    """D19: a Wild counts the number of the card that it represents."""
    return sum([card.number for card in cards])


def fault(cards: Sequence[Card]) -> Fault | None:
    """R25, D18: return what is wrong with these cards as a meld, regardless of where it is."""
    return made_of(tuple(cards)).fault


class FoundMeld(msgspec.Struct, frozen=True):
    """What cards are as a meld: what is wrong with it regardless of where it is, and how it can be extended.

    `number` is the number of which more cards can be added, 0 if none. `letter` is the colour with which it can be
    continued below `low` and above `high`, None if it cannot.
    """

    fault: Fault | None
    kind: Shape | None
    points: int
    size: int
    number: int
    letter: str | None
    low: int
    high: int


@lru_cache(REMEMBERED)
def made_of(cards: Cards) -> FoundMeld:
    """Return what these cards are as a meld. A single card may begin a set as well as a run."""
    size, numbers = len(cards), [card.number for card in cards]
    low, high = min(numbers, default=0), max(numbers, default=0)
    kind, letter = _kind(cards, numbers, low, high), None
    wrong: Fault | None = None
    if not LEAST <= size <= MOST:
        wrong = "size"
    elif COLOUR_OF.keys().isdisjoint([card.face for card in cards]):
        wrong = "natural"
    elif kind is None:
        wrong = "kind"
    more = kind is not None and size < MOST
    if more and (kind == "run" or size == 1):
        letter = cards[0].colour
    return FoundMeld(wrong, kind, sum(numbers), size, low if more and kind == "set" else 0, letter, low, high)


def _kind(cards: Cards, numbers: Sequence[int], low: int, high: int) -> Shape | None:
    if not low:
        return None
    if low == high:
        return "set"
    if high - low + 1 == len(numbers) == len(set(numbers)):
        colours = {card.colour for card in cards}
        return "run" if len(colours) == 1 and None not in colours else None
    return None


def lies_badly(made: FoundMeld, ids: Sequence[int], cell: Sequence[int] | None, limits: tuple[int, int]) -> bool:
    """Return whether a meld is bad where it is now, no matter who laid it.

    `ids` are the slots of its cards, `cell` those of all cards in its cell, None in the Yard. R12: a cell's `limits`,
    of points and of cards, apply only there. Slots increase, so those beyond the limit overfilled the cell.
    """
    if made.fault is not None or cell is None:
        return made.fault is not None
    need, most = limits
    return made.points >= need or not set(ids).isdisjoint(sorted(cell)[most:])


def fits(card: Card, place: Card, kind: Shape | None) -> bool:
    """R27: return whether a card is the actual one that the Wild `place` represents. D20: in a set, any card of the
    number.
    """
    if card.face not in COLOUR_OF:
        return False  # D20: another Wild is never the actual card
    if kind == "set" or place.colour is None:
        return card.number == place.number
    return card.face == place.stands


@lru_cache(REMEMBERED)
def actual_cards(place: Card, kind: Shape | None) -> frozenset[Face]:
    """Return the faces of all cards that extract this Wild from a meld of this kind."""
    return frozenset(face for face in NATURAL if fits(Card(face), place, kind))


# --------------------------------------------------------------------------------------------------------------- search

Wilds = tuple[Face, ...]
"""The Wilds of a hand that a meld may use."""
Numbers = int
"""A set of numbers: an int with one bit per number."""

Worth = tuple[int, Cards]
"""What cards of a hand are worth in a meld, and the cards."""
Found = tuple[Worth, ...]
NOTHING: Found = ()

_AS: dict[tuple[Face, str | None], Card] = {
    **{(face, None): Card(face) for face in NATURAL},
    **{(wild, declared): Card(wild, declared) for wild in (WILD, SUPER) for declared in DECLARABLE},
}


class Held:
    """A hand analysed for melds: its cards of each number, its numbers of each colour, and its Wilds.

    `melds` are the sound melds in it, each multiset of cards once, with their points.
    """

    __slots__ = ("colours", "melds", "numbers", "wilds")

    def __init__(self, hand: Sequence[Face]) -> None:
        numbers: dict[int, tuple[Face, ...]] = {}
        colours: dict[str, Numbers] = {}
        for face in sorted(hand):
            number = NUMBER_OF[face]
            if number:
                numbers[number] = (*numbers.get(number, ()), face)
                colours[face[0]] = colours.get(face[0], 0) | 1 << number
        self.numbers, self.colours = numbers, colours
        # Plain ones first: a Super Wild can do more.
        self.wilds: Wilds = (*[WILD] * hand.count(WILD), *[SUPER] * hand.count(SUPER))[:MOST_WILDS]
        self.melds = self._melds() if len(hand) >= LEAST else NOTHING

    def _melds(self) -> Found:
        wilds, found = self.wilds, NOTHING
        least = LEAST - len(wilds)
        for number, own in sorted(self.numbers.items()):
            if len(own) >= least:
                found += _sets(number, own, wilds)
        for letter in LETTERS:
            has = self.colours.get(letter, 0)
            if has and has.bit_count() >= least:
                found += _runs(letter, has, wilds)
        return found

    def additions(self, made: FoundMeld) -> Found:
        """Return what can be added to a meld so that it stays or becomes one, with the points of the cards."""
        found, wilds = NOTHING, self.wilds
        if made.number and ((own := self.numbers.get(made.number, ())) or wilds):
            found = _more_of(made.number, made.size, own, wilds)
        if made.letter is not None and ((has := self.colours.get(made.letter, 0)) or wilds):
            found += _longer(made.letter, made.low, made.high, made.size, has, wilds)
        return found


@lru_cache(HANDS)
def held(hand: tuple[Face, ...]) -> Held:
    """Return a hand analysed for melds."""
    return Held(hand)


def melds_of(hand: Sequence[Face]) -> Iterator[Cards]:
    """Yield the sound melds in a hand, each multiset of cards once."""
    return (cards for _, cards in held(tuple(hand)).melds)


def additions(meld: Sequence[Card], hand: Sequence[Face]) -> Iterator[Cards]:
    """Yield what a hand can add to a sound meld so that it stays one."""
    return (cards for _, cards in held(tuple(hand)).additions(made_of(tuple(meld))))


def _of_number(number: int, own: Sequence[Face], wilds: Wilds) -> Worth:
    cards = [_AS[face, None] for face in own] + [_AS[face, str(number)] for face in wilds]
    return number * len(cards), tuple(cards)


@lru_cache(REMEMBERED)
def _sets(number: int, own: tuple[Face, ...], wilds: Wilds) -> Found:
    """Return the sets of some of these cards of a number, and Wilds."""
    own = own[:MOST]
    return tuple(
        [
            _of_number(number, some, wilds[:extra])
            for naturals in range(1, len(own) + 1)
            for some in dict.fromkeys(combinations(own, naturals))
            for extra in range(max(0, LEAST - naturals), min(len(wilds), MOST - naturals) + 1)
        ]
    )


@lru_cache(REMEMBERED)
def _runs(letter: str, has: Numbers, wilds: Wilds) -> Found:
    """Return the runs of a colour, given the numbers in hand."""
    return tuple(
        [
            _filled(letter, numbers, has, wilds)
            for numbers, run in _RUNS
            if run & has and (run & ~has).bit_count() <= len(wilds)
        ]
    )


def _filled(letter: str, numbers: Sequence[int], has: Numbers, wilds: Wilds) -> Worth:
    """Return these cards of a colour, with Wilds in place of missing ones; there are enough."""
    left = iter(wilds)
    cards = []
    for number in numbers:
        face = f"{letter}{number}"
        cards.append(_AS[face, None] if has >> number & 1 else _AS[next(left), face])
    return sum(numbers), tuple(cards)


@lru_cache(REMEMBERED)
def _more_of(number: int, size: int, own: tuple[Face, ...], wilds: Wilds) -> Found:
    """Return what extends `size` cards of a number to a longer set."""
    free, least = MOST - size, max(1, LEAST - size)
    found = [
        _of_number(number, own[:count], wilds[:extra])
        for count in range(min(free, len(own)) + 1)
        for extra in range(min(len(wilds), free - count) + 1)
        if count + extra >= least
    ]
    if size > 1 and free > 0:
        found += [(number, (_AS[face, None],)) for face in dict.fromkeys(own) if face != own[0]]
    return tuple(found)


@lru_cache(REMEMBERED)
def _longer(letter: str, low: int, high: int, size: int, has: Numbers, wilds: Wilds) -> Found:
    """Return what extends a run of this colour, from its lowest to its highest number, at either end."""
    found = (
        (*range(low - down, low), *range(high + 1, high + up + 1))
        for down in range(low)
        for up in range(NUMBERS - high + 1)
        if 1 <= down + up <= MOST - size and size + down + up >= LEAST
    )
    return tuple(
        [
            _filled(letter, numbers, has, wilds)
            for numbers in found
            if (_numbers(numbers) & ~has).bit_count() <= len(wilds)
        ]
    )


def _numbers(numbers: Iterable[int]) -> Numbers:
    return sum(1 << number for number in numbers)


_RUNS = [
    (range(low, high + 1), _numbers(range(low, high + 1)))
    for low in range(1, NUMBERS - LEAST + 2)
    for high in range(low + LEAST - 1, min(NUMBERS, low + MOST - 1) + 1)
]
"""The numbers of each possible run."""


def taken(hand: Sequence[Face], faces: Sequence[Face]) -> tuple[Face, ...] | None:
    """Return a hand without these cards; None if it does not contain them all."""
    left = list(hand)
    for face in faces:
        if face not in left:
            return None
        left.remove(face)
    return tuple(left)


def lacking(hand: Sequence[Face], faces: Sequence[Face]) -> Face | None:
    """Return a card that is named but not in hand, or not often enough."""
    return next((face for face in faces if hand.count(face) < faces.count(face)), None)
