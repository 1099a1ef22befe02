"""Trace the path of one click: which functions of which files it runs, and how often the file changes.

Only the task in which the client receives the interaction is traced, with all that it awaits on the event loop.
Background tasks and drawing threads are not part of the path.
"""

import asyncio
import contextlib
import sys
from collections.abc import Iterator
from pathlib import Path
from types import CodeType, FrameType

ROOT = Path(__file__).resolve().parents[2]
TRACED = tuple(str(ROOT / part) for part in ("cogs/core", "data"))

ENTRY_POINT = "on_interaction"
"""The function that receives a click in the client."""

RESUMABLE = 0x2A0
"""Code flags of generators and coroutines: their frames are entered again each time they resume."""


class ClickPath:
    """The functions that a click has called, in order."""

    def __init__(self) -> None:
        self.calls: list[CodeType] = []
        self._task: asyncio.Task[object] | None = None
        self._started: list[FrameType] = []  # kept alive, so that no id is reused

    @property
    def functions(self) -> int:
        """The number of different functions."""
        return len(set(self.calls))

    @property
    def files(self) -> int:
        """The number of different files."""
        return len({code.co_filename for code in self.calls})

    @property
    def switches(self) -> int:
        """How often the file changes from one call to the next."""
        return sum(one.co_filename != two.co_filename for one, two in zip(self.calls, self.calls[1:], strict=False))

    def __str__(self) -> str:
        lines = [f"{self.functions} functions in {self.files} files, {self.switches} switches between them:"]
        lines += (f"{Path(code.co_filename).relative_to(ROOT)}: {code.co_qualname}" for code in self.calls)
        return "\n".join(lines)

    def record(self, frame: FrameType, event: str, _: object) -> None:
        """Record a call, as the function of `sys.setprofile`. Comprehensions and lambdas belong to their function."""
        code = frame.f_code
        if event != "call" or not code.co_filename.startswith(TRACED) or code.co_name.startswith("<"):
            return
        task = _task()
        if self._task is None and code.co_name == ENTRY_POINT:
            self._task = task
        if self._task is None or task is not self._task or frame in self._started:
            return
        if code.co_flags & RESUMABLE:
            self._started.append(frame)
        self.calls.append(code)


def _task() -> "asyncio.Task[object] | None":
    try:
        return asyncio.current_task()
    except RuntimeError:
        return None


@contextlib.contextmanager
def trace_click() -> Iterator[ClickPath]:
    """Trace the next click that arrives."""
    path = ClickPath()
    sys.setprofile(path.record)
    try:
        yield path
    finally:
        sys.setprofile(None)
