"""What is stored about one user, to export and to delete. A deleted user leaves nameless seats behind, so that the
games of others stay whole. A new column that names a user must be added to `EXPORTED` and to `_forget_at`.
"""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from types import MappingProxyType
from typing import Any

from data.store.database import Database, Transaction
from data.store.event_archive import OwnWords, blank_packed, blank_packed_events, blank_words, unpack_decisions
from data.store.sql import ENDED
from engine.contract import AnyGame
from engine.free_text import free_text_fields

SOMEBODY = "somebody"
"""The name that is left of a deleted user."""

NOBODY = 0
"""The opener of a deleted user's table. Discord gives this number to nobody."""

AT_A_TIME = 100
"""How many ended tables of a user are cleaned in one transaction."""

Span = tuple[int, int]
"""The first and the last number of the tables that are meant."""

_ALL: Span = (0, 2**63 - 1)

_AT = "id AS table_id, game, guild, channel, status, created_at, started_at, ended_at"

_USER = "CAST(:user AS bigint)"

_WITHOUT = "replace({0}, ' ' || CAST(:user AS text) || ' ', ' ')"
"""A list of users without this one."""

_LISTED = f"{_WITHOUT} <> {{0}}"
"""Whether a user is in a list of users, as a condition."""

EXPORTED: Mapping[str, tuple[str, str]] = MappingProxyType(
    {
        "seats": (
            "t.id AS table_id, t.game, t.guild, t.channel, t.status, t.created_at, t.started_at, t.ended_at, s.seat,"
            ' s."user", s.name, s.caretaker, s.lapses, s.forfeit, s.dm_channel, s.dm_message, s.dm_state, s.dm_look,'
            " s.dm_closed, s.moved, s.begun",
            'seats AS s JOIN tables AS t ON t.id = s.table_id WHERE s."user" = :user ORDER BY t.id',
        ),
        "moves": (
            "d.table_id, d.number, d.at, d.action",
            "decisions AS d JOIN seats AS s ON s.table_id = d.table_id AND s.seat = d.seat"
            ' WHERE s."user" = :user ORDER BY d.table_id, d.number',
        ),
        "results": (
            'table_id, guild, game, seat, "user", place, score, reason, ended_at',
            'results WHERE "user" = :user ORDER BY table_id',
        ),
        "tables_opened": (f"{_AT}, opener, options", "tables WHERE opener = :user ORDER BY id"),
        "invitations": (f"{_AT}, {_USER} AS invited", f"tables WHERE {_LISTED.format('invited')} ORDER BY id"),
        "kicked_from": (f"{_AT}, {_USER} AS kicked", f"tables WHERE {_LISTED.format('kicked')} ORDER BY id"),
        "asked_to_be_host": (f"{_AT}, heir", "tables WHERE heir = :user ORDER BY id"),
        "games_watched": ('table_id, "user", told', 'watchers WHERE "user" = :user ORDER BY table_id'),
        "standings": (
            "l.guild, l.game, l.board, l.since, l.until, s.{person} AS player, s.name, s.mu, s.sigma, s.rating,"
            " s.games, s.wins, s.streak, s.longest, s.best, s.trace",
            "standings AS s JOIN leaderboards AS l ON l.id = s.leaderboard"
            " WHERE s.{person} = :user AND l.state = 'shown' ORDER BY l.id",
        ),
        "hidden_from_leaderboards": ('"user"', 'hidden_users WHERE "user" = :user'),
        "notified_by": ('"user", how', 'notified_users WHERE "user" = :user'),
        "language": ('"user", chosen, seen', 'languages WHERE "user" = :user'),
        "puzzles": (
            '"user", game, "number", played, solved, guild, timely, at',
            'attempts WHERE "user" = :user ORDER BY "number", game',
        ),
        "puzzles_opened": ('"user", game, "number"', 'openings WHERE "user" = :user ORDER BY game'),
        "lessons": ('"user", game, at', 'lessons WHERE "user" = :user ORDER BY game'),
        "achievements": (
            '"user", guild, game, name, table_id, at, told',
            'achievements WHERE "user" = :user ORDER BY guild, game, name',
        ),
        "not_told_of_achievements": ('"user"', 'achievements_off WHERE "user" = :user'),
    }
)
"""What is stored about a user, by its name in their export: columns, and where they are found. `{person}` is the column
of the `Dialect`.
"""

