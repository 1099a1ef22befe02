"""Settings of servers, and what managers see of their tables, backups and puzzle posts."""

from collections.abc import Sequence

import msgspec

from data.store.database import Database, Transaction
from data.store.rows import Status
from data.store.sql import OPEN
from engine.contract import Moment


class Backup(msgspec.Struct, frozen=True):
    """A copy of the database: when it was made, and its size in bytes."""

    at: Moment
    bytes: int


class OpenTableInfo(msgspec.Struct, frozen=True):
    """An open table as an overseer sees it. `moved_at` is when something last happened there."""

    id: int
    game: str
    channel: int
    status: Status
    due: Moment | None
    run: int
    moved_at: Moment


POST_AGAIN_MS = 60_000
"""Posting a day's puzzles that has not ended after this time was cut short, and may be begun again."""


class PuzzlePost(msgspec.Struct, frozen=True):
    """The newest puzzle post of a server: its `message`, or the `trouble` why there is none; neither while it is
    posted.
    """

    number: int
    at: Moment
    message: int | None
    trouble: str | None


class ServerAdmin:
    """Settings and inventory."""

    def __init__(self, db: Database) -> None:
        self._db = db

    async def settings(self, guild: int) -> dict[str, str]:
        """Return what the managers of a server have set, by name."""
        sql = "SELECT name, value FROM settings WHERE guild = :guild ORDER BY name"
        return dict(await self._db.read(sql, guild=guild))

    async def set(self, guild: int, name: str, value: str | None) -> None:
        """Save a setting of a server; None removes it."""
        if value is None:
            sql = "DELETE FROM settings WHERE guild = :guild AND name = :name"
        else:
            sql = (
                "INSERT INTO settings (guild, name, value) VALUES (:guild, :name, :value)"
                " ON CONFLICT (guild, name) DO UPDATE SET value = excluded.value"
            )
        await self._db.execute(sql, guild=guild, name=name, value=value)

    async def set_on(self, name: str) -> dict[int, str]:
        """Return the servers on which a setting is set, each with its value."""
        sql = "SELECT guild, value FROM settings WHERE name = :name ORDER BY guild"
        return dict(await self._db.read(sql, name=name))

    async def with_settings(self, name: str) -> dict[int, str | None]:
        """Return all servers that have set anything, each with one of its settings, None if that is not set."""
        sql = "SELECT guild, max(CASE WHEN name = :name THEN value END) FROM settings GROUP BY guild ORDER BY guild"
        return dict(await self._db.read(sql, name=name))

    async def forget(self, guild: int) -> None:
        """Delete what was set on a server, and what is known of its puzzle posts."""

        async def work(tx: Transaction) -> None:
            await tx.run("DELETE FROM settings WHERE guild = :guild", guild=guild)
            await tx.run("DELETE FROM puzzle_posts WHERE guild = :guild", guild=guild)

        await self._db.write(work)

    async def begin_puzzle_post(self, guild: int, number: int, at: Moment) -> bool:
        """Record that the puzzles of a day are being posted on a server; return whether the caller should post them:
        not if they or later ones were posted, posting failed, or somebody else began less than `POST_AGAIN_MS` ago.
        """
        sql = (
            'INSERT INTO puzzle_posts (guild, "number", at) VALUES (:guild, :number, :at)'
            ' ON CONFLICT (guild) DO UPDATE SET "number" = excluded."number", at = excluded.at, message = NULL,'
            ' trouble = NULL WHERE puzzle_posts."number" < excluded."number" OR'
            ' (puzzle_posts."number" = excluded."number" AND puzzle_posts.message IS NULL'
            " AND puzzle_posts.trouble IS NULL AND puzzle_posts.at <= excluded.at - :again)"
        )
        return await self._db.execute(sql, guild=guild, number=number, at=at, again=POST_AGAIN_MS) > 0

    async def end_puzzle_post(self, guild: int, number: int, message: int | None, trouble: str | None) -> None:
        """Save where the puzzles of a day were posted, or why they were not; with neither, posting may begin again."""
        sql = (
            "UPDATE puzzle_posts SET message = :message, trouble = :trouble, at = at * :ended"
            ' WHERE guild = :guild AND "number" = :number'
        )
        ended = int(message is not None or trouble is not None)
        await self._db.execute(sql, message=message, trouble=trouble, ended=ended, guild=guild, number=number)

    async def puzzle_post(self, guild: int) -> PuzzlePost | None:
        """Return the newest puzzle post of a server, None if there never was one."""
        sql = 'SELECT "number", at, message, trouble FROM puzzle_posts WHERE guild = :guild'
        rows = await self._db.read(sql, guild=guild)
        return PuzzlePost(*rows[0]) if rows else None

    async def open_tables(self, guild: int) -> list[OpenTableInfo]:
        """Return the open tables of a server, the one that has been idle for the longest first."""
        rows = await self._db.read(
            "SELECT id, game, channel, status, due, run,"
            ' coalesce((SELECT at FROM decisions WHERE table_id = tables.id ORDER BY "number" DESC LIMIT 1),'
            f" created_at) AS moved_at FROM tables WHERE guild = :guild AND {OPEN} ORDER BY moved_at, id",
            guild=guild,
        )
        return [OpenTableInfo(*row) for row in rows]

    async def open_games(self) -> dict[str, int]:
        """Return how many tables of each game are open, on all servers; games without any are left out."""
        return dict(await self._db.read(f"SELECT game, count(*) FROM tables WHERE {OPEN} GROUP BY game"))

    async def numbers(self, guild: int, statuses: tuple[Status, ...], *, most: int) -> list[tuple[int, str]]:
        """Return the numbers of a server's tables in these states, each with its game, the newest first."""
        rows = await self._db.read(
            "SELECT id, game FROM tables WHERE guild = :guild AND status IN (:statuses) ORDER BY id DESC LIMIT :most",
            guild=guild,
            statuses=[*statuses],
            most=most,
        )
        return [(number, game) for number, game in rows]

    async def channels_of(self, tables: Sequence[int]) -> dict[int, int]:
        """Return the channels in which these tables are, by table."""
        return dict(await self._db.read("SELECT id, channel FROM tables WHERE id IN (:tables)", tables=[*tables]))

    async def size(self) -> int:
        """Return the size of the database in bytes, without its log."""
        ((size,),) = await self._db.read(self._db.dialect.size)
        return int(size)

    async def last_backup(self) -> Backup | None:
        """Return the last copy that was made of this database, None if there is none."""
        rows = await self._db.read("SELECT at, bytes FROM backups ORDER BY id DESC LIMIT 1")
        return Backup(*rows[0]) if rows else None
