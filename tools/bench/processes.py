"""The bot in a separate process, with the sandbox and the people in this one."""

import asyncio
import contextlib
import os
import re
import signal
import sys
from collections.abc import AsyncIterator, Sequence
from pathlib import Path
from typing import Any

from sandbox import Channel, Guild, Sandbox, UserClient

AT_ONCE = 8
"""The number of people who click at the same time."""

IDLE_MS = 50
"""A bot that uses less processor time per second than this is idle."""

ROOT = Path(__file__).resolve().parents[2]


def unlimited_sandbox() -> tuple[Sandbox, Guild]:
    """Return a sandbox without rate limits, and a server on it."""
    sandbox = Sandbox(answer_within_ms=20_000, reaction_ms=0)
    sandbox.limits_on = False
    return sandbox, sandbox.add_guild("Alcatraz")


@contextlib.asynccontextmanager
async def bot_process(
    sandbox: Sandbox, *command: str, database: Path | None = None, root: Path | str = ROOT, **environment: str
) -> AsyncIterator[asyncio.subprocess.Process]:
    """Run a bot on this sandbox, with more variables in its `environment`. `root` is the checkout of its code."""
    whole = {
        **os.environ,
        **environment,
        "DISCORD_TOKEN": sandbox.token,
        "DISCORD_API": sandbox.api,
        "DISCORD_GATEWAY": sandbox.gateway,
        "DATABASE": str(database or ""),
        "LOG_LEVEL": "ERROR",
    }
    process = await asyncio.create_subprocess_exec(sys.executable, *command, cwd=root, env=whole)
    try:
        await sandbox.until(lambda: sandbox.online and sandbox.commands(), 30)
        yield process
    finally:
        process.send_signal(signal.SIGTERM)
        await process.wait()


def processor_ms(pid: int) -> float:
    """Return the processor time a process has used, in ms; 0 on a system without /proc."""
    stat = Path(f"/proc/{pid}/stat")
    if not stat.exists():
        return 0
    fields = stat.read_text(encoding="utf-8").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) * 1_000 / os.sysconf("SC_CLK_TCK")


async def until_idle(process: asyncio.subprocess.Process) -> float:
    """Wait until a bot is idle; return the processor time it has used, in ms."""
    before = processor_ms(process.pid)
    while True:
        await asyncio.sleep(1.0)
        now = processor_ms(process.pid)
        if now - before < IDLE_MS:
            return now
        before = now


def table_message(sandbox: Sandbox, yard: Channel) -> dict[str, Any]:
    """Return the table message of a channel."""
    return next(m for m in sandbox.messages(yard) if not m["flags"] & 64 and m["components"])


def who_moves(board: dict[str, Any], people: Sequence[UserClient]) -> UserClient | None:
    """Return the player to move, if the table message names one of `people`."""
    text = UserClient.visible_text(board)
    return next((who for who in people if re.search(rf"\*\*{who.name}\*\*.* move", text)), None)
