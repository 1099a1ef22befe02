"""Room for what is large and soon gone, kept for the next picture.

A canvas takes megabytes for a few milliseconds. What the system hands out so freshly it fills with zeros, page by page,
at the first touch: that took twice as long as drawing, and four times as long where several threads drew.
"""

import threading
import weakref

from PIL import Image

ROOM = 3 << 20
"""Bytes of a room, for one canvas at a time. The few larger ones, such as grounds, are drawn once, or once a game."""

ROOMS = 3
"""So many are kept: hardly more threads draw at once, though more draw now and then."""

_BYTES = 4
"""So many bytes has a pixel in Pillow's memory, of whatever three colours."""


class _Rooms:
    """The rooms that are kept, made when they are first needed. Several threads may ask."""

    def __init__(self) -> None:
        self._turn = threading.Lock()
        self._left = ROOMS
        self._free: list[bytearray] = []  # the last one that came back goes first
        self._lent: dict[int, tuple[weakref.ref[Image.Image], bytearray]] = {}  # by the number of the reference

    @property
    def lent(self) -> int:
        """How many are in use."""
        return len(self._lent)

    def take(self) -> bytearray | None:
        """Return a room that nobody uses; None if there is none."""
        with self._turn:
            if self._free:
                return self._free.pop()
            if not self._left:
                return None
            room = bytearray(ROOM)
            self._left -= 1
        return room

    def give_back(self, room: bytearray) -> None:
        """Take back a room that nobody has used."""
        self._free.append(room)

    def lend(self, room: bytearray, image: Image.Image) -> None:
        """Let a picture have a room for as long as it is there."""
        reference = weakref.ref(image, self._back)
        self._lent[id(reference)] = reference, room

    def _back(self, reference: "weakref.ref[Image.Image]") -> None:
        self._free.append(self._lent.pop(id(reference))[1])  # one step each: a thread may hold the lock just now


_rooms = _Rooms()


class _Rows(threading.local):
    """What a thread keeps for rows of pixels."""

    room = bytearray()


_rows = _Rows()


def surface(width: int, height: int) -> Image.Image:
    """Return a picture (mode RGB) of this size in pixels, with anything on it."""
    needed = width * height * _BYTES
    room = _rooms.take() if 0 < needed <= ROOM else None
    if room is None:
        return Image.new("RGB", (width, height))
    try:
        # As `Image.frombuffer` makes pictures of other modes; of this one it would make a copy.
        lying = Image.core.map_buffer(room, (width, height), "raw", 0, ("RGB", 0, 1))  # type: ignore[attr-defined]
        image = Image.new("RGB", (0, 0))._new(lying)
    except BaseException:
        _rooms.give_back(room)
        raise
    _rooms.lend(room, image)
    return image


def rows(size: int) -> memoryview:
    """Return room for so many bytes, with anything in it. It is the same each time that this thread asks."""
    if len(_rows.room) < size:
        _rows.room = bytearray(size)
    return memoryview(_rows.room)[:size]
