"""Settings and inventory in PostgreSQL. May import the standard library and its neighbours."""

from collections.abc import Sequence

from data.store.office import Backup, Office, Standing
from data.store.postgres.database import Database
from data.store.rows import Status


class PostgresOffice(Office):
    """Settings and inventory."""

    def __init__(self, db: Database) -> None:
        self._db = db

    async def settings(self, guild: int) -> dict[str, str]:
        """Return what the managers of a server have set, by name."""
        sql = "SELECT name, value FROM settings WHERE guild = %(guild)s ORDER BY name"
        return dict(await self._db.read(sql, guild=guild))

    async def set(self, guild: int, name: str, value: str | None) -> None:
        """Keep a setting of a server; None takes it back."""
        if value is None:
            sql = "DELETE FROM settings WHERE guild = %(guild)s AND name = %(name)s"
        else:
            sql = (
                "INSERT INTO settings VALUES (%(guild)s, %(name)s, %(value)s)"
                " ON CONFLICT (guild, name) DO UPDATE SET value = excluded.value"
            )
        await self._db.change(sql, guild=guild, name=name, value=value)

    async def open_tables(self, guild: int) -> list[Standing]:
        """Return the open tables of a server, the one at which nothing has happened for the longest first."""
        rows = await self._db.read(
            "SELECT id, game, channel, status, due, run,"
            " coalesce((SELECT at FROM decisions WHERE table_id = tables.id ORDER BY number DESC LIMIT 1), created_at)"
            " AS moved_at FROM tables WHERE guild = %(guild)s AND status IN ('lobby', 'playing') ORDER BY moved_at, id",
            guild=guild,
        )
        return [Standing(*row) for row in rows]

    async def open_games(self) -> dict[str, int]:
        """Return how many tables of each game are open, on all servers; games without any are left out."""
        sql = "SELECT game, count(*) FROM tables WHERE status IN ('lobby', 'playing') GROUP BY game"
        return dict(await self._db.read(sql))

    async def numbers(self, guild: int, statuses: tuple[Status, ...], *, most: int) -> list[tuple[int, str]]:
        """Return the numbers of a server's tables in these states, each with its game, the newest first."""
        rows = await self._db.read(
            "SELECT id, game FROM tables WHERE guild = %(guild)s AND status = ANY (%(statuses)s)"
            " ORDER BY id DESC LIMIT %(most)s",
            guild=guild,
            statuses=[*statuses],
            most=most,
        )
        return [(number, game) for number, game in rows]

    async def rooms(self, tables: Sequence[int]) -> dict[int, int]:
        """Return the channels in which these tables are, by table."""
        sql = "SELECT id, channel FROM tables WHERE id = ANY (%(tables)s::bigint[])"
        return dict(await self._db.read(sql, tables=[*tables]))

    async def size(self) -> int:
        """Return how large the database is, in bytes, without its log."""
        rows = await self._db.read("SELECT pg_database_size(current_database())")
        return int(rows[0][0])

    async def last_backup(self) -> Backup | None:
        """Return the last copy that was made of this database, if one was."""
        rows = await self._db.read("SELECT at, bytes FROM backups ORDER BY id DESC LIMIT 1")
        return Backup(*rows[0]) if rows else None
