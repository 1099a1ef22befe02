"""Databases and exports with every game: one in progress and one finished."""

import contextlib
import gzip
import json
import random
import sqlite3
import tempfile
from contextlib import closing
from pathlib import Path

from cogs.core.cluster.ownership import Ownership
from cogs.core.ops.timers import DiscordClock
from cogs.core.publishing.finished_games import export_of, load_record
from cogs.core.tables import changes, moves
from cogs.core.tables.snapshot import TableSnapshot
from cogs.core.tables.table import Table
from data.material import load_material
from data.store import NewTable, SeatChange, SeatRow, Store
from data.store.maintenance import move_database
from data.store.open_store import open_store
from engine.contract import AnyGame, Moment, Options, Refusal, Seat, to_json
from engine.export import write_export
from engine.free_text import free_text_fields
from engine.games import GAMES
from engine.players import Level
from tools.goldens import SHORT
from tools.postgres import Cluster
from tools.versions import CHANNEL, GUILD, SECRET, USERS

BEGIN = Moment(1_795_000_000_000)
NAMES = ("Ann", "Ben", "Cleo")


class Time:
    """A clock that advances whenever it is read."""

    def __init__(self) -> None:
        self.at = BEGIN

    def now(self) -> Moment:
        """Return a moment a few seconds after the previous one."""
        self.at = Moment(self.at + 2_500)
        return self.at


async def opened(store: Store, game: AnyGame, time: Time) -> Table:
    """Return a table whose game has just started."""
    options: Options = game.options(clock=180, **SHORT.get(game.key, {}))
    seats = [SeatRow(0, USERS[0], NAMES[0]), SeatRow(1, USERS[1], NAMES[1])]
    if 3 in game.player_counts:
        seats.append(SeatRow(2, None, "Rookie", Level.TRAINEE))
    row = await store.tables.create(NewTable(game.key, GUILD, CHANNEL, USERS[0], to_json(options), time.now()), seats)
    table = Table(store, Ownership(DiscordClock()), TableSnapshot.of(game, row, seats))
    await table.act(moves.begin, load_material(game), time.now())
    return table


async def play(table: Table, time: Time, rng: random.Random, most: int) -> None:
    """Make up to `most` random decisions; now and then a clock runs out."""
    for _ in range(most):
        if not table.snapshot.playing:
            return
        due = min(table.snapshot.deadlines, key=lambda deadline: (deadline.due, deadline.id), default=None)
        possible = [
            (Seat(row.seat), action) for row in table.snapshot.seats for action in table.snapshot.legal(Seat(row.seat))
        ]
        if due is not None and (not possible or time.at >= due.due or rng.random() < 0.05):
            time.at = max(time.at, due.due)
            await table.act(moves.expire, due.id, time.at)
            continue
        seat = rng.choice(sorted({seat for seat, _ in possible}))
        action = rng.choice([action for owner, action in possible if owner == seat])
        with contextlib.suppress(Refusal):  # a window has just closed, and its clock strikes a little later
            if table.snapshot.seats[seat].user is None:
                await table.act(moves.play, seat, action, table.snapshot.version, time.now())
            else:
                await table.act(moves.move, seat, action, time.now())


async def note(table: Table, time: Time) -> None:
    """Write a private note, in games that have notes."""
    for tag, fields in free_text_fields(table.game.actions).items():
        body = json.dumps({"do": tag, **dict.fromkeys(fields, SECRET)})
        with contextlib.suppress(Refusal):  # the rules may require more than text
            await table.act(moves.move, Seat(0), table.game.read_action(body), time.now())


async def keep(folder: Path, cluster: Cluster) -> None:
    """Play every game once to its middle and once to its end, and record both."""
    with tempfile.TemporaryDirectory() as scratch:
        path = Path(scratch) / "cellblock.db"
        time = Time()
        async with open_store(path, now=time.now) as store:
            for game in GAMES.values():
                rng = random.Random(game.key)
                whole = await opened(store, game, time)
                await note(whole, time)
                await play(whole, time, rng, 10_000)
                export = write_export(export_of(game, await load_record(store, whole.snapshot.row)))
                (folder / f"{game.key}.json.gz").write_bytes(gzip.compress(export, mtime=0))
                half = await opened(store, game, time)
                await note(half, time)
                await play(half, time, rng, len(await store.games.decisions(whole.id)) // 2)
                assert half.snapshot.playing
                await half.act(lambda _: changes.SeatChanged(Seat(1), SeatChange(caretaker=True, lapses=2)))
                print(f"{game.key}: {whole.snapshot.version} events, {half.snapshot.version} in the middle")
        with closing(sqlite3.connect(path)) as db:
            db.execute("PRAGMA journal_mode = DELETE")
            db.execute("VACUUM")
        (folder / "cellblock.db.gz").write_bytes(gzip.compress(path.read_bytes(), mtime=0))
        (folder / "cellblock.sql.gz").write_bytes(gzip.compress(carried(path, cluster), mtime=0))


def carried(path: Path, cluster: Cluster) -> bytes:
    """Return a dump of a PostgreSQL database with the same content."""
    url = cluster.fresh("template1")
    move_database(path, url, BEGIN)
    return cluster.dump(url)
