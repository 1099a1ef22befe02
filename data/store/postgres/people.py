"""What is kept about a user in PostgreSQL, and how it is deleted: whoever adds a column that names a user extends
`KEPT` and `_forget`. May import `engine`, the standard library and its neighbours.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from data.store.clauses import ENDED
from data.store.packing import Words, blanked, both_without_words_of, without_words_of
from data.store.people import NOBODY, SOMEBODY, People
from data.store.postgres.database import PostgresDatabase, rows_of, run
from data.store.postgres.pool import Connection
from engine.contract import AnyGame
from engine.words import written


class PostgresPeople(People):
    """What is kept about users."""

    def __init__(self, db: PostgresDatabase, stir: Callable[[], None]) -> None:
        self._db = db
        self._stir = stir

    async def _kept(self, sql: str, user: int) -> list[Any]:
        return await self._db.read(sql.format(user="%(user)s", person="person"), user=user)

    async def forget(self, user: int, games: Sequence[AnyGame], table: int | None = None) -> None:
        """Delete who a user is from everything that is kept, or from one table alone."""

        async def work(db: Connection) -> None:
            async with self._db.transaction(db):
                await _forget(db, user, games, table)

        await self._db.on_connection(work)
        self._stir()  # what their results added up to is to be added up anew

    async def hide(self, user: int, hidden: bool) -> None:
        """Keep a user off every leaderboard, or let them stand there again."""
        if hidden:
            sql = "INSERT INTO hidden_users VALUES (%(user)s) ON CONFLICT DO NOTHING"
        else:
            sql = 'DELETE FROM hidden_users WHERE "user" = %(user)s'
        await self._db.change(sql, user=user)

    async def notify(self, user: int, how: str | None) -> None:
        """Keep how a user wants to hear that it is their move; None takes it back."""
        if how is None:
            sql = 'DELETE FROM notified_users WHERE "user" = %(user)s'
        else:
            sql = (
                "INSERT INTO notified_users VALUES (%(user)s, %(how)s)"
                ' ON CONFLICT ("user") DO UPDATE SET how = excluded.how'
            )
        await self._db.change(sql, user=user, how=how)

    async def notified(self, user: int) -> str | None:
        """Return how a user wants to hear that it is their move, where they have said so."""
        rows = await self._db.read('SELECT how FROM notified_users WHERE "user" = %(user)s', user=user)
        return None if not rows else str(rows[0][0])


_TABLES = (
    "SELECT id FROM tables WHERE (%(table)s::bigint IS NULL OR id = %(table)s) AND (opener = %(user)s OR"
    ' invited = %(user)s OR id IN (SELECT table_id FROM seats WHERE "user" = %(user)s))'
)
"""Tables that have to do with a user, or the one that is asked for."""

_STANDING = f"{_TABLES} AND {ENDED} AND shown >= revision"
"""Those of them that have ended and whose message shows it."""


async def _forget(db: Connection, user: int, games: Sequence[AnyGame], table: int | None) -> None:
    values: dict[str, object] = {"user": user, "table": table, "somebody": SOMEBODY, "nobody": NOBODY}

    async def change(sql: str) -> None:
        await run(db, sql, values)

    await rows_of(
        db, f"{_TABLES} ORDER BY id FOR NO KEY UPDATE", values
    )  # in one order everywhere: nobody waits in a circle
    # What stands in a channel of games that are over is left as it is: nothing of it is to be drawn again.
    values["standing"] = [number for (number,) in await rows_of(db, _STANDING, values)]
    await _blank_words(db, user, games, table)
    one = "(%(table)s::bigint IS NULL OR {} = %(table)s)"
    await change(
        'UPDATE seats SET "user" = NULL, name = %(somebody)s, lapses = 0, dm_channel = NULL, dm_message = NULL,'
        " dm_state = NULL, dm_look = NULL, begun = NULL, dm_closed = false, caretaker = caretaker OR"
        " (SELECT status = 'playing' FROM tables WHERE id = table_id)"
        f' WHERE "user" = %(user)s AND {one.format("table_id")}'
    )
    await change(f'UPDATE results SET "user" = NULL WHERE "user" = %(user)s AND {one.format("table_id")}')
    await change(f"UPDATE tables SET opener = %(nobody)s WHERE opener = %(user)s AND {one.format('id')}")
    await change(f"UPDATE tables SET invited = NULL WHERE invited = %(user)s AND {one.format('id')}")
    await change("UPDATE tables SET shown = revision WHERE id = ANY (%(standing)s::bigint[])")
    if table is None:
        await change("DELETE FROM standings WHERE person = %(user)s")
        await change('DELETE FROM hidden_users WHERE "user" = %(user)s')
        await change('DELETE FROM notified_users WHERE "user" = %(user)s')
        await change('DELETE FROM attempts WHERE "user" = %(user)s')


_THEIRS = (
    'JOIN seats AS s ON s.table_id = {row}.table_id AND s."user" = %(user)s AND s.seat = {seat}'
    " JOIN tables AS t ON t.id = s.table_id AND t.game = %(game)s AND (%(table)s::bigint IS NULL OR t.id = %(table)s)"
)
"""The rows of a table (None: all) of a game that belong to the seat of a user."""

# An event belongs to the last decision that is not later.
_SEAT_OF_EVENT = (
    "(SELECT seat FROM decisions WHERE table_id = e.table_id AND number <= e.number ORDER BY number DESC LIMIT 1)"
)


async def _blank_words(db: Connection, user: int, games: Sequence[AnyGame], table: int | None) -> None:
    """Blank what a user wrote freely into games that have room for it, such as a notepad."""
    for game in games:
        values: dict[str, object] = {"user": user, "table": table, "game": game.key}
        if words := written(game.actions):
            theirs = _THEIRS.format(row="d", seat="d.seat")
            sql = f"SELECT d.table_id, d.number, d.action FROM decisions AS d {theirs} WHERE d.action IS NOT NULL"
            wrote = await _blank(db, "decisions", "action", "do", words, await rows_of(db, sql, values))
            await _blank_packed_events(db, user, written(game.events), wrote)
            await _blank_packed(db, values, words, written(game.events))
        if words := written(game.events):
            theirs = _THEIRS.format(row="e", seat=_SEAT_OF_EVENT)
            sql = f"SELECT e.table_id, e.number, e.body FROM events AS e {theirs}"
            await _blank(db, "events", "body", "event", words, await rows_of(db, sql, values))


async def _blank(
    db: Connection,
    rows: str,
    column: str,
    tag: str,
    words: Words,
    found: Sequence[tuple[Any, ...]],
) -> set[int]:
    """Blank what was found, and return the tables where there was any."""
    tables: set[int] = set()
    for table, number, text in found:
        if (clean := blanked(text, tag, words)) is not None:
            tables.add(table)
            sql = f"UPDATE {rows} SET {column} = %(text)s WHERE table_id = %(table)s AND number = %(number)s"
            await run(db, sql, {"text": clean, "table": table, "number": number})
    return tables


async def _blank_packed(db: Connection, values: Mapping[str, object], of_actions: Words, of_events: Words) -> None:
    """Blank what a user wrote freely into games that are over."""
    theirs = _THEIRS.format(row="p", seat="s.seat")
    for table, seat in await rows_of(db, f"SELECT p.table_id, s.seat FROM packed_decisions AS p {theirs}", values):
        one = {"table": table}
        ((decisions, events),) = await rows_of(
            db,
            "SELECT p.body, e.body FROM packed_decisions AS p JOIN packed_events AS e ON e.table_id = p.table_id"
            " WHERE p.table_id = %(table)s",
            one,
        )
        clean = both_without_words_of(decisions, events, seat, of_actions, of_events)
        if clean is not None:
            for rows, body in zip(("decisions", "events"), clean, strict=True):
                sql = f"UPDATE packed_{rows} SET body = %(body)s WHERE table_id = %(table)s"
                await run(db, sql, {**one, "body": body})


async def _blank_packed_events(db: Connection, user: int, words: Words, wrote: set[int]) -> None:
    """Do the same for these games, of those that ended while events alone were packed: it came in by actions of the
    user.
    """
    packed = await rows_of(
        db,
        "SELECT p.table_id, s.seat, p.body FROM packed_events AS p JOIN seats AS s ON s.table_id = p.table_id"
        ' WHERE s."user" = %(user)s AND p.table_id = ANY (%(tables)s::bigint[])',
        {"user": user, "tables": [*wrote]},
    )
    for table, seat, body in packed:
        sql = "SELECT number, seat FROM decisions WHERE table_id = %(table)s ORDER BY number"
        clean = without_words_of(body, seat, await rows_of(db, sql, {"table": table}), words)
        sql = "UPDATE packed_events SET body = %(body)s WHERE table_id = %(table)s"
        await run(db, sql, {"body": clean, "table": table})
