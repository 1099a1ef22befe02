"""Who comes out first, if so many points are expected of each and chance has the rest: by bell curves.

May import the standard library only.
"""

from collections.abc import Sequence
from math import erf, exp, sqrt

STEPS = [(number / 4, exp(-((number / 4) ** 2) / 2)) for number in range(-12, 13)]
"""Where a bell curve is looked at, from three deviations below its middle to three above, and how high it is there."""


def first(expected: Sequence[float], me: int, spread: float) -> float:
    """Return how likely this one has the most, if each is off what is expected of it by about `spread`."""
    rivals = [score for seat, score in enumerate(expected) if seat != me]
    total = 0.0
    for step, height in STEPS:
        odds = height
        for rival in rivals:
            odds *= 0.5 + 0.5 * erf(((expected[me] - rival) / spread + step) / sqrt(2))
        total += odds
    return total / sum(height for _, height in STEPS)
