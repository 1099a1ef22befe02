"""How accuracy is calibrated: what players of known strength lose, measured with `python -m tools.accuracy`.

A share is what a seat lost of the chance that random choices in its place would have lost: 0 is always the best choice,
1 is no better than random. docs/review.md says how it was measured.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

FLAWLESS, OF_MASTERS, OF_TRAINEES, OF_RANDOM = 100.0, 92.0, 60.0, 25.0
"""The accuracy of always the best choice, and of the median game of each kind of player."""


class Measured(NamedTuple):
    """The median shares of a game's Masters, Trainees and random players."""

    masters: float
    trainees: float
    random: float


MEASURED: Mapping[str, Measured] = MappingProxyType(
    {
        "break_out": Measured(masters=0.0, trainees=0.663, random=1.002),
        "match_five": Measured(masters=0.0, trainees=0.681, random=0.762),
        "prison_break": Measured(masters=0.0, trainees=0.448, random=0.948),
    }
)
"""The games whose measure distinguishes these players, in either half of the recorded games; the others show none."""


def percent(share: float, measured: Measured) -> float:
    """Return the accuracy of a share: it falls from 100 as the share grows, straight from one kind of player to the
    next; beyond random play it keeps falling towards 0.
    """
    if share >= measured.random:
        return OF_RANDOM * measured.random / share
    known = ((0.0, FLAWLESS), (measured.masters, OF_MASTERS), (measured.trainees, OF_TRAINEES))
    low = max(one for one in known if one[0] <= share)
    ends = (*known, (measured.random, OF_RANDOM))
    high = next(one for one in ends if one[0] > share)
    return low[1] + (high[1] - low[1]) * (share - low[0]) / (high[0] - low[0])
