"""Leaderboards: standings that are stored, read page by page, and brought up to date by a task: `next_batch` returns
games and the standings of their players, and `save` takes the new ones, each game once.
"""

import asyncio
import json
from collections.abc import Iterable, Sequence
from typing import Any

import msgspec

from data.store.database import Database, Dialect, Transaction
from data.store.records import Records
from data.store.sql import CHART, CORRECTED, DUE, OLD_RATINGS, STANDING, TOP
from engine.standings import (
    PLACEMENT_GAMES,
    RATINGS_VERSION,
    Leaderboard,
    Listing,
    Place,
    Player,
    Standing,
    UpdateBatch,
    UpdateJob,
)

CLEARED = 500
"""How many standings of a removed leaderboard are deleted at a time."""

_FIELDS = Standing.__struct_fields__
_KEYS = " AND ".join(f"{name} = :{name}" for name in Leaderboard.__struct_fields__)


class Leaderboards:
    """The leaderboards. `changed` is set whenever there may be something to add up."""

    def __init__(self, db: Database, records: Records) -> None:
        self._db = db
        self._records = records
        self.changed = asyncio.Event()
        self.changed.set()

    # Reading

    async def listing(self, chart: Leaderboard, reader: int, first: int | None, most: int) -> Listing:
        """Return up to `most` people of a leaderboard from number `first` on (None: the page with the reader), and the
        reader's own place. Hidden people are left out.
        """
        return await self._db.snapshot(lambda tx: _listing(tx, chart, reader, first, most))

    async def place(self, chart: Leaderboard, user: int) -> tuple[Place | None, int]:
        """Return a user's place on a leaderboard, and how many are ranked there."""

        async def work(tx: Transaction) -> tuple[Place | None, int]:
            board = await _shown(tx, chart)
            return (None, 0) if board is None else (await _place(tx, board, user), await _count_ranked(tx, board))

        return await self._db.snapshot(work)

    async def is_complete(self, charts: Iterable[Leaderboard]) -> bool:
        """Return whether every game that has ended is on these leaderboards."""
        wanted = list(charts)

        async def work(tx: Transaction) -> bool:
            return all([await _whole(tx, chart) for chart in wanted])

        return await self._db.snapshot(work)

    # Bringing up to date

    async def ensure(self, charts: Iterable[Leaderboard]) -> None:
        """Create those of these leaderboards that do not exist yet; old seasons are removed."""
        wanted = list(charts)

        async def look(tx: Transaction) -> list[Leaderboard]:
            return [chart for chart in wanted if await _shown(tx, chart) is None]

        async def begin(tx: Transaction) -> None:
            for chart in missing:
                await _begin(tx, chart, "shown")

        if missing := await self._db.snapshot(look):
            await self._db.write(begin)
            self.changed.set()

    async def due(self) -> list[UpdateJob]:
        """Return the leaderboards with something to do: games to add, corrections, old ones to clear."""
        return [_task(row) for row in await self._db.read(DUE)]

    async def next_batch(self, task: UpdateJob, most: int) -> UpdateBatch:
        """Return the next up to `most` games of a leaderboard, with the standings that they are added to."""
        games = await self._records.ended(task.chart, after=task.last, upto=task.top, most=most)
        players = {side.player for game in games for side in game.sides if side.player is not None}
        rows = await self._db.read(
            f"SELECT {STANDING} FROM standings WHERE leaderboard = :id AND player IN (:players)",
            id=task.id,
            players=[self._db.dialect.player(player) for player in players],
        )
        standings = {standing.player: standing for standing in map(_standing, rows)}
        return UpdateBatch(games, standings, games[-1].number if len(games) == most else task.top)

    async def save(self, task: UpdateJob, last: int, standings: Iterable[Standing]) -> bool:
        """Save these standings after the games up to the ending `last`. Return False if those games were added already,
        or if results were corrected since the task was found.
        """
        rows = [_values(self._db.dialect, task.id, standing) for standing in standings]
        changes = ", ".join(f"{name} = excluded.{name}" for name in _FIELDS[1:])

        async def work(tx: Transaction) -> bool:
            moved = await tx.run(
                f"UPDATE leaderboards AS l SET last = :last, due = (state <> 'shown' OR :last < {TOP}),"
                f" version = {RATINGS_VERSION}"
                f" WHERE id = :id AND last = :before AND corrected = {CORRECTED}",
                last=last,
                id=task.id,
                before=task.last,
            )
            if moved:
                await tx.run_many(
                    f"INSERT INTO standings (leaderboard, {STANDING})"
                    f" VALUES (:id, {', '.join(f':{name}' for name in _FIELDS)})"
                    f" ON CONFLICT (leaderboard, player) DO UPDATE SET {changes}",
                    rows,
                )
            return bool(moved)

        return await self._db.background_write(work)

    async def rate_anew(self) -> None:
        """Mark the leaderboards to add up once more, since the ratings of computers have changed."""
        sql = f"UPDATE leaderboards SET due = true WHERE state <> 'gone' AND NOT due AND {OLD_RATINGS}"
        await self._db.execute(sql)

    async def rebuild(self, task: UpdateJob) -> None:
        """Begin a leaderboard again beside the one that is shown, in place of one that was being built."""

        async def work(tx: Transaction) -> None:
            await _remove(tx, task.chart, "building")
            await _begin(tx, task.chart, "building")

        await self._db.write(work)

    async def show(self, task: UpdateJob) -> None:
        """Show a leaderboard that was built in place of the one that is shown."""

        async def work(tx: Transaction) -> None:
            state = f"SELECT state FROM leaderboards WHERE id = :id{tx.dialect.for_update}"
            if await tx.rows(state, id=task.id) == [("building",)]:
                await _remove(tx, task.chart, "shown")
                await tx.run("UPDATE leaderboards SET state = 'shown' WHERE id = :id", id=task.id)  # due: see `keep`

        await self._db.write(work)

    async def clear(self, task: UpdateJob) -> None:
        """Delete a part of a removed leaderboard, and the leaderboard itself when nothing of it is left."""
        some = "SELECT player FROM standings WHERE leaderboard = :id LIMIT :most"
        sql = f"DELETE FROM standings WHERE leaderboard = :id AND player IN ({some})"

        async def work(tx: Transaction) -> None:
            if await tx.run(sql, id=task.id, most=CLEARED) < CLEARED:
                await tx.run("DELETE FROM leaderboards WHERE id = :id", id=task.id)

        await self._db.background_write(work)


