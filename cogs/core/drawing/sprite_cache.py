"""The cache of bitmaps that all games have drawn, limited by bytes. Each ground is cached by its own function instead,
since it takes long to draw.
"""

import threading
from collections.abc import Callable
from functools import partial
from typing import Any, TypeVar, TypeVarTuple

from cachetools import LRUCache, cached
from cachetools.keys import hashkey

from cogs.core.drawing.composition import Bitmap, PlacedBitmap

MAX_BYTES = 64 << 20
"""Bytes of all bitmaps that are kept."""

OVERHEAD = 1_400
"""Bytes that a bitmap takes beside its pixels: Pillow's objects, ours, and the arguments that it is kept by."""

_Drawn = TypeVar("_Drawn", bound=Bitmap | PlacedBitmap)
_Args = TypeVarTuple("_Args")


def byte_size(drawn: Bitmap | PlacedBitmap) -> int:
    """Return how many bytes a bitmap takes in memory."""
    left, top, right, bottom = drawn.box if isinstance(drawn, PlacedBitmap) else (0, 0, drawn.width, drawn.height)
    return OVERHEAD + (right - left) * (bottom - top) * (1 if drawn.mask is None else 2)


bitmaps = LRUCache[Any, Bitmap | PlacedBitmap](MAX_BYTES, getsizeof=byte_size)
"""All cached bitmaps, by function and arguments."""

_lock = threading.Lock()


def drawn(draw: Callable[[*_Args], _Drawn]) -> Callable[[*_Args], _Drawn]:
    """Cache what a function draws, by its arguments. Safe in several threads."""
    return cached(bitmaps, key=partial(hashkey, draw), lock=_lock)(draw)
