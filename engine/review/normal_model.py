"""Normal distributions: who comes first, given expected points and a common spread."""

from collections.abc import Sequence
from math import erf, exp, sqrt

STEPS = [(number / 4, exp(-((number / 4) ** 2) / 2)) for number in range(-12, 13)]
"""The points at which the normal distribution is sampled, from −3 to 3 standard deviations, and its height there."""


def first(expected: Sequence[float], me: int, spread: float) -> float:
    """Return how likely this one has the most, if each deviates from the expected points by about `spread`."""
    rivals = [score for seat, score in enumerate(expected) if seat != me]
    total = 0.0
    for step, height in STEPS:
        odds = height
        for rival in rivals:
            odds *= 0.5 + 0.5 * erf(((expected[me] - rival) / spread + step) / sqrt(2))
        total += odds
    return total / sum(height for _, height in STEPS)
