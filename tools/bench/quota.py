"""Limits a process and its threads to a share of a processor, by Linux control groups.

This way one machine can act as several small ones and still run PostgreSQL and the people.
"""

import contextlib
from collections.abc import Iterator
from pathlib import Path

PERIOD_US = 10_000
"""Period of the limit in microseconds; short against the time of an answer."""

GROUPS = Path("/sys/fs/cgroup")


class NoQuota(Exception):
    """Raised if this system has no usable control group; says why."""


@contextlib.contextmanager
def quota(name: str, pid: int, cores: float) -> Iterator[None]:
    """Limit a process to `cores`. Raises `NoQuota`."""
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
