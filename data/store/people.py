"""People: everything that is kept about one user, to be handed to them, and to be deleted when they ask.

A deleted user leaves seats without a user and without a name behind, so that the games of the others stay whole; what
they wrote in their own words is blanked. Whoever adds a column that names a user extends `KEPT`, and `forget` of both
back ends; a test looks through every table. May import `engine`, the standard library and its neighbours.
"""

import asyncio
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any

from data.store.packing import unpack_decisions
from engine.contract import AnyGame

SOMEBODY = "somebody"
"""The name that is left of a deleted user."""

NOBODY = 0
"""Who opened the table of a deleted user. Discord numbers nobody so."""


_AT = "id AS table_id, game, guild, channel, status, created_at, started_at, ended_at"

KEPT: Mapping[str, tuple[str, str]] = MappingProxyType(
    {
        "seats": (
            "t.id AS table_id, t.game, t.guild, t.channel, t.status, t.created_at, t.started_at, t.ended_at, s.seat,"
            ' s."user", s.name, s.caretaker, s.lapses, s.forfeit, s.dm_channel, s.dm_message, s.dm_state, s.dm_look,'
            " s.dm_closed, s.moved, s.begun",
            'seats AS s JOIN tables AS t ON t.id = s.table_id WHERE s."user" = {user} ORDER BY t.id',
        ),
        "moves": (
            "d.table_id, d.number, d.at, d.action",
            "decisions AS d JOIN seats AS s ON s.table_id = d.table_id AND s.seat = d.seat"
            ' WHERE s."user" = {user} ORDER BY d.table_id, d.number',
        ),
        "results": (
            'table_id, guild, game, seat, "user", place, score, reason, ended_at',
            'results WHERE "user" = {user} ORDER BY table_id',
        ),
        "tables_opened": (f"{_AT}, opener, options", "tables WHERE opener = {user} ORDER BY id"),
        "invitations": (f"{_AT}, invited", "tables WHERE invited = {user} ORDER BY id"),
        "standings": (
            "l.guild, l.game, l.board, l.since, l.until, s.{person} AS player, s.name, s.mu, s.sigma, s.rating,"
            " s.games, s.wins, s.streak, s.longest, s.best, s.trace",
            "standings AS s JOIN leaderboards AS l ON l.id = s.leaderboard"
            " WHERE s.{person} = {user} AND l.state = 'shown' ORDER BY l.id",
        ),
        "hidden_from_leaderboards": ('"user"', 'hidden_users WHERE "user" = {user}'),
        "notified_by": ('"user", how', 'notified_users WHERE "user" = {user}'),
        "puzzles": (
            '"user", game, "number", played, solved, guild, timely, at',
            'attempts WHERE "user" = {user} ORDER BY "number", game',
        ),
    }
)
"""What is kept about a user, by the name it has in their export: columns, and where they are found. `{user}` is their
number as a parameter of the back end, and `{person}` its column of whoever stands on a leaderboard.
"""

_PACKED_MOVES = (
    "SELECT p.table_id, s.seat, p.body FROM packed_decisions AS p JOIN seats AS s ON s.table_id = p.table_id"
    ' WHERE s."user" = {user}'
)
"""Finished games, in which a user's moves are packed together with those of the others."""


def _all_moves(rows: Sequence[dict[str, Any]], packed: Sequence[tuple[int, int, bytes]]) -> list[dict[str, Any]]:
    """Return these moves and those of a seat in each of these games, by table and number. Raises `CorruptDatabase`.

    A game may end, and be packed, after its rows were read: its moves are then in both.
    """
    moves = {(row["table_id"], row["number"]): row for row in rows}
    for table, seat, body in packed:
        for one in unpack_decisions(body):
            if one.seat == seat:
                moves[table, one.number] = {
                    "table_id": table,
                    "number": one.number,
                    "at": one.at,
                    "action": one.action,
                }
    return [moves[key] for key in sorted(moves)]


class People(ABC):
    """What is kept about users. A store has it, as `people`."""

    async def export(self, user: int) -> dict[str, list[dict[str, Any]]]:
        """Return all that is kept about a user, by kind, each row by column.

        Of running games that is what they themselves did and know: nobody else's secrets, and no seed. Raises
        `CorruptDatabase`.
        """
        found: dict[str, list[dict[str, Any]]] = {}
        for kind, (columns, source) in KEPT.items():
            names = [column.split(" AS ")[-1].split(".")[-1].strip(' "') for column in columns.split(",")]
            rows = await self._kept(f"SELECT {columns} FROM {source}", user)
            found[kind] = [dict(zip(names, row, strict=True)) for row in rows]
        found["moves"] = await asyncio.to_thread(_all_moves, found["moves"], await self._kept(_PACKED_MOVES, user))
        return found

    @abstractmethod
    async def _kept(self, sql: str, user: int) -> list[Any]:
        """Return the rows of a query that is made of `KEPT`."""

    @abstractmethod
    async def forget(self, user: int, games: Sequence[AnyGame], table: int | None = None) -> None:
        """Delete who a user is from everything that is kept, or from one table alone.

        Their seats of running games are given to a caretaker. They are told apart from computer players by the level
        that those have.
        """

    @abstractmethod
    async def hide(self, user: int, hidden: bool) -> None:
        """Keep a user off every leaderboard, or let them stand there again."""

    @abstractmethod
    async def notify(self, user: int, how: str | None) -> None:
        """Keep how a user wants to hear that it is their move; None takes it back."""

    @abstractmethod
    async def notified(self, user: int) -> str | None:
        """Return how a user wants to hear that it is their move, where they have said so."""
