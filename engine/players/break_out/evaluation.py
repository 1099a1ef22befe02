"""What single plays and gifts are worth, in points shed: reviews and reasons compare them by it."""

from collections.abc import Sequence

from engine.contract import Action
from engine.games.break_out import (
    DRAW,
    NATURAL,
    SUPER,
    WILD,
    BreakOut,
    BreakOutView,
    Card,
    Draw,
    Extend,
    Extract,
    Face,
    Give,
    Lay,
    Move,
    Next,
    PlayDraw,
    melds_of,
    points,
)

OUT = 14.0
"""What breaking out is worth, in points of cards."""
WILD_KEPT = 3.0
"""What a Wild is worth beyond its points early in a round."""
CARD = 2.5
"""What one card less in hand is worth beyond its points."""
GOES_OUT = 40.0
LATER = 0.6
"""The factor for what can be laid later."""
FIRST = 100.0
"""A DRAW card is played before everything else, or not at all."""
SOON = 4
"""With this few cards in anybody's hand the round is about to end."""


def choose(view: BreakOutView, legal: Sequence[Action]) -> Action:
    """Return the best action of the seat's own turn."""
    best, worth = None, 0.0
    for action in legal:
        found = value(view, action)
        if found > worth:
            best, worth = action, found
    if best is not None:
        return best
    if view.acted or view.drew:
        return Next()
    # Moving a cell meld counts as playing, and so does taking a Wild out of a meld: both are better than drawing a
    # card. Melds move one at a time, so that some are left.
    moves = sorted((action for action in legal if isinstance(action, Move)), key=lambda move: len(move.melds))
    spared = [*moves, *(action for action in legal if isinstance(action, Extract))]
    if spared:
        return spared[0]
    if view.seat is not None and view.out[view.seat]:
        laid = [action for action in legal if isinstance(action, Lay | Extend)]
        if laid:
            return max(laid, key=lambda action: value(view, action))
    draws = [action for action in legal if isinstance(action, Draw)]
    return draws[0] if draws else Next()


def value(view: BreakOutView, action: Action) -> float:
    """Return what a play is worth, in points that it sheds."""
    match action:
        case PlayDraw(face=face):
            if face == DRAW:
                return FIRST
            return CARD * len(view.counts) if _soon(view) else 0.0
        case BreakOut(cards=cards, moves=moves):
            return OUT + _shed(view, cards) + _after(view, cards) + 0.5 * len(moves)
        case Lay(cards=cards):
            return _shed(view, cards) + _after(view, cards)
        case Extend(cards=cards) if cards:
            return _shed(view, cards) + _after(view, cards)
        case Extract(card=card, cell=cell):
            return _exchange(view, card.face if cell is None else None)
        case _:
            return 0.0


def _shed(view: BreakOutView, cards: Sequence[Card]) -> float:
    """Return the points and cards that leave the hand; a Wild that could do more later is spared."""
    special = dict(zip((WILD, DRAW, SUPER), view.values, strict=True))
    total = 0.0
    for card in cards:
        total += special.get(card.face) or int(card.face[-1])
        total += CARD
        if card.face in (WILD, SUPER) and not _soon(view) and len(cards) < len(view.hand):
            total -= special[card.face] + WILD_KEPT * (1 if card.face == WILD else 2)
    if len(cards) == len(view.hand):
        total += GOES_OUT
    return total


def _after(view: BreakOutView, cards: Sequence[Card]) -> float:
    """Return roughly what the rest of the hand could be laid as later: its best meld."""
    left = list(view.hand)
    for card in cards:
        left.remove(card.face)
    naturals = [face for face in left if face in NATURAL]
    best = max((points(meld) + CARD * len(meld) for meld in melds_of(naturals)), default=0.0)
    return LATER * best


def _exchange(view: BreakOutView, face: Face | None) -> float:
    """Return what a Wild from the Yard is worth for this card, or for one of the cell: what can be laid with it."""
    left = list(view.hand)
    if face is not None:
        left.remove(face)
    if not left:
        return 0.0
    with_wild = max((len(meld) for meld in melds_of([*left, WILD])), default=0)
    without = max((len(meld) for meld in melds_of(left)), default=0)
    return 6.0 if with_wild > without else 0.0


def _soon(view: BreakOutView) -> bool:
    return min(view.counts) <= SOON or view.pile < 6


def useful(view: BreakOutView) -> set[Face]:
    """Return the cards of the hand that could be melded with others of it."""
    return {card.face for meld in melds_of(view.hand) for card in meld}


def gift(view: BreakOutView, legal: Sequence[Action]) -> Action:
    """Return the gift to the caught player: costly to hold, and of little use to either of the two."""
    gifts = [action for action in legal if isinstance(action, Give)]
    wanted = useful(view)
    special = dict(zip((WILD, DRAW, SUPER), view.values, strict=True))

    def cost(action: Give) -> float:
        face = action.face
        if face in special:
            caught_out = view.caught is not None and view.out[view.caught]
            if face == DRAW:
                return 2.0 if caught_out else special[face] + 4.0  # useless in the cell
            return -20.0
        return int(face[1]) + (0.0 if face in wanted else 4.0)

    return max(gifts, key=cost)
