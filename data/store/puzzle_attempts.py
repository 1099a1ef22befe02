"""Attempts at the puzzles of the day, saved from the first press: nobody gets a second chance."""

import msgspec

from data.store.database import Database
from data.store.sql import ATTEMPT
from engine.contract import Moment
from engine.puzzles import Attempt

_VALUES = ", ".join(f":{name}" for name in Attempt.__struct_fields__)


class PuzzleAttempts:
    """The attempts at puzzles."""

    def __init__(self, db: Database) -> None:
        self._db = db

    async def of(self, user: int) -> list[Attempt]:
        """Return all attempts of a person, by number and game."""
        return await self._found('"user" = :user', user=user)

    async def get(self, user: int, game: str, number: int) -> Attempt | None:
        """Return what a person has done about one puzzle, None if nothing."""
        where = '"user" = :user AND game = :game AND "number" = :number'
        found = await self._found(where, user=user, game=game, number=number)
        return found[0] if found else None

    async def save(self, attempt: Attempt, before: str | None) -> bool:
        """Save a person's attempt at a puzzle. Return False if something other than `before` had been played, as after
        a press on another device.
        """
        if before is None:
            sql = f"INSERT INTO attempts ({ATTEMPT}) VALUES ({_VALUES}) ON CONFLICT DO NOTHING"
        else:
            sql = (
                'UPDATE attempts SET played = :played, solved = :solved WHERE "user" = :user'
                ' AND game = :game AND "number" = :number AND played = :before AND solved IS NULL'
            )
        return await self._db.execute(sql, **msgspec.structs.asdict(attempt), before=before) > 0

    async def open(self, user: int, game: str, number: int) -> None:
        """Record that a person has opened today's puzzle of a game."""
        await self._db.execute(
            'INSERT INTO openings ("user", game, "number") VALUES (:user, :game, :number)'
            ' ON CONFLICT ("user", game) DO UPDATE SET "number" = excluded."number"',
            user=user,
            game=game,
            number=number,
        )

    async def opened(self, user: int, game: str) -> int | None:
        """Return the number of the last puzzle of a game that a person has opened on its day, None if none."""
        sql = 'SELECT "number" FROM openings WHERE "user" = :user AND game = :game'
        rows = await self._db.read(sql, user=user, game=game)
        return rows[0][0] if rows else None

    async def on_server(self, guild: int, number: int) -> list[Attempt]:
        """Return the attempts at the puzzles of a day that were begun on a server, on that day."""
        return await self._found('guild = :guild AND "number" = :number AND timely', guild=guild, number=number)

    async def _found(self, where: str, **values: object) -> list[Attempt]:
        sql = f'SELECT {ATTEMPT} FROM attempts WHERE {where} ORDER BY "number", game, "user"'
        return [_attempt(*row) for row in await self._db.read(sql, **values)]


def _attempt(
    user: int, game: str, number: int, played: str, solved: bool | None, guild: int | None, timely: bool, at: Moment
) -> Attempt:
    return Attempt(user, game, number, played, None if solved is None else bool(solved), guild, bool(timely), at)
