"""Processes of the bot, each with its own address on the sandbox; their signals and logs."""

import asyncio
import itertools
import os
import signal
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from sandbox import PATIENCE_S, Guild, Sandbox

ROOT = Path(__file__).resolve().parents[2]


class Process:
    """One `bot.py`. `name` marks its calls and sessions in the sandbox; `woke_ms` is when it was resumed after a
    freeze.
    """

    def __init__(self, name: str, running: asyncio.subprocess.Process, log: Path) -> None:
        self.name = name
        self.log = log
        self.ended_ms: int | None = None
        self.woke_ms: int | None = None
        self._running = running

    @property
    def pid(self) -> int:
        """Return its process id."""
        return self._running.pid

    @property
    def runs(self) -> bool:
        """Return True until it has ended."""
        return self._running.returncode is None

    @property
    def killed(self) -> bool:
        """Return True if it was killed: it could not finish anything."""
        return self._running.returncode == -signal.SIGKILL

    @property
    def written(self) -> str:
        """Return what it has logged and printed."""
        return self.log.read_text(encoding="utf-8", errors="replace")

    def send(self, which: signal.Signals) -> None:
        """Send it a signal, if it runs."""
        if self.runs:
            self._running.send_signal(which)

    async def wait(self) -> int:
        """Wait until it has ended, and return its exit code."""
        return await self._running.wait()


class Fleet:
    """All processes of the bot on a sandbox and a database. `settings` are environment variables for each of them."""

    def __init__(self, sandbox: Sandbox, database: str, folder: Path, settings: dict[str, str]) -> None:
        self.sandbox = sandbox
        self.database = database
        self.processes: list[Process] = []
        self._folder = folder
        self._settings = settings
        self._numbers = itertools.count(1)

    async def start(self, **settings: str) -> Process:
        """Start another process, without waiting for it."""
        name = f"bot-{next(self._numbers)}"
        environment = {
            **os.environ,
            "DISCORD_TOKEN": self.sandbox.token,
            "DISCORD_API": self.sandbox.api_of(name),
            "DISCORD_GATEWAY": self.sandbox.gateway_of(name),
            "DATABASE": self.database,
            "LOG_LEVEL": "INFO",
            "OWN_EMOJI": "0",
            "THINKERS": "1",
            **self._settings,
            **settings,
        }
        log = self._folder / f"{name}.log"
        with log.open("ab") as out:
            running = await asyncio.create_subprocess_exec(
                *(sys.executable, "-m", "tools.fleet.bot"), cwd=ROOT, env=environment, stdout=out, stderr=out
            )
        process = Process(name, running, log)
        self.processes.append(process)
        return process

    async def serving(self, process: Process, guild: Guild) -> None:
        """Wait until a process receives a server's events. Raises TimeoutError, and AssertionError if it has ended."""

        def hears() -> bool:
            assert process.runs, f"{process.name} has ended:\n{process.written[-2_000:]}"
            return process in self.servers_of(guild)

        await self.sandbox.until(hears, PATIENCE_S)

    def servers_of(self, guild: Guild) -> list[Process]:
        """Return the processes that receive a server's events, the longest connected first."""
        names = [
            session.by for session in self.sandbox.sessions if session.connection is not None and session.serves(guild)
        ]
        return [process for name in names for process in self.processes if process.name == name and process.runs]

    async def end(self, process: Process, how: signal.Signals = signal.SIGKILL) -> int:
        """End a process with a signal; return its exit code."""
        process.send(how)
        process.ended_ms = self.sandbox.state.clock.now_ms()
        return await process.wait()

    async def close(self) -> None:
        """Kill all running processes."""
        for process in self.processes:
            process.send(signal.SIGKILL)
            await process.wait()


@asynccontextmanager
async def fleet_on(
    sandbox: Sandbox, database: str, folder: Path, settings: dict[str, str] | None = None
) -> AsyncIterator[Fleet]:
    """Yield a fleet without processes, and kill its remaining processes afterwards."""
    fleet = Fleet(sandbox, database, folder, settings or {})
    try:
        yield fleet
    finally:
        await fleet.close()
