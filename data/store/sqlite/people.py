"""What is kept about a user in SQLite, and how it is deleted: whoever adds a column that names a user extends
`KEPT` and `_forget`. May import `engine`, the standard library and its neighbours.
"""

import sqlite3
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import Any

from data.store.clauses import ENDED
from data.store.packing import both_without_words_of, without_words_of
from data.store.people import NOBODY, SOMEBODY, People
from data.store.sqlite.database import SqliteDatabase
from engine.contract import AnyGame
from engine.words import written

AT_A_TIME = 100
"""So many ended tables of a user are cleaned in one write: what others do comes in between."""

Span = tuple[int, int]
"""The first and the last of the tables that are meant."""

_ALL: Span = (0, 2**63 - 1)


_THEIRS = (
    "table_id IN (SELECT s.table_id FROM seats AS s JOIN tables AS t ON t.id = s.table_id"
    " WHERE s.user = ?1 AND t.game = ?4 AND t.id BETWEEN ?2 AND ?3)"
    " AND {seat} = (SELECT seats.seat FROM seats WHERE seats.table_id = {table} AND seats.user = ?1)"
)
"""Rows of the tables (?2 to ?3) of a game (?4) that belong to the seat of a user (?1)."""


class SqlitePeople(People):
    """What is kept about users."""

    def __init__(self, db: SqliteDatabase, stir: Callable[[], None]) -> None:
        self._db = db
        self._stir = stir

    async def _kept(self, sql: str, user: int) -> list[Any]:
        return await self._db.read(sql.format(user="?1", person="player"), user)

    async def forget(self, user: int, games: Sequence[AnyGame], table: int | None = None) -> None:
        """Delete who a user is from everything that is kept, or from one table alone."""
        if table is None:
            for span in await self._ended(user):
                await self._db.chore(partial(_forget_at, user=user, games=games, span=span))
            await self._db.writer.write(lambda db: _forget(db, user, games))
        else:
            await self._db.writer.write(lambda db: _forget_at(db, user, games, (table, table)))
        self._stir()  # what their results added up to is to be added up anew

    async def _ended(self, user: int) -> list[Span]:
        """Return the tables of a user that have ended, in spans with a few of them in each."""
        rows = await self._db.read(f"SELECT id FROM tables WHERE {_OF_USER} AND {ENDED} ORDER BY id", user)
        starts = range(0, len(rows), AT_A_TIME)
        return [(rows[first][0], rows[min(first + AT_A_TIME, len(rows)) - 1][0]) for first in starts]

    async def hide(self, user: int, hidden: bool) -> None:
        """Keep a user off every leaderboard, or let them stand there again."""
        sql = "INSERT OR IGNORE INTO hidden_users VALUES (?)" if hidden else "DELETE FROM hidden_users WHERE user = ?"
        await self._db.change(sql, user)

    async def notify(self, user: int, how: str | None) -> None:
        """Keep how a user wants to hear that it is their move; None takes it back."""
        if how is None:
            await self._db.change("DELETE FROM notified_users WHERE user = ?", user)
        else:
            sql = "INSERT INTO notified_users VALUES (?, ?) ON CONFLICT (user) DO UPDATE SET how = excluded.how"
            await self._db.change(sql, user, how)

    async def notified(self, user: int) -> str | None:
        """Return how a user wants to hear that it is their move, where they have said so."""
        rows = await self._db.read("SELECT how FROM notified_users WHERE user = ?", user)
        return None if not rows else str(rows[0][0])


_OF_USER = "(opener = ?1 OR invited = ?1 OR id IN (SELECT table_id FROM seats WHERE user = ?1))"
_STANDING = f"SELECT id FROM tables WHERE {ENDED} AND shown >= revision AND id BETWEEN ?2 AND ?3 AND {_OF_USER}"
"""Tables of a user (?1) that have ended and whose message shows it."""


def _forget(db: sqlite3.Connection, user: int, games: Sequence[AnyGame]) -> None:
    """Delete who a user is from everything."""
    _forget_at(db, user, games, _ALL)
    db.execute("DELETE FROM standings WHERE player = ?", (user,))
    for rows in ("hidden_users", "notified_users", "attempts"):
        db.execute(f"DELETE FROM {rows} WHERE user = ?", (user,))


