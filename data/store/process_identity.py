"""Identifies a process on its machine, so that a new one can tell that an old one has exited: a process number is
unique only until a reboot, within a namespace, and for a time.
"""

import os
from pathlib import Path

_PROC = Path("/proc")

_NAMESPACES = ("pid", "time")
"""The namespaces within which a process number and a start time have one meaning."""

_ENDED = ("Z", "X")
"""The states of a process that has exited and was not waited for yet."""


def machine_id() -> str:
    """Return a name for this boot of this machine and its process namespace; empty if there is none."""
    try:
        boot = (_PROC / "sys/kernel/random/boot_id").read_text().strip()
        spaces = [str((_PROC / "self/ns" / name).readlink()) for name in _NAMESPACES]
    except OSError:
        return ""
    return " ".join([boot, *spaces])


def started_at(pid: int) -> int:
    """Return when a process started, in the kernel's ticks since the boot; 0 if that is not known."""
    stat = _read_stat(pid)
    return 0 if stat is None else stat[1]


def has_exited(pid: int, started: int) -> bool:
    """Return True if the process with this number that started then has certainly exited."""
    if pid <= 0 or not started:
        return False
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return True
    except OSError:
        pass  # it exists, and we may not look at it
    stat = _read_stat(pid)
    return stat is not None and (stat[0] in _ENDED or stat[1] != started)


def _read_stat(pid: int) -> tuple[str, int] | None:
    """Return a process's state and start time as the kernel has them, if it has any."""
    try:
        stat = (_PROC / str(pid) / "stat").read_text()
    except OSError:
        return None
    # The name is in brackets, and may contain anything; the third field and the others come after it.
    fields = stat.rpartition(")")[2].split()
    return fields[0], int(fields[22 - 3])
