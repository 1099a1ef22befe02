"""What was drawn, kept for the next picture: the pieces of all games together within one room.

Caches of so many entries each would have to be sized by guess, and all of them full would take several times of what is
asked for again. Here goes what nobody has asked for of late, whatever game it belongs to. Grounds do not belong here:
to draw one takes so long that each is kept for good.
"""

import threading
from collections import deque
from collections.abc import Callable
from functools import wraps
from typing import Any, TypeVar, TypeVarTuple

from cogs.core.drawing.sheets import Piece, Sprite

ROOM = 64 << 20
"""Bytes of all pieces that are kept."""

JOINED = 4_096
"""So much that was put together of pieces is kept of each function: what it takes is not counted in the room."""

OVERHEAD = 1_400
"""Bytes that a piece takes beside its pixels: Pillow's objects, ours, and the arguments that it is known by."""

_Drawn = TypeVar("_Drawn", bound=Piece | Sprite)
_Joined = TypeVar("_Joined")
_Args = TypeVarTuple("_Args")


class Cache:
    """What functions drew for the arguments they were called with, within `room` bytes. Several threads may ask.

    When there is no room left, an eighth is made at once by the second chance: what was drawn longest ago goes, unless
    it has been asked for since; then it is as good as new. A hit needs no bookkeeping but a mark.
    """

    def __init__(self, room: int) -> None:
        self._room = room
        self._held = 0
        self._queue = deque[_Entry]()  # of what is kept, as it was drawn or given its second chance
        self._joined: list[dict[Any, Any]] = []
        self._turn = threading.Lock()

    @property
    def held(self) -> int:
        """How many bytes are kept."""
        return self._held

    def drawn(self, draw: Callable[[*_Args], _Drawn]) -> Callable[[*_Args], _Drawn]:
        """Keep what this function draws, by its arguments."""
        shelf: dict[Any, _Entry] = {}

        @wraps(draw)
        def kept(*args: *_Args) -> _Drawn:
            entry = shelf.get(args)
            if entry is None:
                return self._keep(shelf, args, draw(*args))
            entry.asked = True
            found: _Drawn = entry.drawn
            return found

        return kept

    def joined(self, join: Callable[[*_Args], _Joined]) -> Callable[[*_Args], _Joined]:
        """Keep what this function puts together of pieces that are kept, until room is made: so none of them is held by
        it that this cache has let go of. Of each function `JOINED` at most, the youngest.
        """
        shelf: dict[Any, _Joined] = {}
        self._joined.append(shelf)

        @wraps(join)
        def kept(*args: *_Args) -> _Joined:
            found = shelf.get(args)
            if found is None:
                found = join(*args)
                with self._turn:
                    if len(shelf) >= JOINED:
                        del shelf[next(iter(shelf))]
                    shelf[args] = found
            return found

        return kept

    def clear(self) -> None:
        """Let go of everything."""
        with self._turn:
            for entry in self._queue:
                entry.asked = False
            self._shrink(0)

    def _keep(self, shelf: "dict[Any, _Entry]", args: Any, drawn: _Drawn) -> _Drawn:
        """Keep a piece, and return the one that is kept: another thread may have been sooner."""
        with self._turn:
            known = shelf.get(args)
            if known is not None:
                found: _Drawn = known.drawn
                return found
            shelf[args] = entry = _Entry(shelf, args, drawn)
            self._queue.append(entry)
            self._held += weight(drawn)
            if self._held > self._room:
                self._shrink(self._room * 7 // 8)
            return drawn

    def _shrink(self, room: int) -> None:
        """Let go of pieces until the others need no more than this room."""
        while self._held > room:
            entry = self._queue.popleft()
            if entry.asked:
                entry.asked = False
                self._queue.append(entry)
            else:
                del entry.shelf[entry.args]
                self._held -= weight(entry.drawn)
        for shelf in self._joined:
            shelf.clear()


class _Entry:
    """A piece, by what it is known and to whom, and whether anybody has `asked` for it since its turn came last."""

    __slots__ = ("args", "asked", "drawn", "shelf")

    def __init__(self, shelf: "dict[Any, _Entry]", args: Any, drawn: Any) -> None:
        self.shelf, self.args, self.drawn = shelf, args, drawn
        self.asked = False


def weight(drawn: Piece | Sprite) -> int:
    """Return how many bytes a piece takes."""
    left, top, right, bottom = drawn.box if isinstance(drawn, Sprite) else (0, 0, drawn.width, drawn.height)
    return OVERHEAD + (right - left) * (bottom - top) * (1 if drawn.mask is None else 2)


pieces = Cache(ROOM)
"""What all games keep together; `drawn` and `joined` are its decorators."""

drawn, joined = pieces.drawn, pieces.joined
