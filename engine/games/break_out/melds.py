"""What is a meld: sets and runs, what is wrong with one, and which ones a hand holds.

Marks in comments (R4, D1) are those of docs/rules/break_out.md. May import `engine` and its own package.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import Literal

from engine.games.break_out.pieces import (
    LETTERS,
    NATURAL,
    NUMBERS,
    SUPER,
    WILD,
    Card,
    Cards,
    Face,
    Fault,
)

LEAST, MOST = 3, 6
"""R25: cards in a meld."""
MOST_WILDS = 2
"""The search for melds uses no more Wilds than this in one; more are allowed."""


def shape(cards: Sequence[Card]) -> Literal["set", "run"] | None:
    """D18: a set is one number, colours free; a run is consecutive numbers of one colour."""
    numbers = [card.number for card in cards]
    if not cards or not all(numbers):
        return None
    if len(set(numbers)) == 1:
        return "set"
    colours = {card.colour for card in cards}
    if len(colours) == 1 and None not in colours:
        low, high = min(numbers), max(numbers)
        if len(set(numbers)) == len(numbers) == high - low + 1:
            return "run"
    return None


def points(cards: Sequence[Card]) -> int:
    """D19: a Wild counts the number of the card that it stands for."""
    return sum(card.number for card in cards)


def fault(cards: Sequence[Card]) -> Fault | None:
    """R25, D18: return what is wrong with these cards as a meld, wherever it lies."""
    if not LEAST <= len(cards) <= MOST:
        return "size"
    if not any(card.face in NATURAL for card in cards):
        return "natural"
    return None if shape(cards) is not None else "kind"


def lies_badly(cards: Sequence[Card], ids: Sequence[int], cell: Sequence[int] | None, limits: tuple[int, int]) -> bool:
    """Return whether a meld is bad as it lies there, whoever laid it.

    `ids` are the names of its cards, `cell` those of all cards in the cell where it lies, None in the Yard: R12 a
    cell's `limits`, of points and of cards, count only there. Names grow, so those beyond the limit crammed the cell.
    """
    if fault(cards) is not None:
        return True
    if cell is None:
        return False
    need, most = limits
    return points(cards) >= need or not set(ids).isdisjoint(sorted(cell)[most:])


def fits(card: Card, place: Card, kind: Literal["set", "run"] | None) -> bool:
    """R27: whether a card is the actual one that the Wild `place` stands for. D20: in a set, any card of the number."""
    if card.face not in NATURAL:
        return False  # D20: another Wild is never the actual card
    if kind == "set" or place.colour is None:
        return card.number == place.number
    return card.face == place.stands


# --------------------------------------------------------------------------------------------------------------- search


def wild_faces(hand: Sequence[Face]) -> list[Face]:
    """Return the Wilds of a hand that a meld may use, plain ones first: a Super Wild can do more."""
    wilds = sorted((face for face in hand if face in (WILD, SUPER)), key=(WILD, SUPER).index)
    return wilds[:MOST_WILDS]


def melds_of(hand: Sequence[Face]) -> Iterator[Cards]:
    """Yield sound melds that a hand holds, each multiset of cards once."""
    yield from _sets(hand)
    yield from _runs(hand)


def _sets(hand: Sequence[Face]) -> Iterator[Cards]:
    wilds = wild_faces(hand)
    for number in range(1, NUMBERS + 1):
        own = sorted(face for face in hand if face in NATURAL and int(face[1]) == number)[:MOST]
        seen: set[tuple[Face, ...]] = set()
        for naturals in range(1, len(own) + 1):
            for some in combinations(own, naturals):
                if some in seen:
                    continue
                seen.add(some)
                for extra in range(max(0, LEAST - naturals), min(len(wilds), MOST - naturals) + 1):
                    yield (
                        *(Card(face) for face in some),
                        *(Card(face, str(number)) for face in wilds[:extra]),
                    )


def _runs(hand: Sequence[Face]) -> Iterator[Cards]:
    wilds = wild_faces(hand)
    held = set(hand)
    for letter in LETTERS:
        for low in range(1, NUMBERS - LEAST + 2):
            for high in range(low + LEAST - 1, min(NUMBERS, low + MOST - 1) + 1):
                cards = _filled([f"{letter}{number}" for number in range(low, high + 1)], held, wilds)
                if cards is not None and any(card.stands is None for card in cards):
                    yield cards


def _filled(faces: Sequence[Face], held: set[Face], wilds: Sequence[Face]) -> Cards | None:
    """Return these cards from a hand, Wilds for those that it lacks; None if there are too few."""
    left = list(wilds)
    cards = []
    for face in faces:
        if face in held:
            cards.append(Card(face))
        elif left:
            cards.append(Card(left.pop(0), face))
        else:
            return None
    return tuple(cards)


def additions(meld: Sequence[Card], hand: Sequence[Face]) -> Iterator[Cards]:
    """Yield what a hand can add to a sound meld so that it stays one."""
    room = MOST - len(meld)
    if room < 1:
        return
    wilds = wild_faces(hand)
    kind = shape(meld)
    if kind == "set" or len(meld) == 1:
        number = meld[0].number
        own = sorted(face for face in hand if face in NATURAL and int(face[1]) == number)
        least = 1 if len(meld) >= LEAST - 1 else LEAST - len(meld)
        for count in range(min(room, len(own)) + 1):
            for extra in range(min(len(wilds), room - count) + 1):
                if count + extra >= least:
                    yield (
                        *(Card(face) for face in own[:count]),
                        *(Card(face, str(number)) for face in wilds[:extra]),
                    )
        if kind == "set" and len(meld) > 1:
            for face in sorted(set(own)):
                if face != own[0]:
                    yield (Card(face),)
    if (kind == "run" or len(meld) == 1) and meld[0].colour is not None:
        numbers = [card.number for card in meld]
        letter, low, high = meld[0].colour, min(numbers), max(numbers)
        held = set(hand)
        for down in range(low):
            for up in range(NUMBERS - high + 1):
                if 1 <= down + up <= room and len(meld) + down + up >= LEAST:
                    faces = [
                        *(f"{letter}{number}" for number in range(low - down, low)),
                        *(f"{letter}{number}" for number in range(high + 1, high + up + 1)),
                    ]
                    cards = _filled(faces, held, wilds)
                    if cards is not None:
                        yield cards


def taken(hand: Sequence[Face], faces: Sequence[Face]) -> tuple[Face, ...] | None:
    """Return a hand without these cards; None if it does not hold them all."""
    left = list(hand)
    for face in faces:
        if face not in left:
            return None
        left.remove(face)
    return tuple(left)


def lacking(hand: Sequence[Face], faces: Sequence[Face]) -> Face | None:
    """Return a card that is named but not held, or not so often."""
    held = Counter(hand)
    return next((face for face, count in Counter(faces).items() if held[face] < count), None)
