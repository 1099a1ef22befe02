"""Finished games in SQLite. May import `engine`, msgspec, the standard library and its neighbours."""

import json
from collections.abc import Collection

import msgspec

from data.store.clauses import MET, MINE, ROOM, SIDES
from data.store.records import Records, games_in
from data.store.sqlite.database import SqliteDatabase
from engine.endings import Ended, Rival, Score
from engine.standings import Chart

# The plus keeps SQLite from the index that begins with the server: that one walks through everybody's results.
_MINE = "mine.user = ?1 AND +mine.guild = ?2 AND (?3 IS NULL OR mine.game = ?3)"

_OF_USER, _MEETINGS = f"{MINE} WHERE {_MINE}", f"{MET} WHERE {_MINE}"

_SCORE = "total(mine.place < theirs.place), total(mine.place = theirs.place), total(mine.place > theirs.place)"


class SqliteRecords(Records):
    """Finished games."""

    def __init__(self, db: SqliteDatabase) -> None:
        self._db = db

    async def ended(self, chart: Chart, *, after: int = 0, upto: int | None = None, most: int) -> list[Ended]:
        """Return up to `most` of the games that stand on a leaderboard, the first one first."""
        chosen = (
            "SELECT * FROM endings WHERE guild = ?1 AND game = ?2 AND board = ?3 AND at >= ?4 AND at < ?5"
            " AND id > ?6 AND (?7 IS NULL OR id <= ?7) ORDER BY id LIMIT ?8"
        )
        sql = SIDES.format(chosen=chosen, order="ASC")
        return games_in(await self._db.read(sql, *msgspec.structs.astuple(chart), after, upto, most))

    async def games_of(
        self,
        user: int,
        guild: int,
        game: str | None = None,
        *,
        most: int,
        skip: int = 0,
        without: Collection[int] = (),
    ) -> list[Ended]:
        """Return the games that a user has finished on a server, the last one first."""
        chosen = f"SELECT endings.* {_OF_USER} AND {ROOM} NOT IN (SELECT value FROM json_each(?6))"
        sql = SIDES.format(chosen=f"{chosen} ORDER BY endings.id DESC LIMIT ?4 OFFSET ?5", order="DESC")
        return games_in(await self._db.read(sql, user, guild, game, most, skip, json.dumps([*without])))

    async def played(self, user: int, guild: int, *, without: Collection[int] = ()) -> dict[str, int]:
        """Return how often a user has finished each game on a server, the most played first."""
        rows = await self._db.read(
            f"SELECT mine.game, count(*) AS games {_OF_USER} AND {ROOM} NOT IN (SELECT value FROM json_each(?4))"
            " GROUP BY mine.game ORDER BY games DESC, mine.game",
            user,
            guild,
            None,
            json.dumps([*without]),
        )
        return dict(rows)

    async def rooms_of(self, user: int, guild: int) -> list[int]:
        """Return the channels in which a user has finished games on a server."""
        rows = await self._db.read(f"SELECT DISTINCT {ROOM} {_OF_USER}", user, guild, None)
        return [channel for (channel,) in rows]

    async def rivals(self, user: int, guild: int, game: str | None = None, *, most: int) -> list[Rival]:
        """Return whom a user has met most often, with the score. Hidden people are left out."""
        rows = await self._db.read(
            f"SELECT theirs.user, (SELECT name FROM seats WHERE user = theirs.user ORDER BY table_id DESC LIMIT 1),"
            f" {_SCORE} {_MEETINGS} AND theirs.user IS NOT NULL"
            " AND theirs.user NOT IN (SELECT user FROM hidden_users)"
            " GROUP BY theirs.user ORDER BY count(*) DESC, theirs.user LIMIT ?4",
            user,
            guild,
            game,
            most,
        )
        return [Rival(other, name or "", Score(int(w), int(d), int(x))) for other, name, w, d, x in rows]

    async def score(self, user: int, other: int, guild: int, game: str | None = None) -> Score:
        """Return how a user's games against another came out."""
        rows = await self._db.read(f"SELECT {_SCORE} {_MEETINGS} AND theirs.user = ?4", user, guild, game, other)
        won, drawn, lost = rows[0]
        return Score(int(won), int(drawn), int(lost))

    async def meetings(self, user: int, other: int, guild: int, game: str | None = None, *, most: int) -> list[Ended]:
        """Return the last games in which two users met, the last one first."""
        chosen = f"SELECT endings.* {_MEETINGS} AND theirs.user = ?4 ORDER BY endings.id DESC LIMIT ?5"
        return games_in(await self._db.read(SIDES.format(chosen=chosen, order="DESC"), user, guild, game, other, most))

    async def hidden(self) -> frozenset[int]:
        """Return who does not want to stand on leaderboards."""
        return frozenset(user for (user,) in await self._db.read("SELECT user FROM hidden_users"))

    async def setting(self, guild: int, name: str) -> str | None:
        """Return what a server's managers have set, if they have."""
        rows = await self._db.read("SELECT value FROM settings WHERE guild = ? AND name = ?", guild, name)
        return rows[0][0] if rows else None