def _task(row: Sequence[Any]) -> UpdateJob:
    number, *rest = row
    fields = len(Leaderboard.__struct_fields__)
    return UpdateJob(number, Leaderboard(*rest[:fields]), *rest[fields:])


def _standing(row: Sequence[Any]) -> Standing:
    player, *values, trace, changes = row
    if isinstance(player, str) and player.isdecimal():  # PostgreSQL stores users and levels of bots as text
        player = int(player)
    changed = tuple([tuple(change) for change in json.loads(changes)])
    return Standing(**dict(zip(_FIELDS, (player, *values, tuple(json.loads(trace)), changed), strict=True)))


def _values(dialect: Dialect, board: int, standing: Standing) -> dict[str, object]:
    values = msgspec.structs.asdict(standing)
    lists = {name: json.dumps(getattr(standing, name)) for name in ("trace", "changes")}
    return {**values, **lists, "id": board, "player": dialect.player(standing.player)}


def _keys(chart: Leaderboard) -> dict[str, Any]:
    return msgspec.structs.asdict(chart)


# Changing


async def _begin(tx: Transaction, chart: Leaderboard, state: str) -> None:
    """Create a leaderboard, and remove those of seasons before the last one."""
    values = (
        "CAST(:guild AS bigint) AS guild, CAST(:game AS text) AS game, CAST(:board AS text) AS board,"
        " CAST(:since AS bigint) AS since, CAST(:until AS bigint) AS until"
    )
    await tx.run(
        f"INSERT INTO leaderboards ({CHART}, state, last, corrected)"
        f" SELECT guild, game, board, since, until, CAST(:state AS text), 0, {CORRECTED} FROM (SELECT {values}) AS l"
        " WHERE true ON CONFLICT DO NOTHING",
        **_keys(chart),
        state=state,
    )
    await tx.run(
        "UPDATE leaderboards SET state = 'gone', due = true"
        " WHERE guild = :guild AND game = :game AND board = :board AND until < :since",
        **_keys(chart),
    )


async def _remove(tx: Transaction, chart: Leaderboard, state: str) -> None:
    sql = f"UPDATE leaderboards SET state = 'gone', due = true WHERE {_KEYS} AND state = :state"
    await tx.run(sql, **_keys(chart), state=state)


# Reading


async def _shown(tx: Transaction, chart: Leaderboard) -> int | None:
    rows = await tx.rows(f"SELECT id FROM leaderboards WHERE {_KEYS} AND state = 'shown'", **_keys(chart))
    return int(rows[0][0]) if rows else None


