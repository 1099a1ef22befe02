"""Benchmarks: how fast the bot is, and how well its computer players play."""

import time

from engine.contract import Moment


def judged(kept: bool, budget: str) -> str:
    """Return a budget in brackets, to print after a measured value."""
    return f" [budget {budget}{'' if kept else ': MISSED'}]"


def present() -> Moment:
    """Return the current moment, for benchmarks that fill a store without a bot."""
    return Moment(time.time_ns() // 1_000_000)
