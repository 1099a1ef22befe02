"""What the hand and the melds of a player are worth at the end of a turn, in points of the round's result.

The prices were fitted by least squares to the results of rounds (the other's points minus one's own) of 250 games for
two that the master played against itself with earlier prices, saying NEXT early now and then.
"""

from collections import Counter
from functools import lru_cache
from typing import NamedTuple

from engine.contract import Seat
from engine.games.break_out import DRAW, NATURAL, SUPER, WILD, BreakOutView, Face, MeldView
from engine.games.break_out.melds import REMEMBERED, held, made_of
from engine.games.break_out.types import NUMBER_OF

UNKNOWN: Face = ""
"""A card that has not been seen yet."""

GONE = 100.0
"""What it is worth to have gone out; more than any hand."""


class Prices(NamedTuple):
    """What a position is worth: `start`, and so much for each card or meld of a kind."""

    start: float
    card: float  # each card in hand; what the next six say is added to it
    wild: float
    super_wild: float
    draw_card: float
    unknown: float  # one that has not been seen yet, on average
    melded: float  # it belongs to a meld in hand
    linked: float  # it belongs to none, and one more card could make one with it and another
    fitting: float  # it belongs to none, and can be added to a meld of the cell, or after breaking out of the Yard
    cell_card: float
    cell_meld: float
    rival_card: float  # each card in the others' hands, on average


IN_CELL = Prices(
    start=-3.0,
    card=-4.1,
    wild=5.8,
    super_wild=13.2,
    draw_card=-1.4,
    unknown=2.1,
    melded=3.5,
    linked=2.3,
    fitting=4.4,
    cell_card=-5.8,
    cell_meld=16.2,
    rival_card=1.8,
)
BROKEN_OUT = Prices(
    start=-2.6,
    card=-8.5,
    wild=17.1,
    super_wild=13.0,
    draw_card=7.0,
    unknown=6.5,
    melded=7.9,
    linked=4.4,
    fitting=-0.8,
    cell_card=0.0,
    cell_meld=0.0,
    rival_card=3.4,
)


class Uses(NamedTuple):
    """The number cards of a hand, by what they can become; a card that is `linked` may also be `fitting`."""

    melded: frozenset[Face]
    linked: frozenset[Face]
    fitting: frozenset[Face]


def worth(view: BreakOutView, seat: Seat) -> float:
    """Return what the position of a seat is worth at the end of its turn; `UNKNOWN` cards may be in its hand."""
    if not view.hand:
        return GONE
    out, hand = view.out[seat], Counter(view.hand)
    prices = BROKEN_OUT if out else IN_CELL
    cell = [len(meld.cards) for meld in view.melds if meld.cell == seat]
    total = prices.start + prices.card * len(view.hand) + prices.unknown * hand[UNKNOWN]
    total += prices.wild * hand[WILD] + prices.super_wild * hand[SUPER] + prices.draw_card * hand[DRAW]
    total += prices.cell_card * sum(cell) + prices.cell_meld * len(cell)
    total += prices.rival_card * (sum(view.counts) - view.counts[seat]) / (len(view.counts) - 1)
    melded, linked, fitting = uses(view, seat)
    total += prices.melded * sum([hand[face] for face in melded])
    total += prices.linked * sum([hand[face] for face in linked])
    return total + prices.fitting * sum([hand[face] for face in fitting])


def uses(view: BreakOutView, seat: Seat) -> Uses:
    """Return what the number cards in a seat's hand can become."""
    where = None if view.out[seat] else seat
    plain = tuple([face for face in view.hand if face in NATURAL])
    hand = frozenset(plain)
    melded = frozenset([card.face for _, cards in held(plain).melds for card in cards])
    alone = hand - melded
    numbers = Counter([NUMBER_OF[face] for face in plain])
    linked = [face for face in alone if numbers[NUMBER_OF[face]] > 1 or not hand.isdisjoint(_NEAR[face])]
    open_to = [_open_to(meld) for meld in view.melds if meld.cell == where]
    return Uses(melded, frozenset(linked), alone.intersection(frozenset().union(*open_to)))


@lru_cache(REMEMBERED)
def _open_to(meld: MeldView) -> frozenset[Face]:
    """Return the number cards that can be added to a meld, one alone."""
    made = made_of(meld.played)
    if made.fault is not None:
        return frozenset()
    return frozenset([face for face in NATURAL if held((face,)).additions(made)])


_NEAR: dict[Face, tuple[Face, ...]] = {
    face: tuple(f"{face[0]}{NUMBER_OF[face] + step}" for step in (-2, -1, 1, 2)) for face in NATURAL
}
"""The faces of a colour that are at most two numbers away."""
