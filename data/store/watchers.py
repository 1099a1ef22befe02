"""The people who watch a game without a seat."""

from data.store.database import Database, Transaction
from engine.contract import Moment

KEPT_FOR_MS = 7 * 86_400_000
"""How long it is kept who watched a game that has ended: a rematch may follow."""


class Watchers:
    """The people who watch games."""

    def __init__(self, db: Database) -> None:
        self._db = db

    async def add(self, table: int, user: int, at: Moment) -> None:
        """Record that a user watches a table, and forget who watched games that ended long ago."""

        async def work(tx: Transaction) -> None:
            ended = "SELECT id FROM tables WHERE ended_at < :before"
            await tx.run(f"DELETE FROM watchers WHERE table_id IN ({ended})", before=at - KEPT_FOR_MS)
            sql = 'INSERT INTO watchers (table_id, "user") VALUES (:table, :user) ON CONFLICT DO NOTHING'
            await tx.run(sql, table=table, user=user)

        await self._db.write(work)

    async def remove(self, table: int, user: int | None = None) -> None:
        """Forget that a user watches a table, or all who do."""
        sql = 'DELETE FROM watchers WHERE table_id = :table AND (CAST(:user AS bigint) IS NULL OR "user" = :user)'
        await self._db.execute(sql, table=table, user=user)

    async def of(self, table: int) -> dict[int, bool]:
        """Return who watches a table, and whether they were told how its game ended."""
        rows = await self._db.read(
            'SELECT "user", told FROM watchers WHERE table_id = :table ORDER BY "user"', table=table
        )
        return {user: bool(told) for user, told in rows}

    async def set_told(self, table: int, user: int) -> None:
        """Record that a user was told how a game ended."""
        await self._db.execute(
            'UPDATE watchers SET told = true WHERE table_id = :table AND "user" = :user', table=table, user=user
        )
