"""What people have learnt and achieved: the lessons that they finished, and the achievements of each server."""

from collections.abc import Collection, Mapping
from typing import Literal

import msgspec

from data.store.database import Database, Transaction
from engine.contract import Moment

_TAKE = (
    'INSERT INTO achievements ("user", guild, game, name, table_id, at)'
    ' SELECT s."user", e.guild, e.game, CAST(:name AS text), e.table_id, e.at'
    " FROM endings AS e JOIN seats AS s ON s.table_id = e.table_id"
    ' WHERE e.table_id = :table AND s.seat = :seat AND s."user" IS NOT NULL AND s.moved AND NOT s.caretaker'
    " AND s.forfeit IS NULL"
    ' ON CONFLICT ("user", guild, game, name) DO UPDATE SET table_id = excluded.table_id, at = excluded.at'
    " WHERE excluded.at < achievements.at"
)
"""Gives the player of a seat an achievement. Of two games in which it was earned, the earlier one is kept."""


ToldBy = Literal["page", "message"]
"""What told a user of an achievement: their page in the channel, or a direct message."""


class Earned(msgspec.Struct, frozen=True):
    """An achievement of a user: of which game, its name, and the table and moment where it was earned first."""

    game: str
    name: str
    table: int
    at: Moment


class Progress:
    """The lessons that people have finished, and what they have achieved."""

    def __init__(self, db: Database) -> None:
        self._db = db

    async def finish_lesson(self, user: int, game: str, at: Moment) -> None:
        """Record that a user has finished a game's lesson; the first time counts."""
        sql = 'INSERT INTO lessons ("user", game, at) VALUES (:user, :game, :at) ON CONFLICT DO NOTHING'
        await self._db.execute(sql, user=user, game=game, at=at)

    async def lessons(self, user: int) -> frozenset[str]:
        """Return the games whose lesson a user has finished."""
        rows = await self._db.read('SELECT game FROM lessons WHERE "user" = :user', user=user)
        return frozenset(game for (game,) in rows)

    # Achievements

    async def unjudged(self, user: int, guild: int, *, most: int) -> list[tuple[int, str]]:
        """Return the first of a user's counted games on a server that were not judged yet: each table and game."""
        rows = await self._db.read(
            "SELECT endings.table_id, endings.game FROM results AS mine"
            " JOIN endings ON endings.table_id = mine.table_id"
            ' WHERE mine."user" = :user AND +mine.guild = :guild AND endings.board IS NOT NULL AND NOT endings.judged'
            " ORDER BY endings.id LIMIT :most",
            user=user,
            guild=guild,
            most=most,
        )
        return [(table, game) for table, game in rows]

    async def is_due(self, table: int) -> bool:
        """Return whether a table's game counts and was not judged yet."""
        sql = "SELECT 1 FROM endings WHERE table_id = :table AND board IS NOT NULL AND NOT judged"
        return bool(await self._db.read(sql, table=table))

    async def judge(self, table: int, earned: Mapping[int, Collection[str]]) -> bool:
        """Save what each seat has achieved in a finished game, for those who played it to the end themselves. Return
        False if that was done before, or if the game does not count; then nothing has changed.
        """
        takes = [{"table": table, "seat": seat, "name": name} for seat, names in earned.items() for name in names]

        async def work(tx: Transaction) -> bool:
            sql = "UPDATE endings SET judged = true WHERE table_id = :table AND board IS NOT NULL AND NOT judged"
            if not await tx.run(sql, table=table):
                return False
            await tx.run_many(_TAKE, takes)
            return True

        return await self._db.write(work)

    async def earned(self, user: int, guild: int) -> list[Earned]:
        """Return what a user has achieved on a server, the newest first."""
        rows = await self._db.read(
            'SELECT game, name, table_id, at FROM achievements WHERE "user" = :user AND guild = :guild'
            " ORDER BY at DESC, game, name",
            user=user,
            guild=guild,
        )
        return [Earned(*row) for row in rows]

    async def earned_at(self, table: int) -> dict[int, tuple[str, ...]]:
        """Return the names of what was first achieved at a table, by user, without those who do not want to be told."""
        rows = await self._db.read(
            'SELECT "user", name FROM achievements WHERE table_id = :table'
            ' AND "user" NOT IN (SELECT "user" FROM achievements_off) ORDER BY "user", name',
            table=table,
        )
        found: dict[int, tuple[str, ...]] = {}
        for user, name in rows:
            found[user] = (*found.get(user, ()), name)
        return found

    async def told_at(self, table: int) -> dict[int, ToldBy]:
        """Return by what users were told of what they have achieved at a table, as far as they were."""
        sql = 'SELECT DISTINCT "user", told FROM achievements WHERE table_id = :table AND told IS NOT NULL'
        return dict(await self._db.read(sql, table=table))

    async def note_told(self, table: int, user: int, by: ToldBy) -> None:
        """Save that a user was told of what they have achieved at a table."""
        await self._db.execute(
            'UPDATE achievements SET told = :by WHERE table_id = :table AND "user" = :user AND told IS NULL',
            table=table,
            user=user,
            by=by,
        )

    async def tell(self, user: int, wanted: bool) -> None:
        """Save whether a user wants to be told of achievements."""
        if wanted:
            sql = 'DELETE FROM achievements_off WHERE "user" = :user'
        else:
            sql = 'INSERT INTO achievements_off ("user") VALUES (:user) ON CONFLICT DO NOTHING'
        await self._db.execute(sql, user=user)

    async def tells(self, user: int) -> bool:
        """Return whether a user wants to be told of achievements."""
        return not await self._db.read('SELECT 1 FROM achievements_off WHERE "user" = :user', user=user)
