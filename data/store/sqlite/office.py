"""Settings and inventory in SQLite. May import `engine.contract`, the standard library and its neighbours."""

import json
import sqlite3
from collections.abc import Sequence

from data.store.clauses import OPEN
from data.store.office import POST_AGAIN_MS, Backup, Office, OverseenTable, PuzzlePost
from data.store.rows import NO_SERVER, Status
from data.store.sqlite.database import SqliteDatabase
from engine.contract import Moment


class SqliteOffice(Office):
    """Settings and inventory."""

    def __init__(self, db: SqliteDatabase) -> None:
        self._db = db

    async def settings(self, guild: int) -> dict[str, str]:
        """Return what the managers of a server have set, by name."""
        return dict(await self._db.read("SELECT name, value FROM settings WHERE guild = ? ORDER BY name", guild))

    async def set(self, guild: int, name: str, value: str | None) -> None:
        """Keep a setting of a server; None takes it back."""
        if value is None:
            await self._db.change("DELETE FROM settings WHERE guild = ? AND name = ?", guild, name)
        else:
            await self._db.change("INSERT OR REPLACE INTO settings VALUES (?, ?, ?)", guild, name, value)

    async def set_on(self, name: str) -> dict[int, str]:
        """Return the servers on which a setting is set, each with its value."""
        return dict(await self._db.read("SELECT guild, value FROM settings WHERE name = ? ORDER BY guild", name))

    async def begin_puzzle_post(self, guild: int, number: int, at: Moment) -> bool:
        """Keep that the puzzles of a day are being posted on a server, and say whether that is for the caller to do."""

        def work(db: sqlite3.Connection) -> bool:
            sql = (
                "INSERT INTO puzzle_posts (guild, number, at) VALUES (?, ?, ?) ON CONFLICT (guild) DO UPDATE"
                " SET number = excluded.number, at = excluded.at, message = NULL, trouble = NULL"
                " WHERE puzzle_posts.number < excluded.number OR (puzzle_posts.number = excluded.number"
                " AND message IS NULL AND trouble IS NULL AND puzzle_posts.at <= excluded.at - ?)"
            )
            return db.execute(sql, (guild, number, at, POST_AGAIN_MS)).rowcount > 0

        return await self._db.writer.write(work)

    async def end_puzzle_post(self, guild: int, number: int, message: int | None, trouble: str | None) -> None:
        """Keep where the puzzles of a day stand, or why they do not; with neither, they may be begun again at once."""
        sql = "UPDATE puzzle_posts SET message = ?, trouble = ?, at = at * ? WHERE guild = ? AND number = ?"
        await self._db.change(sql, message, trouble, int(message is not None or trouble is not None), guild, number)

    async def puzzle_post(self, guild: int) -> PuzzlePost | None:
        """Return the last day's puzzles that were to be posted on a server; None where there never were any."""
        rows = await self._db.read("SELECT number, at, message, trouble FROM puzzle_posts WHERE guild = ?", guild)
        return PuzzlePost(*rows[0]) if rows else None

    async def open_tables(self, guild: int) -> list[OverseenTable]:
        """Return the open tables of a server, the one at which nothing has happened for the longest first."""
        rows = await self._db.read(
            "SELECT id, game, channel, status, due, run,"
            " coalesce((SELECT at FROM decisions WHERE table_id = tables.id ORDER BY number DESC LIMIT 1), created_at)"
            f" AS moved_at FROM tables WHERE guild = ? AND {OPEN} ORDER BY moved_at, id",
            guild,
        )
        return [OverseenTable(*row) for row in rows]

    async def open_games(self) -> dict[str, int]:
        """Return how many tables of each game are open, on all servers; games without any are left out."""
        sql = f"SELECT game, count(*) FROM tables WHERE {OPEN} GROUP BY game"
        return dict(await self._db.read(sql))

    async def numbers(self, guild: int, statuses: tuple[Status, ...], *, most: int) -> list[tuple[int, str]]:
        """Return the numbers of a server's tables in these states, each with its game, the newest first."""
        marks = ", ".join("?" * len(statuses))
        rows = await self._db.read(
            f"SELECT id, game FROM tables WHERE guild = ? AND status IN ({marks}) ORDER BY id DESC LIMIT ?",
            guild,
            *statuses,
            most,
        )
        return [(number, game) for number, game in rows]

    async def practised(self, user: int, *, most: int) -> list[tuple[int, str]]:
        """Return the numbers of the practice games that somebody has played to the end, as `numbers`."""
        rows = await self._db.read(
            "SELECT id, game FROM tables WHERE id IN (SELECT table_id FROM seats WHERE user = ?) AND guild = ?"
            " AND status = 'over' ORDER BY id DESC LIMIT ?",
            user,
            NO_SERVER,
            most,
        )
        return [(number, game) for number, game in rows]

    async def rooms(self, tables: Sequence[int]) -> dict[int, int]:
        """Return the channels in which these tables are, by table."""
        rows = await self._db.read(
            "SELECT id, channel FROM tables WHERE id IN (SELECT value FROM json_each(?))", json.dumps(tables)
        )
        return dict(rows)

    async def size(self) -> int:
        """Return how large the database is, in bytes, without its log."""
        rows = await self._db.read("SELECT page_count * page_size FROM pragma_page_count(), pragma_page_size()")
        return int(rows[0][0])

    async def last_backup(self) -> Backup | None:
        """Return the last copy that was made of this database, if one was."""
        rows = await self._db.read("SELECT at, bytes FROM backups ORDER BY id DESC LIMIT 1")
        return Backup(*rows[0]) if rows else None
