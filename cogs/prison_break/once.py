"""Words that several pages of one moment say, worked out once."""

import threading
from collections.abc import Callable, Hashable
from typing import Generic, TypeVar

_Made = TypeVar("_Made")


class Once(Generic[_Made]):
    """What was worked out last of some objects, as much as there is `room` for. Several threads may ask.

    The objects are known by being these very ones, and never change: all views of a moment share its log, and to
    compare that entry by entry would take longer than what is saved. They are kept as long as what was worked out of
    them, so that none is taken for one that is gone.
    """

    def __init__(self, room: int = 256) -> None:
        self._room = room
        self._kept: dict[Hashable, tuple[tuple[object, ...], _Made]] = {}
        self._turn = threading.Lock()

    def of(self, objects: tuple[object, ...], also: Hashable, work: Callable[[], _Made]) -> _Made:
        """Return what `work` makes of these objects, and of what else it depends on."""
        key = (*map(id, objects), also)
        found = self._kept.get(key)
        if found is not None:
            return found[1]
        made = work()
        with self._turn:
            self._kept[key] = objects, made
            if len(self._kept) > self._room:
                del self._kept[next(iter(self._kept))]
        return made
