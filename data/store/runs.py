"""Runs of the bot: when each began and ended, and for how long nobody was there between them.

May import `engine.contract` and the standard library.
"""

from collections.abc import Sequence
from typing import NamedTuple

from engine.contract import Moment


class Run(NamedTuple):
    """One start of the bot: when it began, and when it was last known to be alive."""

    id: int
    started_at: Moment
    alive_at: Moment


def downtimes(runs: Sequence[Run]) -> dict[int, int]:
    """Return for each run for how many milliseconds the bot was away between it and the last one."""
    away = 0
    found = {runs[-1].id: 0}
    for before, after in zip(runs[-2::-1], runs[:0:-1], strict=True):
        away += max(0, after.started_at - before.alive_at)
        found[before.id] = away
    return found
