"""Response times during a backup of 100,000 games, and while a person with 10,000 of them is deleted.

The sandbox and the people are in this process, the bot is in another one. The backup is a third process, as in
production.
"""

import asyncio
import sqlite3
import sys
import tempfile
import time
from collections.abc import Coroutine, Iterator
from contextlib import AsyncExitStack, closing
from pathlib import Path
from typing import Any

from cogs.registry import GAMES
from data.store import DecisionRow
from data.store.event_archive import pack, pack_decisions
from data.store.open_store import open_store
from engine.contract import to_json
from engine.games import GAMES as RULES
from sandbox import Channel, Sandbox, UserClient
from tools.bench import finished, present
from tools.bench.pace import Crowd, bare_bot, describe
from tools.bench.processes import ROOT, bot_process, unlimited_sandbox, until_idle
from tools.harness.playouts import play

KEPT, THEIRS = 100_000, 10_000
"""Finished games, and how many of them one person played."""

TABLES = 40
"""Tables at which people play during the measurement."""

KEYS = tuple(RULES)


async def fill(database: Path, guild: int, channel: int, someone: int) -> None:
    """Fill a database with finished games, a few of them repeated; the first ones belong to `someone`."""
    async with open_store(database, now=present):
        pass
    games = []
    for key in KEYS:
        playout = play(RULES[key], 1, seats=RULES[key].player_counts[0])
        steps = [
            DecisionRow(number, step.seat, step.at, to_json(step.action))
            for number, step in enumerate(playout.steps, 1)
        ]
        games.append((key, pack_decisions(steps[:20]), pack([to_json(event) for event in playout.events])))
    with closing(sqlite3.connect(database)) as db:
        db.execute("PRAGMA synchronous = OFF")
        for table in range(1, KEPT + 1):
            key, decisions, events = games[table % len(games)]
            pair = (someone if table <= THEIRS else 1_000 + table % 997, 2_000 + table % 991)
            at = present()
            db.execute(
                "INSERT INTO tables (id, game, guild, channel, opener, status, options, created_at, run, version)"
                " VALUES (?, ?, ?, ?, ?, 'over', '{}', ?, 1, 3)",
                (table, key, guild, channel, pair[0], at),
            )
            for seat, user in enumerate(pair):
                db.execute("INSERT INTO seats (table_id, seat, user, name) VALUES (?, ?, ?, 'P')", (table, seat, user))
            db.execute("INSERT INTO packed_events VALUES (?, ?)", (table, events))
            db.execute("INSERT INTO packed_decisions VALUES (?, ?)", (table, decisions))
            db.executemany(
                "INSERT INTO results VALUES (?, ?, ?, ?, 0, 'prisoners', ?, ?, ?)",
                [(table, seat, user, seat + 1, at, guild, key) for seat, user in enumerate(pair)],
            )
        db.execute("UPDATE tables SET shown = revision")  # marked as shown, or each start would draw them again
        db.commit()


async def _backup(database: Path) -> str:
    """Copy the database as docs/operating.md recommends. Describe how long it took."""
    begin = time.perf_counter()
    environment = {"DATABASE": str(database), "PATH": "/usr/bin:/bin"}
    command = ("nice", "-n", "19", sys.executable, "bot.py", "backup", str(database.with_suffix(".copy")))
    process = await asyncio.create_subprocess_exec(
        *command, cwd=ROOT, env=environment, stdout=asyncio.subprocess.DEVNULL
    )
    assert await process.wait() == 0
    return f"{database.stat().st_size / 1e6:.0f} MB in {time.perf_counter() - begin:.1f} s"


async def _deletion(sandbox: Sandbox, someone: UserClient, yard: Channel) -> str:
    """Delete all data of a person. Describe how long it took."""
    asked = await someone.command(yard, "privacy delete")
    begin = time.perf_counter()
    answer = await someone.press(asked, label="Delete it all")
    assert answer.failed is None, answer
    await sandbox.until(lambda: "Your data is deleted" in answer.text, 300)
    return f"done in {time.perf_counter() - begin:.1f} s"


async def _measured() -> list[tuple[str, str]]:
    async with AsyncExitStack() as stack:
        database = Path(stack.enter_context(tempfile.TemporaryDirectory())) / "bench.db"
        sandbox, guild = unlimited_sandbox()
        await stack.enter_async_context(sandbox)
        package = next(package for package in GAMES if package.game.key == "rope_wall")
        crowd = Crowd(sandbox, package, TABLES, 0)
        someone = sandbox.add_person("Zoe", guild)
        yard = sandbox.add_channel(guild, "yard")
        await fill(database, int(guild.id), int(yard.id), int(someone.id))
        bare = await stack.enter_async_context(bare_bot())
        process = await stack.enter_async_context(bot_process(sandbox, "bot.py", database=database))
        await crowd.begin()
        await until_idle(process)

        async def beside(work: Coroutine[Any, Any, str]) -> str:
            task = asyncio.create_task(work)
            clicks = await crowd.people_play(bare, lambda: not task.done())
            return f"{await task}; people beside it: {describe(*clicks)}"

        return [
            (f"backup of {KEPT:,} games", await beside(_backup(database))),
            (f"deletion from {THEIRS:,} games", await beside(_deletion(sandbox, someone, yard))),
        ]


def rows() -> Iterator[tuple[str, str]]:
    """Yield a line for each, and what one game takes."""
    yield from finished.rows()
    yield from asyncio.run(_measured())
