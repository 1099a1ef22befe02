"""Finished games for tests of the records."""

import sqlite3
from typing import Any

import msgspec

from data.store import ResultRow, SeatChange, SeatRow, Store
from data.store.games import NewDecision
from engine.contract import Moment
from engine.players import Level
from engine.standings import PLACEMENT_GAMES
from tests.data.conftest import NOON, new

PUSH, RESIGN = '{"do":"push","at":3}', '{"do":"resign"}'


def seat(number: int, user: int | None, **more: object) -> SeatRow:
    row = SeatRow(number, user, f"User {user}", Level.TRAINEE if user is None else None)
    return msgspec.structs.replace(row, **more)


async def played(
    store: Store,
    *users: int | None,
    places: tuple[int, ...] = (1, 2),
    movers: tuple[int, ...] | None = None,
    last: str = PUSH,
    minutes: int = 0,
    seats: dict[int, SeatChange] | None = None,
    **changes: object,
) -> int:
    """Finish a game of these users in which `movers` moved, and return its table. `seats` change with the last move."""
    users = users or (10, 11)
    row = await store.tables.create(new(**changes), [seat(number, user) for number, user in enumerate(users)])
    await store.games.append(
        row.id, NewDecision(number=0, seat=None, at=NOON, action=None, events=["begun"], due=None, status="playing")
    )
    movers = tuple(range(len(users))) if movers is None else movers
    for number, mover in enumerate(movers, 1):
        moved = {mover: SeatChange(moved=True)}
        await store.games.append(
            row.id, NewDecision(number=number, seat=mover, at=NOON, action=PUSH, events=["x"], due=None, seats=moved)
        )
    at = Moment(NOON + minutes * 60_000)
    results = [
        ResultRow(number, user, place, 10 - place, "escaped", at, row.guild, row.game)
        for number, (user, place) in enumerate(zip(users, places, strict=True))
    ]
    await store.games.append(
        row.id,
        NewDecision(
            number=len(movers) + 1,
            seat=1,
            at=at,
            action=last,
            events=["over"],
            due=None,
            status="over",
            ended_at=at,
            results=results,
            seats=seats or {},
        ),
    )
    return row.id


async def in_placement(store: Store, *users: int, games: int = PLACEMENT_GAMES - 1, **changes: Any) -> None:
    """Play this many games of two users, so that the next game is their last placement game. They win in turn."""
    for number in range(games):
        await played(store, *users, places=(1 + number % 2, 2 - number % 2), **changes)


def played_once(
    db: sqlite3.Connection, table: int, status: str = "over", *, computer: bool = False, caretaker: bool = False
) -> None:
    """Write a game of users 10 and 11 (or a computer), in which both have moved, as the first versions did.

    It ended as many minutes after noon as its table's number says.
    """
    at = NOON + table * 60_000
    db.execute(
        "INSERT INTO tables (id, game, guild, channel, opener, status, options, created_at, run, version)"
        " VALUES (?, 'rope_wall', 1, 2, 10, ?, '{}', ?, 1, 3)",
        (table, status, NOON),
    )
    users = (10, None if computer else 11)
    for number, user in enumerate(users):
        away, level = number == 1 and caretaker, None if user else "rookie"
        db.execute(
            "INSERT INTO seats (table_id, seat, user, name, level, caretaker) VALUES (?, ?, ?, '', ?, ?)",
            (table, number, user, level, away),
        )
        db.execute("INSERT INTO decisions VALUES (?, ?, ?, ?, ?)", (table, number + 1, number, NOON, PUSH))
    for number, user in enumerate(users if status == "over" else ()):
        result = (table, number, user, number + 1, 4, "prisoners", at, 1, "rope_wall")
        db.execute("INSERT INTO results VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", result)