def _forget_at(db: sqlite3.Connection, user: int, games: Sequence[AnyGame], span: Span) -> None:
    """Delete who a user is from these tables and their results."""
    values = (user, *span)
    # What stands in a channel of games that are over is left as it is: nothing of it is to be drawn again.
    standing = db.execute(_STANDING, values).fetchall()
    _blank_words(db, user, games, span)
    db.execute(
        "UPDATE seats SET user = NULL, name = ?4, lapses = 0, dm_channel = NULL, dm_message = NULL, dm_state = NULL,"
        " dm_look = NULL, begun = NULL, dm_closed = 0, caretaker = caretaker OR"
        " (SELECT status = 'playing' FROM tables WHERE id = table_id)"
        " WHERE user = ?1 AND table_id BETWEEN ?2 AND ?3",
        (*values, SOMEBODY),
    )
    db.execute("UPDATE results SET user = NULL WHERE user = ?1 AND table_id BETWEEN ?2 AND ?3", values)
    db.execute("UPDATE tables SET opener = ?4 WHERE opener = ?1 AND id BETWEEN ?2 AND ?3", (*values, NOBODY))
    db.execute("UPDATE tables SET invited = NULL WHERE invited = ?1 AND id BETWEEN ?2 AND ?3", values)
    db.executemany("UPDATE tables SET shown = revision WHERE id = ?", standing)


def _blank_words(db: sqlite3.Connection, user: int, games: Sequence[AnyGame], span: Span) -> None:
    """Blank what a user wrote freely into games that have room for it, such as a notepad."""
    for game in games:
        for tag, fields in written(game.actions).items():
            db.execute(
                f"UPDATE decisions SET action = {_emptied('action', fields)} WHERE json_extract(action, '$.do') = ?5"
                f" AND {_THEIRS.format(table='decisions.table_id', seat='decisions.seat')}",
                (user, *span, game.key, tag),
            )
        for tag, fields in written(game.events).items():
            # An event belongs to the last decision that is not later.
            seat = (
                "(SELECT seat FROM decisions WHERE table_id = events.table_id AND number <= events.number"
                " ORDER BY number DESC LIMIT 1)"
            )
            db.execute(
                f"UPDATE events SET body = {_emptied('body', fields)} WHERE json_extract(body, '$.event') = ?5"
                f" AND {_THEIRS.format(table='events.table_id', seat=seat)}",
                (user, *span, game.key, tag),
            )
        if written(game.actions):
            _blank_packed(db, user, game, span)
            _blank_packed_events(db, user, game, span)


def _blank_packed(db: sqlite3.Connection, user: int, game: AnyGame, span: Span) -> None:
    """Blank what a user wrote freely into games that are over."""
    packed = db.execute(
        "SELECT p.table_id, s.seat, p.body, e.body FROM packed_decisions AS p"
        " JOIN packed_events AS e ON e.table_id = p.table_id JOIN seats AS s ON s.table_id = p.table_id"
        " JOIN tables AS t ON t.id = p.table_id WHERE s.user = ? AND t.id BETWEEN ? AND ? AND t.game = ?",
        (user, *span, game.key),
    ).fetchall()
    for number, seat, decisions, events in packed:
        clean = both_without_words_of(decisions, events, seat, written(game.actions), written(game.events))
        if clean is not None:
            db.execute("UPDATE packed_decisions SET body = ? WHERE table_id = ?", (clean[0], number))
            db.execute("UPDATE packed_events SET body = ? WHERE table_id = ?", (clean[1], number))


def _blank_packed_events(db: sqlite3.Connection, user: int, game: AnyGame, span: Span) -> None:
    """Do the same for games that ended while events alone were packed. The words came in by actions of the user: only
    where there are some is anything unpacked.
    """
    actions = tuple(written(game.actions))
    packed = db.execute(
        "SELECT p.table_id, s.seat, p.body FROM packed_events AS p JOIN seats AS s ON s.table_id = p.table_id"
        " JOIN tables AS t ON t.id = p.table_id WHERE s.user = ? AND t.id BETWEEN ? AND ? AND t.game = ? AND EXISTS"
        " (SELECT 1 FROM decisions AS d WHERE d.table_id = p.table_id AND d.seat = s.seat"
        f" AND json_extract(d.action, '$.do') IN ({', '.join('?' * len(actions))}))",
        (user, *span, game.key, *actions),
    ).fetchall()
    for number, seat, body in packed:
        decisions = db.execute("SELECT number, seat FROM decisions WHERE table_id = ? ORDER BY number", (number,))
        clean = without_words_of(body, seat, decisions.fetchall(), written(game.events))
        db.execute("UPDATE packed_events SET body = ? WHERE table_id = ?", (clean, number))


def _emptied(column: str, fields: Iterable[str]) -> str:
    """Return the SQL for a column of JSON with these fields left empty."""
    return f"json_set({column}, " + ", ".join(f"'$.{field}', ''" for field in fields) + ")"
