"""Interning: equal values share one instance, across all tables.

A state in memory is built from stored events, in which equal values occur many times.
"""

from functools import lru_cache
from typing import Any, TypeVar

import msgspec

T = TypeVar("T", bound=msgspec.Struct)

KEPT = 4_096
"""How many values are remembered, the most recently used."""


def intern(value: T) -> T:
    """Return an equal value that exists already, or this one.

    The fields of its type must be typed precisely: where `True` may occur in place of 1, equal values could differ in
    JSON.
    """
    found: T = _met(value)
    return found


@lru_cache(KEPT)
def _met(value: Any) -> Any:
    return value
