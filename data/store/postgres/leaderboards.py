"""Leaderboards in PostgreSQL. May import `engine`, msgspec, the standard library and its neighbours."""

from collections.abc import Collection, Iterable, Sequence
from typing import Any

import msgspec

from data.store.clauses import CHART, CORRECTED, DUE, STANDING, TOP
from data.store.leaderboards import CLEARED, Leaderboards, row_of, standing_of, task_of
from data.store.postgres.database import PostgresDatabase, rows_of, run
from data.store.postgres.pool import Connection
from data.store.records import Records
from engine.standings import PLACEMENT_GAMES, Chart, Listing, Place, Player, Standing, Task

_FIELDS = Standing.__struct_fields__
_KEYS = " AND ".join(f"{name} = %({name})s" for name in Chart.__struct_fields__)

_SHOWN = 'person IS NOT NULL AND NOT EXISTS (SELECT 1 FROM hidden_users WHERE "user" = person)'
_RANKED = f"leaderboard = %(id)s AND games >= {PLACEMENT_GAMES} AND {_SHOWN}"
_PLACING = f"leaderboard = %(id)s AND games < {PLACEMENT_GAMES} AND {_SHOWN}"
_BEFORE = (
    "(rating > %(rating)s OR (rating = %(rating)s AND (wins > %(wins)s OR (wins = %(wins)s"
    " AND (name < %(name)s OR (name = %(name)s AND person < %(player)s))))))"
)
_ORDER = "rating DESC, wins DESC, name, person LIMIT %(most)s OFFSET %(skip)s"


