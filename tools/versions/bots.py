"""Record a bot with everything in progress: what people do at its tables, and the data it leaves.

Ann, Ben and Cleo play all five games, one of them in its own thread; there is a lobby, and a finished game. The
database and the sandbox's messages are recorded after a clean stop, and after a kill between a move and the edits that
would have shown it.
"""

import gzip
import json
import random
import sqlite3
import tempfile
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

from cogs.core.tables import moves
from sandbox import ActionResult, Channel, UserClient, snapshot
from tools.harness import bot_harness
from tools.harness.bot_harness import BotHarness
from tools.harness.environment import patient_sandbox, seeded
from tools.harness.raw_database import Raw
from tools.postgres import Cluster

Json = dict[str, Any]

WALL, CARDS, TILES, PRISON, BOATS, LOBBY, ENDED = range(1, 8)
"""Tables by number."""

PLAYED = {WALL: "rope_wall", CARDS: "break_out", TILES: "match_five", PRISON: "prison_break", BOATS: "ausbrecher"}
"""Tables with a running game."""

BETS = ("Red", "Blue", "Green")
"""The number of prisoners, of seven, that Ann has put into boats; she has not submitted her forecast yet."""

ONE_MORE = "Yellow"
"""One more, by the time of the kill."""

LEAVE_ALONE = {"leave", "resign", "repost", "notify", "more", "rules", "log", "text", "fair", "what", "learn", "hint"}
"""Verbs that lead to no move."""

STATES = ("stopped", "killed")


def of_table(message: Json, table: int) -> bool:
    """Return True if a message has controls of a table."""
    return any(part.get("custom_id", "").startswith(f"cb:{table}:") for part in UserClient.buttons(message))


def place_of(harness: BotHarness, table: int) -> Channel:
    """Return the channel or thread of a table."""
    threads = [channel for channel in harness.guild.channels.values() if channel.parent is harness.yard]
    return threads[0] if table == WALL else harness.yard


def table_messages(harness: BotHarness, table: int) -> list[Json]:
    """Return the public messages with controls of a table, oldest first; there should be one."""
    return [
        message
        for message in bot_harness.table_messages(harness.sandbox, place_of(harness, table))
        if of_table(message, table)
    ]


def page_of(harness: BotHarness, who: UserClient, table: int) -> Json | None:
    """Return a person's newest ephemeral page of a table."""
    found = [message for message in who.ephemerals(place_of(harness, table)) if of_table(message, table)]
    return found[-1] if found else None


def direct_message_of(who: UserClient, table: int) -> Json | None:
    """Return a person's direct message of a table."""
    found = [message for message in who.dms() if of_table(message, table)]
    return found[-1] if found else None


async def move(harness: BotHarness, table: int, dice: random.Random, page: Json | None = None) -> None:
    """Press random controls as the player to act until an event is stored: on their direct message, or their ephemeral
    page, or the table message.
    """
    await harness.settle()
    who, session = harness.awaited(table), harness.messages(table)
    shown: Json | ActionResult | None = page or direct_message_of(who, table) or page_of(harness, who, table)
    before = session.table.snapshot.version
    for _ in range(30):
        answer = await harness.press_anything(who, shown or table_messages(harness, table)[-1], dice, but=LEAVE_ALONE)
        if session.table.snapshot.version != before:
            return
        shown = None if answer is None or answer.message is None else answer
    seat = session.table.snapshot.seat_of(int(who.id))
    assert seat is not None
    await session.table.act(moves.move, seat, dice.choice(session.table.snapshot.legal(seat)), harness.clock.now())
    await harness.settle()


async def play(harness: BotHarness) -> None:
    """Play into the middle of everything."""
    dice = random.Random(0)
    await harness.ann.command(harness.yard, "settings limit", of="person", tables=9)
    await harness.ann.command(harness.yard, "settings threads", use="on")
    await harness.ann.command(harness.yard, "rope-wall start", clock=0)
    await harness.settle()
    thread = place_of(harness, WALL)
    await harness.press(harness.ben, "Join", harness.board(thread))
    await harness.press(harness.ann, "Start", harness.board(thread))
    await harness.settle()
    await harness.ann.command(harness.yard, "settings threads", use="off")
    await harness.begin("break-out", harness.ben, harness.cleo, interludes="off", rounds=1)
    await harness.begin("match-five", harness.ben, copies=3)
    await harness.begin("prison-break", harness.ben, harness.cleo, round_limit=5, clock=86_400)
    for table in (WALL, CARDS, TILES, PRISON):
        for _ in range(5):
            await move(harness, table, dice)
            await harness.advance(3_000)
    await harness.begin("ausbrecher", harness.ben, harness.cleo)
    await harness.ann.command(harness.yard, "match-five start", clock=0)
    await harness.ann.command(harness.yard, "rope-wall start", computer="rookie", clock=0)
    await harness.settle()
    await harness.resign(harness.ann, table=ENDED)
    await harness.settle()
    await harness.advance(300_000)  # every player to move has been mentioned
    await open_pages(harness)


