"""How the warden of Match Five chooses: what a play scores, what the hand is worth after it, and what it opens.

What it opens is tried out: the others' hands are drawn from the tiles that the warden cannot see, and answer the play
as well as they can. May import `engine` only.
"""

from collections import Counter
from collections.abc import Sequence
from random import Random

from engine.contract import Action
from engine.games.match_five import (
    TILES,
    WILD,
    Board,
    Laying,
    MatchFiveView,
    Pass,
    Play,
    Stone,
    Swap,
    Tile,
    plays,
    value,
)
from engine.players import Budget

CANDIDATES = 10
"""So many of the best plays are looked at closely."""

HANDS = 4
"""So many draws of the next player's hand answer each of them."""

FEAR = 0.55
"""What a point of the next player counts, against one of one's own: with more at the table it is shared."""

PAIR = 0.8
"""What two tiles in hand that can share a line are worth, and what two alike cost."""

WILD_KEPT = 5.0
"""What a Wild in hand is worth while there is time to use it."""


def choose(view: MatchFiveView, legal: Sequence[Action], budget: Budget, rng: Random) -> Action:
    """Return one of the legal actions."""
    found = [action for action in legal if isinstance(action, Play)]
    if not found:
        return _without_a_play(view, legal)
    hand = _hand(view)
    board = Board(view.stones)
    ranked = sorted(
        ((_points(board, view, play) + _kept(view, hand, play), number) for number, play in enumerate(found[:60])),
        reverse=True,
    )
    close = [(worth, found[number]) for worth, number in ranked[:CANDIDATES]]
    best = close[0][1]
    if len(close) == 1 or budget.spent():
        return best
    unseen = _unseen(view, hand)
    next_seat = (view.turn or 0) + 1
    count = min(view.counts[next_seat % len(view.counts)], len(unseen))
    hands = [rng.sample(unseen, count) for _ in range(HANDS)]
    weighed: list[tuple[float, Play]] = []
    for worth, play in close:
        laid = [_stone(laying) for laying in play.layings]
        for stone in laid:
            board.lay(stone)
        opened, tried = 0.0, 0
        for other in hands:
            if budget.spent():
                break
            answers = plays(board, other, view.bonus)
            opened += answers[0].points if answers else 0
            tried += 1
        for stone in reversed(laid):
            board.back(stone)
        if not tried:
            break
        weighed.append((worth - FEAR * 2 / len(view.counts) * opened / tried, play))
    return max(weighed, key=lambda one: one[0])[1] if weighed else best


def _without_a_play(view: MatchFiveView, legal: Sequence[Action]) -> Action:
    """Keep what goes together, and swap the rest."""
    swaps = [action for action in legal if isinstance(action, Swap)]
    if not swaps:
        return next((action for action in legal if isinstance(action, Pass)), legal[0])
    hand = _hand(view)

    def kept(swap: Swap) -> float:
        return _together(_less(hand, swap.tiles)) + len(swap.tiles)

    return max(swaps, key=kept)


def _hand(view: MatchFiveView) -> tuple[Tile, ...]:
    own = None if view.seat is None else view.hands[view.seat]
    return own or ()


def _points(board: Board, view: MatchFiveView, play: Play) -> float:
    laid = [_stone(laying) for laying in play.layings]
    for stone in laid:
        board.lay(stone)
    points = sum(line.points for line in board.lines(laid, view.bonus))
    for stone in reversed(laid):
        board.back(stone)
    return points


def _kept(view: MatchFiveView, hand: Sequence[Tile], play: Play) -> float:
    """What is left in hand after a play is worth: near the end it costs what it counts."""
    left = _less(hand, [laying.tile for laying in play.layings])
    if view.bag > len(view.counts) * view.hand_size // 2:
        return _together(left)
    return -sum(view.wild_left if tile == WILD else value(tile) for tile in left)


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


def _unseen(view: MatchFiveView, hand: Sequence[Tile]) -> list[Tile]:
    """Return the tiles in the bag and in other hands, as far as they can be known from what lies open."""
    hidden = view.bag + sum(view.counts) - len(hand)
    seen = Counter([WILD if one.wild else one.tile for one in view.stones] + list(hand))
    wilds = max(0, 5 - seen[WILD])
    copies = round((hidden + sum(seen.values()) - 5) / len(TILES))
    pool = [tile for tile in TILES for _ in range(max(0, copies - seen[tile]))]
    return [*pool, *[WILD] * wilds]


def _stone(laying: Laying) -> Stone:
    if laying.tile == WILD:
        return Stone(laying.x, laying.y, laying.level, laying.wild_as or TILES[0], True)
    return Stone(laying.x, laying.y, laying.level, laying.tile)