_PACKED_MOVES = (
    "SELECT p.table_id, s.seat, p.body FROM packed_decisions AS p JOIN seats AS s ON s.table_id = p.table_id"
    ' WHERE s."user" = :user'
)
"""Finished games, in which a user's moves are packed together with those of the others."""


def _all_moves(rows: Sequence[dict[str, Any]], packed: Sequence[tuple[int, int, bytes]]) -> list[dict[str, Any]]:
    """Return these moves and those of a seat in each of these games, by table and number. Raises `CorruptDatabase`."""
    # A game may end, and be packed, after its rows were read: its moves are then in both.
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


_OF_USER = (
    f"(opener = :user OR {_LISTED.format('invited')} OR {_LISTED.format('kicked')} OR heir = :user"
    ' OR id IN (SELECT table_id FROM seats WHERE "user" = :user))'
)


class UserData:
    """What is stored about users."""

    def __init__(self, db: Database, changed: Callable[[], None]) -> None:
        """`changed` is called when results were changed, so that leaderboards are added up again."""
        self._db = db
        self._changed = changed

    async def export(self, user: int) -> dict[str, list[dict[str, Any]]]:
        """Return all that is stored about a user, by kind, each row by column: of running games nobody else's secrets,
        and no seed. Raises `CorruptDatabase`.
        """
        found: dict[str, list[dict[str, Any]]] = {}
        for kind, (columns, source) in EXPORTED.items():
            names = [column.split(" AS ")[-1].split(".")[-1].strip(' "') for column in columns.split(",")]
            sql = f"SELECT {columns} FROM {source}".format(person=self._db.dialect.person)
            rows = await self._db.read(sql, user=user)
            found[kind] = [dict(zip(names, row, strict=True)) for row in rows]
        packed = await self._db.read(_PACKED_MOVES, user=user)
        found["moves"] = await asyncio.to_thread(_all_moves, found["moves"], packed)
        return found

    async def forget(self, user: int, games: Sequence[AnyGame], table: int | None = None) -> None:
        """Delete who a user is from everything that is stored, or from one table. Their seats of running games are
        given to a caretaker; unlike computer players they have no level.
        """
        if table is None:
            for span in await self._ended(user):
                await self._db.background_write(partial(_forget_at, user=user, games=games, span=span))
            await self._db.write(partial(_forget_everywhere, user=user, games=games))
        else:
            await self._db.write(partial(_forget_at, user=user, games=games, span=(table, table)))
        self._changed()

    async def _ended(self, user: int) -> list[Span]:
        """Return the tables of a user that have ended, in spans with a few of them in each."""
        rows = await self._db.read(f"SELECT id FROM tables WHERE {_OF_USER} AND {ENDED} ORDER BY id", user=user)
        starts = range(0, len(rows), AT_A_TIME)
        return [(rows[first][0], rows[min(first + AT_A_TIME, len(rows)) - 1][0]) for first in starts]

    async def hide(self, user: int, hidden: bool) -> None:
        """Hide a user from every leaderboard, or show them again."""
        if hidden:
            sql = 'INSERT INTO hidden_users ("user") VALUES (:user) ON CONFLICT DO NOTHING'
        else:
            sql = 'DELETE FROM hidden_users WHERE "user" = :user'
        await self._db.execute(sql, user=user)

    async def notify(self, user: int, how: str | None) -> None:
        """Save how a user wants to be notified of their turn; None removes it."""
        if how is None:
            sql = 'DELETE FROM notified_users WHERE "user" = :user'
        else:
            sql = (
                'INSERT INTO notified_users ("user", how) VALUES (:user, :how)'
                ' ON CONFLICT ("user") DO UPDATE SET how = excluded.how'
            )
        await self._db.execute(sql, user=user, how=how)

    async def notified(self, user: int) -> str | None:
        """Return how a user wants to be notified of their turn, None if they have not said."""
        rows = await self._db.read('SELECT how FROM notified_users WHERE "user" = :user', user=user)
        return str(rows[0][0]) if rows else None

    async def choose_language(self, user: int, chosen: str | None) -> None:
        """Save the language that a user has chosen; None for that of their Discord."""
        await self._db.execute(_SET_LANGUAGE.format("chosen"), user=user, code=chosen)

    async def see_language(self, user: int, seen: str) -> None:
        """Save the language that Discord named last for a user."""
        await self._db.execute(_SET_LANGUAGE.format("seen"), user=user, code=seen)

    async def language(self, user: int) -> tuple[str | None, str | None]:
        """Return the language that a user has chosen, and the one that Discord named last."""
        rows = await self._db.read('SELECT chosen, seen FROM languages WHERE "user" = :user', user=user)
        return (rows[0][0], rows[0][1]) if rows else (None, None)


