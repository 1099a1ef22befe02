"""Break-Out's referee of plays: what is wrong with a play, from what everybody at the table can see.

All other code asks these functions, including bots that watch the others. Marks in comments (R4, D1) refer to
docs/rules/break_out.md.
"""

import msgspec

from engine.games.break_out.melds import fault, fits, points, shape
from engine.games.break_out.types import BreakOut, Card, Cards, Extend, Extract, Fault, Lay, Play


class LaidMeld(msgspec.Struct, frozen=True):
    """A play with its context on the table. All of it is public.

    `cards` are the meld that it made, or for an extraction the meld that contained the Wild. `held` is how many cards
    were in the cell into which it went, None in the Yard. `wild` is the Wild that an extraction took.
    """

    play: Play
    cards: Cards = ()
    held: int | None = None
    wild: Card | None = None


def fault_of(laid: LaidMeld, limits: tuple[int, int]) -> Fault | None:
    """Return the first fault of a play, None if it is sound. `limits` are a break-out's points and a cell's cards."""
    need, most = limits
    match laid.play:
        case Extend(cards=added) | Lay(cards=added):
            found = fault(laid.cards)
            if found is not None or laid.held is None:
                return found
            if points(laid.cards) >= need:
                return "rich"  # R11: less than 15 points
            return "crammed" if laid.held + len(added) > most else None  # R12: at most 9 cards
        case BreakOut(route=1 | 2, start=start):
            found = fault(laid.cards)
            if found is None and start:
                return "start"  # R2: not in a break-out
            return "poor" if found is None and points(laid.cards) < need else found  # R15, R16: 15 or more
        case Extract(card=card):
            right = laid.wild is not None and fits(card, laid.wild, shape(laid.cards))
            return None if right else "swap"
        case _:
            return None
