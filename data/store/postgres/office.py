"""Settings and inventory in PostgreSQL. May import `engine.contract`, the standard library and its neighbours."""

from collections.abc import Sequence

from data.store.clauses import OPEN
from data.store.office import POST_AGAIN_MS, Backup, Office, OverseenTable, PuzzlePost
from data.store.postgres.database import PostgresDatabase, run
from data.store.postgres.pool import Connection
from data.store.rows import NO_SERVER, Status
from engine.contract import Moment


class PostgresOffice(Office):
    """Settings and inventory."""

    def __init__(self, db: PostgresDatabase) -> None:
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

    async def set_on(self, name: str) -> dict[int, str]:
        """Return the servers on which a setting is set, each with its value."""
        sql = "SELECT guild, value FROM settings WHERE name = %(name)s ORDER BY guild"
        return dict(await self._db.read(sql, name=name))

    async def begin_puzzle_post(self, guild: int, number: int, at: Moment) -> bool:
        """Keep that the puzzles of a day are being posted on a server, and say whether that is for the caller to do."""
        sql = (
            'INSERT INTO puzzle_posts (guild, "number", at) VALUES (%(guild)s, %(number)s, %(at)s)'
            ' ON CONFLICT (guild) DO UPDATE SET "number" = excluded."number", at = excluded.at, message = NULL,'
            ' trouble = NULL WHERE puzzle_posts."number" < excluded."number" OR'
            ' (puzzle_posts."number" = excluded."number" AND puzzle_posts.message IS NULL'
            " AND puzzle_posts.trouble IS NULL AND puzzle_posts.at <= excluded.at - %(again)s)"
        )
        values = {"guild": guild, "number": number, "at": at, "again": POST_AGAIN_MS}

        async def work(db: Connection) -> bool:
            return await run(db, sql, values) > 0

        return await self._db.on_connection(work)

    async def end_puzzle_post(self, guild: int, number: int, message: int | None, trouble: str | None) -> None:
        """Keep where the puzzles of a day stand, or why they do not; with neither, they may be begun again at once."""
        sql = (
            "UPDATE puzzle_posts SET message = %(message)s, trouble = %(trouble)s, at = at * %(ended)s"
            ' WHERE guild = %(guild)s AND "number" = %(number)s'
        )
        ended = int(message is not None or trouble is not None)
        await self._db.change(sql, message=message, trouble=trouble, ended=ended, guild=guild, number=number)

    async def puzzle_post(self, guild: int) -> PuzzlePost | None:
        """Return the last day's puzzles that were to be posted on a server; None where there never were any."""
        sql = 'SELECT "number", at, message, trouble FROM puzzle_posts WHERE guild = %(guild)s'
        rows = await self._db.read(sql, guild=guild)
        return PuzzlePost(*rows[0]) if rows else None

    async def open_tables(self, guild: int) -> list[OverseenTable]:
        """Return the open tables of a server, the one at which nothing has happened for the longest first."""
        rows = await self._db.read(
            "SELECT id, game, channel, status, due, run,"
            " coalesce((SELECT at FROM decisions WHERE table_id = tables.id ORDER BY number DESC LIMIT 1), created_at)"
            f" AS moved_at FROM tables WHERE guild = %(guild)s AND {OPEN} ORDER BY moved_at, id",
            guild=guild,
        )
        return [OverseenTable(*row) for row in rows]

    async def open_games(self) -> dict[str, int]:
        """Return how many tables of each game are open, on all servers; games without any are left out."""
        sql = f"SELECT game, count(*) FROM tables WHERE {OPEN} GROUP BY game"
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

    async def practised(self, user: int, *, most: int) -> list[tuple[int, str]]:
        """Return the numbers of the practice games that somebody has played to the end, as `numbers`."""
        rows = await self._db.read(
            'SELECT id, game FROM tables WHERE id IN (SELECT table_id FROM seats WHERE "user" = %(user)s)'
            " AND guild = %(guild)s AND status = 'over' ORDER BY id DESC LIMIT %(most)s",
            user=user,
            guild=NO_SERVER,
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
