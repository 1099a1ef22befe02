"""Finished games in PostgreSQL. May import `engine`, msgspec, the standard library and its neighbours."""

from collections.abc import Collection

import msgspec

from data.store.clauses import MET, MINE, ROOM, SIDES
from data.store.postgres.database import PostgresDatabase
from data.store.records import Records, games_in
from engine.endings import Ended, Rival, Score
from engine.standings import Chart

_MINE = 'mine."user" = %(user)s AND mine.guild = %(guild)s AND (%(game)s::text IS NULL OR mine.game = %(game)s)'

_OF_USER, _MEETINGS = f"{MINE} WHERE {_MINE}", f"{MET} WHERE {_MINE}"

_IN_SIGHT = f"{ROOM} <> ALL (%(without)s::bigint[])"

_SCORE = ", ".join(f"count(*) FILTER (WHERE mine.place {sign} theirs.place)" for sign in ("<", "=", ">"))


class PostgresRecords(Records):
    """Finished games."""

    def __init__(self, db: PostgresDatabase) -> None:
        self._db = db

    async def ended(self, chart: Chart, *, after: int = 0, upto: int | None = None, most: int) -> list[Ended]:
        """Return up to `most` of the games that stand on a leaderboard, the first one first."""
        chosen = (
            "SELECT * FROM endings WHERE guild = %(guild)s AND game = %(game)s AND board = %(board)s"
            " AND at >= %(since)s AND at < %(until)s AND id > %(after)s"
            " AND (%(upto)s::bigint IS NULL OR id <= %(upto)s) ORDER BY id LIMIT %(most)s"
        )
        rows = await self._db.read(
            SIDES.format(chosen=chosen, order="ASC"),
            **msgspec.structs.asdict(chart),
            after=after,
            upto=upto,
            most=most,
        )
        return games_in(rows)

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
        chosen = f"SELECT endings.* {_OF_USER} AND {_IN_SIGHT} ORDER BY endings.id DESC LIMIT %(most)s OFFSET %(skip)s"
        rows = await self._db.read(
            SIDES.format(chosen=chosen, order="DESC"),
            user=user,
            guild=guild,
            game=game,
            most=most,
            skip=skip,
            without=[*without],
        )
        return games_in(rows)

    async def played(self, user: int, guild: int, *, without: Collection[int] = ()) -> dict[str, int]:
        """Return how often a user has finished each game on a server, the most played first."""
        rows = await self._db.read(
            f"SELECT mine.game, count(*) AS games {_OF_USER} AND {_IN_SIGHT}"
            " GROUP BY mine.game ORDER BY games DESC, mine.game",
            user=user,
            guild=guild,
            game=None,
            without=[*without],
        )
        return dict(rows)

    async def rooms_of(self, user: int, guild: int) -> list[int]:
        """Return the channels in which a user has finished games on a server."""
        sql = f"SELECT DISTINCT {ROOM} {_OF_USER}"
        return [channel for (channel,) in await self._db.read(sql, user=user, guild=guild, game=None)]

    async def rivals(self, user: int, guild: int, game: str | None = None, *, most: int) -> list[Rival]:
        """Return whom a user has met most often, with the score. Hidden people are left out."""
        rows = await self._db.read(
            'SELECT theirs."user",'
            ' (SELECT name FROM seats WHERE "user" = theirs."user" ORDER BY table_id DESC LIMIT 1),'
            f' {_SCORE} {_MEETINGS} AND theirs."user" IS NOT NULL'
            ' AND NOT EXISTS (SELECT 1 FROM hidden_users WHERE "user" = theirs."user")'
            ' GROUP BY theirs."user" ORDER BY count(*) DESC, theirs."user" LIMIT %(most)s',
            user=user,
            guild=guild,
            game=game,
            most=most,
        )
        return [Rival(other, name or "", Score(*score)) for other, name, *score in rows]

    async def score(self, user: int, other: int, guild: int, game: str | None = None) -> Score:
        """Return how a user's games against another came out."""
        sql = f'SELECT {_SCORE} {_MEETINGS} AND theirs."user" = %(other)s'
        (score,) = await self._db.read(sql, user=user, other=other, guild=guild, game=game)
        return Score(*score)

    async def meetings(self, user: int, other: int, guild: int, game: str | None = None, *, most: int) -> list[Ended]:
        """Return the last games in which two users met, the last one first."""
        chosen = f'SELECT endings.* {_MEETINGS} AND theirs."user" = %(other)s ORDER BY endings.id DESC LIMIT %(most)s'
        sql = SIDES.format(chosen=chosen, order="DESC")
        return games_in(await self._db.read(sql, user=user, other=other, guild=guild, game=game, most=most))

    async def hidden(self) -> frozenset[int]:
        """Return who does not want to stand on leaderboards."""
        return frozenset(user for (user,) in await self._db.read('SELECT "user" FROM hidden_users'))

    async def setting(self, guild: int, name: str) -> str | None:
        """Return what a server's managers have set, if they have."""
        sql = "SELECT value FROM settings WHERE guild = %(guild)s AND name = %(name)s"
        rows = await self._db.read(sql, guild=guild, name=name)
        return str(rows[0][0]) if rows else None
