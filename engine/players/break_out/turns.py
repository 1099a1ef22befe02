"""What a play makes of the view, and the search for whole turns that lay down the last card of the hand before NEXT."""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Any

import msgspec

from engine.contract import Action, Seat
from engine.games.break_out import (
    BreakOut,
    BreakOutView,
    Card,
    CardView,
    Extend,
    Extract,
    Face,
    Give,
    Lay,
    MeldView,
    Move,
    PlayDraw,
    in_order,
)
from engine.games.break_out.melds import REMEMBERED
from engine.games.break_out.search import sound_plays
from engine.players import Budget
from engine.turns import replace_at

MOST = 120
"""How many positions are examined."""
LONGEST = 10
"""The largest hand that is searched."""


def way_out(view: BreakOutView, budget: Budget) -> tuple[Action, ...]:
    """Return the plays of a turn that empties the hand; none if no such turn is found."""
    seat = view.seat
    if seat is None or not 0 < len(view.hand) <= LONGEST:
        return ()
    return _Way(seat, budget).on(view)


class _Way:
    """A search for the way out. Hands that did not lead to one are not tried again."""

    def __init__(self, seat: Seat, budget: Budget) -> None:
        self._seat = seat
        self._budget = budget
        self._left = MOST
        self._tried: set[Any] = set()

    def on(self, view: BreakOutView) -> tuple[Action, ...]:
        key = position(view, self._seat)
        if key in self._tried or self._left <= 0 or self._budget.spent():
            return ()
        self._tried.add(key)
        self._left -= 1
        for play, cards in sorted(_laying(view, self._seat), key=lambda one: -one[1]):
            if cards == len(view.hand):
                return (play,)
            if rest := self.on(after(view, self._seat, play)):
                return (play, *rest)
        return ()


def _laying(view: BreakOutView, seat: Seat) -> Iterator[tuple[Action, int]]:
    """Yield the plays after which fewer cards are in hand, with how many they lay."""
    for play in sound_plays(view, seat):
        if not isinstance(play, Extract) and (cards := from_hand(play)):
            yield play, len(cards)


def from_hand(play: Action) -> tuple[Face, ...]:
    """Return the cards that an action takes from the hand."""
    match play:
        case Lay(cards=cards) | BreakOut(cards=cards) | Extend(cards=cards):
            return tuple([card.face for card in cards])
        case Extract(card=card, cell=None):
            return (card.face,)
        case PlayDraw(face=face) | Give(face=face):
            return (face,)
        case _:
            return ()


def after(view: BreakOutView, seat: Seat, play: Action) -> BreakOutView:
    """Return the view after a sound play or a gift, as far as its worth and later plays depend on it."""
    hand = list(view.hand)
    for face in from_hand(play):
        hand.remove(face)
    out, counts, melds = view.out, view.counts, list(view.melds)
    match play:
        case Lay(cards=cards):
            melds.append(_new(melds, None if out[seat] else seat, cards))
        case Extend(meld=name, cards=cards, cell=slots):
            moved = [card for meld in melds for card in meld.cards if card.slot in slots]
            melds = _longer(_without(melds, slots), name, (*moved, *_laid(melds, cards)))
        case BreakOut(route=route, cards=cards, meld=base, moves=moves):
            out = replace_at(out, seat, True)
            if route == 2:
                melds = _longer(melds, base, _laid(melds, cards))
            moves = tuple([one.id for one in melds if one.cell == seat]) if route == 1 else moves
            melds = _in_yard(melds, (*moves, base))
            if route == 1:
                melds.append(_new(melds, None, cards))
        case Extract(slot=slot, card=card, cell=given):
            hand += [one.face for meld in melds for one in meld.cards if one.slot == slot]
            melds = [_exchanged(meld, slot, card) for meld in _without(melds, () if given is None else (given,))]
        case PlayDraw():
            drawing = [(seat + step) % len(counts) for step in range(1, len(counts))][: view.pile]
            counts = tuple([count + (other in drawing) for other, count in enumerate(counts)])
        case Move(melds=names):
            melds = _in_yard(melds, names)
    return msgspec.structs.replace(view, hand=in_order(hand), out=out, counts=counts, melds=tuple(melds), acted=True)


def position(view: BreakOutView, seat: Seat) -> tuple[object, ...]:
    """Return what distinguishes positions of one turn, in whatever order they were reached."""
    return view.hand, frozenset(map(_contents, view.melds)), view.out[seat]


@lru_cache(REMEMBERED)
def _contents(meld: MeldView) -> tuple[Seat | None, frozenset[tuple[Face, str | None]], int]:
    return meld.cell, frozenset([(card.face, card.stands) for card in meld.cards]), len(meld.cards)


def _new(melds: Sequence[MeldView], cell: Seat | None, cards: Sequence[Card]) -> MeldView:
    name = 1 + max((one.id for one in melds), default=0)
    return MeldView(name, cell, _laid(melds, cards), True)


def _laid(melds: Sequence[MeldView], cards: Sequence[Card]) -> tuple[CardView, ...]:
    slot = 1 + max((card.slot for one in melds for card in one.cards), default=0)
    return tuple([CardView(slot + number, card.face, card.stands) for number, card in enumerate(cards)])


def _longer(melds: Sequence[MeldView], name: int | None, cards: Sequence[CardView]) -> list[MeldView]:
    return [msgspec.structs.replace(one, cards=(*one.cards, *cards)) if one.id == name else one for one in melds]


def _without(melds: list[MeldView], slots: Sequence[int]) -> list[MeldView]:
    """Return the melds without single cards that leave a cell."""
    if not slots:
        return melds
    kept = [tuple([card for card in meld.cards if card.slot not in slots]) for meld in melds]
    return [msgspec.structs.replace(meld, cards=cards) for meld, cards in zip(melds, kept, strict=True) if cards]


def _exchanged(meld: MeldView, slot: int, card: Card) -> MeldView:
    """Return the meld with the actual card in place of its Wild, if the Wild is in it."""
    if all(one.slot != slot for one in meld.cards):
        return meld
    cards = tuple([CardView(slot, card.face, None) if one.slot == slot else one for one in meld.cards])
    return msgspec.structs.replace(meld, cards=cards)


def _in_yard(melds: Sequence[MeldView], names: Sequence[int | None]) -> list[MeldView]:
    return [msgspec.structs.replace(one, cell=None) if one.id in names else one for one in melds]
