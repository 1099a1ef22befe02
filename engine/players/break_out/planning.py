"""How the master plays its turn: it looks for the plays after which its position is worth most (`worth`), and draws a
card first if they gain little.
"""

from collections.abc import Sequence
from heapq import heappop, heappush

import msgspec

from engine.contract import Action, Seat
from engine.games.break_out import (
    DRAW,
    SUPER,
    WILD,
    BreakOut,
    BreakOutView,
    CardView,
    Draw,
    Extend,
    Extract,
    Face,
    Give,
    Lay,
    MeldView,
    Move,
    Next,
    PlayDraw,
    in_order,
)
from engine.games.break_out.search import sound_plays
from engine.players import Budget
from engine.players.break_out import turns
from engine.players.break_out.worth import worth

POSITIONS = 30
"""In how many positions of a turn all plays are tried, the most promising positions first."""

GAIN = 4.0
"""A turn that gains less than this is not begun before a card is drawn."""


def choose(view: BreakOutView, budget: Budget) -> Action:
    """Return the best action of the seat's own turn."""
    assert view.seat is not None
    now = worth(view, view.seat)
    play, best = _best_turn(view, view.seat, budget)
    if view.place and not view.acted and not view.drew and best < now + GAIN:
        return Draw()
    return Next() if play is None or best <= now else play


def gift(view: BreakOutView, legal: Sequence[Action]) -> Action:
    """Return the card for the caught player without which one's own hand is worth most; of equal ones the dearest."""
    special = dict(zip((WILD, DRAW, SUPER), view.values, strict=True))

    def left(action: Give) -> tuple[float, int]:
        assert view.seat is not None
        hand = list(view.hand)
        hand.remove(action.face)
        if not hand:
            return 0.0, 0
        rest = msgspec.structs.replace(view, hand=tuple(hand))
        return worth(rest, view.seat), special.get(action.face) or int(action.face[-1])

    return max([action for action in legal if isinstance(action, Give)], key=left)


def _best_turn(view: BreakOutView, seat: Seat, budget: Budget) -> tuple[Action | None, float]:
    """Return the first play of the best turn found, and what the position is worth after it."""
    best, begin = float("-inf"), None
    seen = {_key(view, seat)}
    waiting: list[tuple[float, int, BreakOutView, Action | None]] = [(0.0, 0, view, None)]
    for _ in range(POSITIONS):
        if not waiting:
            break
        _, _, here, first = heappop(waiting)
        for play in sound_plays(here, seat):
            there = _after(here, seat, play)
            if there is None or (key := _key(there, seat)) in seen:
                continue
            seen.add(key)
            found = worth(there, seat)
            if found > best:
                best, begin = found, first or play
            if not there.hand:
                return first or play, found
            heappush(waiting, (-found, len(seen), there, first or play))
        if budget.spent():
            break
    return begin, best


def _key(view: BreakOutView, seat: Seat) -> tuple[Sequence[Face], Sequence[MeldView], bool]:
    """Return what distinguishes positions of one turn."""
    return view.hand, view.melds, view.out[seat]


def _after(view: BreakOutView, seat: Seat, play: Action) -> BreakOutView | None:
    """Return the view after a play, as far as its worth and later plays depend on it; None if single cards leave a
    cell, which is not considered.
    """
    match play:
        case Lay(cards=cards) | BreakOut(cards=cards):
            return turns.after(view, seat, play, [card.face for card in cards])
        case Extend(cards=cards) if cards:
            return turns.after(view, seat, play, [card.face for card in cards])
        case PlayDraw(face=face):
            counts = tuple(count + (other != seat) for other, count in enumerate(view.counts))
            return msgspec.structs.replace(turns.after(view, seat, play, [face]), counts=counts)
        case Move(melds=names):
            melds = [msgspec.structs.replace(one, cell=None) if one.id in names else one for one in view.melds]
            return msgspec.structs.replace(view, melds=tuple(melds), acted=True)
        case Extract(cell=None):
            return _exchanged(view, play)
        case _:
            return None


def _exchanged(view: BreakOutView, play: Extract) -> BreakOutView:
    """Return the view after a card of the hand has been exchanged for a Wild."""
    hand, melds = list(view.hand), []
    hand.remove(play.card.face)
    for meld in view.melds:
        cards = tuple(CardView(one.slot, play.card.face, None) if one.slot == play.slot else one for one in meld.cards)
        hand += [one.face for one in meld.cards if one.slot == play.slot]
        melds.append(msgspec.structs.replace(meld, cards=cards))
    return msgspec.structs.replace(view, hand=in_order(hand), melds=tuple(melds), acted=True)
