"""The way of one click through the house: which functions of which files it runs, and how often it changes the file.

Counted is what runs in the task in which the client hears of the interaction, with all that this awaits on the event
loop: what is set going and goes on by itself is not the click's own way, and what draws does so in other threads.
"""

import asyncio
import contextlib
import sys
from collections.abc import Iterator
from pathlib import Path
from types import CodeType, FrameType

ROOT = Path(__file__).resolve().parents[2]
HOUSE = tuple(str(ROOT / room) for room in ("cogs/core", "data"))

FIRST = "on_interaction"
"""Where the client hears of a click."""

GOES_ON = 0x2A0
"""What marks the code of a generator, a coroutine or both: its frame is entered again each time that it goes on."""


class Way:
    """What a click has called, in order."""

    def __init__(self) -> None:
        self.calls: list[CodeType] = []
        self._task: asyncio.Task[object] | None = None
        self._begun: list[FrameType] = []  # kept, so that none of them is taken for another one

    @property
    def functions(self) -> int:
        """How many different functions."""
        return len(set(self.calls))

    @property
    def files(self) -> int:
        """In how many different files."""
        return len({code.co_filename for code in self.calls})

    @property
    def switches(self) -> int:
        """How often the file changes from one call to the next."""
        return sum(one.co_filename != two.co_filename for one, two in zip(self.calls, self.calls[1:], strict=False))

    def __str__(self) -> str:
        lines = [f"{self.functions} functions in {self.files} files, {self.switches} switches between them:"]
        lines += (f"{Path(code.co_filename).relative_to(ROOT)}: {code.co_qualname}" for code in self.calls)
        return "\n".join(lines)

    def see(self, frame: FrameType, event: str, _: object) -> None:
        """Take note of a call, as the interpreter tells of it. Comprehensions and lambdas are read where they stand."""
        code = frame.f_code
        if event != "call" or not code.co_filename.startswith(HOUSE) or code.co_name.startswith("<"):
            return
        task = _task()
        if self._task is None and code.co_name == FIRST:
            self._task = task
        if self._task is None or task is not self._task or frame in self._begun:
            return
        if code.co_flags & GOES_ON:
            self._begun.append(frame)
        self.calls.append(code)


def _task() -> "asyncio.Task[object] | None":
    try:
        return asyncio.current_task()
    except RuntimeError:
        return None


@contextlib.contextmanager
def steps() -> Iterator[Way]:
    """Watch the click that comes in first meanwhile."""
    way = Way()
    sys.setprofile(way.see)
    try:
        yield way
    finally:
        sys.setprofile(None)