async def open_pages(harness: BotHarness) -> None:
    """Open people's pages, and start a draft there that they do not finish."""
    await harness.press(harness.awaited(WALL), "Play", table_messages(harness, WALL)[-1])
    page = await harness.press(harness.ann, "Make my forecast", table_messages(harness, BOATS)[-1])
    for prisoner in BETS:
        page = await harness.press(harness.ann, prisoner, page)
    mover = harness.awaited(TILES)
    tiles = await harness.press(mover, "Play", table_messages(harness, TILES)[-1])
    slot = next(
        part for part in UserClient.buttons(tiles) if ":draft:" in part["custom_id"] and ".t" in part["custom_id"]
    )
    await mover.press(tiles, slot["custom_id"])
    await harness.settle()
    reader = next(one for one in (harness.ann, harness.ben, harness.cleo) if one is not harness.awaited(PRISON))
    await reader.press(await reader.press(direct_message_of(reader, PRISON) or {}, label="More …"), label="Rules")
    await harness.settle()
    await harness.advance(2_000)  # drafts are on disk


async def load_all_tables(harness: BotHarness) -> None:
    """Load every table, as the bot does when a person uses it."""
    for table in PLAYED:
        await harness.client.inbound.finder.find(table)
    await harness.settle()


async def move_unseen(harness: BotHarness) -> None:
    """Make moves in the Rope Wall and in Prison Break whose edits all fail."""
    harness.sandbox.fault("PATCH", "*", 0, times=1_000_000)
    for table in (WALL, PRISON):
        await move(harness, table, random.Random(table))


def _written(world: Json) -> bytes:
    return gzip.compress(json.dumps(world, ensure_ascii=False, separators=(",", ":")).encode(), mtime=0)


async def _keep(folder: Path, kind: str, database: Path | str, copy: Callable[[], bytes]) -> None:
    """Play on this database, and record the data that a stop and a kill leave."""

    def kept(state: str) -> None:
        (folder / f"{state}.{kind}.gz").write_bytes(gzip.compress(copy(), mtime=0))
        (folder / f"{state}.{kind}.json.gz").write_bytes(_written(snapshot.dump(harness.sandbox.state)))

    with seeded(kind):
        async with patient_sandbox() as sandbox:
            harness = BotHarness(sandbox, database)
            try:
                await harness.start()
                await play(harness)
                await harness.stop()
                kept("stopped")
                await harness.restart(60_000)
                await load_all_tables(harness)
                await harness.advance(70_000)  # every player to move has been mentioned
                await harness.press(harness.ann, ONE_MORE, page_of(harness, harness.ann, BOATS))
                await harness.settle()
                await harness.advance(2_000)
                await move_unseen(harness)
                kept("killed")
            finally:
                await harness.stop()


def _copy(path: Path) -> bytes:
    """Return a database as it is on disk now, including its log."""
    with tempfile.TemporaryDirectory() as scratch:
        target = Path(scratch) / "copy.db"
        with closing(sqlite3.connect(path)) as db, closing(sqlite3.connect(target)) as copy:
            db.backup(copy)
            copy.execute("PRAGMA journal_mode = DELETE")
            copy.execute("VACUUM")
        return target.read_bytes()


async def keep_bots(folder: Path, cluster: Cluster) -> None:
    """Play over SQLite and over PostgreSQL, and record the databases."""
    folder.mkdir()
    with tempfile.TemporaryDirectory() as scratch:
        path = Path(scratch) / "cellblock.db"
        await _keep(folder, "db", path, lambda: _copy(path))
    url = cluster.fresh("template1")

    def dump() -> bytes:
        Raw(url)("UPDATE processes SET host = 'host', machine = 'machine'")  # do not record this machine
        return cluster.dump(url)

    await _keep(folder, "sql", url, dump)


def restored(folder: Path, state: str, kind: str, scratch: Path, cluster: Cluster | None) -> Path | str:
    """Return a database as a version left it."""
    body = gzip.decompress((folder / f"{state}.{kind}.gz").read_bytes())
    if cluster is not None:
        return cluster.restored(body)
    path = scratch / "cellblock.db"
    path.write_bytes(body)
    return path


def world(folder: Path, state: str, kind: str) -> Json:
    """Return the sandbox's messages as a version left them."""
    found: Json = json.loads(gzip.decompress((folder / f"{state}.{kind}.json.gz").read_bytes()))
    return found


def files() -> Iterator[str]:
    """Yield the names of the recorded files."""
    return (f"{state}.{kind}{end}.gz" for state in STATES for kind in ("db", "sql") for end in ("", ".json"))
