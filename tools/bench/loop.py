"""Longest blocks of the event loop while people play each game.

Measures the processor time of each callback and each step of a task in the loop's thread, so a busy machine does not
matter. Code of the sandbox and the people, on the same loop, is left out.
"""

import asyncio
import contextlib
import time
from collections.abc import Iterator
from pathlib import Path
from types import TracebackType
from typing import Any

from tools.bench import judged
from tools.bench.calls import measured
from tools.harness.drivers import DRIVERS

MOST_MS = 5.0
"""Budget for one callback."""

ROOT = Path(__file__).resolve().parents[2]
OTHERS = (str(ROOT / "sandbox"), str(ROOT / "tools"), "web_protocol.py")
"""Paths of code that is not the bot's: the sandbox, the people, and the library that serves the sandbox."""


class Stopwatch(contextlib.AbstractContextManager["Stopwatch"]):
    """Times every callback of every event loop while entered. `found` has milliseconds and names."""

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
    """Return the name of a callback, or of a task's coroutine for a step; None for code that is not the bot's."""
    owner = getattr(handle._callback, "__self__", None)
    if not isinstance(owner, asyncio.Task):
        return str(getattr(handle._callback, "__qualname__", "a callback"))
    coroutine: Any = owner.get_coro()
    code = getattr(coroutine, "cr_code", None)
    if code is not None and (code.co_filename.startswith(OTHERS[:2]) or code.co_filename.endswith(OTHERS[2])):
        return None
    return str(getattr(coroutine, "__qualname__", "a task"))


def rows() -> Iterator[tuple[str, str]]:
    """Yield a line per game."""
    for key in DRIVERS:
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