class PostgresLeaderboards(Leaderboards):
    """The leaderboards."""

    def __init__(self, db: PostgresDatabase, records: Records) -> None:
        super().__init__(records)
        self._db = db

    async def listing(self, chart: Chart, reader: int, first: int | None, most: int) -> Listing:
        """Return up to `most` people of a leaderboard from number `first` on, and the reader's own place."""
        return await self._db.look(lambda db: _listing(db, chart, reader, first, most))

    async def place(self, chart: Chart, user: int) -> tuple[Place | None, int]:
        """Return a user's place on a leaderboard, and how many are ranked there."""

        async def work(db: Connection) -> tuple[Place | None, int]:
            found = await _shown(db, chart)
            return (None, 0) if found is None else (await _place(db, found, user), await _count(db, _RANKED, id=found))

        return await self._db.look(work)

    async def whole(self, charts: Iterable[Chart]) -> bool:
        """Return whether every game that has ended is on these leaderboards."""
        wanted = list(charts)

        async def work(db: Connection) -> bool:
            return all([await _whole(db, chart) for chart in wanted])

        return await self._db.look(work)

    async def want(self, charts: Iterable[Chart]) -> None:
        """Begin the leaderboards among these that there are not yet; seasons that nobody asks for any more go."""
        wanted = list(charts)

        async def look(db: Connection) -> list[Chart]:
            return [chart for chart in wanted if await _shown(db, chart) is None]

        missing = await self._db.look(look)
        if missing:

            async def work(db: Connection) -> None:
                async with self._db.transaction(db):
                    for chart in missing:
                        await _begin(db, chart, "shown")

            await self._db.on_connection(work)
            self.stirred.set()

    async def due(self) -> list[Task]:
        """Return the leaderboards on which there is something to do: games to add, corrections, old ones to clear."""
        return [task_of(row) for row in await self._db.read(DUE)]

    async def _standings(self, task: Task, players: Collection[Player]) -> list[Standing]:
        sql = f"SELECT {STANDING} FROM standings WHERE leaderboard = %(id)s AND player = ANY (%(players)s::text[])"
        rows = await self._db.read(sql, id=task.id, players=[str(player) for player in players])
        return [_standing(row) for row in rows]

    async def keep(self, task: Task, last: int, standings: Iterable[Standing]) -> bool:
        """Keep what the games up to the ending `last` have made of these standings; return whether that was done."""
        rows = [dict(zip(_FIELDS, row_of(standing), strict=True)) for standing in standings]
        changes = ", ".join(f"{name} = excluded.{name}" for name in _FIELDS[1:])

        async def work(db: Connection) -> bool:
            async with self._db.transaction(db):
                moved = await run(
                    db,
                    "UPDATE leaderboards AS l"
                    f" SET last = %(last)s, due = (state <> 'shown' OR %(last)s < {TOP})"
                    f" WHERE id = %(id)s AND last = %(before)s AND corrected = {CORRECTED}",
                    {"last": last, "id": task.id, "before": task.last},
                )
                for row in rows if moved else ():
                    await run(
                        db,
                        f"INSERT INTO standings (leaderboard, {STANDING})"
                        f" VALUES (%(id)s, {', '.join(f'%({name})s' for name in _FIELDS)})"
                        f" ON CONFLICT (leaderboard, player) DO UPDATE SET {changes}",
                        {**row, "id": task.id, "player": str(row["player"])},
                    )
                return bool(moved)

        return await self._db.on_connection(work)

    async def rebuild(self, task: Task) -> None:
        """Begin a leaderboard anew beside the one that is shown, in place of one that was being built."""

        async def work(db: Connection) -> None:
            async with self._db.transaction(db):
                await run(db, _gone("building"), _keys(task.chart))
                await _begin(db, task.chart, "building")

        await self._db.on_connection(work)

    async def show(self, task: Task) -> None:
        """Let a leaderboard that was built take the place of the one that is shown."""

        async def work(db: Connection) -> None:
            async with self._db.transaction(db):
                state = "SELECT state FROM leaderboards WHERE id = %(id)s FOR UPDATE"
                if await rows_of(db, state, {"id": task.id}) == [("building",)]:
                    await run(db, _gone("shown"), _keys(task.chart))
                    sql = "UPDATE leaderboards SET state = 'shown' WHERE id = %(id)s"
                    await run(db, sql, {"id": task.id})  # it stays due: see `keep`

        await self._db.on_connection(work)

    async def clear(self, task: Task) -> None:
        """Clear away a part of a leaderboard that is gone, and it itself when nothing of it is left."""
        some = "SELECT player FROM standings WHERE leaderboard = %(id)s LIMIT %(most)s"
        values = {"id": task.id, "most": CLEARED}

        async def work(db: Connection) -> None:
            async with self._db.transaction(db):
                sql = f"DELETE FROM standings WHERE leaderboard = %(id)s AND player IN ({some})"
                if await run(db, sql, values) < CLEARED:
                    await run(db, "DELETE FROM leaderboards WHERE id = %(id)s", values)

        await self._db.on_connection(work)


def _standing(row: Sequence[Any]) -> Standing:
    player, *rest = row
    return standing_of((int(player) if player.isdecimal() else player, *rest))


def _keys(chart: Chart) -> dict[str, Any]:
    return msgspec.structs.asdict(chart)


def _gone(state: str) -> str:
    return f"UPDATE leaderboards SET state = 'gone', due = true WHERE {_KEYS} AND state = '{state}'"


async def _begin(db: Connection, chart: Chart, state: str) -> None:
    """Begin a leaderboard; those of seasons before the last one go."""
    values = {**_keys(chart), "state": state}
    await run(
        db,
        f"INSERT INTO leaderboards ({CHART}, state, last, corrected)"
        f" SELECT guild, game, board, since, until, %(state)s, 0, {CORRECTED} FROM"
        " (SELECT %(guild)s::bigint AS guild, %(game)s::text AS game, %(board)s::text AS board,"
        " %(since)s::bigint AS since, %(until)s::bigint AS until) AS l ON CONFLICT DO NOTHING",
        values,
    )
    await run(
        db,
        "UPDATE leaderboards SET state = 'gone', due = true"
        " WHERE guild = %(guild)s AND game = %(game)s AND board = %(board)s AND until < %(since)s",
        values,
    )


