"""One value for many that are equal: what a game says again and again is kept once, at however many tables.

A state in memory is what is left of a record, in which equal things stand many times. May import the standard library
and msgspec.
"""

from functools import lru_cache
from typing import Any, TypeVar

import msgspec

T = TypeVar("T", bound=msgspec.Struct)

KEPT = 4_096
"""So many values are remembered, those that were met last."""


def shared(value: T) -> T:
    """Return this value, or one that equals it and is there already. Its type says of each field what it holds: numbers
    where `True` may stand as well would change their look.
    """
    found: T = _met(value)
    return found


@lru_cache(KEPT)
def _met(value: Any) -> Any:
    return value
