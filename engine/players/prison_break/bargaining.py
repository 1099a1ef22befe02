"""Offers as a small game of two votes, which both play as well as they can, and according to their habits."""

from collections.abc import Sequence
from dataclasses import dataclass

from engine.contract import Seat
from engine.games.prison_break import Kind, PrisonBreakView, VotesShown

USED_TO = 3.0
"""After this many votes a player's habit counts as much as the best vote."""
ALIKE = 0.5
"""The weight of a vote on an offer of another kind, compared with one of the same kind."""
LOOKS = 120
"""How many times both learn from regret."""

Square = tuple[tuple[float, float], tuple[float, float]]
"""What the votes are worth to a player: by their own vote and then the other's, accept before reject."""


@dataclass(frozen=True)
class Bargain:
    """An offer between two, from the point of view of one of them: how likely each accepts."""

    mine: float
    theirs: float


def agreed(mine: Square, theirs: Square) -> Bargain:
    """Return how both should vote, near an equilibrium. In each square the player's own vote comes first."""
    regrets, sums = [[0.0, 0.0], [0.0, 0.0]], [0.0, 0.0]
    for step in range(1, LOOKS + 1):
        accepts = [_first(one) for one in regrets]
        for side, square in enumerate((mine, theirs)):
            other = accepts[1 - side]
            values = [other * row[0] + (1 - other) * row[1] for row in square]
            mean = accepts[side] * values[0] + (1 - accepts[side]) * values[1]
            for vote in (0, 1):
                regrets[side][vote] = max(0.0, regrets[side][vote] + values[vote] - mean)
            sums[side] += step * accepts[side]
    whole = LOOKS * (LOOKS + 1) / 2
    return Bargain(sums[0] / whole, sums[1] / whole)


def _first(regrets: Sequence[float]) -> float:
    total = sum(regrets)
    return regrets[0] / total if total > 0 else 0.5


class Voters:
    """How everyone at the table has voted."""

    def __init__(self, view: PrisonBreakView) -> None:
        self._votes: list[list[tuple[Kind, bool]]] = [[] for _ in view.prisoners]
        for entry in view.log:
            if isinstance(entry, VotesShown):
                for seat, accept in zip((entry.first, entry.second), entry.accepts, strict=True):
                    self._votes[seat].append((entry.kind, accept))

    def weight(self, seat: Seat, kind: Kind) -> float:
        """Return how much is known about this seat's next vote from its previous ones, from 0 to 1."""
        votes = sum(weight for weight, _ in self._weighted_votes(seat, kind))
        return votes / (votes + USED_TO)

    def accepts(self, seat: Seat, kind: Kind, wise: float) -> float:
        """Return how likely this seat is to accept, if accepting with probability `wise` would be best."""
        votes = self._weighted_votes(seat, kind)
        total = USED_TO + sum(weight for weight, _ in votes)
        return (USED_TO * wise + sum(weight for weight, accept in votes if accept)) / total

    def _weighted_votes(self, seat: Seat, kind: Kind) -> list[tuple[float, bool]]:
        return [(1.0 if before == kind else ALIKE, accept) for before, accept in self._votes[seat]]
