"""How the master of Match Five chooses: many points, and little left for the next player to score.

Of the plays that a wide beam search finds, those worth most are compared by what they leave (`foresight`).
"""

from collections.abc import Sequence

from engine.contract import Action
from engine.games.match_five import (
    WILD,
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
    places_of,
    value,
)
from engine.players import Budget
from engine.players.match_five.foresight import Foresight

# In games for two, the search alone wins 64 of 100 games against the greediest choice tile by tile, and 72 (of 1,000
# games) with what is left. There is little more to gain, since every game is largely luck: comparing 30 plays by the
# best answers of 150 random hands gains as much (70 of 100), searching 2,000 partial plays instead of 25 gains nothing,
# and a player who knows the other's hand and the answer to each of 40 plays wins 87 (of 400). These gained nothing
# either: considering one's own next turn, a price on a Wild or on each tile kept, closing the board when ahead,
# swapping a stuck hand.
WIDTHS = (3, 25)
"""How many partial plays are continued, tile by tile: few at first, and more if there is time."""

MOST = 40
"""How many plays of each number of tiles are examined."""

COMPARED = 40
"""How many plays, those worth most, are compared by what they leave to the next player."""

PAIR = 0.8
"""When swapping: the value of two tiles in hand that can share a line, and the cost of two equal ones."""

WILD_KEPT = 5.0
"""When swapping: the value of a Wild in hand."""


def choose(view: MatchFiveView, budget: Budget) -> Action:
    """Return a sound action for the seat whose view this is, and which has to move."""
    hand = hand_of(view)
    places = places_of(view.stones, view.bonus)
    ranked = promising(view, places, hand, budget)
    if not ranked:
        return _without_a_play(view, hand)
    return played(_safest(view, places, hand, ranked, budget))


def promising(view: MatchFiveView, places: Places, hand: Sequence[Tile], budget: Budget) -> list[Step]:
    """Return the plays worth most that a wide beam search finds, the best first."""
    found: dict[int, Step] = {}
    one_line = view.placement == "one_line"
    for width in WIDTHS:
        if found and (one_line or budget.spent()):  # in one line nothing is left to find
            break
        for level in beam(places, hand, width, MOST, one_line=one_line):
            found.update((step.mark, step) for step in level)
    return sorted(found.values(), key=lambda step: -worth(view, step))[:COMPARED]


def played(step: Step) -> Play:
    """Return the action that makes a play."""
    return Play(tuple(laying_of(*one) for one in step.laid))


def _safest(view: MatchFiveView, places: Places, hand: Sequence[Tile], ranked: Sequence[Step], budget: Budget) -> Step:
    """Return the play that is best after subtracting what it leaves to the next player."""
    best, most = ranked[0], float("-inf")
    if budget.spent():
        return best
    foresight = Foresight(view, places, hand)
    for step in ranked:
        one = balance(view, foresight, step)
        if one > most:
            best, most = step, one
        if budget.spent():
            break
    return best


def balance(view: MatchFiveView, foresight: Foresight, step: Step) -> float:
    """Return what a play is worth, less what it leaves to the next player."""
    return worth(view, step) - foresight.cost(step)


def worth(view: MatchFiveView, step: Step) -> int:
    """Return what a play scores, less what the tiles left in hand cost (`left_cost`)."""
    points = step.points
    if not view.stones and len(step.laid) == 1:
        points = value(step.tile)  # D: a first tile laid alone scores its number
    return points - left_cost(view, step.left)


def left_cost(view: MatchFiveView, left: Sequence[Tile]) -> int:
    """Return what tiles left in hand will cost: nothing as long as the bag has tiles, since more turns will follow."""
    return 0 if view.bag else sum(view.wild_left if tile == WILD else value(tile) for tile in left)


def _without_a_play(view: MatchFiveView, hand: Sequence[Tile]) -> Action:
    """Keep what goes together, and swap the rest."""
    if not view.bag:
        return Pass()
    return Swap(max(handfuls(hand, view.bag), key=lambda tiles: _together(less(hand, tiles)) + len(tiles)))


def hand_of(view: MatchFiveView) -> tuple[Tile, ...]:
    """Return the tiles of the reader of this view."""
    own = None if view.seat is None else view.hands[view.seat]
    return own or ()


def _together(tiles: Sequence[Tile]) -> float:
    """Return how well tiles go together: pairs that can share a line, minus equal pairs."""
    total = WILD_KEPT * min(1, tiles.count(WILD))
    plain = [tile for tile in tiles if tile != WILD]
    for number, one in enumerate(plain):
        for other in plain[number + 1 :]:
            if one == other:
                total -= PAIR
            elif one[0] == other[0] or one[1] == other[1]:
                total += PAIR
    return total


def less(hand: Sequence[Tile], tiles: Sequence[Tile]) -> list[Tile]:
    """Return a hand without these tiles."""
    left = list(hand)
    for tile in tiles:
        left.remove(tile)
    return left
