"""What a play leaves to the next player: how much their tiles, one by one, can score on average.

Nobody knows which tiles those are, but everybody knows how many of each kind are neither on the board nor in their own
hand.
"""

from collections import Counter
from collections.abc import Sequence

from engine.games.match_five import TILES, WILD, MatchFiveView, Places, Step, Tile
from engine.games.match_five.board import BIT, CODE, Key, Opening, value_of

FEAR = 0.7
"""The weight of the points that the next player can score, at a table for two."""

MOST_LEFT = 150.0
"""The most points that can be left to the next player's tiles: they are counted independently although they compete for
the same spots.
"""


class Foresight:
    """What the next player may hold, and what each tile scores on the board before the play."""

    def __init__(self, view: MatchFiveView, places: Places, hand: Sequence[Tile]) -> None:
        self._places = places
        seats = len(view.counts)
        rival = 0 if view.seat is None else (view.seat + 1) % seats
        unseen = _unseen(view, hand)
        tiles = 0 if rival == view.last else view.counts[rival]  # the seat that began the last round is done
        self.weight = FEAR / (seats - 1)  # the weight of the next player's points
        each = tiles / max(1, unseen.total())
        self._odds = {tile: each * count for tile, count in unseen.items() if each * count > 0}

    def cost(self, step: Step) -> float:
        """Return what the next player can score after this play, weighted."""
        return self.weight * self.left(step)

    def left(self, step: Step) -> float:
        """Return what the next player can score after this play, tile by tile."""
        if not self._odds:
            return 0.0
        changed = self._changed(step)
        openings = [opening for opening in changed.values() if opening is not None]
        scored = sum(
            odds * max(self._before(tile, changed), *(_scored(tile, opening) for opening in openings), 0)
            for tile, odds in self._odds.items()
        )
        return min(MOST_LEFT, scored)

    def _changed(self, step: Step) -> dict[Key, Opening | None]:
        """Return the spots at which the play changes what may be laid or what it scores in the next turn."""
        board, bonus = self._places.board.copy(), self._places.bonus
        spots: set[Key] = set()
        for key, code in step.laid:
            board.put(key, code, bonus, fresh=False)
            spots.add(key)
            spots.update(board.around(key))
        return {key: board.opening(key, bonus) for key in spots}

    def _before(self, tile: Tile, changed: dict[Key, Opening | None]) -> int:
        """Return the most that a tile scores at a spot that the play does not change."""
        return next((points for points, key in self._places.ranked(tile) if key not in changed), 0)


def _scored(tile: Tile, opening: Opening) -> int:
    if tile == WILD:
        return opening.points if opening.wild else 0
    return opening.points + value_of(CODE[tile]) * opening.lines if opening.fits & BIT[tile] else 0


def _unseen(view: MatchFiveView, hand: Sequence[Tile]) -> Counter[Tile]:
    """Return how many of each tile are in the bag or in other hands."""
    copies, wilds = divmod(len(view.stones) + view.bag + sum(view.counts), len(TILES))
    found = Counter(dict.fromkeys(TILES, copies))
    found[WILD] = wilds
    found.subtract(WILD if stone.wild else stone.tile for stone in view.stones)
    found.subtract(hand)
    return found
