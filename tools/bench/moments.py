"""The present moment, for what the bench keeps in a store without a bot."""

import time

from engine.contract import Moment


def present() -> Moment:
    """Return it."""
    return Moment(time.time_ns() // 1_000_000)
