"""Attempts at puzzles in SQLite. May import `engine`, the standard library and its neighbours."""

import sqlite3

from data.store.attempts import Attempts
from data.store.clauses import ATTEMPT
from data.store.sqlite.database import Database
from engine.contract import Moment
from engine.puzzles import Attempt


class SqliteAttempts(Attempts):
    """What people have done about puzzles."""

    def __init__(self, db: Database) -> None:
        self._db = db

    async def of(self, user: int) -> list[Attempt]:
        """Return all attempts of somebody, by number and game."""
        return await self._found("user = ?", user)

    async def get(self, user: int, game: str, number: int) -> Attempt | None:
        """Return what somebody has done about one puzzle, None if nothing."""
        found = await self._found("user = ? AND game = ? AND number = ?", user, game, number)
        return found[0] if found else None

    async def keep(self, attempt: Attempt, before: str | None) -> bool:
        """Keep what somebody has done about a puzzle, and say whether that was done."""

        def work(db: sqlite3.Connection) -> bool:
            key = attempt.user, attempt.game, attempt.number
            if before is None:
                sql = f"INSERT OR IGNORE INTO attempts ({ATTEMPT}) VALUES (?, ?, ?, ?, ?, ?, ?, ?)"
                rest = attempt.played, attempt.solved, attempt.guild, attempt.timely, attempt.at
                return db.execute(sql, (*key, *rest)).rowcount > 0
            sql = (
                "UPDATE attempts SET played = ?, solved = ?"
                " WHERE user = ? AND game = ? AND number = ? AND played = ? AND solved IS NULL"
            )
            return db.execute(sql, (attempt.played, attempt.solved, *key, before)).rowcount > 0

        return await self._db.write(work)

    async def on_server(self, guild: int, number: int) -> list[Attempt]:
        """Return the attempts at the puzzles of a day that were begun on a server, on that day."""
        return await self._found("guild = ? AND number = ? AND timely", guild, number)

    async def _found(self, where: str, *values: int | str) -> list[Attempt]:
        rows = await self._db.read(f"SELECT {ATTEMPT} FROM attempts WHERE {where} ORDER BY number, game, user", *values)
        return [_attempt(*row) for row in rows]


def _attempt(
    user: int, game: str, number: int, played: str, solved: int | None, guild: int | None, timely: int, at: int
) -> Attempt:
    done = None if solved is None else bool(solved)
    return Attempt(user, game, number, played, done, guild, bool(timely), Moment(at))
