"""A model of how a rival checks without knowing positions: how often, and by which theory it guesses."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from engine.contract import Seat
from engine.games.prison_break import Position

THEORIES = ("claimed", "fastest", "likeliest")
"""Where a rival may look for a pawn: where its declarations put it, where it is if it always ran, or where the public
log makes it most likely.
"""
Guesses = Mapping[str, Position]

SOMEHOW = 0.04
"""The likelihood of a check that does not follow the assumed theory."""
BEFORE = 2.0
"""How many decisions of a rival the prior counts for."""
OFTEN_FAR, OFTEN_NEAR = 0.35, 0.08
"""The prior of how often a rival checks in the dark: pawns far along, and others."""
CONVINCING = 2.0
"""After this many decisions, a rival's observed habits weigh as much as what a good player would do."""


@dataclass(frozen=True)
class Decision:
    """A guard check, or none, in the dark: the space if any, and where the theories put each of the others."""

    seat: Seat
    space: Position | None
    guesses: tuple[Guesses, ...]


class Hunter:
    """What is known about one rival's checks."""

    def __init__(self, seat: Seat, decisions: Sequence[Decision], half: float) -> None:
        self._half = half
        self._decided = {True: BEFORE, False: BEFORE}
        self._checked = {True: BEFORE * OFTEN_FAR, False: BEFORE * OFTEN_NEAR}
        self._trust = dict.fromkeys(THEORIES, 1.0)
        own = [decision for decision in decisions if decision.seat == seat]
        self.seen = len(own)
        for decision in own:
            far = any(guess > half for guesses in decision.guesses for guess in guesses.values())
            self._decided[far] += 1
            if decision.space is None:
                continue
            self._checked[far] += 1
            for theory in THEORIES:
                hit = any(guesses[theory] == decision.space for guesses in decision.guesses)
                self._trust[theory] *= 1.0 if hit else SOMEHOW

    @property
    def weight(self) -> float:
        """How much of what this rival will do can be predicted from what it did, from 0 to 1."""
        return self.seen / (self.seen + CONVINCING)

    def looks(self, guesses: Guesses) -> dict[Position, float]:
        """Return the chance of each space being checked, for a pawn that the theories put at these positions."""
        total = sum(self._trust.values())
        found: dict[Position, float] = {}
        for theory, guess in guesses.items():
            far = guess > self._half
            odds = self._checked[far] / self._decided[far] * self._trust[theory] / total
            found[guess] = found.get(guess, 0.0) + odds
        return found
