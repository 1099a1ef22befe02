"""So much of a processor, and no more, for a process and its threads, by the control groups of Linux.

It is how machines of a known size are had on one that has to carry PostgreSQL and the people too.
"""

import contextlib
from collections.abc import Iterator
from pathlib import Path

PERIOD_US = 10_000
"""Within so many microseconds the processor is shared out: short against the time of an answer."""

GROUPS = Path("/sys/fs/cgroup")


class NoQuota(Exception):
    """This system lets us limit nobody; says why."""


@contextlib.contextmanager
def quota(name: str, pid: int, cores: float) -> Iterator[None]:
    """Give a process so many cores at the most, meanwhile. Raises `NoQuota`."""
    second = (GROUPS / "cgroup.controllers").exists()
    root = GROUPS if second else GROUPS / "cpu"
    group = root / f"cellblock-bench-{name}"
    quota_us = int(cores * PERIOD_US)
    try:
        group.mkdir(exist_ok=True)
        if second:
            (group / "cpu.max").write_text(f"{quota_us} {PERIOD_US}", encoding="ascii")
        else:
            (group / "cpu.cfs_period_us").write_text(str(PERIOD_US), encoding="ascii")
            (group / "cpu.cfs_quota_us").write_text(str(quota_us), encoding="ascii")
        (group / "cgroup.procs").write_text(str(pid), encoding="ascii")
    except OSError as error:
        raise NoQuota(f"no control group for the processor can be made: {error}") from None
    try:
        yield
    finally:
        with contextlib.suppress(OSError):  # it has ended
            (root / "cgroup.procs").write_text(str(pid), encoding="ascii")
        with contextlib.suppress(OSError):
            group.rmdir()
