"""Read the database without the bot: tables, decisions, events."""

import asyncio
import sqlite3
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psycopg

from data.store.event_archive import DECISIONS, EVENTS, read_decisions, unpack
from engine.contract import Action, AnyGame, Seat
from engine.games import GAMES


@dataclass(frozen=True)
class StoredTable:
    """A stored table: users by seat and, while it is played, its version and state."""

    number: int
    game: AnyGame
    status: str
    version: int
    seats: tuple[int | None, ...]
    state: Any


@dataclass(frozen=True)
class Decided:
    """An action of a player or of a clock, and the number of its first event."""

    number: int
    seat: Seat | None
    at: int
    action: Action


class DatabaseReader:
    """Reads a PostgreSQL database. Events that were read once are not read again."""

    def __init__(self, database: str) -> None:
        self._database = database
        self._open: psycopg.AsyncConnection[Any] | None = None
        self._opening = asyncio.Lock()
        self._states: dict[int, tuple[int, Any]] = {}

    async def rows(self, sql: str, *values: object) -> list[tuple[Any, ...]]:
        """Return the rows of a query. Raises psycopg's errors, also if the server is away; the next call connects
        again.
        """
        async with self._opening:
            if self._open is None or self._open.closed:
                self._open = await psycopg.AsyncConnection.connect(self._database, autocommit=True)
        return await (await self._open.execute(sql, values)).fetchall()

    async def close(self) -> None:
        """Close the connection."""
        if self._open is not None:
            await self._open.close()

    async def newest(self, channel: str) -> StoredTable | None:
        """Return the newest table of a channel."""
        found = await self.rows(
            "SELECT id, game, status FROM tables WHERE channel = %s ORDER BY id DESC LIMIT 1", int(channel)
        )
        if not found:
            return None
        number, key, status = found[0]
        seats = await self.rows('SELECT "user" FROM seats WHERE table_id = %s ORDER BY seat', number)
        version, state = await self._state(GAMES[key], number) if status == "playing" else (0, None)
        return StoredTable(number, GAMES[key], status, version, tuple(user for (user,) in seats), state)

    async def _state(self, game: AnyGame, table: int) -> tuple[int, Any]:
        version, state = self._states.get(table, (0, None))
        fresh = await self.rows(
            "SELECT body FROM events WHERE table_id = %s AND number >= %s ORDER BY number", table, version
        )
        if fresh:
            state = game.fold([game.read_event(body) for (body,) in fresh], state)
        self._states[table] = version + len(fresh), state
        return self._states[table]

    async def tables(self) -> list[tuple[int, str, int]]:
        """Return number, game and version of every table."""
        rows = await self.rows("SELECT id, game, version FROM tables ORDER BY id")
        return [(number, game, version) for number, game, version in rows]

    async def events(self, table: int) -> list[tuple[int, str]]:
        """Return number and body of a table's events, in order; those of a finished game are unpacked."""
        rows = await self.rows(EVENTS.replace(":table", "%s").replace(":first", "0"), table, table)
        packed = next((value for _, _, value in rows if value is not None), None)
        unpacked = [] if packed is None else [*enumerate(unpack(packed))]
        return unpacked + [(number, body) for number, body, _ in rows if body is not None]

    async def decided(self, game: AnyGame, table: int) -> list[Decided]:
        """Return the decisions of a table, in order. Setup has no actor and is left out."""
        rows: list[Any] = await self.rows(DECISIONS.replace(":table", "%s"), table, table)
        return [
            Decided(one.number, None if one.seat is None else Seat(one.seat), one.at, game.read_action(one.action))
            for one in read_decisions(rows)
            if one.action is not None
        ]


class FileReader(DatabaseReader):
    """Reads an SQLite file that the bot has created."""

    def __init__(self, database: Path) -> None:
        super().__init__("")
        self._file = sqlite3.connect(f"{database.as_uri()}?mode=ro", uri=True, isolation_level=None)

    async def rows(self, sql: str, *values: object) -> list[tuple[Any, ...]]:
        """Return the rows of a query."""
        return self._file.execute(sql.replace("%s", "?"), values).fetchall()

    async def close(self) -> None:
        """Close the file."""
        self._file.close()
