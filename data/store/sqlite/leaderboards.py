"""Leaderboards in SQLite. May import `engine`, msgspec, the standard library and its neighbours."""

import json
import sqlite3
from collections.abc import Collection, Iterable
from typing import Any

import msgspec

from data.store.clauses import CHART, CORRECTED, DUE, STANDING, TOP
from data.store.leaderboards import CLEARED, Leaderboards, row_of, standing_of, task_of
from data.store.records import Records
from data.store.sqlite.database import SqliteDatabase
from engine.standings import PLACEMENT_GAMES, Chart, Listing, Place, Player, Standing, Task

_KEYS = " AND ".join(f"{name} = ?" for name in Chart.__struct_fields__)

_SHOWN = "typeof(player) = 'integer' AND player NOT IN (SELECT user FROM hidden_users)"
_RANKED = f"leaderboard = ? AND games >= {PLACEMENT_GAMES} AND {_SHOWN}"
_PLACING = f"leaderboard = ? AND games < {PLACEMENT_GAMES} AND {_SHOWN}"
_BEFORE = "(rating > ?2 OR (rating = ?2 AND (wins > ?3 OR (wins = ?3 AND (name < ?4 OR (name = ?4 AND player < ?5))))))"


class SqliteLeaderboards(Leaderboards):
    """The leaderboards."""

    def __init__(self, db: SqliteDatabase, records: Records) -> None:
        super().__init__(records)
        self._db = db

    async def listing(self, chart: Chart, reader: int, first: int | None, most: int) -> Listing:
        """Return up to `most` people of a leaderboard from number `first` on, and the reader's own place.

        `first` None is the page of `most` on which the reader stands. Hidden people are left out.
        """
        return await self._db.look(lambda db: _listing(db, chart, reader, first, most))

    async def place(self, chart: Chart, user: int) -> tuple[Place | None, int]:
        """Return a user's place on a leaderboard, and how many are ranked there."""

        def work(db: sqlite3.Connection) -> tuple[Place | None, int]:
            found = _shown(db, chart)
            return (None, 0) if found is None else (_place(db, found, user), _count(db, _RANKED, found))

        return await self._db.look(work)

    async def whole(self, charts: Iterable[Chart]) -> bool:
        """Return whether every game that has ended is on these leaderboards."""
        wanted = list(charts)
        return await self._db.look(lambda db: all(_whole(db, chart) for chart in wanted))

    # ------------------------------------------------------------------------------------------------------ bringing on

    async def want(self, charts: Iterable[Chart]) -> None:
        """Begin the leaderboards among these that there are not yet; seasons that nobody asks for any more go."""
        wanted = list(charts)
        missing = await self._db.look(lambda db: [chart for chart in wanted if _shown(db, chart) is None])
        if missing:

            def write(db: sqlite3.Connection) -> None:
                for chart in missing:
                    _begin(db, chart, "shown")

            await self._db.writer.write(write)
            self.stirred.set()

    async def due(self) -> list[Task]:
        """Return the leaderboards on which there is something to do: games to add, corrections, old ones to clear."""
        return [task_of(row) for row in await self._db.read(DUE)]

    async def _standings(self, task: Task, players: Collection[Player]) -> list[Standing]:
        sql = f"SELECT {STANDING} FROM standings WHERE leaderboard = ? AND player IN (SELECT value FROM json_each(?))"
        return [standing_of(row) for row in await self._db.read(sql, task.id, json.dumps([*players]))]

    async def keep(self, task: Task, last: int, standings: Iterable[Standing]) -> bool:
        """Keep what the games up to the ending `last` have made of these standings; return whether that was done.

        It is not if somebody else has added them, or if results were corrected since the task was found.
        """
        rows = [(task.id, *row_of(standing)) for standing in standings]
        marks = ", ".join("?" * (len(Standing.__struct_fields__) + 1))

        def write(db: sqlite3.Connection) -> bool:
            moved = db.execute(
                f"UPDATE leaderboards AS l SET last = ?1, due = state <> 'shown' OR ?1 < {TOP}"
                f" WHERE id = ?2 AND last = ?3 AND corrected = {CORRECTED}",
                (last, task.id, task.last),
            ).rowcount
            if moved:
                db.executemany(f"INSERT OR REPLACE INTO standings (leaderboard, {STANDING}) VALUES ({marks})", rows)
            return bool(moved)

        return await self._db.chore(write)

    async def rebuild(self, task: Task) -> None:
        """Begin a leaderboard anew beside the one that is shown, in place of one that was being built."""

        def write(db: sqlite3.Connection) -> None:
            db.execute(
                f"UPDATE leaderboards SET state = 'gone', due = 1 WHERE {_KEYS} AND state = 'building'",
                _keys(task.chart),
            )
            _begin(db, task.chart, "building")

        await self._db.writer.write(write)

    async def show(self, task: Task) -> None:
        """Let a leaderboard that was built take the place of the one that is shown."""

        def write(db: sqlite3.Connection) -> None:
            if db.execute("SELECT state FROM leaderboards WHERE id = ?", (task.id,)).fetchone() == ("building",):
                shown = f"UPDATE leaderboards SET state = 'gone', due = 1 WHERE {_KEYS} AND state = 'shown'"
                db.execute(shown, _keys(task.chart))
                db.execute(
                    "UPDATE leaderboards SET state = 'shown' WHERE id = ?", (task.id,)
                )  # it stays due: see `keep`

        await self._db.writer.write(write)

    async def clear(self, task: Task) -> None:
        """Clear away a part of a leaderboard that is gone, and it itself when nothing of it is left."""

        def write(db: sqlite3.Connection) -> None:
            some = "SELECT player FROM standings WHERE leaderboard = ?1 LIMIT ?2"
            sql = f"DELETE FROM standings WHERE leaderboard = ?1 AND player IN ({some})"
            if db.execute(sql, (task.id, CLEARED)).rowcount < CLEARED:
                db.execute("DELETE FROM leaderboards WHERE id = ?", (task.id,))

        await self._db.chore(write)


