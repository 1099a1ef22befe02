"""Attempts at puzzles in PostgreSQL. May import `engine`, msgspec, the standard library and its neighbours."""

import msgspec

from data.store.attempts import Attempts
from data.store.clauses import ATTEMPT
from data.store.postgres.database import Database, run
from data.store.postgres.pool import Connection
from engine.puzzles import Attempt

_VALUES = ", ".join(f"%({name})s" for name in Attempt.__struct_fields__)


class PostgresAttempts(Attempts):
    """What people have done about puzzles."""

    def __init__(self, db: Database) -> None:
        self._db = db

    async def of(self, user: int) -> list[Attempt]:
        """Return all attempts of somebody, by number and game."""
        return await self._found('"user" = %(user)s', user=user)

    async def get(self, user: int, game: str, number: int) -> Attempt | None:
        """Return what somebody has done about one puzzle, None if nothing."""
        where = '"user" = %(user)s AND game = %(game)s AND number = %(number)s'
        found = await self._found(where, user=user, game=game, number=number)
        return found[0] if found else None

    async def keep(self, attempt: Attempt, before: str | None) -> bool:
        """Keep what somebody has done about a puzzle, and say whether that was done."""
        if before is None:
            sql = f"INSERT INTO attempts ({ATTEMPT}) VALUES ({_VALUES}) ON CONFLICT DO NOTHING"
        else:
            sql = (
                'UPDATE attempts SET played = %(played)s, solved = %(solved)s WHERE "user" = %(user)s'
                " AND game = %(game)s AND number = %(number)s AND played = %(before)s AND solved IS NULL"
            )
        values = {**msgspec.structs.asdict(attempt), "before": before}

        async def work(db: Connection) -> bool:
            return await run(db, sql, values) > 0

        return await self._db.write(work)

    async def on_server(self, guild: int, number: int) -> list[Attempt]:
        """Return the attempts at the puzzles of a day that were begun on a server, on that day."""
        return await self._found("guild = %(guild)s AND number = %(number)s AND timely", guild=guild, number=number)

    async def _found(self, where: str, **values: int | str) -> list[Attempt]:
        sql = f'SELECT {ATTEMPT} FROM attempts WHERE {where} ORDER BY number, game, "user"'
        return [Attempt(*row) for row in await self._db.read(sql, **values)]