async def _whole(tx: Transaction, chart: Leaderboard) -> bool:
    """Return whether a leaderboard is up to date. One that does not exist yet is, if no game has ended on its board."""
    sql = (
        f"SELECT last >= {TOP} AND corrected = {CORRECTED} AND NOT ({OLD_RATINGS}) FROM leaderboards AS l"
        f" WHERE {_KEYS} AND state = 'shown'"
    )
    rows = await tx.rows(sql, **_keys(chart))
    if rows:
        return bool(rows[0][0])
    ended = (
        "SELECT 1 FROM endings WHERE guild = :guild AND game = :game AND board = :board"
        " AND at >= :since AND at < :until LIMIT 1"
    )
    return not await tx.rows(ended, **_keys(chart))


def _visible(dialect: Dialect) -> str:
    """Return the condition for people whom everybody may see."""
    return f'{dialect.is_person} AND {dialect.person} NOT IN (SELECT "user" FROM hidden_users)'


def _ranked(dialect: Dialect) -> str:
    return f"leaderboard = :id AND games >= {PLACEMENT_GAMES} AND {_visible(dialect)}"


def _placing(dialect: Dialect) -> str:
    return f"leaderboard = :id AND games < {PLACEMENT_GAMES} AND {_visible(dialect)}"


async def _count(tx: Transaction, which: str, **values: object) -> int:
    ((count,),) = await tx.rows(f"SELECT count(*) FROM standings WHERE {which}", **values)
    return int(count)


async def _count_ranked(tx: Transaction, board: int) -> int:
    return await _count(tx, _ranked(tx.dialect), id=board)


async def _hidden(tx: Transaction, user: Player) -> bool:
    return bool(await tx.rows('SELECT 1 FROM hidden_users WHERE "user" = :user', user=user))


async def _place(tx: Transaction, board: int, user: int) -> Place | None:
    sql = f"SELECT {STANDING} FROM standings WHERE leaderboard = :id AND player = :player"
    rows = await tx.rows(sql, id=board, player=tx.dialect.player(user))
    if not rows:
        return None
    standing = _standing(rows[0])
    return Place(standing, None if await _hidden(tx, user) else await _rank(tx, board, standing))


async def _rank(tx: Transaction, board: int, standing: Standing) -> int | None:
    if standing.placing:
        return None
    return 1 + await _count(tx, f"{_ranked(tx.dialect)} AND rating > :rating", id=board, rating=standing.rating)


async def _listing(tx: Transaction, chart: Leaderboard, reader: int, first: int | None, most: int) -> Listing:
    board = await _shown(tx, chart)
    if board is None:
        return Listing((), 0, 0, 0, None, None, await _whole(tx, chart))
    ranked, placing = await _count_ranked(tx, board), await _count(tx, _placing(tx.dialect), id=board)
    mine = await _place(tx, board, reader)
    number = None if mine is None else await _number(tx, board, mine.standing, ranked)
    if first is None:
        first = (number or 0) // most * most
    first = max(0, min(first, (ranked + placing - 1) // most * most))
    order = f"rating DESC, wins DESC, name, {tx.dialect.person} LIMIT :most OFFSET :skip"
    sql = f"SELECT {STANDING} FROM standings WHERE {_ranked(tx.dialect)} ORDER BY {order}"
    rows = await tx.rows(sql, id=board, most=most, skip=first)
    if len(rows) < most:
        sql = f"SELECT {STANDING} FROM standings WHERE {_placing(tx.dialect)} ORDER BY games DESC, {order}"
        rows += await tx.rows(sql, id=board, most=most - len(rows), skip=max(0, first - ranked))
    shown = [_standing(row) for row in rows]
    places = tuple([Place(standing, await _rank(tx, board, standing)) for standing in shown])
    return Listing(places, first, ranked, placing, mine, number, await _whole(tx, chart))


async def _number(tx: Transaction, board: int, standing: Standing, ranked: int) -> int | None:
    """Return a person's position in the list, counted from 0; None for a hidden one."""
    if await _hidden(tx, standing.player):
        return None
    before = (
        "(rating > :rating OR (rating = :rating AND (wins > :wins OR (wins = :wins"
        f" AND (name < :name OR (name = :name AND {tx.dialect.person} < :player))))))"
    )
    values = {name: getattr(standing, name) for name in ("rating", "wins", "name", "player")}
    if not standing.placing:
        return await _count(tx, f"{_ranked(tx.dialect)} AND {before}", id=board, **values)
    before = f"{_placing(tx.dialect)} AND (games > :games OR (games = :games AND {before}))"
    return ranked + await _count(tx, before, id=board, games=standing.games, **values)