def _keys(chart: Chart) -> tuple[Any, ...]:
    return msgspec.structs.astuple(chart)


def _begin(db: sqlite3.Connection, chart: Chart, state: str) -> None:
    """Begin a leaderboard; those of seasons before the last one go."""
    db.execute(
        f"INSERT OR IGNORE INTO leaderboards ({CHART}, state, last, corrected)"
        f" SELECT guild, game, board, since, until, ?, 0, {CORRECTED} FROM"
        " (SELECT ? AS guild, ? AS game, ? AS board, ? AS since, ? AS until) AS l",
        (state, *_keys(chart)),
    )
    db.execute(
        "UPDATE leaderboards SET state = 'gone', due = 1 WHERE guild = ? AND game = ? AND board = ? AND until < ?",
        (chart.guild, chart.game, chart.board, chart.since),
    )


def _shown(db: sqlite3.Connection, chart: Chart) -> int | None:
    row = db.execute(f"SELECT id FROM leaderboards WHERE {_KEYS} AND state = 'shown'", _keys(chart)).fetchone()
    return None if row is None else int(row[0])


def _whole(db: sqlite3.Connection, chart: Chart) -> bool:
    """Whether a leaderboard is up to date. One that there is not yet is, if no game has ended on its board."""
    row = db.execute(
        f"SELECT last >= {TOP} AND corrected = {CORRECTED} FROM leaderboards AS l WHERE {_KEYS} AND state = 'shown'",
        _keys(chart),
    ).fetchone()
    if row is not None:
        return bool(row[0])
    ended = db.execute(
        "SELECT 1 FROM endings WHERE guild = ? AND game = ? AND board = ? AND at >= ? AND at < ? LIMIT 1", _keys(chart)
    )
    return ended.fetchone() is None


def _count(db: sqlite3.Connection, which: str, board: int, *values: object) -> int:
    return int(db.execute(f"SELECT count(*) FROM standings WHERE {which}", (board, *values)).fetchone()[0])


def _place(db: sqlite3.Connection, board: int, user: int) -> Place | None:
    row = db.execute(f"SELECT {STANDING} FROM standings WHERE leaderboard = ? AND player = ?", (board, user)).fetchone()
    if row is None:
        return None
    standing = standing_of(row)
    hidden = db.execute("SELECT 1 FROM hidden_users WHERE user = ?", (user,)).fetchone()
    return Place(standing, None if hidden else _rank(db, board, standing))


def _rank(db: sqlite3.Connection, board: int, standing: Standing) -> int | None:
    return None if standing.placing else 1 + _count(db, f"{_RANKED} AND rating > ?", board, standing.rating)


def _listing(db: sqlite3.Connection, chart: Chart, reader: int, first: int | None, most: int) -> Listing:
    board = _shown(db, chart)
    if board is None:
        return Listing((), 0, 0, 0, None, None, _whole(db, chart))
    ranked, placing = _count(db, _RANKED, board), _count(db, _PLACING, board)
    mine = _place(db, board, reader)
    number = None if mine is None else _number(db, board, mine.standing, ranked)
    if first is None:
        first = (number or 0) // most * most
    first = max(0, min(first, (ranked + placing - 1) // most * most))
    order = "rating DESC, wins DESC, name, player LIMIT ? OFFSET ?"
    rows = db.execute(f"SELECT {STANDING} FROM standings WHERE {_RANKED} ORDER BY {order}", (board, most, first))
    shown = [standing_of(row) for row in rows]
    if len(shown) < most:
        sql = f"SELECT {STANDING} FROM standings WHERE {_PLACING} ORDER BY games DESC, {order}"
        rest = db.execute(sql, (board, most - len(shown), max(0, first - ranked)))
        shown += [standing_of(row) for row in rest]
    places = tuple(Place(standing, _rank(db, board, standing)) for standing in shown)
    return Listing(places, first, ranked, placing, mine, number, _whole(db, chart))


def _number(db: sqlite3.Connection, board: int, standing: Standing, ranked: int) -> int | None:
    """Return where somebody stands in the list, counted from 0; None for somebody who is hidden."""
    if db.execute("SELECT 1 FROM hidden_users WHERE user = ?", (standing.player,)).fetchone():
        return None
    keys = (standing.rating, standing.wins, standing.name, standing.player)
    if not standing.placing:
        return _count(db, f"{_RANKED.replace('?', '?1')} AND {_BEFORE}", board, *keys)
    before = f"{_PLACING.replace('?', '?1')} AND (games > ?6 OR (games = ?6 AND {_BEFORE}))"
    return ranked + _count(db, before, board, *keys, standing.games)