_SET_LANGUAGE = (
    'INSERT INTO languages ("user", {0}) VALUES (:user, :code) ON CONFLICT ("user") DO UPDATE SET {0} = excluded.{0}'
)


_OWN = (
    "hidden_users",
    "notified_users",
    "languages",
    "attempts",
    "openings",
    "watchers",
    "lessons",
    "achievements",
    "achievements_off",
)
"""The tables whose rows each belong to one user."""


async def _forget_everywhere(tx: Transaction, user: int, games: Sequence[AnyGame]) -> None:
    await _forget_at(tx, user, games, _ALL)
    await tx.run(f"DELETE FROM standings WHERE {tx.dialect.person} = :user", user=user)
    for rows in _OWN:
        await tx.run(f'DELETE FROM {rows} WHERE "user" = :user', user=user)


async def _forget_at(tx: Transaction, user: int, games: Sequence[AnyGame], span: Span) -> None:
    """Delete who a user is from these tables and their results."""
    values: dict[str, Any] = {"user": user, "first": span[0], "last": span[1]}
    # Locked in one order everywhere, so that two transactions never wait for each other.
    tables = await tx.rows(
        f"SELECT id, {ENDED} AND shown >= revision FROM tables WHERE id BETWEEN :first AND :last AND {_OF_USER}"
        f" ORDER BY id{tx.dialect.for_update}",
        **values,
    )
    await _blank_words(tx, games, values)
    await tx.run(
        "DELETE FROM mentions WHERE table_id BETWEEN :first AND :last AND channel IN"
        ' (SELECT dm_channel FROM seats WHERE "user" = :user)',
        **values,
    )
    judged = 'SELECT table_id FROM seats WHERE "user" = :user AND table_id BETWEEN :first AND :last'
    await tx.run(f"DELETE FROM reviews WHERE table_id IN ({judged})", **values)
    await tx.run(
        'UPDATE seats SET "user" = NULL, name = :somebody, lapses = 0, dm_channel = NULL, dm_message = NULL,'
        " dm_state = NULL, dm_look = NULL, begun = NULL, dm_closed = false, caretaker = caretaker OR"
        " (SELECT status = 'playing' FROM tables WHERE id = table_id)"
        ' WHERE "user" = :user AND table_id BETWEEN :first AND :last',
        **values,
        somebody=SOMEBODY,
    )
    await tx.run(
        'UPDATE results SET "user" = NULL WHERE "user" = :user AND table_id BETWEEN :first AND :last', **values
    )
    achieved = 'DELETE FROM achievements WHERE "user" = :user AND table_id BETWEEN :first AND :last'
    await tx.run(achieved, **values)
    opened = "UPDATE tables SET opener = :nobody WHERE opener = :user AND id BETWEEN :first AND :last"
    await tx.run(opened, **values, nobody=NOBODY)
    for listed in ("invited", "kicked"):
        without, has = _WITHOUT.format(listed), _LISTED.format(listed)
        rest = f"CASE trim({without}) WHEN '' THEN '' ELSE {without} END"
        sql = f"UPDATE tables SET {listed} = {rest} WHERE {has} AND id BETWEEN :first AND :last"
        await tx.run(sql, **values)
    asked = "UPDATE tables SET heir = NULL, heir_due = NULL WHERE heir = :user AND id BETWEEN :first AND :last"
    await tx.run(asked, **values)
    # The messages of games that are over are left as they are, not drawn again.
    shown = [number for number, is_shown in tables if is_shown]
    await tx.run("UPDATE tables SET shown = revision WHERE id IN (:shown)", shown=shown)


