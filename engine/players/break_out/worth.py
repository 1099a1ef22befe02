"""What the hand and the melds of a player are worth at the end of a turn, in points of the round's result.

The prices were fitted by least squares to the results of rounds (the other's points minus one's own) of 250 games for
two that the master played against itself with earlier prices, saying NEXT early now and then.
"""

from collections import Counter
from typing import NamedTuple

from engine.contract import Seat
from engine.games.break_out import DRAW, NATURAL, SUPER, WILD, BreakOutView, Face
from engine.games.break_out.melds import held, made_of
from engine.games.break_out.types import NUMBER_OF

GONE = 100.0
"""What it is worth to have gone out; more than any hand."""


class Prices(NamedTuple):
    """What a position is worth: `start`, and so much for each card or meld of a kind."""

    start: float
    card: float  # each card in hand; what the next six say is added to it
    wild: float
    super_wild: float
    draw_card: float
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
    melded=7.9,
    linked=4.4,
    fitting=-0.8,
    cell_card=0.0,
    cell_meld=0.0,
    rival_card=3.4,
)


def worth(view: BreakOutView, seat: Seat) -> float:
    """Return what the position of a seat is worth at the end of its turn."""
    if not view.hand:
        return GONE
    out, hand = view.out[seat], Counter(view.hand)
    prices = BROKEN_OUT if out else IN_CELL
    cell = [made_of(meld.played) for meld in view.melds if meld.cell == seat]
    table = [made_of(meld.played) for meld in view.melds if meld.cell is None] if out else cell
    total = prices.start + prices.card * len(view.hand)
    total += prices.wild * hand[WILD] + prices.super_wild * hand[SUPER] + prices.draw_card * hand[DRAW]
    total += prices.cell_card * sum(meld.size for meld in cell) + prices.cell_meld * len(cell)
    total += prices.rival_card * (sum(view.counts) - view.counts[seat]) / (len(view.counts) - 1)
    plain = tuple(face for face in view.hand if face in NATURAL)
    melded = {card.face for _, cards in held(plain).melds for card in cards}
    numbers = Counter(NUMBER_OF[face] for face in plain)
    for face in dict.fromkeys(plain):
        if face in melded:
            total += prices.melded * hand[face]
            continue
        if numbers[NUMBER_OF[face]] > 1 or any(near in hand for near in _NEAR[face]):
            total += prices.linked * hand[face]
        if any(meld.fault is None and held((face,)).additions(meld) for meld in table):
            total += prices.fitting * hand[face]
    return total


_NEAR: dict[Face, tuple[Face, ...]] = {
    face: tuple(f"{face[0]}{NUMBER_OF[face] + step}" for step in (-2, -1, 1, 2)) for face in NATURAL
}
"""The faces of a colour that are at most two numbers away."""
