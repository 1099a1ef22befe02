"""How long the event loop is held up in one piece while people play each game.

Measured is the processor time of each callback and of each step of a task, in the loop's own thread: a busy machine
does not count. The sandbox and the people live on the same loop, and are left out by where their code stands.
"""

import asyncio
import contextlib
import time
from collections.abc import Iterator
from pathlib import Path
from types import TracebackType
from typing import Any

from tools.bench.budgets import judged
from tools.bench.calls import measured
from tools.harness.drivers import WAYS

MOST_MS = 5.0
"""Budget: nothing takes longer than that in one piece."""

ROOT = Path(__file__).resolve().parents[2]
OTHERS = (str(ROOT / "sandbox"), str(ROOT / "tests"), "web_protocol.py")
"""Where the code stands that is not the bot's: the people, the sandbox, and the library by which it serves."""


class Stopwatch(contextlib.AbstractContextManager["Stopwatch"]):
    """Times every callback of every event loop, as long as it is entered. `found`: milliseconds, and of what."""

    def __init__(self) -> None:
        self.found: list[tuple[float, str]] = []

    def __enter__(self) -> "Stopwatch":
        self._run = run = asyncio.Handle._run
        found = self.found

        def timed(handle: asyncio.Handle) -> None:
            what = _named(handle)
            begin = time.thread_time_ns()
            run(handle)
            spent = (time.thread_time_ns() - begin) / 1_000_000
            if what is not None:
                found.append((spent, what))

        asyncio.Handle._run = timed  # type: ignore[method-assign, assignment]  # the first argument is named otherwise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        asyncio.Handle._run = self._run  # type: ignore[method-assign]


def _named(handle: Any) -> str | None:
    """Return what a callback is of: of a step, its task's coroutine; None for what is not the bot's."""
    owner = getattr(handle._callback, "__self__", None)
    if not isinstance(owner, asyncio.Task):
        return str(getattr(handle._callback, "__qualname__", "a callback"))
    coroutine: Any = owner.get_coro()
    code = getattr(coroutine, "cr_code", None)
    if code is not None and (code.co_filename.startswith(OTHERS[:2]) or code.co_filename.endswith(OTHERS[2])):
        return None
    return str(getattr(coroutine, "__qualname__", "a task"))


def rows() -> Iterator[tuple[str, str]]:
    """Yield a line for each game."""
    for key in WAYS:
        if key == "nim":
            continue
        watch = Stopwatch()
        asyncio.run(measured(key, watch))
        spent = sorted(watch.found)
        slow = [what for ms, what in spent if ms > MOST_MS]
        kept = judged(not slow, f"{MOST_MS:.0f} ms")
        often = f", {len(slow)} times more" if slow else ""
        told = f": {', '.join(dict.fromkeys(reversed(slow)))}" if slow else ""
        rare = spent[len(spent) * 999 // 1_000][0]
        yield (
            key,
            (
                f"{spent[-1][0]:.1f} ms at most ({spent[-1][1]}){kept}{often}, p99.9 {rare:.1f} ms, "
                f"of {len(spent):,} callbacks{told}"
            ),
        )
