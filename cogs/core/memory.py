"""Memory that was needed once: what drawing all pictures for the first time took is given back to the system.

Pictures are drawn several times too large and fitted; the C library keeps that room for itself afterwards, a hundred
megabytes of it, unless it is told. May import the standard library only.
"""

import ctypes
import sys


def give_back() -> None:
    """Give what is not in use back to the system, where its C library can (glibc). To be called in a thread: it takes a
    while, without the interpreter's lock."""
    if sys.platform != "linux":
        return
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None)  # musl has none
    if trim is not None:
        trim(0)
