"""Room for what is large and soon gone: each thread that draws keeps its own.

A canvas takes megabytes for a few milliseconds. What the system hands out so freshly it fills with zeros, page by page,
at the first touch: that took twice as long as drawing, and four times as long where several threads drew. May import
Pillow and the standard library.
"""

import threading
import weakref

from PIL import Image

ROOM = 8 << 20
"""Bytes that a thread keeps for its canvas. The few larger ones, such as grounds, are drawn once."""

_BYTES = 4
"""So many bytes has a pixel in Pillow's memory, of whatever three colours."""


class _Room(threading.local):
    """What a thread keeps: room for one picture, which is lent as long as that picture is there, and for rows."""

    def __init__(self) -> None:
        self.picture: bytearray | None = None
        self.lent: weakref.ref[Image.Image] | None = None
        self.rows = bytearray()


_room = _Room()


def surface(width: int, height: int) -> Image.Image:
    """Return a picture (mode RGB) of this size in pixels, with anything on it. To be used by this thread alone."""
    needed = width * height * _BYTES
    if needed > ROOM or (_room.lent is not None and _room.lent() is not None):
        return Image.new("RGB", (width, height))
    if _room.picture is None:
        _room.picture = bytearray(ROOM)
    # As `Image.frombuffer` makes pictures of other modes; of this one it would make a copy.
    lying = Image.core.map_buffer(_room.picture, (width, height), "raw", 0, ("RGB", 0, 1))  # type: ignore[attr-defined]
    image = Image.new("RGB", (0, 0))._new(lying)
    _room.lent = weakref.ref(image)
    return image


def rows(size: int) -> memoryview:
    """Return room for so many bytes, with anything in it. It is the same each time that this thread asks."""
    if len(_room.rows) < size:
        _room.rows = bytearray(size)
    return memoryview(_room.rows)[:size]
