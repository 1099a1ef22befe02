"""The search for whole turns of Break-Out that lay down the last card of the hand before NEXT.

The effect of a play is computed on the view.
"""

from collections.abc import Iterator, Sequence
from typing import Any

import msgspec

from engine.contract import Action, Seat
from engine.games.break_out import (
    BreakOut,
    BreakOutView,
    Card,
    CardView,
    Extend,
    Face,
    Lay,
    MeldView,
    PlayDraw,
)
from engine.games.break_out.search import sound_plays
from engine.players import Budget
from engine.turns import replace_at

MOST = 120
"""How many positions are examined."""
LONGEST = 10
"""The largest hand that is searched."""


def way_out(view: BreakOutView, budget: Budget) -> Action | None:
    """Return the first play of a turn that empties the hand, if one is found."""
    seat = view.seat
    if seat is None or not 0 < len(view.hand) <= LONGEST:
        return None
    return _Way(seat, budget).first(view)


class _Way:
    """A search for the way out. Hands that did not lead to one are not tried again."""

    def __init__(self, seat: Seat, budget: Budget) -> None:
        self._seat = seat
        self._budget = budget
        self._left = MOST
        self._tried: set[tuple[Any, ...]] = set()

    def first(self, view: BreakOutView) -> Action | None:
        key = (view.hand, view.melds, view.out[self._seat])
        if key in self._tried or self._left <= 0 or self._budget.spent():
            return None
        self._tried.add(key)
        self._left -= 1
        for action, cards in sorted(laying(view, self._seat), key=lambda one: -len(one[1])):
            if len(cards) == len(view.hand):
                return action
            if self.first(after(view, self._seat, action, cards)) is not None:
                return action
        return None


def laying(view: BreakOutView, seat: Seat) -> Iterator[tuple[Action, Sequence[Face]]]:
    """Yield the plays that lay cards of the hand, with these cards."""
    for action in sound_plays(view, seat):
        match action:
            case Lay(cards=cards) | BreakOut(cards=cards):
                yield action, [card.face for card in cards]
            case Extend(cards=cards) if cards:
                yield action, [card.face for card in cards]
            case PlayDraw(face=face):
                yield action, [face]
            case _:
                pass


def after(view: BreakOutView, seat: Seat, action: Action, cards: Sequence[Face]) -> BreakOutView:
    """Return the view after a play, as far as later plays depend on it."""
    hand = list(view.hand)
    for face in cards:
        hand.remove(face)
    out = view.out
    melds = list(view.melds)
    match action:
        case Lay(cards=laid):
            melds.append(_new(melds, None if out[seat] else seat, laid))
        case Extend(meld=name, cards=laid):
            melds = [_longer(melds, one, laid) if one.id == name else one for one in melds]
        case BreakOut(route=route, cards=laid, meld=name, moves=moves):
            out = replace_at(out, seat, True)
            if route == 2:
                melds = [_longer(melds, one, laid) if one.id == name else one for one in melds]
            own = [one.id for one in melds if one.cell == seat]
            gone = own if route == 1 else [*moves, name]
            melds = [msgspec.structs.replace(one, cell=None) if one.id in gone else one for one in melds]
            if route == 1:
                melds.append(_new(melds, None, laid))
        case _:
            pass
    return msgspec.structs.replace(view, hand=tuple(hand), out=out, melds=tuple(melds), acted=True)


def _new(melds: Sequence[MeldView], cell: Seat | None, cards: Sequence[Card]) -> MeldView:
    name = 1 + max((one.id for one in melds), default=0)
    return MeldView(name, cell, _laid(melds, cards), True)


def _longer(melds: Sequence[MeldView], meld: MeldView, cards: Sequence[Card]) -> MeldView:
    return msgspec.structs.replace(meld, cards=(*meld.cards, *_laid(melds, cards)))


def _laid(melds: Sequence[MeldView], cards: Sequence[Card]) -> tuple[CardView, ...]:
    slot = 1 + max((card.slot for one in melds for card in one.cards), default=0)
    return tuple(CardView(slot + number, card.face, card.stands) for number, card in enumerate(cards))
