"""A small cache for results derived from objects that never change."""

import threading
from collections.abc import Callable, Hashable
from typing import Generic, TypeVar

_Result = TypeVar("_Result")


class IdentityCache(Generic[_Result]):
    """Caches the last results derived from given objects, at most `size` of them. Thread-safe.

    Objects are keyed by identity, since all views of a moment share its log and comparing it would take longer than the
    cache saves. They are kept alive with their results, so that no id is reused.
    """

    def __init__(self, size: int = 256) -> None:
        self._size = size
        self._results: dict[Hashable, tuple[tuple[object, ...], _Result]] = {}
        self._lock = threading.Lock()

    def of(self, objects: tuple[object, ...], also: Hashable, work: Callable[[], _Result]) -> _Result:
        """Return `work` of these objects and of its other inputs `also`."""
        key = (*map(id, objects), also)
        found = self._results.get(key)
        if found is not None:
            return found[1]
        result = work()
        with self._lock:
            self._results[key] = objects, result
            if len(self._results) > self._size:
                del self._results[next(iter(self._results))]
        return result