async def _shown(db: Connection, chart: Chart) -> int | None:
    rows = await rows_of(db, f"SELECT id FROM leaderboards WHERE {_KEYS} AND state = 'shown'", _keys(chart))
    return int(rows[0][0]) if rows else None


async def _whole(db: Connection, chart: Chart) -> bool:
    """Whether a leaderboard is up to date. One that there is not yet is, if no game has ended on its board."""
    sql = f"SELECT last >= {TOP} AND corrected = {CORRECTED} FROM leaderboards AS l WHERE {_KEYS} AND state = 'shown'"
    rows = await rows_of(db, sql, _keys(chart))
    if rows:
        return bool(rows[0][0])
    return not await rows_of(
        db,
        "SELECT 1 FROM endings WHERE guild = %(guild)s AND game = %(game)s AND board = %(board)s"
        " AND at >= %(since)s AND at < %(until)s LIMIT 1",
        _keys(chart),
    )


async def _count(db: Connection, which: str, **values: object) -> int:
    ((count,),) = await rows_of(db, f"SELECT count(*) FROM standings WHERE {which}", values)
    return int(count)


async def _hidden(db: Connection, user: Player) -> bool:
    return bool(await rows_of(db, 'SELECT 1 FROM hidden_users WHERE "user" = %(user)s', {"user": user}))


async def _place(db: Connection, board: int, user: int) -> Place | None:
    sql = f"SELECT {STANDING} FROM standings WHERE leaderboard = %(id)s AND player = %(player)s"
    rows = await rows_of(db, sql, {"id": board, "player": str(user)})
    if not rows:
        return None
    standing = _standing(rows[0])
    return Place(standing, None if await _hidden(db, user) else await _rank(db, board, standing))


async def _rank(db: Connection, board: int, standing: Standing) -> int | None:
    if standing.placing:
        return None
    return 1 + await _count(db, f"{_RANKED} AND rating > %(rating)s", id=board, rating=standing.rating)


async def _listing(db: Connection, chart: Chart, reader: int, first: int | None, most: int) -> Listing:
    board = await _shown(db, chart)
    if board is None:
        return Listing((), 0, 0, 0, None, None, await _whole(db, chart))
    ranked, placing = await _count(db, _RANKED, id=board), await _count(db, _PLACING, id=board)
    mine = await _place(db, board, reader)
    number = None if mine is None else await _number(db, board, mine.standing, ranked)
    if first is None:
        first = (number or 0) // most * most
    first = max(0, min(first, (ranked + placing - 1) // most * most))
    values = {"id": board, "most": most, "skip": first}
    rows = await rows_of(db, f"SELECT {STANDING} FROM standings WHERE {_RANKED} ORDER BY {_ORDER}", values)
    if len(rows) < most:
        sql = f"SELECT {STANDING} FROM standings WHERE {_PLACING} ORDER BY games DESC, {_ORDER}"
        rows += await rows_of(db, sql, {**values, "most": most - len(rows), "skip": max(0, first - ranked)})
    shown = [_standing(row) for row in rows]
    places = tuple([Place(standing, await _rank(db, board, standing)) for standing in shown])
    return Listing(places, first, ranked, placing, mine, number, await _whole(db, chart))


async def _number(db: Connection, board: int, standing: Standing, ranked: int) -> int | None:
    """Return where somebody stands in the list, counted from 0; None for somebody who is hidden."""
    if await _hidden(db, standing.player):
        return None
    values = {name: getattr(standing, name) for name in ("rating", "wins", "name", "player", "games")}
    if not standing.placing:
        return await _count(db, f"{_RANKED} AND {_BEFORE}", id=board, **values)
    before = f"{_PLACING} AND (games > %(games)s OR (games = %(games)s AND {_BEFORE}))"
    return ranked + await _count(db, before, id=board, **values)
