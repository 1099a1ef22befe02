"""Reviews of finished games, kept as the bytes that the host gives."""

from data.store.database import Database


class Reviews:
    """The reviews of finished games."""

    def __init__(self, db: Database) -> None:
        self._db = db

    async def get(self, table: int, version: int) -> bytes | None:
        """Return the review of a game, None if there is none of this version."""
        rows = await self._db.read(
            "SELECT body FROM reviews WHERE table_id = :table AND version = :version", table=table, version=version
        )
        return bytes(rows[0][0]) if rows else None

    async def save(self, table: int, version: int, body: bytes) -> None:
        """Save the review of a game, in place of an older one."""
        await self._db.execute(
            "INSERT INTO reviews (table_id, version, body) VALUES (:table, :version, :body)"
            " ON CONFLICT (table_id) DO UPDATE SET version = excluded.version, body = excluded.body",
            table=table,
            version=version,
            body=body,
        )
