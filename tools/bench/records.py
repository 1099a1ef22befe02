"""Cost of leaderboards over 100,000 results: answers immediately after a start, and the time to compute all ratings."""

import asyncio
import random
import sqlite3
import tempfile
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

from data.store.open_store import open_store
from sandbox import Channel, UserClient
from tools.bench import judged, present
from tools.bench.processes import bot_process, unlimited_sandbox

RESULTS = 100_000
MOST_MS = 300
"""Budget of an answer."""

PEOPLE = 1_000
LEVELS = 50
"""Levels of people's true strength; the stronger player wins more often."""


async def fill(database: Path, guild: int, channel: int, someone: int) -> None:
    """Fill a database with results of two-player games, all on one board; one of its people is `someone`."""
    async with open_store(database, now=present):
        pass
    rng, now = random.Random(1), present()
    people = [someone, *range(1_000, 1_000 + PEOPLE - 1)]
    with closing(sqlite3.connect(database)) as db:
        db.execute("PRAGMA synchronous = OFF")
        for table in range(1, RESULTS // 2 + 1):
            pair = rng.sample(people, 2)
            pair.sort(key=lambda user: rng.gauss(user % LEVELS, LEVELS / 4))
            at = now - (RESULTS - table) * 60_000
            db.execute(
                "INSERT INTO tables (id, game, guild, channel, opener, status, options, created_at, run, version)"
                " VALUES (?, 'rope_wall', ?, ?, ?, 'over', '{}', ?, 1, 3)",
                (table, guild, channel, pair[0], at),
            )
            for seat, user in enumerate(pair):
                db.execute(
                    "INSERT INTO seats (table_id, seat, user, name, moved) VALUES (?, ?, ?, 'P', 1)",
                    (table, seat, user),
                )
                db.execute('INSERT INTO decisions VALUES (?, ?, ?, ?, \'{"do":"push"}\')', (table, seat, seat, at))
            db.executemany(
                "INSERT INTO results VALUES (?, ?, ?, ?, 0, 'prisoners', ?, ?, 'rope_wall')",
                [(table, seat, user, seat + 1, at, guild) for seat, user in enumerate(pair)],
            )
        db.execute("UPDATE tables SET shown = revision")  # marked as shown, or each start would draw them again
        db.commit()


async def _asked(who: UserClient, yard: Channel) -> tuple[str, bool]:
    """Return the time of the first /leaderboard and /stats, and whether they were complete."""
    took, whole = [], True
    for command, options in (("leaderboard", {"game": "rope_wall"}), ("stats", {})):
        begin = time.perf_counter()
        answer = await who.command(yard, command, **options)
        spent_ms = (time.perf_counter() - begin) * 1_000
        took.append(f"/{command} {spent_ms:.0f} ms{judged(spent_ms <= MOST_MS, f'{MOST_MS} ms')}")
        assert answer.failed is None, answer
        whole = whole and "brought up to date" not in answer.text
    return ", ".join(took), whole


async def leaderboards() -> list[tuple[str, str]]:
    """Measure answers before, during and after the computation, and after a restart."""
    sandbox, guild = unlimited_sandbox()
    found: list[tuple[str, str]] = []
    async with sandbox:
        yard, ann = sandbox.add_channel(guild, "yard"), sandbox.add_person("Ann", guild)
        with tempfile.TemporaryDirectory() as folder:
            database = Path(folder) / "records.db"
            await fill(database, int(guild.id), int(yard.id), int(ann.id))
            async with bot_process(sandbox, "bot.py", database=database):
                begin = time.perf_counter()
                words, whole = await _asked(ann, yard)
                found.append(("nothing added up yet", words + ("" if whole else ", said to be incomplete")))
                while not whole:
                    await asyncio.sleep(0.5)
                    answer = await ann.command(yard, "leaderboard", game="rope_wall")
                    whole = "brought up to date" not in answer.text
                found.append(("all added up", f"after {time.perf_counter() - begin:.1f} s, in the background"))
            sandbox.state.commands[None].clear()
            async with bot_process(sandbox, "bot.py", database=database):
                words, whole = await _asked(ann, yard)
                assert whole
                found.append((f"{RESULTS:,} results, after a start", words))
    return found


def rows() -> Iterator[tuple[str, str]]:
    """Yield the lines."""
    yield from asyncio.run(leaderboards())
