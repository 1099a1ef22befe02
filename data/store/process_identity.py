"""On which machine a process runs and since when, so that one that starts there can tell that another is gone for good.

Only what can be told for certain is: a number of a process means something on one machine alone, until that is booted
again, within one namespace of such numbers (as a container has), and is given to another process one day. Nothing but
the speed of a start rests on it. May import the standard library only.
"""

import os
from pathlib import Path

_PROC = Path("/proc")

_NAMESPACES = ("pid", "time")
"""Within which the number of a process, and when it began, mean the same."""

_ENDED = ("Z", "X")
"""The states of a process that does nothing any more, and that nobody has asked yet how it ended."""


def machine_id() -> str:
    """Return a name of this boot of this machine, and of the namespace in which its processes have their numbers; empty
    where that cannot be told.
    """
    try:
        boot = (_PROC / "sys/kernel/random/boot_id").read_text().strip()
        spaces = [str((_PROC / "self/ns" / name).readlink()) for name in _NAMESPACES]
    except OSError:
        return ""
    return " ".join([boot, *spaces])


def started_at(pid: int) -> int:
    """Return when a process began, in the kernel's ticks since the boot; 0 where that cannot be told."""
    told = _told(pid)
    return 0 if told is None else told[1]


def has_exited(pid: int, began: int) -> bool:
    """Say whether the process of this machine that had this number, and began then, has certainly ended: nothing has
    this number any more, or something else has.
    """
    if pid <= 0 or not began:
        return False
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return True
    except OSError:
        pass  # it is there, and not ours to look at
    told = _told(pid)
    return told is not None and (told[0] in _ENDED or told[1] != began)


def _told(pid: int) -> tuple[str, int] | None:
    """Return what the kernel tells of a process: its state and when it began; None where it tells nothing."""
    try:
        told = (_PROC / str(pid) / "stat").read_text()
    except OSError:
        return None
    # Its name stands in brackets, and may hold anything; after it come the third field and those that follow.
    fields = told.rpartition(")")[2].split()
    return fields[0], int(fields[22 - 3])
