"""How the warden of Match Five chooses: the most points, of all the plays that a wide beam finds.

It looks no turn ahead, because that has gained nothing. What a play opens is for both, and hardly differs between good
plays: over 50 to 300 games for two against this choice none of these won more than chance does: the expected
best answer of the next player, by sampled hands or by what each unseen tile scores; that answer and one's own next
turn; a price on a Wild, or on each tile kept; an end game that knows the other hand; closing the board when ahead;
swapping a stuck hand. May import `engine` only.
"""

from collections.abc import Sequence

from engine.contract import Action
from engine.games.match_five import (
    WILD,
    Board,
    MatchFiveView,
    Pass,
    Places,
    Play,
    Step,
    Swap,
    Tile,
    beam,
    handfuls,
    laying_of,
    value,
)
from engine.players import Budget

WIDTHS = (3, 25)
"""So many half-made plays are gone on with, tile by tile: few at first, and more if there is time."""

MOST = 40
"""So many plays of each number of tiles are looked at."""

PAIR = 0.8
"""What two tiles in hand that can share a line are worth, and what two alike cost, where tiles are swapped."""

WILD_KEPT = 5.0
"""What a Wild in hand is worth there."""


def choose(view: MatchFiveView, budget: Budget) -> Action:
    """Return a sound action for the seat whose view this is, and who is to move."""
    hand = _hand(view)
    places = Places(Board(view.stones), view.bonus)
    best: Step | None = None
    for width in WIDTHS:
        if best is not None and budget.spent():
            break
        for level in beam(places, hand, width, MOST, one_line=view.placement == "one_line"):
            for step in level:
                if best is None or _worth(view, step) > _worth(view, best):
                    best = step
    if best is None:
        return _without_a_play(view, hand)
    return Play(tuple(laying_of(*one) for one in best.laid))


def _worth(view: MatchFiveView, step: Step) -> int:
    """What a play scores, and with an empty bag what it saves: tiles left in hand will be subtracted."""
    points = step.points
    if not view.stones and len(step.laid) == 1:
        points = value(step.tile)  # D: a first tile laid alone scores its number
    if not view.bag:
        points -= sum(view.wild_left if tile == WILD else value(tile) for tile in step.left)
    return points


def _without_a_play(view: MatchFiveView, hand: Sequence[Tile]) -> Action:
    """Keep what goes together, and swap the rest."""
    if not view.bag:
        return Pass()
    return Swap(max(handfuls(hand, view.bag), key=lambda tiles: _together(_less(hand, tiles)) + len(tiles)))


def _hand(view: MatchFiveView) -> tuple[Tile, ...]:
    own = None if view.seat is None else view.hands[view.seat]
    return own or ()


def _together(tiles: Sequence[Tile]) -> float:
    """How well tiles go together: those that can share a line, less those alike."""
    worth = WILD_KEPT * min(1, tiles.count(WILD))
    plain = [tile for tile in tiles if tile != WILD]
    for number, one in enumerate(plain):
        for other in plain[number + 1 :]:
            if one == other:
                worth -= PAIR
            elif one[0] == other[0] or one[1] == other[1]:
                worth += PAIR
    return worth


def _less(hand: Sequence[Tile], tiles: Sequence[Tile]) -> list[Tile]:
    left = list(hand)
    for tile in tiles:
        left.remove(tile)
    return left
