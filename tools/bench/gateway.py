"""Cost of servers without games: memory per server, and processor time per unrelated message.

The sandbox and the people are in this process, the bot is in another one.
"""

import asyncio
import os
import tempfile
from collections.abc import Iterator
from pathlib import Path

from sandbox import Channel, Guild, Sandbox
from tools.bench.processes import bot_process, unlimited_sandbox, until_idle

FEW, MANY = 2_000, 6_000
"""Servers; enough that the pictures drawn meanwhile hardly matter."""

CHANNELS, ROLES = 10, 10
"""Per server."""

MESSAGES = 10_000


def resident(process: asyncio.subprocess.Process) -> int:
    """Return the memory of a process, in bytes."""
    return int(Path(f"/proc/{process.pid}/statm").read_text(encoding="ascii").split()[1]) * os.sysconf("SC_PAGE_SIZE")


def settle(sandbox: Sandbox, servers: int) -> list[tuple[Guild, Channel]]:
    """Create servers, and return each with one of its channels."""
    found = []
    for number in range(servers):
        guild = sandbox.add_guild(f"Server {number}")
        for role in range(ROLES):
            sandbox.add_role(guild, f"role-{role}")
        yards = [sandbox.add_channel(guild, f"channel-{channel}") for channel in range(CHANNELS)]
        found.append((guild, yards[0]))
    return found


async def measured(*command: str, servers: int, messages: int = 0) -> tuple[int, float, float]:
    """Return the memory of a bot on this number of servers in bytes, and its processor time in ms for the start and for
    messages on a hundred of them.
    """
    sandbox, _ = unlimited_sandbox()
    sandbox.settings.guilds_a_shard = servers + 1
    places = settle(sandbox, servers)[:100]
    people = [(sandbox.add_person(f"P{number}", guild), yard) for number, (guild, yard) in enumerate(places)]
    with tempfile.TemporaryDirectory() as folder:
        async with sandbox, bot_process(sandbox, *command, database=Path(folder) / "bench.db") as process:
            started = await until_idle(process)
            memory = resident(process)
            for number in range(messages):
                person, yard = people[number % len(people)]
                await person.say(yard, f"Nobody plays here: {number}.")
            return memory, started, await until_idle(process) - started


def rows() -> Iterator[tuple[str, str]]:
    """Yield a line for a bare bot, which receives no messages, and one for ours."""
    if not Path("/proc/self/statm").exists():
        yield "not measured", "this system has no /proc"
        return
    for name, command in (("baseline: bare discord.py bot", ("-m", "tools.bench.echo")), ("ours", ("bot.py",))):
        few, sooner, _ = asyncio.run(measured(*command, servers=FEW))
        many, later, spent = asyncio.run(measured(*command, servers=MANY, messages=MESSAGES))
        yield (
            name,
            f"{(many - few) / (MANY - FEW):,.0f} bytes a server with {CHANNELS} channels and {ROLES} roles, "
            f"{(later - sooner) / (MANY - FEW):.2f} ms of processor at the start; "
            f"{spent / MESSAGES * 1_000:,.0f} µs a message on a server where nobody plays",
        )
