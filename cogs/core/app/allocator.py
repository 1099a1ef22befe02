"""What the C library keeps of the room that was asked of it: little.

Pictures are drawn several times too large, in threads, and fitted. By itself glibc learns from that to keep 64 MiB for
each thread, and the small pieces that stay lie scattered between what has gone.
"""

import ctypes
import sys
from collections.abc import Callable

MAPPED, KEPT, ARENAS = 128 << 10, 4 << 20, 1
"""Room for more bytes than the first is the system's again as soon as it is not in use, and more than the second is not
kept at the end of what the library has. All threads are given room from one arena: as most of the time only one of them
runs, they hardly wait for each other, and what one gives back serves the others.
"""

_TRIM_THRESHOLD, _MMAP_THRESHOLD, _ARENA_MAX = -1, -3, -8  # <malloc.h> of glibc


def keep_little() -> bool:
    """Let the C library keep little that is not in use; to be called before there are threads. Say whether it could be
    told (glibc).
    """
    tell = _of_glibc("mallopt")
    orders = ((_MMAP_THRESHOLD, MAPPED), (_TRIM_THRESHOLD, KEPT), (_ARENA_MAX, ARENAS))
    return tell is not None and all(tell(what, number) for what, number in orders)


def give_back() -> None:
    """Give what is not in use back to the system, where its C library can (glibc). To be called in a thread: it takes a
    while, without the interpreter's lock."""
    trim = _of_glibc("malloc_trim")
    if trim is not None:
        trim(0)


def _of_glibc(name: str) -> Callable[..., object] | None:
    """Return a function of the C library by its name; None where there is none, as in musl."""
    return getattr(ctypes.CDLL(None), name, None) if sys.platform == "linux" else None