_THEIRS = (
    'JOIN seats AS s ON s.table_id = {row}.table_id AND s."user" = :user AND s.seat = {seat}'
    " JOIN tables AS t ON t.id = s.table_id AND t.game = :game AND t.id BETWEEN :first AND :last"
)
"""Joins rows with the seat of a user at these tables of a game."""

_SEAT_OF_EVENT = (
    '(SELECT seat FROM decisions WHERE table_id = e.table_id AND "number" <= e."number" ORDER BY "number" DESC LIMIT 1)'
)
"""An event belongs to the last decision that is not later."""


async def _blank_words(tx: Transaction, games: Sequence[AnyGame], values: Mapping[str, Any]) -> None:
    """Blank a user's free text in games that have some, such as a notepad."""
    for game in games:
        values = {**values, "game": game.key}
        in_actions, in_events = free_text_fields(game.actions), free_text_fields(game.events)
        if in_actions:
            theirs = _THEIRS.format(row="d", seat="d.seat")
            found = await tx.rows(
                f'SELECT d.table_id, d."number", d.action FROM decisions AS d {theirs} WHERE d.action IS NOT NULL',
                **values,
            )
            wrote = await _blank(tx, "decisions", "action", "do", in_actions, found)
            await _blank_packed_events(tx, values["user"], in_events, wrote)
            await _blank_packed(tx, values, in_actions, in_events)
        if in_events:
            theirs = _THEIRS.format(row="e", seat=_SEAT_OF_EVENT)
            found = await tx.rows(f'SELECT e.table_id, e."number", e.body FROM events AS e {theirs}', **values)
            await _blank(tx, "events", "body", "event", in_events, found)


async def _blank(
    tx: Transaction, rows: str, column: str, tag: str, words: OwnWords, found: Sequence[tuple[Any, ...]]
) -> set[int]:
    """Blank what was found, and return the tables where there was any."""
    tables: set[int] = set()
    for table, number, text in found:
        if (clean := blank_words(text, tag, words)) is not None:
            tables.add(table)
            sql = f'UPDATE {rows} SET {column} = :text WHERE table_id = :table AND "number" = :number'
            await tx.run(sql, text=clean, table=table, number=number)
    return tables


async def _blank_packed(tx: Transaction, values: Mapping[str, Any], of_actions: OwnWords, of_events: OwnWords) -> None:
    """Blank a user's free text in games that are over."""
    theirs = _THEIRS.format(row="p", seat="s.seat")
    for table, seat in await tx.rows(f"SELECT p.table_id, s.seat FROM packed_decisions AS p {theirs}", **values):
        ((decisions, events),) = await tx.rows(
            "SELECT p.body, e.body FROM packed_decisions AS p JOIN packed_events AS e ON e.table_id = p.table_id"
            " WHERE p.table_id = :table",
            table=table,
        )
        clean = blank_packed(decisions, events, seat, of_actions, of_events)
        if clean is not None:
            for rows, body in zip(("decisions", "events"), clean, strict=True):
                await tx.run(f"UPDATE packed_{rows} SET body = :body WHERE table_id = :table", table=table, body=body)


async def _blank_packed_events(tx: Transaction, user: int, words: OwnWords, wrote: set[int]) -> None:
    """Do the same for those of these games that ended while events alone were packed."""
    packed = await tx.rows(
        "SELECT p.table_id, s.seat, p.body FROM packed_events AS p JOIN seats AS s ON s.table_id = p.table_id"
        ' WHERE s."user" = :user AND p.table_id IN (:tables)',
        user=user,
        tables=[*wrote],
    )
    for table, seat, body in packed:
        sql = 'SELECT "number", seat FROM decisions WHERE table_id = :table ORDER BY "number"'
        clean = blank_packed_events(
            body, seat, [(number, whose) for number, whose in await tx.rows(sql, table=table)], words
        )
        await tx.run("UPDATE packed_events SET body = :body WHERE table_id = :table", body=clean, table=table)
