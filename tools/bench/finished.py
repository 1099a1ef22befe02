"""Size of a finished game: six rounds of Break-Out between four Trainees, in SQLite and on PostgreSQL."""

import asyncio
import dataclasses
import sqlite3
import tempfile
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import msgspec

from data.store import NewTable, ResultRow, SeatRow, Store
from data.store.games import NewDecision
from data.store.open_store import open_store
from engine.chance import Chance
from engine.contract import Action, AnyGame, Event, Moment, Options, Seat, to_json
from engine.games import GAMES
from engine.players import Level, Steps
from engine.players.registry import BOTS
from tools.bench import judged, present
from tools.harness.matches import play_match
from tools.postgres import programs, separate

MOST_KB = 100
"""Budget for the whole game."""

SEATS, GAMES_KEPT = 4, 4
"""Seats, and the number of games stored after a first one, with which the database has allocated every page it needs.
"""

NUMBER = 1_000_000_000_000_000_000
"""About as large as Discord's numbers."""


def whole_game() -> list[NewDecision]:
    """Return all decisions of such a game with their events, in the form that the store takes."""
    rules, trainee, found = GAMES["break_out"], BOTS["break_out"].levels[Level.TRAINEE], list[NewDecision]()

    def note(seat: Seat | None, at: Moment, action: Action | None, events: list[Event]) -> list[Event]:
        found.append(
            NewDecision(
                number=found[-1].version if found else 0,
                seat=seat,
                at=at,
                action=None if action is None else to_json(action),
                events=[to_json(event) for event in events],
                due=None,
                status="playing",
            )
        )
        return events

    class Noted(AnyGame):
        def setup(self, seats: int, options: Options, material: Any, at: Moment, chance: Chance) -> list[Event]:
            return note(None, at, None, super().setup(seats, options, material, at, chance))

        def decide(self, state: Any, seat: Seat | None, action: Action, at: Moment, chance: Chance) -> list[Event]:
            return note(seat, at, action, super().decide(state, seat, action, at, chance))

    noted = Noted(**{field.name: getattr(rules, field.name) for field in dataclasses.fields(rules)})
    play_match(noted, trainee, trainee, 1, lambda: Steps(1), 1, seats=SEATS)
    return found


async def _keep(store: Store, game: list[NewDecision], number: int) -> None:
    """Store a game decision by decision, and its result."""
    users = range(NUMBER, NUMBER + SEATS)
    new = NewTable("break_out", NUMBER, NUMBER + number, users[0], to_json(GAMES["break_out"].options()), present())
    row = await store.tables.create(new, [SeatRow(seat, user, "Player") for seat, user in enumerate(users)])
    for decided in game[:-1]:
        await store.games.append(row.id, decided)
    last, at = game[-1], game[-1].at
    results = [ResultRow(seat, user, seat + 1, 0, "rounds", at, NUMBER, new.game) for seat, user in enumerate(users)]
    await store.games.append(row.id, msgspec.structs.replace(last, status="over", ended_at=at, results=results))


async def _describe(database: Path | str, size: Callable[[], int]) -> str:
    """Describe how much a game takes: the growth of the database after the first game."""
    game, sizes = whole_game(), list[int]()
    for numbers in (range(1), range(1, GAMES_KEPT + 1)):
        async with open_store(database, now=present) as store:
            for number in numbers:
                await _keep(store, game, number)
        sizes.append(size())
    kilobytes = (sizes[1] - sizes[0]) / GAMES_KEPT / 1_000
    return f"{kilobytes:.0f} KB{judged(kilobytes <= MOST_KB, f'{MOST_KB} KB')} for {len(game):,} decisions"


def _in_a_file() -> str:
    with tempfile.TemporaryDirectory() as folder:
        database = Path(folder) / "bench.db"

        def size() -> int:
            with closing(sqlite3.connect(database)) as db:
                pages, free, page = (
                    db.execute(f"PRAGMA {name}").fetchone()[0] for name in ("page_count", "freelist_count", "page_size")
                )
            return int((pages - free) * page)

        return asyncio.run(_describe(database, size))


def _on_a_server() -> str:
    import psycopg

    with separate() as cluster:
        address = cluster.fresh("template1")

        def size() -> int:
            with psycopg.connect(address, autocommit=True) as db:
                db.execute("VACUUM FULL")  # space of deleted rows is used again by later ones
                found = db.execute(
                    "SELECT sum(pg_total_relation_size(quote_ident(tablename)::regclass))::bigint FROM pg_tables"
                    " WHERE schemaname = 'public'"
                )
                return sum(found.fetchone() or ())

        return asyncio.run(_describe(address, size))


def rows() -> Iterator[tuple[str, str]]:
    """Yield a line per database."""
    yield "a whole Break-Out, SQLite", _in_a_file()
    if programs() is None:
        yield "a whole Break-Out, PostgreSQL", "not installed"
    else:
        yield "a whole Break-Out, PostgreSQL", _on_a_server()
