"""Start processes of the bot by forking a server process that has already imported it.

Most of a start is imports, catalogues and covers drawn in advance, and tests start the bot often. A process does the
same as `python bot.py`, except that it draws no covers in advance and uploads no emoji.
"""

import asyncio
import multiprocessing
import os
import signal
import sys
from collections.abc import Callable, Mapping
from functools import partial
from multiprocessing.context import ForkServerProcess
from pathlib import Path

from tools.harness.prerendering import skip_prerendering

ROOT = Path(__file__).resolve().parents[1]

_CONTEXT = multiprocessing.get_context("forkserver")
_CONTEXT.set_forkserver_preload(["bot", "tools.harness.prerendering", "tools.harness.forked"])


class BotProcess:
    """A started process, with the interface of `asyncio.subprocess.Process`."""

    def __init__(self, process: ForkServerProcess) -> None:
        self._process = process

    @property
    def returncode(self) -> int | None:
        """The exit code, or None while it runs."""
        return self._process.exitcode

    def send_signal(self, which: signal.Signals) -> None:
        """Send a signal."""
        assert self._process.pid is not None
        os.kill(self._process.pid, which)

    def kill(self) -> None:
        self._process.kill()

    def ended(self, within_s: float) -> bool:
        """Wait up to some seconds. Return True if it has ended."""
        self._process.join(within_s)
        return self._process.exitcode is not None

    async def wait(self) -> int:
        """Wait until it has ended. Return its exit code."""
        loop, ended = asyncio.get_running_loop(), asyncio.Event()
        loop.add_reader(self._process.sentinel, ended.set)
        try:
            await ended.wait()
        finally:
            loop.remove_reader(self._process.sentinel)
        self._process.join()
        assert self._process.exitcode is not None
        return self._process.exitcode


def run_bot(*arguments: str) -> int:
    """Run `bot.py` with these arguments. Return its exit code."""
    import bot

    return bot.main(arguments)


def run_patient_sandbox() -> int:
    """Do what `make play` does, on any free port and with a sandbox that tolerates a busy machine."""
    import bot
    import sandbox

    sandbox.Sandbox = partial(sandbox.Sandbox, answer_within_ms=sandbox.PATIENCE_S * 1_000)  # type: ignore[assignment, misc]
    return bot.main(["--sandbox", "--port", "0"])


def start(
    output: Path, environment: Mapping[str, str], *arguments: str, run: Callable[..., int] = run_bot
) -> BotProcess:
    """Start a process that calls `run(*arguments)` and appends its output to a file."""
    process = _CONTEXT.Process(target=_run, args=(output, dict(environment), run, arguments))
    process.start()
    return BotProcess(process)


def _run(output: Path, environment: dict[str, str], run: Callable[..., int], arguments: tuple[str, ...]) -> None:
    with output.open("ab") as file:
        os.dup2(file.fileno(), 1)
        os.dup2(file.fileno(), 2)
    os.chdir(ROOT)
    os.environ.clear()
    os.environ.update({"OWN_EMOJI": "0", **environment})
    skip_prerendering()
    sys.argv = ["bot.py", *arguments]
    sys.exit(run(*arguments))
